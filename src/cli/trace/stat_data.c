/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/out.h"
#include "cli/trace/stat_print.h"

/* One format: called for each type, each table of it, and each line. */
struct format {
	void (*type)(struct out *o, const struct stat_report *r, int type,
		bool first);
	void (*table)(struct out *o, const char *unit, const char *row,
		const struct stat_lines *l, bool first);
	void (*line)(struct out *o, const char *unit,
		const struct stat_type *type, const char *row,
		const struct stat_line *line, bool first);
	const char *table_end, *type_end;
};

static bool
has_value(const struct stat_line *line)
{
	return line->value != VALUE_NONE && line->value != VALUE_OTHER &&
		line->value != VALUE_CROWD;
}

/* The mean of executions, if they are counted. */
static int64_t
mean(const struct stat_line *line)
{
	uint64_t n = line->runs > 0 ? line->runs : line->times;

	return n == 0 ? 0 : (int64_t)((uint64_t)line->time / n);
}

/* The label as it is; a number has none. */
static const char *
label_of(const struct stat_line *line, char to[STAT_LABEL_ROOM])
{
	if (line->label != NULL)
		return line->label;
	return has_value(line) ? NULL : stat_print_label(line, to);
}

static void
put_table(struct out *o, const struct format *f, const char *unit,
	const struct stat_type *type, const char *row, struct stat_lines *l)
{
	for (int i = 0; i < l->line.n; i++)
		f->line(o, unit, type, row, &l->line.at[i], i == 0);
	stat_lines_fini(l);
	out_puts(o, f->table_end);
}

static void
put_rows(struct out *o, const struct format *f, const struct stat_report *r,
	int type)
{
	const struct stat_table *st = r->table;
	bool first = true;

	for (int row = 0; row < st->rows.n; row++) {
		const char *name = text_trim(st->rows.at[row].name);
		struct stat_lines l;

		if (!stat_report_has(r, type, row))
			continue;
		l = stat_report_lines(r, type, row);
		f->table(o, r->unit, name, &l, first);
		put_table(o, f, r->unit, &st->types.at[type], name, &l);
		first = false;
	}
}

static void
put_types(struct out *o, const struct format *f, const struct stat_report *r)
{
	for (int n = 0, type; (type = stat_report_type(r, n)) >= 0; n++) {
		struct stat_lines l;

		f->type(o, r, type, n == 0);
		if (r->by == BY_THREAD || r->by == BY_CPU) {
			put_rows(o, f, r, type);
		} else {
			l = stat_report_lines(r, type, -1);
			f->table(o, r->unit, NULL, &l, true);
			put_table(o, f, r->unit, &r->table->types.at[type],
				NULL, &l);
		}
		out_puts(o, f->type_end);
	}
}

/* A field as RFC 4180 wants it, and a comma. */
static void
csv_field(struct out *o, const char *text)
{
	if (text == NULL)
		text = "";
	if (text[strcspn(text, "\",\r\n")] == '\0') {
		out_puts(o, text);
		out_puts(o, ",");
		return;
	}
	out_puts(o, "\"");
	for (; *text != '\0'; text++) {
		if (*text == '"')
			out_puts(o, "\"");
		out_put(o, text, 1);
	}
	out_puts(o, "\",");
}

static void
csv_line(struct out *o, const char *unit, const struct stat_type *type,
	const char *row, const struct stat_line *line, bool first)
{
	char label[STAT_LABEL_ROOM];

	(void)first;
	(void)unit;
	csv_field(o, type->key);
	out_i64(o, type->number);
	out_puts(o, ",");
	csv_field(o, row);
	if (has_value(line))
		out_i64(o, line->value);
	out_puts(o, ",");
	csv_field(o, label_of(line, label));
	out_i64(o, line->time);
	out_puts(o, ",");
	out_u64(o, line->times);
	out_puts(o, ",");
	out_u64(o, line->runs);
	out_puts(o, ",");
	out_i64(o, mean(line));
	out_puts(o, "\n");
}

static void
csv_type(struct out *o, const struct stat_report *r, int type, bool first)
{
	(void)o;
	(void)r;
	(void)type;
	(void)first;
}

static void
csv_table(struct out *o, const char *unit, const char *row,
	const struct stat_lines *l, bool first)
{
	(void)o;
	(void)unit;
	(void)row;
	(void)l;
	(void)first;
}

static bool
close_out(struct out *o)
{
	out_close(o);
	return !o->failed;
}

bool
stat_print_csv(const struct stat_report *r)
{
	static const struct format csv = { csv_type, csv_table, csv_line, "",
		"" };
	struct out o;

	out_open(&o);
	out_puts(&o, "type,number,row,value,label,time_");
	out_puts(&o, r->unit);
	out_puts(&o, ",times,runs,mean_");
	out_puts(&o, r->unit);
	out_puts(&o, "\n");
	put_types(&o, &csv, r);
	return close_out(&o);
}

static void
json_number(struct out *o, const char *key, int64_t value)
{
	out_puts(o, key);
	out_i64(o, value);
}

/* , "mean_ns": 12 */
static void
json_time(struct out *o, const char *unit, const char *key, int64_t value)
{
	out_puts(o, key);
	out_puts(o, "_");
	out_puts(o, unit);
	json_number(o, "\": ", value);
}

static void
json_line(struct out *o, const char *unit, const struct stat_type *type,
	const char *row, const struct stat_line *line, bool first)
{
	char label[STAT_LABEL_ROOM];

	(void)type;
	(void)row;
	out_puts(o, first ? "\n" : ",\n");
	out_puts(o, "      {\"value\": ");
	if (has_value(line))
		out_i64(o, line->value);
	else
		out_puts(o, "null");
	if (line->more > 0)
		json_number(o, ", \"more\": ", line->more);
	out_puts(o, ", \"label\": ");
	out_json(o, label_of(line, label));
	json_time(o, unit, ", \"time", line->time);
	out_puts(o, ", \"times\": ");
	out_u64(o, line->times);
	out_puts(o, ", \"runs\": ");
	out_u64(o, line->runs);
	json_time(o, unit, ", \"mean", mean(line));
	out_puts(o, "}");
}

static void
json_table(struct out *o, const char *unit, const char *row,
	const struct stat_lines *l, bool first)
{
	out_puts(o, first ? "\n" : ",\n");
	out_puts(o, "    {\"row\": ");
	out_json(o, row);
	json_time(o, unit, ", \"lived", l->lived);
	json_time(o, unit, ", \"lost", l->lost);
	out_puts(o, ", \"states\": [");
}

static void
json_type(struct out *o, const struct stat_report *r, int type, bool first)
{
	const struct stat_type *t = &r->table->types.at[type];

	out_puts(o, first ? "\n" : ",\n");
	out_puts(o, "  {\"type\": ");
	out_json(o, t->key);
	json_number(o, ", \"number\": ", t->number);
	out_puts(o, ", \"title\": ");
	out_json(o, t->title);
	out_puts(o, ", \"class\": ");
	out_json(o, t->class);
	json_number(o, ", \"rows\": ", stat_report_rows(r, type));
	out_puts(o, ", \"tables\": [");
}

bool
stat_print_json(const struct stat_report *r)
{
	static const struct format json = { json_type, json_table, json_line,
		"]}", "]}" };
	struct out o;

	out_open(&o);
	json_time(&o, r->unit, "{\"from", r->from);
	json_time(&o, r->unit, ", \"duration", r->table->duration);
	out_puts(&o, ", \"types\": [");
	put_types(&o, &json, r);
	out_puts(&o, "]}\n");
	return close_out(&o);
}
