/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "cli/mem/html.h"
#include "cli/table_print.h"
#include "mem/db/profile.h"

#define NAME_MOST 64 /* characters of a name in text */
#define NAME_TAIL 20 /* characters of its end */

double
mem_percent(uint64_t part, uint64_t all)
{
	return all == 0 ? 0 : 100.0 * (double)part / (double)all;
}

const char *
mem_where(const struct mem_report *r, uint32_t number, bool is_whole)
{
	const struct code_location *p = profile_location(r->profile, number);
	const char *file = p->file;

	if (file == NULL)
		return p->module < 0
			? ""
			: r->profile->symbols.file.at[p->module].name;
	return arena_printf(
		r->arena, "%s:%d", is_whole ? file : file_name(file), p->line);
}

/* Removes the arguments of templates: "map<>::find". */
static const char *
without_arguments(struct arena *a, const char *name)
{
	char *own = arena_strdup(a, name), *to = own;
	int depth = 0;

	if (strstr(name, "operator") != NULL)
		return name;
	for (const char *c = name; *c != '\0'; c++) {
		depth -= *c == '>' && depth > 0;
		if (depth == 0)
			*to++ = *c;
		depth += *c == '<';
	}
	*to = '\0';
	return own;
}

const char *
mem_short(const struct mem_report *r, const char *name)
{
	size_t n = strlen(name);

	if (r->options->format != TABLE_TEXT || n <= NAME_MOST)
		return name;
	name = without_arguments(r->arena, name);
	n = strlen(name);
	if (n <= NAME_MOST)
		return name;
	return arena_printf(r->arena, "%.*s...%s", NAME_MOST - 3 - NAME_TAIL,
		name, name + n - NAME_TAIL);
}

const char *
mem_variable_name(const struct mem_report *r, uint32_t variable)
{
	const struct variable_row *v = &r->profile->variable.at[variable];
	const char *what = "block";

	if (v->name[0] != '\0')
		return mem_short(r, v->name);
	if (v->kind == VARIABLE_MAP)
		what = "mapping";
	return arena_printf(r->arena, "%s of %s%s%s%s", what,
		mem_short(
			r, profile_location(r->profile, v->location)->function),
		v->given == NULL ? "" : " (", v->given == NULL ? "" : v->given,
		v->given == NULL ? "" : ")");
}

const char *
mem_kind(const struct mem_report *r, uint32_t variable)
{
	const struct variable_row *v = &r->profile->variable.at[variable];
	const char *kind = variable_kind_name(v->kind);

	uint64_t half = v->cost[r->event].periods / 2;

	if (v->guessed == NULL || v->guessed[r->event].periods <= half)
		return kind;
	return arena_printf(r->arena, "%s, %s", kind,
		v->mixed != NULL && v->mixed[r->event].periods > half
			? "mixed"
			: "estimated");
}

uint64_t
mem_whole(const struct mem_report *r)
{
	const struct profile_event *e = &r->profile->event[r->event];

	return e->cost.periods - e->computes;
}

bool
mem_is_time(const struct mem_report *r)
{
	uint32_t kind = r->profile->event[r->event].kind;

	return kind == MEM_EVENT_DATA || kind == MEM_EVENT_TIME;
}

bool
mem_is_of_blocks(const struct mem_report *r)
{
	int view = r->options->view;

	return r->options->by == MEM_BY_VARIABLE &&
		(view == MEM_VIEW_HEAP || view == MEM_VIEW_LEAKS ||
			view == MEM_VIEW_GROWTH || view == MEM_VIEW_PEAK);
}

double
mem_cost(const struct mem_report *r, uint64_t periods)
{
	return mem_is_time(r) ? (double)periods / 1e6 : (double)periods;
}

const char *
mem_cost_name(const struct mem_report *r)
{
	if (mem_is_time(r))
		return "time_ms";
	return r->profile->event[r->event].kind == MEM_EVENT_FAULT ? "faults"
								   : "events";
}

struct table
mem_table(const struct mem_report *r, const struct table_column *columns, int n)
{
	return table_new(r->arena, columns, n,
		(enum table_format)r->options->format, NULL);
}

void
mem_print(const struct mem_report *r, struct table *t)
{
	bool is_empty = table_rows(t) == 0;

	if (r->said->html != NULL) {
		mem_html_table(r->said->html, t);
		return;
	}
	if (t->format == TABLE_JSON) {
		mem_json_begin(r, t);
		return;
	}
	table_print(t);
	if (is_empty && t->format == TABLE_TEXT)
		puts("(nothing)");
}
