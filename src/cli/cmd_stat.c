/* SPDX-License-Identifier: MIT */
/* weft stat - prints where the time went. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/run.h"
#include "emu/system.h"
#include "export/stat/stat.h"

enum by {
	BY_STATE,  /* all rows together */
	BY_THREAD, /* each thread apart */
	BY_CPU,
};

struct line {
	int64_t value, time;
	uint64_t times;
};

/* The lines of one table: of one lane, or of many added up. */
struct lines {
	struct map of; /* value -> index + 1 */
	VEC(struct line) line;
};

/* Clocks may lie at both ends of what a number holds. */
static int64_t
sum(int64_t a, int64_t b)
{
	return __builtin_add_overflow(a, b, &a) ? INT64_MAX : a;
}

static int64_t
product(int64_t a, int64_t b)
{
	return __builtin_mul_overflow(a, b, &a) ? INT64_MAX : a;
}

static void
add_line(struct lines *l, struct arena *a, struct line add)
{
	uint64_t *at = map_put(&l->of, (uint64_t)add.value);

	if (*at == 0) {
		VEC_PUSH(&l->line, a, ((struct line){ .value = add.value }));
		*at = (uint64_t)l->line.n;
	}
	l->line.at[*at - 1].time = sum(l->line.at[*at - 1].time, add.time);
	l->line.at[*at - 1].times += add.times;
}

static void
add_lane(struct lines *l, struct arena *a, const struct stat_lane *lane)
{
	for (int i = 0; i < lane->cells.n; i++)
		add_line(l, a,
			(struct line){ lane->cells.at[i].value,
				lane->cells.at[i].time,
				lane->cells.at[i].times });
}

static int
longest_first(const void *pa, const void *pb)
{
	const struct line *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? 1 : -1;
	return (a->value > b->value) - (a->value < b->value);
}

#define CORE_TYPES (THREAD_CORE + CPU_CORE)
#define LABEL_ROOM 520 /* the longest label of a task type, and its end */

static const char *
label_text(const struct stat_type *type, int64_t value, char to[LABEL_ROOM])
{
	const char *label = stat_label(type, value);

	if (label != NULL)
		snprintf(to, LABEL_ROOM, "%s", text_trim(label));
	else if (value == VALUE_NONE)
		snprintf(to, LABEL_ROOM, "(nothing)");
	else if (value == VALUE_OTHER)
		snprintf(to, LABEL_ROOM, "(all other values)");
	else
		snprintf(to, LABEL_ROOM, "%" PRId64, value);
	return text_disarm(to);
}

/* The time of all lines but that of nothing. */
static int64_t
time_in_states(const struct lines *l)
{
	int64_t all = 0;

	for (int i = 0; i < l->line.n; i++) {
		if (l->line.at[i].value != VALUE_NONE)
			all = sum(all, l->line.at[i].time);
	}
	return all;
}

static void
print_line(const struct line *line, const struct stat_type *type, int64_t whole,
	double unit)
{
	char label[LABEL_ROOM];

	printf("  %13.*f  ", unit > 1 ? 3 : 0, (double)line->time / unit);
	if (line->value == VALUE_NONE)
		printf("%7s", "-");
	else
		printf("%5.1f %%",
			whole == 0
				? 0.0
				: 100.0 * (double)line->time / (double)whole);
	printf("  %8" PRIu64 "  %s\n", line->times,
		label_text(type, line->value, label));
}

/* Longest first; nothing comes last, and has no share. */
static void
print_lines(struct lines *l, const struct stat_type *type, double unit)
{
	int64_t whole = time_in_states(l);

	qsort(l->line.at, (size_t)l->line.n, sizeof *l->line.at, longest_first);
	for (int i = 0; i < l->line.n; i++)
		if (l->line.at[i].value != VALUE_NONE)
			print_line(&l->line.at[i], type, whole, unit);
	for (int i = 0; i < l->line.n; i++)
		if (l->line.at[i].value == VALUE_NONE)
			print_line(&l->line.at[i], type, whole, unit);
	map_fini(&l->of);
}

/* The unit of a table's times: what the run itself is best told in. */
static double
print_head(int64_t duration)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };
	int i = 0;

	while (i < 3 && (double)duration >= 1e4 * units[i].ns)
		i++;
	printf("  %10s %s  %7s  %8s  %s\n", "time", units[i].name, "share",
		"times", "state");
	return units[i].ns;
}

/* True if some row was ever in a state other than nothing. */
static bool
has_states(const struct stat_table *st, uint32_t type)
{
	for (int i = 0; i < st->lanes.n; i++) {
		const struct stat_lane *lane = &st->lanes.at[i];

		if (lane->type == type &&
			(lane->cells.n > 1 ||
				(lane->cells.n == 1 &&
					lane->cells.at[0].value != VALUE_NONE)))
			return true;
	}
	return false;
}

static int
count_rows(const struct stat_table *st, const char *class)
{
	int n = 0;

	for (int i = 0; i < st->rows.n; i++)
		n += strcmp(st->rows.at[i].class, class) == 0;
	return n;
}

static void
print_total(
	struct arena *a, const struct stat_table *st, uint32_t type, int nrows)
{
	struct lines l = { 0 };
	int lanes = 0;

	for (int i = 0; i < st->lanes.n; i++) {
		if (st->lanes.at[i].type != type)
			continue;
		add_lane(&l, a, &st->lanes.at[i]);
		lanes++;
	}
	if (lanes < nrows) /* rows that never had a record */
		add_line(&l, a,
			(struct line){ VALUE_NONE,
				product(nrows - lanes, st->duration), 0 });
	print_lines(&l, &st->types.at[type], print_head(st->duration));
}

static void
print_rows(struct arena *a, const struct stat_table *st, uint32_t type)
{
	double unit = print_head(st->duration);

	for (int row = 0; row < st->rows.n; row++)
		for (int i = 0; i < st->lanes.n; i++) {
			struct lines l = { 0 };

			if (st->lanes.at[i].type != type ||
				st->lanes.at[i].row != (uint32_t)row)
				continue;
			printf(" %s\n", text_trim(st->rows.at[row].name));
			add_lane(&l, a, &st->lanes.at[i]);
			print_lines(&l, &st->types.at[type], unit);
		}
}

static bool
print_tables(struct arena *a, const struct stat_table *st, enum by by)
{
	const char *class = by == BY_CPU ? "cpu" : "thread";
	int nrows = count_rows(st, class);
	bool any = false;
	char time[32], title[LABEL_ROOM];

	/* The states of the runtime first: the core rows were declared before
	 * them, and say less. */
	for (int n = 0; n < st->types.n; n++) {
		int i = (n + CORE_TYPES) % st->types.n;
		const struct stat_type *type = &st->types.at[i];

		if (!type->wanted || strcmp(type->class, class) != 0 ||
			!has_states(st, (uint32_t)i))
			continue;
		snprintf(title, sizeof title, "%s", type->title);
		printf("%s%s  (%s, %d row%s x %s)\n", any ? "\n" : "",
			text_disarm(title), type->key, nrows,
			text_plural((unsigned)nrows),
			run_time_text(st->duration, time));
		any = true;
		if (by == BY_STATE)
			print_total(a, st, (uint32_t)i, nrows);
		else
			print_rows(a, st, (uint32_t)i);
	}
	return any;
}

static bool
parse_by(const char *text, enum by *by)
{
	static const char *const name[] = {
		[BY_STATE] = "state",
		[BY_THREAD] = "thread",
		[BY_CPU] = "cpu",
	};

	for (int i = BY_STATE; i <= BY_CPU; i++)
		if (strcmp(name[i], text) == 0) {
			*by = (enum by)i;
			return true;
		}
	return false;
}

static bool
has_type(const struct stat_table *st)
{
	for (int i = 0; i < st->types.n; i++)
		if (st->types.at[i].wanted)
			return true;
	return false;
}

static enum exit_code
stat_trace(struct run *r, const char *trace, enum by by, const char *type)
{
	struct stat_options options = { .type = type };
	struct err err = { 0 };
	struct sink *sink;
	enum exit_code code;

	if (!run_open(r, trace))
		return EXIT_UNABLE;
	sink = stat_open(&r->arena, &options);
	if (!run_emulate(r, sink, &err)) {
		sink_close(sink, &(struct err){ 0 });
		return run_unable(&err);
	}
	code = run_report(r);
	if (type != NULL && !has_type(stat_result(sink)))
		code = cmd_usage_error(&cmd_stat,
			"the trace has no type \"%s\"; 'weft models' and "
			"'weft models MODEL' list them",
			type);
	else if (!print_tables(&r->arena, stat_result(sink), by))
		printf(type == NULL ? "no state was entered\n"
				    : "nothing was shown for this type\n");
	sink_close(sink, &err);
	return code;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct run r = RUN_DEFAULTS;
	const char *by_text = "state", *type = NULL;
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'b', "by", "ROWS", "state (all threads together), thread or cpu",
		  .text = &by_text },
		{ 0, "type", "TYPE", "only this type: its key or Paraver number",
		  .text = &type },
		RUN_OPTIONS(r),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	enum by by;

	if (cmd_parse(&cmd_stat, opts, argc, argv, &code) < 0)
		return code;
	if (!parse_by(by_text, &by))
		return cmd_usage_error(&cmd_stat,
			"--by takes state, thread or cpu, not \"%s\"", by_text);
	code = stat_trace(&r, argv[0], by, type);
	run_close(&r);
	return code;
}

const struct cmd cmd_stat = {
	.name = "stat",
	.brief = "print how long each state took, by state, thread or CPU",
	.args = "TRACE",
	.min_args = 1,
	.max_args = 1,
	.help = "The times of one table add up to rows x duration. Shares are "
		"of the time in any state;\nthe last line is the time in none. "
		"'weft models MODEL' lists the keys for --type.\n",
	.examples = "  weft stat ovni                            all states of "
		    "all threads\n"
		    "  weft stat --by cpu --type nanos6.subsystem ovni\n",
	.run = run,
};
