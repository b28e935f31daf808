/* SPDX-License-Identifier: MIT */
#include "emu/hwc.h"

#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/say.h"
#include "emu/state.h"

static void
complain(const struct emu *emu, const struct trace_counters *c,
	const char *text, const char *other)
{
	finding_add(emu->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = c->file,
			.key = "nosv.hwc",
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER },
		"%s%s", text, other);
}

static bool
is_same(const struct trace_counters *a, const struct trace_counters *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (strcmp(a->name[i], b->name[i]) != 0)
			return false;
	return true;
}

/* Returns the declaration of the trace, on which all threads that have one must
 * agree, or NULL. */
static const struct trace_counters *
find_declared(const struct emu *emu)
{
	const struct trace_counters *first = NULL;

	for (int i = 0; i < emu->trace->counters.n; i++) {
		const struct trace_counters *c = &emu->trace->counters.at[i];

		if (c->wrong != NULL)
			complain(emu, c, c->wrong, "");
		else if (c->n > 0 && first == NULL)
			first = c;
		else if (c->n > 0 && !is_same(first, c))
			complain(emu, c,
				"the hardware counters differ from those in ",
				first->file);
	}
	return first;
}

static void
add_chan(struct emu *emu, const struct model *m, const char *name, int i)
{
	struct chan_def *def = ARENA_NEW(emu->arena, struct chan_def);

	*def = (struct chan_def){
		.key = arena_printf(emu->arena, "hwc-%s", name),
		.title = name,
		.number = HWC_FIRST_NUMBER + i,
		.shows = TYPE_NUMBER,
		.thread = TRACK_ACTIVE,
		.emission = SKIPDUPNULL,
		.dup = true,
		.plain = true,
		.before = true,
	};
	emu_add_chan(emu, def, m, -1);
}

void
hwc_add_chans(struct emu *emu, const struct model *m)
{
	const struct trace_counters *c = m->counts ? find_declared(emu) : NULL;

	if (c == NULL)
		return;
	emu->first_hwc = emu->chans.n;
	emu->nhwc = c->n;
	for (int i = 0; i < c->n; i++)
		add_chan(emu, m, c->name[i], i);
}

void
hwc_set(struct emu *emu, const struct event *ev)
{
	const struct event_class *class = &emu->trace->classes.at[ev->class];
	int n = ev->value != NULL ? class->nfields
				  : (int)(ev->size / sizeof(int64_t));
	bool whole = ev->value != NULL || ev->size % sizeof(int64_t) == 0;
	int64_t value;

	if (emu->nhwc == 0) {
		emu_finding(emu, FINDING_ERROR,
			"no hardware counter is declared in any stream.json");
		return;
	}
	if (n != emu->nhwc || !whole) {
		emu_finding(emu, FINDING_ERROR,
			"%d values of hardware counters, not %d", n, emu->nhwc);
		return;
	}
	for (int i = 0; i < n; i++) {
		if (ev->value != NULL)
			value = ev->value[i].i;
		else
			memcpy(&value, ev->data + i * 8, sizeof value);
		emu_set(emu, emu->first_hwc + i, value);
	}
}
