/* SPDX-License-Identifier: MIT */
#include "cli/trace/stat_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/document.h"
#include "base/text.h"
#include "cli/fit.h"
#include "cli/screen.h"
#include "cli/table_print.h"
#include "cli/times.h"

enum { COLUMNS = 12 };

/* Returns an empty table. unit is the unit of times in text tables. */
static struct table
table_of(const struct stat_report *r, enum table_format format,
	const struct times_unit *unit)
{
	bool by_type = r->by == BY_TYPE;
	const struct table_column columns[COLUMNS] = {
		{ .name = "type", .in = TABLE_IN_CSV },
		{ .name = "number", .kind = TABLE_NUMBER, .in = TABLE_IN_CSV },
		{ .name = "row", .in = TABLE_IN_CSV },
		{ .name = "value", .kind = TABLE_NUMBER, .in = TABLE_IN_DATA },
		{ .name = "more",
			.kind = TABLE_NUMBER,
			.in = TABLE_IN_JSON,
			.is_rare = true },
		{ .name = "label", .in = TABLE_IN_DATA },
		{ .name = "time",
			.kind = TABLE_TIME,
			.unit = unit,
			.width = 13 },
		{ .name = "share",
			.kind = TABLE_SHARE,
			.in = TABLE_IN_TEXT,
			.width = 7,
			.none = "-" },
		{ .name = "times",
			.kind = TABLE_NUMBER,
			.in = by_type ? TABLE_IN_DATA : 0,
			.width = 8 },
		{ .name = "runs",
			.kind = TABLE_NUMBER,
			.in = by_type ? 0 : TABLE_IN_DATA,
			.width = 8 },
		{ .name = "mean",
			.kind = TABLE_TIME,
			.in = by_type || r->by == BY_LABEL ? 0 : TABLE_IN_DATA,
			.width = 13,
			.none = "-" },
		{ .name = by_type ? "task type" : "state",
			.in = TABLE_IN_TEXT },
	};

	return table_new(r->arena, columns, COLUMNS, format, r->unit);
}

static bool
has_value(const struct stat_line *line)
{
	return line->value != VALUE_NONE && line->value != VALUE_OTHER &&
		line->value != VALUE_CROWD;
}

/* In text tables, a line without executions has no mean time. */
static void
put_mean(struct table *t, const struct stat_report *r,
	const struct stat_line *line)
{
	uint64_t n = line->runs > 0 ? line->runs : line->times;
	bool is_text = t->format == TABLE_TEXT;

	if (is_text && r->by == BY_TYPE)
		n = line->runs;
	if (is_text && (n == 0 || line->value == VALUE_NONE))
		table_empty(t);
	else
		table_time(t, n == 0 ? 0 : (int64_t)((uint64_t)line->time / n));
}

/* Adds the label in text tables. In tables for programs, where numbers have no
 * label, adds the label as it is. */
static void
put_label(struct table *t, const struct stat_line *line, bool for_people)
{
	char label[STAT_LABEL_ROOM];

	if (for_people != (t->format == TABLE_TEXT))
		table_empty(t);
	else if (!for_people && (line->label != NULL || has_value(line)))
		table_word(t, line->label);
	else
		table_word(t,
			arena_strdup(t->texts, stat_print_label(line, label)));
}

static void
put_line(struct table *t, const struct stat_report *r, int type,
	const char *row, const struct stat_line *line, int64_t whole)
{
	const struct stat_type *of = &r->table->types.at[type];

	table_word(t, of->key);
	table_i64(t, of->number);
	table_word(t, row);
	if (has_value(line))
		table_i64(t, line->value);
	else
		table_empty(t);
	if (line->more > 0)
		table_i64(t, line->more);
	else
		table_empty(t);
	put_label(t, line, false);
	table_time(t, line->time);
	if (line->value == VALUE_NONE && r->by == BY_TYPE)
		table_empty(t);
	else
		table_share(t, (double)line->time, (double)whole);
	table_u64(t, line->times);
	table_u64(t, line->runs);
	put_mean(t, r, line);
	put_label(t, line, true);
}

/* Writes types, their tables and the lines as data for programs. */
struct data {
	const struct stat_report *report;
	struct table table;
	struct doc *doc;   /* borrowed */
	struct arena line; /* owns the cells */
};

static bool
is_json(const struct data *d)
{
	return d->table.format == TABLE_JSON;
}

static void
put_time(struct data *d, const char *name, int64_t time)
{
	doc_i64(d->doc, arena_printf(&d->line, "%s_%s", name, d->report->unit),
		time);
}

static void
put_table(struct data *d, int type, const char *row, struct stat_lines l)
{
	if (is_json(d)) {
		doc_begin(d->doc, NULL, '{');
		doc_word(d->doc, "row", row);
		put_time(d, "lived", l.lived);
		put_time(d, "lost", l.lost);
		doc_begin(d->doc, "states", '[');
	}
	for (int i = 0; i < l.line.n; i++) {
		put_line(&d->table, d->report, type, row, &l.line.at[i], 0);
		table_put(&d->table, d->doc);
		arena_reset(&d->line);
	}
	stat_lines_fini(&l);
	if (is_json(d)) {
		doc_end(d->doc, ']');
		doc_end(d->doc, '}');
	}
}

static void
put_tables(struct data *d, int type)
{
	const struct stat_report *r = d->report;

	if (r->by != BY_THREAD && r->by != BY_CPU) {
		put_table(d, type, NULL, stat_report_lines(r, type, -1));
		return;
	}
	for (int row = 0; row < r->table->rows.n; row++)
		if (stat_report_has(r, type, row))
			put_table(d, type,
				text_trim(r->table->rows.at[row].name),
				stat_report_lines(r, type, row));
}

static void
put_type(struct data *d, int type)
{
	const struct stat_type *t = &d->report->table->types.at[type];

	if (is_json(d)) {
		doc_begin(d->doc, NULL, '{');
		doc_word(d->doc, "type", t->key);
		doc_i64(d->doc, "number", t->number);
		doc_word(d->doc, "title", t->title);
		doc_word(d->doc, "class", t->class);
		doc_i64(d->doc, "rows", stat_report_rows(d->report, type));
		doc_begin(d->doc, "tables", '[');
	}
	put_tables(d, type);
	if (is_json(d)) {
		doc_end(d->doc, ']');
		doc_end(d->doc, '}');
	}
}

void
stat_print_document(
	const struct stat_report *r, enum table_format format, struct doc *doc)
{
	struct data d = {
		.report = r, .table = table_of(r, format, NULL), .doc = doc
	};

	d.table.texts = &d.line;
	if (is_json(&d)) {
		doc_begin(d.doc, NULL, '{');
		put_time(&d, "from", r->from);
		put_time(&d, "duration", r->table->duration);
		doc_begin(d.doc, "types", '[');
	} else {
		table_put(&d.table, d.doc);
	}
	for (int n = 0, type; (type = stat_report_type(r, n)) >= 0; n++)
		put_type(&d, type);
	if (is_json(&d)) {
		doc_end(d.doc, ']');
		doc_end(d.doc, '}');
	}
	arena_fini(&d.line);
}

bool
stat_print_data(const struct stat_report *r, enum table_format format)
{
	struct doc doc;

	doc_open(&doc);
	stat_print_document(r, format, &doc);
	return doc_close(&doc);
}

/* Returns the words that say which lifetimes make 100 %: that of each row, or
 * that of all rows together. */
static const char *
what_lasts(const struct stat_report *r, int type, bool each)
{
	const char *class = r->table->types.at[type].class;

	if (strcmp(class, "thread") == 0)
		return each ? "the lifetime of each thread"
			    : "the lifetimes of all threads";
	if (strcmp(class, "cpu") != 0)
		return each ? "the duration" : "the duration of all rows";
	return each ? "the duration" : "the duration of all CPUs";
}

/* Prints what 100 % is, and in how much of that time the state is unknown. */
static void
print_foot(const struct stat_report *r, int type, const struct stat_lines *l)
{
	int64_t whole = stat_report_whole(r, l);
	const char *text;
	char time[TIMES_TEXT];

	if (whole > 0 && l->lost > 0)
		screen_say(arena_printf(r->arena,
				   "  events were lost: the state is unknown "
				   "in %.1f "
				   "%% of this time",
				   100.0 * (double)l->lost / (double)whole),
			2);
	times_text(whole, r->unit, time);
	if (r->by == BY_TYPE)
		text = arena_printf(
			r->arena, "  100 %% is the time in tasks: %s", time);
	else if (r->by == BY_THREAD || r->by == BY_CPU)
		text = arena_printf(r->arena, "  100 %% is %s (in all %s)",
			what_lasts(r, type, true), time);
	else
		text = arena_printf(r->arena, "  100 %% is %s: %s",
			what_lasts(r, type, false), time);
	screen_say(text, 2);
	if (r->by != BY_TYPE && stat_report_virtual(r, type) > 0)
		screen_say(
			"  (a virtual CPU counts only while threads run on it)",
			2);
}

static void
put_lines(struct table *t, const struct stat_report *r, int type, int row,
	struct stat_lines *all)
{
	struct stat_lines l = stat_report_lines(r, type, row);

	for (int i = 0; i < l.line.n; i++)
		put_line(t, r, type, NULL, &l.line.at[i],
			stat_report_whole(r, &l));
	all->lived += l.lived;
	all->lost += l.lost;
	all->in_states += l.in_states;
	stat_lines_fini(&l);
}

/* Returns the names of all rows, shortened to fit. */
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

/* Prints each row with lines of its own. */
static void
put_rows(struct table *t, const struct stat_report *r, int type,
	struct stat_lines *all)
{
	const char **name = row_names(r);

	for (int row = 0; row < r->table->rows.n; row++)
		if (stat_report_has(r, type, row)) {
			table_head(t, arena_printf(r->arena, " %s", name[row]));
			put_lines(t, r, type, row, all);
		}
}

static void
print_table(const struct stat_report *r, int type)
{
	const struct stat_type *of = &r->table->types.at[type];
	struct times_unit unit = times_unit(r->table->duration, r->unit);
	struct table t = table_of(r, TABLE_TEXT, &unit);
	struct stat_lines all = { 0 };
	char time[TIMES_TEXT];

	t.indent = 2;
	screen_say(text_disarm(arena_printf(r->arena, "%s  (%s, %s, %s)",
			   of->title, of->key, stat_report_rows_text(r, type),
			   times_text(r->table->duration, r->unit, time))),
		2);
	if (r->by == BY_THREAD || r->by == BY_CPU)
		put_rows(&t, r, type, &all);
	else
		put_lines(&t, r, type, -1, &all);
	table_print(&t);
	print_foot(r, type, &all);
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
