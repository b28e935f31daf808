/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/fit.h"
#include "cli/screen.h"
#include "cli/times.h"
#include "cli/trace/stat_print.h"

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

/* How the lines of a table are laid out. */
struct layout {
	struct unit unit;
	int names;   /* columns of a state's name; 0: as many as it has */
	bool narrow; /* the numbers stand below the name */
};

/* Columns of the numbers in front of a name, of a mean; and of a name at least.
 */
enum { NUMBERS = 36, MEAN = 15, NAME_LEAST = 20 };

static struct layout
layout_of(const struct stat_report *r)
{
	struct layout l = { .unit = unit_of(r) };
	int columns = screen_columns();
	int room = columns - NUMBERS - (has_mean(r) ? MEAN : 0);

	if (columns == 0)
		return l;
	l.narrow = room < NAME_LEAST;
	l.names = l.narrow ? columns - 2 : room;
	if (l.names < 8)
		l.names = 8;
	return l;
}

/* The names of lines, as they fit. */
static const char **
names_of(const struct stat_report *r, const struct stat_lines *l,
	const struct layout *layout)
{
	const char **name = ARENA_ARRAY(r->arena, const char *, l->line.n);
	char label[STAT_LABEL_ROOM];

	for (int i = 0; i < l->line.n; i++)
		name[i] = arena_strdup(
			r->arena, stat_print_label(&l->line.at[i], label));
	return layout->names == 0
		? name
		: fit_texts(r->arena, name, l->line.n, layout->names);
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

static const char *
mean_text(const struct stat_report *r, const struct stat_line *line,
	uint64_t times, char text[TIMES_TEXT])
{
	if (times == 0 || line->value == VALUE_NONE)
		return "-";
	return times_text(
		(int64_t)((uint64_t)line->time / times), r->unit, text);
}

static void
print_line(const struct stat_report *r, const struct stat_line *line,
	int64_t whole, const struct layout *layout, const char *name)
{
	uint64_t times = r->by == BY_TYPE ? line->runs : line->times;
	double size = layout->unit.size;
	char share[32] = "-", mean[TIMES_TEXT];
	const char *time = arena_printf(
		r->arena, "%.*f", size > 1 ? 3 : 0, (double)line->time / size);

	if (line->value != VALUE_NONE || r->by != BY_TYPE)
		snprintf(share, sizeof share, "%.1f %%",
			whole == 0
				? 0.0
				: 100.0 * (double)line->time / (double)whole);
	if (layout->narrow) {
		printf("  %s\n", name);
		screen_say(arena_printf(r->arena,
				   "    %s %s, %s, %" PRIu64 " %s%s%s%s", time,
				   layout->unit.name, share, times,
				   r->by == BY_TYPE ? "run" : "time",
				   text_plural(times),
				   has_mean(r) ? ", mean " : "",
				   has_mean(r) ? mean_text(r, line, times, mean)
					       : ""),
			4);
		return;
	}
	printf("  %13s  %7s  %8" PRIu64, time, share, times);
	if (has_mean(r))
		printf("  %13s", mean_text(r, line, times, mean));
	printf("  %s\n", name);
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
	const char *text;
	char time[TIMES_TEXT];

	if (whole > 0 && l->lost > 0)
		screen_say(arena_printf(r->arena,
				   "  events were lost: what was done in %.1f "
				   "%% of this time is unknown",
				   100.0 * (double)l->lost / (double)whole),
			2);
	times_text(whole, r->unit, time);
	if (r->by == BY_TYPE)
		text = arena_printf(
			r->arena, "  shares are of the %s in tasks", time);
	else if (r->by == BY_THREAD || r->by == BY_CPU)
		text = arena_printf(r->arena,
			"  shares are of the time that %s (%s in all)",
			what_lasts(r, type, true), time);
	else
		text = arena_printf(r->arena, "  shares are of the %s that %s",
			time, what_lasts(r, type, false));
	screen_say(text, 2);
	if (r->by != BY_TYPE && stat_report_virtual(r, type) > 0)
		screen_say("  (virtual CPUs last while threads run there)", 2);
}

static void
print_lines(const struct stat_report *r, const struct stat_lines *l,
	const struct layout *layout)
{
	const char **name = names_of(r, l, layout);

	for (int i = 0; i < l->line.n; i++)
		print_line(r, &l->line.at[i], stat_report_whole(r, l), layout,
			name[i]);
}

/* The names of rows, as they fit. */
static const char **
row_names(const struct stat_report *r)
{
	const struct stat_table *st = r->table;
	const char **name = ARENA_ARRAY(r->arena, const char *, st->rows.n);
	int columns = screen_columns();

	for (int i = 0; i < st->rows.n; i++)
		name[i] = text_disarm(
			arena_strdup(r->arena, text_trim(st->rows.at[i].name)));
	return columns == 0 ? name
			    : fit_texts(r->arena, name, st->rows.n,
				      columns < 9 ? 8 : columns - 1);
}

/* Each row apart, with a foot for all. */
static void
print_rows(const struct stat_report *r, int type, const struct layout *layout)
{
	const struct stat_table *st = r->table;
	const char **name = row_names(r);
	struct stat_lines all = { 0 };

	for (int row = 0; row < st->rows.n; row++) {
		struct stat_lines l;

		if (!stat_report_has(r, type, row))
			continue;
		printf(" %s\n", name[row]);
		l = stat_report_lines(r, type, row);
		print_lines(r, &l, layout);
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
	struct layout layout = layout_of(r);
	char time[TIMES_TEXT];
	struct stat_lines l;

	screen_say(text_disarm(arena_printf(r->arena, "%s  (%s, %s x %s)",
			   t->title, t->key, stat_report_rows_text(r, type),
			   times_text(r->table->duration, r->unit, time))),
		2);
	if (!layout.narrow)
		print_head(r, layout.unit);
	if (r->by == BY_THREAD || r->by == BY_CPU) {
		print_rows(r, type, &layout);
		return;
	}
	l = stat_report_lines(r, type, -1);
	print_lines(r, &l, &layout);
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
