/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "cli/mem/mem.h"
#include "cli/mem/rank.h"
#include "mem/db/profile.h"

/* A function with its own cost and the cost including all functions that it
 * calls. */
struct function {
	uint64_t self, all;
	uint32_t location; /* code location of one of its statements */
};

struct functions {
	VEC(struct function) list;
	struct map by_name; /* code location to index + 1 */
	struct intern names;
};

static uint32_t
function_of(const struct mem_report *r, struct functions *f, uint32_t number)
{
	const struct code_location *p = profile_location(r->profile, number);
	uint32_t id = intern_add(&f->names,
		arena_printf(r->arena, "%d\n%s", p->module, p->function));

	if (id == (uint32_t)f->list.n)
		VEC_ADD(&f->list, r->arena)->location = number;
	return id;
}

/* Returns true if the same function is among the node's callers. */
static bool
is_recursive(const struct mem_report *r, struct functions *f, uint32_t node,
	uint32_t function)
{
	const struct profile *p = r->profile;

	for (uint32_t n = p->node.at[node].parent; n > p->program;
		n = p->node.at[n].parent)
		if (function_of(r, f, p->node.at[n].location) == function)
			return true;
	return false;
}

static void
add_functions(const struct mem_report *r, struct functions *f, uint32_t node)
{
	const struct profile *p = r->profile;

	for (uint32_t n = p->node.at[node].child; n != 0;
		n = p->node.at[n].next) {
		const struct node *at = &p->node.at[n];
		uint32_t id = function_of(r, f, at->location);

		f->list.at[id].self += at->own[r->event].periods;
		if (!is_recursive(r, f, n, id))
			f->list.at[id].all += at->all[r->event].periods;
		add_functions(r, f, n);
	}
}

/* Adds up the accesses of a function's statements, by variable. */
static void
join_statements(
	const struct mem_report *r, struct functions *f, struct mem_groups *g)
{
	const struct pairs *pairs = &r->profile->statements;
	struct pairs joined = { 0 };

	for (int i = 0; i < pairs->list.n; i++) {
		const struct pair *p = &pairs->list.at[i];
		uint32_t id = function_of(r, f, p->with);
		uint64_t *slot = map_put(
			&joined.index, (uint64_t)id << 32 | p->variable);

		if (*slot == 0) {
			struct pair *new = VEC_ADD(&joined.list, r->arena);

			new->variable = p->variable;
			new->with = id;
			new->cost = ARENA_ARRAY(
				r->arena, struct cost, r->profile->n_events);
			*slot = (uint64_t)joined.list.n;
		}
		joined.list.at[*slot - 1].cost[r->event].periods +=
			p->cost[r->event].periods;
	}
	mem_group(g, r, &joined, false);
	map_fini(&joined.index);
}

static const char *
touched(const struct mem_report *r, const struct mem_groups *g,
	uint32_t function, uint64_t all)
{
	const char *text = "";
	int n, put = 0;
	const struct mem_ranked *m = mem_members(g, function, &n);

	for (int i = 0; i < n && put < MEM_WORST; i++) {
		if (r->profile->variable.at[m[i].with].kind == VARIABLE_NONE)
			continue;
		text = arena_printf(r->arena, "%s%s%s %.0f %%", text,
			put++ > 0 ? ", " : "", mem_variable_site(r, m[i].with),
			mem_percent(m[i].cost, all));
	}
	return text;
}

static const struct table_column code_columns[] = {
	{ .name = "self_percent",
		.other = "exclusive",
		.title = "self",
		.kind = TABLE_SHARE },
	{ .name = "total_percent",
		.other = "inclusive",
		.title = "total",
		.kind = TABLE_SHARE },
	{ .name = "self",
		.title = "self",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	{ .name = "total",
		.title = "total",
		.kind = TABLE_NUMBER,
		.is_hidden = true },
	{ .name = "function", .title = "function" },
	{ .name = "module", .title = "in" },
	{ .name = "variables", .title = "touches" },
};

static void
code_cells(const struct mem_report *r, struct table *t,
	const struct functions *f, uint32_t id, const struct mem_groups *g)
{
	const struct function *fn = &f->list.at[id];
	const struct code_location *p =
		profile_location(r->profile, fn->location);
	uint64_t whole = r->profile->event[r->event].cost.periods;

	table_real(t, mem_percent(fn->self, whole));
	table_real(t, mem_percent(fn->all, whole));
	table_real(t, mem_cost(r, fn->self));
	table_real(t, mem_cost(r, fn->all));
	table_word(t, mem_short(r, p->function));
	table_word(t,
		p->module < 0 ? ""
			      : r->profile->symbols.file.at[p->module].name);
	table_word(t, touched(r, g, id, fn->self));
}

bool
mem_code(const struct mem_report *r, struct err *err)
{
	int n = (int)(sizeof code_columns / sizeof code_columns[0]);
	struct table t = mem_table(r, code_columns, n);
	struct functions f = { 0 };
	struct mem_groups g = { 0 };
	struct mem_ranking k = { 0 };

	if (!table_choose(&t, r->options->columns, err))
		return false;
	intern_init(&f.names, r->arena);
	add_functions(r, &f, r->profile->program);
	join_statements(r, &f, &g);
	for (int i = 0; i < f.list.n; i++)
		VEC_PUSH(&k.list, r->arena,
			((struct mem_ranked){
				f.list.at[i].self, (uint32_t)i, 0 }));
	mem_rank(&k);
	for (int i = 0; i < mem_shown(r, k.list.n); i++)
		if (f.list.at[k.list.at[i].index].all > 0)
			code_cells(r, &t, &f, k.list.at[i].index, &g);
	mem_print(r, &t);
	map_fini(&g.first);
	return true;
}
