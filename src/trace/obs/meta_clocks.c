/* SPDX-License-Identifier: MIT */
#include "trace/obs/meta_clocks.h"

#include "base/json.h"
#include "trace/trace.h"
#include "trace/wall.h"

/* Reads n integers from an array; returns false if it is not one, or too
 * short. */
static bool
read_row(struct json_object *row, int64_t *value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!json_int(json_at(row, i), &value[i]))
			return false;
	return true;
}

/* Says that entries of a list cannot be used. Another type than an array
 * counts as one such entry. */
static void
report_unusable(struct trace *t, struct json_object *list, int process,
	size_t bad, const char *what, const char *holds)
{
	bad += list != NULL && json_type(list, "") != JSON_ARRAY;
	if (bad > 0)
		finding_file(t->findings, FINDING_NOTE,
			t->processes.at[process].file,
			"%zu %s%s left out: each has %s", bad, what,
			bad == 1 ? " is" : "s are", holds);
}

void
obs_meta_suspended(
	struct trace *t, struct json_object *list, int process, int64_t shift)
{
	size_t bad = 0;

	for (size_t i = 0; i < json_length(list); i++) {
		int64_t v[3];

		if (read_row(json_at(list, i), v, 3) && v[0] >= 0 &&
			v[1] >= v[0] && v[2] > 0)
			wall_add_suspended(t, process,
				&(struct trace_suspended){
					(int64_t)((uint64_t)v[0] +
						(uint64_t)shift),
					(int64_t)((uint64_t)v[1] +
						(uint64_t)shift),
					v[2] });
		else
			bad++;
	}
	report_unusable(t, list, process, bad, "suspension",
		"the clock before, the clock after, not less, and a length "
		"above 0");
}

static void
read_snaps(struct trace *t, struct json_object *list, int process)
{
	size_t bad = 0;

	for (size_t i = 0; i < json_length(list); i++) {
		int64_t v[4];

		if (read_row(json_at(list, i), v, 4) && v[3] >= 0)
			wall_add_snap(t, process,
				&(struct trace_snap){ v[0], v[1], v[2], v[3] });
		else
			bad++;
	}
	report_unusable(t, list, process, bad, "clock snapshot",
		"four integers, the last one not negative");
}

void
obs_meta_clocks(struct trace *t, struct json_object *weft, int process)
{
	const char *boot = json_str(json_get(weft, "clocks.boot"));
	int64_t timens;

	if (boot != NULL && json_int(json_get(weft, "clocks.timens"), &timens))
		wall_set_machine(
			t, t->processes.at[process].node, boot, timens);
	read_snaps(t, json_get(weft, "clocks.snap"), process);
	obs_meta_suspended(t, json_get(weft, "suspended"), process, 0);
}
