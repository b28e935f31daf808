/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cli/trace/filter_args.h"
#include "cli/trace/stat_print.h"
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
	else if (line->value == VALUE_CROWD)
		snprintf(to, STAT_LABEL_ROOM, "(several threads)");
	else if (line->value == VALUE_OTHER)
		snprintf(to, STAT_LABEL_ROOM, "(all other values)");
	else
		snprintf(to, STAT_LABEL_ROOM, "%" PRId64, line->value);
	return text_disarm(to);
}

/* Returns true for types that say less than those of a runtime: rows of the
 * core, and flushes, which tracing itself caused. */
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

/* Returns true if the lane was ever in a state. */
static bool
lane_has_states(const struct stat_lane *lane)
{
	for (int i = 0; i < lane->cells.n; i++)
		if (lane->cells.at[i].value != VALUE_NONE &&
			lane->cells.at[i].value != VALUE_CROWD)
			return true;
	return false;
}

/* Returns true if a lane of the type was ever in a state. */
static bool
has_states(const struct stat_table *st, int type)
{
	for (int i = 0; i < st->lanes.n; i++)
		if (st->lanes.at[i].type == (uint32_t)type &&
			((st->over.part != NULL &&
				 st->lanes.at[i].cells.n > 0) ||
				lane_has_states(&st->lanes.at[i])))
			return true;
	return false;
}

/* Returns true if the user's list names the type, by key or by Paraver
 * number. */
static bool
is_asked(const struct stat_report *r, const struct stat_type *type)
{
	char model[256];

	snprintf(model, sizeof model, "%.*s", (int)strcspn(type->key, "."),
		type->key);
	if (r->models != NULL && !filter_args_listed(r->models, model))
		return false;
	return filter_args_is_type(r->types,
		&(struct type){ .class = type->class,
			.key = type->key,
			.number = type->number });
}

static bool
is_shown(const struct stat_report *r, int i)
{
	const struct stat_type *type = &r->table->types.at[i];

	if (!type->wanted || !is_asked(r, type) ||
		(!r->chosen && type->kind == TYPE_ID))
		return false;
	return (r->by != BY_TYPE || type->role.tells == ROLE_TASK_TYPE) &&
		has_states(r->table, i);
}

static bool
is_of(const struct stat_report *r, int i, const char *class)
{
	return strcmp(r->table->types.at[i].class, class) == 0;
}

/* Adds the types of the class: those of the core, or all others. */
static void
add_types(struct stat_report *r, bool core)
{
	for (int i = 0; i < r->table->types.n; i++)
		if (is_of(r, i, r->class) && is_shown(r, i) &&
			is_core(&r->table->types.at[i]) == core)
			VEC_PUSH(&r->type, r->arena, i);
}

static bool
has_key(const struct stat_report *r, const char *key)
{
	for (int i = 0; i < r->type.n; i++)
		if (strcmp(r->table->types.at[r->type.at[i]].key, key) == 0)
			return true;
	return false;
}

/* Returns true if the user's list names the type together with its class. */
static bool
is_named(const struct stat_report *r, const struct stat_type *type)
{
	const char *key =
		arena_printf(r->arena, "%s:%s", type->class, type->key);
	const char *number = arena_printf(
		r->arena, "%s:%" PRId64, type->class, type->number);

	return r->types != NULL &&
		(filter_args_listed(r->types, key) ||
			filter_args_listed(r->types, number));
}

/* Returns true if one of several traces has the type, and none of the chosen
 * ones. */
static bool
is_from_another(const struct stat_report *r, int type)
{
	const struct stat_table *t = r->table;

	for (int i = 0; i < t->rows.n; i++) {
		bool found = false;

		if (t->types.at[type].inputs == NULL || !stat_fits(t, i, type))
			continue;
		for (int k = 0; k < r->type.n && !found; k++) {
			const bool *in = t->types.at[r->type.at[k]].inputs;

			found = in == NULL || in[t->rows.at[i].input];
		}
		if (!found)
			return true;
	}
	return false;
}

/* Adds the types that the shown class of rows lacks and another class has, or
 * that the user named together with another class. only: only those of traces
 * of which nothing is shown. */
static void
add_others(struct stat_report *r, bool only)
{
	for (int i = 0; i < r->table->types.n; i++)
		if (!is_of(r, i, r->class) && is_shown(r, i) &&
			(!only || is_from_another(r, i)) &&
			(!has_key(r, r->table->types.at[i].key) ||
				is_named(r, &r->table->types.at[i])))
			VEC_PUSH(&r->type, r->arena, i);
}

/* Adds the type that says which thread each CPU ran: a recording of context
 * switches has nothing else. */
static void
add_threads_of_cpus(struct stat_report *r)
{
	const char *key = view_core_cpu[CPU_TID].key;

	for (int i = 0; i < r->table->types.n; i++)
		if (is_of(r, i, "cpu") && r->table->types.at[i].wanted &&
			is_asked(r, &r->table->types.at[i]) &&
			strcmp(r->table->types.at[i].key, key) == 0 &&
			has_states(r->table, i))
			VEC_PUSH(&r->type, r->arena, i);
}

void
stat_report_choose(struct stat_report *r)
{
	bool cpus = strcmp(r->class, "cpu") == 0;

	add_types(r, false);
	if (r->type.n == 0 && !r->chosen && r->by != BY_TYPE &&
		(cpus || (r->any_class && !r->chart)))
		add_threads_of_cpus(r);
	add_types(r, true);
	if (r->any_class)
		add_others(r, !r->chosen && r->models == NULL && r->type.n > 0);
}

const struct stat_type *
stat_report_elsewhere(const struct stat_report *r)
{
	if (r->type.n > 0 || r->types == NULL)
		return NULL;
	for (int i = 0; i < r->table->types.n; i++)
		if (!is_of(r, i, r->class) && is_shown(r, i))
			return &r->table->types.at[i];
	return NULL;
}

int
stat_report_type(const struct stat_report *r, int n)
{
	return n < r->type.n ? r->type.at[n] : -1;
}

/* Returns false for a virtual CPU on which no thread ran. */
static bool
is_counted(const struct stat_row *row)
{
	return !row->virtual || row->lived > 0;
}

int
stat_report_rows(const struct stat_report *r, int type)
{
	int n = 0;

	for (int i = 0; i < r->table->rows.n; i++)
		n += stat_fits(r->table, i, type) &&
			is_counted(&r->table->rows.at[i]);
	return n;
}

int
stat_report_virtual(const struct stat_report *r, int type)
{
	int n = 0;

	for (int i = 0; i < r->table->rows.n; i++)
		n += stat_fits(r->table, i, type) &&
			r->table->rows.at[i].virtual &&
			is_counted(&r->table->rows.at[i]);
	return n;
}

const char *
stat_report_rows_text(const struct stat_report *r, int type)
{
	static const char *const words[][3] = {
		{ "thread", "thread", "threads" },
		{ "cpu", "CPU", "CPUs" },
		{ "process", "process", "processes" },
	};
	const char *class = r->table->types.at[type].class;
	int n = stat_report_rows(r, type),
	    virtual = stat_report_virtual(r, type);
	const char *text = NULL;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(class, words[i][0]) == 0)
			text = arena_printf(r->arena, "%d %s", n - virtual,
				words[i][n - virtual == 1 ? 1 : 2]);
	if (text == NULL)
		text = arena_printf(
			r->arena, "%d row%s", n, text_plural((unsigned)n));
	if (virtual > 0)
		text = arena_printf(r->arena, "%s + %d virtual", text, virtual);
	return text;
}

struct stat_lines
stat_report_lines(const struct stat_report *r, int type, int row)
{
	struct stat_lines l = { 0 };

	stat_lines_take(&l, r->arena, r->table, type, row, &r->order);
	return l;
}

bool
stat_report_has(const struct stat_report *r, int type, int row)
{
	if (!is_counted(&r->table->rows.at[row]))
		return false;
	for (int i = 0; i < r->table->lanes.n; i++)
		if (r->table->lanes.at[i].type == (uint32_t)type &&
			r->table->lanes.at[i].row == (uint32_t)row)
			return true;
	return stat_fits(r->table, row, type) &&
		r->table->rows.at[row].lived > 0;
}

int64_t
stat_report_whole(const struct stat_report *r, const struct stat_lines *l)
{
	return r->by == BY_TYPE ? l->in_states : l->lived;
}
