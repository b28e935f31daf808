/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/stat_print.h"
#include "emu/view.h"

const char *
stat_print_label(const struct stat_line *line, char to[STAT_LABEL_ROOM])
{
	if (line->more > 0)
		snprintf(to, STAT_LABEL_ROOM, "(%d more)", line->more);
	else if (line->label != NULL)
		snprintf(to, STAT_LABEL_ROOM, "%s", line->label);
	else if (line->value == VALUE_NONE)
		snprintf(to, STAT_LABEL_ROOM, "(nothing)");
	else if (line->value == VALUE_OTHER)
		snprintf(to, STAT_LABEL_ROOM, "(all other values)");
	else
		snprintf(to, STAT_LABEL_ROOM, "%" PRId64, line->value);
	return text_disarm(to);
}

/* The core rows are declared before those of the runtime, and say less; as do
 * flushes, which tracing itself made. */
static bool
is_core(const struct stat_type *type)
{
	if (strcmp(type->key, "ovni.flush") == 0)
		return true;
	for (int i = 0; i < THREAD_CORE; i++)
		if (strcmp(view_core_thread[i].key, type->key) == 0)
			return true;
	for (int i = 0; i < CPU_CORE; i++)
		if (strcmp(view_core_cpu[i].key, type->key) == 0)
			return true;
	return false;
}

/* True if some row was ever in a state other than nothing. */
static bool
has_states(const struct stat_table *st, int type)
{
	for (int i = 0; i < st->lanes.n; i++) {
		const struct stat_lane *lane = &st->lanes.at[i];

		if (lane->type == (uint32_t)type &&
			(lane->cells.n > 1 ||
				(lane->cells.n == 1 &&
					lane->cells.at[0].value != VALUE_NONE)))
			return true;
	}
	return false;
}

static bool
is_shown(const struct stat_report *r, int i)
{
	const struct stat_type *type = &r->table->types.at[i];

	return type->wanted && strcmp(type->class, r->class) == 0 &&
		(r->by != BY_TYPE || type->role.tells == ROLE_TASK_TYPE) &&
		has_states(r->table, i);
}

int
stat_report_type(const struct stat_report *r, int n)
{
	int types = r->table->types.n;

	for (int i = 0; i < 2 * types; i++) {
		const struct stat_type *type = &r->table->types.at[i % types];

		if (is_core(type) == (i >= types) && is_shown(r, i % types) &&
			n-- == 0)
			return i % types;
	}
	return -1;
}

int
stat_report_rows(const struct stat_report *r)
{
	int n = 0;

	for (int i = 0; i < r->table->rows.n; i++)
		n += strcmp(r->table->rows.at[i].class, r->class) == 0;
	return n;
}

struct stat_lines
stat_report_total(const struct stat_report *r, int type)
{
	const struct stat_table *st = r->table;
	struct stat_lines l = { 0 };
	int lanes = 0;

	for (int i = 0; i < st->lanes.n; i++) {
		if (st->lanes.at[i].type != (uint32_t)type)
			continue;
		stat_lines_add(&l, r->arena, &st->lanes.at[i]);
		lanes++;
	}
	stat_lines_add_nothing(
		&l, r->arena, stat_report_rows(r) - lanes, st->duration);
	if (r->by == BY_LABEL)
		stat_lines_add_labels(&l, r->arena, &st->types.at[type]);
	stat_lines_sort(&l, &st->types.at[type], &r->order);
	return l;
}

struct stat_lines
stat_report_lane(const struct stat_report *r, const struct stat_lane *lane)
{
	struct stat_lines l = { 0 };

	stat_lines_add(&l, r->arena, lane);
	stat_lines_sort(&l, &r->table->types.at[lane->type], &r->order);
	return l;
}
