/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/stat_print.h"
#include "cli/task_time.h"

/* What the times of a table are told in. */
struct unit {
	const char *name;
	double size; /* in ticks of the trace */
};

static struct unit
unit_of(const struct stat_report *r)
{
	static const struct unit units[] = { { "ps", 1e-3 }, { "ns", 1 },
		{ "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	int first = strcmp(r->unit, "ps") == 0 ? 0 : 1, i = first;
	double ticks = 1 / units[first].size; /* a ns */

	while (i < 4 &&
		(double)r->table->duration >= 1e4 * units[i].size * ticks)
		i++;
	return (struct unit){ units[i].name, units[i].size * ticks };
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
print_mean(const struct stat_report *r, const struct stat_line *line,
	uint64_t times)
{
	char mean[48];

	if (times == 0 || line->value == VALUE_NONE)
		printf("  %13s", "-");
	else
		printf("  %13s",
			task_time_text((int64_t)((uint64_t)line->time / times),
				r->unit, mean));
}

static void
print_line(const struct stat_report *r, const struct stat_line *line,
	int64_t whole, struct unit unit)
{
	uint64_t times = r->by == BY_TYPE ? line->runs : line->times;
	char label[STAT_LABEL_ROOM];

	printf("  %13.*f  ", unit.size > 1 ? 3 : 0,
		(double)line->time / unit.size);
	if (line->value == VALUE_NONE && r->by == BY_TYPE)
		printf("%7s", "-");
	else
		printf("%5.1f %%",
			whole == 0
				? 0.0
				: 100.0 * (double)line->time / (double)whole);
	printf("  %8" PRIu64, times);
	if (has_mean(r))
		print_mean(r, line, times);
	printf("  %s\n", stat_print_label(line, label));
}

/* What the shares are of, if each row has its own; or all have one whole. */
static const char *
what_lasts(const struct stat_report *r, int type, bool each)
{
	const char *class = r->table->types.at[type].class;

	if (strcmp(class, "thread") == 0)
		return each ? "each thread lived" : "threads lived";
	if (strcmp(class, "cpu") != 0)
		return each ? "each row lasts" : "the rows last together";
	return each ? "each CPU lasts" : "the CPUs last together";
}

/* Says what the shares are of, and how much of that is unknown. */
static void
print_foot(const struct stat_report *r, int type, const struct stat_lines *l)
{
	int64_t whole = stat_report_whole(r, l);
	char time[48];

	if (whole > 0 && l->lost > 0)
		printf("  events were lost: what was done in %.1f %% of this "
		       "time is unknown\n",
			100.0 * (double)l->lost / (double)whole);
	if (r->by == BY_TYPE)
		printf("  shares are of the %s in tasks\n",
			task_time_text(whole, r->unit, time));
	else if (r->by == BY_THREAD || r->by == BY_CPU)
		printf("  shares are of the time that %s (%s in all)\n",
			what_lasts(r, type, true),
			task_time_text(whole, r->unit, time));
	else
		printf("  shares are of the %s that %s\n",
			task_time_text(whole, r->unit, time),
			what_lasts(r, type, false));
	if (r->by != BY_TYPE && stat_report_virtual(r, type) > 0)
		printf("  (virtual CPUs last while threads run there)\n");
}

static void
print_lines(const struct stat_report *r, const struct stat_lines *l,
	struct unit unit)
{
	for (int i = 0; i < l->line.n; i++)
		print_line(r, &l->line.at[i], stat_report_whole(r, l), unit);
}

/* Each row apart, with a foot for all. */
static void
print_rows(const struct stat_report *r, int type, struct unit unit)
{
	const struct stat_table *st = r->table;
	struct stat_lines all = { 0 };

	for (int row = 0; row < st->rows.n; row++) {
		struct stat_lines l;
		char name[STAT_LABEL_ROOM];

		if (!stat_report_has(r, type, row))
			continue;
		snprintf(name, sizeof name, "%s",
			text_trim(st->rows.at[row].name));
		printf(" %s\n", text_disarm(name));
		l = stat_report_lines(r, type, row);
		print_lines(r, &l, unit);
		all.lived += l.lived;
		all.lost += l.lost;
		stat_lines_fini(&l);
	}
	print_foot(r, type, &all);
}

static void
print_table(const struct stat_report *r, int type)
{
	const struct stat_type *t = &r->table->types.at[type];
	struct unit unit = unit_of(r);
	char time[48], title[STAT_LABEL_ROOM];
	struct stat_lines l;

	snprintf(title, sizeof title, "%s", t->title);
	printf("%s  (%s, %s x %s)\n", text_disarm(title), t->key,
		stat_report_rows_text(r, type),
		task_time_text(r->table->duration, r->unit, time));
	print_head(r, unit);
	if (r->by == BY_THREAD || r->by == BY_CPU) {
		print_rows(r, type, unit);
		return;
	}
	l = stat_report_lines(r, type, -1);
	print_lines(r, &l, unit);
	print_foot(r, type, &l);
	stat_lines_fini(&l);
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
