/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/run.h"
#include "cli/stat_print.h"

/* What the times of a table are told in. */
struct unit {
	const char *name;
	double ns;
};

static struct unit
unit_of(int64_t duration)
{
	static const struct unit units[] = { { "ns", 1 }, { "us", 1e3 },
		{ "ms", 1e6 }, { "s", 1e9 } };
	int i = 0;

	while (i < 3 && (double)duration >= 1e4 * units[i].ns)
		i++;
	return units[i];
}

static bool
has_mean(const struct stat_report *r)
{
	return r->by == BY_LABEL || r->by == BY_TYPE;
}

static void
print_head(const struct stat_report *r, struct unit unit)
{
	const char *what = r->by == BY_TYPE ? "task type" : "state";

	if (has_mean(r))
		printf("  %10s %s  %7s  %8s  %13s  %s\n", "time", unit.name,
			"share", r->by == BY_TYPE ? "runs" : "times", "mean",
			what);
	else
		printf("  %10s %s  %7s  %8s  %s\n", "time", unit.name, "share",
			"times", what);
}

static void
print_mean(const struct stat_line *line, uint64_t times)
{
	char mean[32];

	if (times == 0 || line->value == VALUE_NONE)
		printf("  %13s", "-");
	else
		printf("  %13s",
			run_time_text(
				(int64_t)((uint64_t)line->time / times), mean));
}

static void
print_line(const struct stat_report *r, const struct stat_line *line,
	int64_t whole, struct unit unit)
{
	uint64_t times = r->by == BY_TYPE ? line->runs : line->times;
	char label[STAT_LABEL_ROOM];

	printf("  %13.*f  ", unit.ns > 1 ? 3 : 0, (double)line->time / unit.ns);
	if (line->value == VALUE_NONE)
		printf("%7s", "-");
	else
		printf("%5.1f %%",
			whole == 0
				? 0.0
				: 100.0 * (double)line->time / (double)whole);
	printf("  %8" PRIu64, times);
	if (has_mean(r))
		print_mean(line, times);
	printf("  %s\n", stat_print_label(line, label));
}

static void
print_lines(const struct stat_report *r, struct stat_lines *l, struct unit unit)
{
	for (int i = 0; i < l->line.n; i++)
		print_line(r, &l->line.at[i], l->in_states, unit);
	stat_lines_fini(l);
}

static void
print_rows(const struct stat_report *r, int type, struct unit unit)
{
	const struct stat_table *st = r->table;

	for (int row = 0; row < st->rows.n; row++)
		for (int i = 0; i < st->lanes.n; i++) {
			const struct stat_lane *lane = &st->lanes.at[i];
			struct stat_lines l;

			if (lane->type != (uint32_t)type ||
				lane->row != (uint32_t)row)
				continue;
			printf(" %s\n", text_trim(st->rows.at[row].name));
			l = stat_report_lane(r, lane);
			print_lines(r, &l, unit);
		}
}

static void
print_table(const struct stat_report *r, int type)
{
	const struct stat_type *t = &r->table->types.at[type];
	struct unit unit = unit_of(r->table->duration);
	int nrows = stat_report_rows(r);
	char time[32], title[STAT_LABEL_ROOM];
	struct stat_lines l;

	snprintf(title, sizeof title, "%s", t->title);
	printf("%s  (%s, %d row%s x %s)\n", text_disarm(title), t->key, nrows,
		text_plural((unsigned)nrows),
		run_time_text(r->table->duration, time));
	print_head(r, unit);
	if (r->by == BY_THREAD || r->by == BY_CPU) {
		print_rows(r, type, unit);
		return;
	}
	l = stat_report_total(r, type);
	print_lines(r, &l, unit);
}

bool
stat_print_text(const struct stat_report *r)
{
	int n = 0;

	for (int type; (type = stat_report_type(r, n)) >= 0; n++) {
		if (n > 0)
			printf("\n");
		print_table(r, type);
	}
	return n > 0;
}
