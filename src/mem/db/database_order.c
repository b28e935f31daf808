/* SPDX-License-Identifier: MIT */
#include "mem/db/database_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define UNUSED UINT32_MAX

static int
order_text(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return (a != NULL) - (b != NULL);
	return strcmp(a, b);
}

static int
order_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* A code location, variable or node that is being sorted. */
struct key {
	const struct profile *p;
	const struct database_order *o;
	uint32_t old;
};

static struct database_numbers
numbers(struct arena *a, int n)
{
	struct database_numbers to = { .old = ARENA_ARRAY(a, uint32_t, n + 1),
		.new = ARENA_ARRAY(a, uint32_t, n + 1) };

	memset(to.new, 0xff, (size_t)(n + 1) * sizeof *to.new);
	return to;
}

/* Numbers the keys from `first` on in their sorted order. */
static void
number_keys(struct database_numbers *to, struct key *key, uint32_t n,
	int (*compare)(const void *, const void *))
{
	if (n > 0)
		qsort(key, n, sizeof *key, compare);
	for (uint32_t i = 0; i < n; i++) {
		to->old[to->n] = key[i].old;
		to->new[key[i].old] = to->n++;
	}
}

static const char *
module_of(const struct profile *p, const struct code_location *l)
{
	return l->module < 0 ? NULL : p->symbols.file.at[l->module].name;
}

static int
by_location(const void *pa, const void *pb)
{
	const struct key *ka = pa, *kb = pb;
	const struct code_location *a = profile_location(ka->p, ka->old);
	const struct code_location *b = profile_location(kb->p, kb->old);
	int order = order_text(a->function, b->function);

	if (order == 0)
		order = order_text(a->file, b->file);
	if (order == 0)
		order = order_number((uint64_t)a->line, (uint64_t)b->line);
	if (order == 0)
		order = order_text(module_of(ka->p, a), module_of(kb->p, b));
	if (order == 0)
		order = order_number(a->is_inlined * 2u + a->is_named,
			b->is_inlined * 2u + b->is_named);
	if (order == 0)
		order = order_number(a->call, b->call);
	return order;
}

static void
mark(struct database_numbers *to, uint32_t location)
{
	to->new[location] = 0;
}

static void
mark_pairs(struct database_numbers *to, const struct pairs *pairs)
{
	for (int i = 0; i < pairs->list.n; i++)
		mark(to, pairs->list.at[i].with);
}

/* Numbers the locations that something refers to. */
static void
order_locations(
	struct database_order *o, struct arena *a, const struct profile *p)
{
	int all = p->symbols.location.n;
	struct database_numbers *to = &o->location;
	struct key *key = ARENA_ARRAY(a, struct key, all);
	uint32_t n = 0;

	*to = numbers(a, all);
	for (int i = 0; i < p->variable.n; i++) {
		mark(to, p->variable.at[i].location);
		for (int k = 0; k < p->variable.at[i].nchain; k++)
			mark(to, p->variable.at[i].chain[k]);
	}
	for (int i = 1; i < p->node.n; i++)
		mark(to, p->node.at[i].location);
	mark_pairs(to, &p->statements);
	mark_pairs(to, &p->wanters);
	for (int i = 0; i < all; i++)
		if (to->new[i] != UNUSED)
			key[n++] = (struct key){ p, o, (uint32_t)i };
	number_keys(to, key, n, by_location);
}

static int
by_variable(const void *pa, const void *pb)
{
	const struct key *ka = pa, *kb = pb;
	const struct variable_row *a = &ka->p->variable.at[ka->old];
	const struct variable_row *b = &kb->p->variable.at[kb->old];
	const uint32_t *new = ka->o->location.new;
	int order = order_number(a->kind, b->kind);

	if (order == 0)
		order = order_text(a->name, b->name);
	if (order == 0)
		order = order_number(new[a->location], new[b->location]);
	for (int i = 0; order == 0 && i < a->nchain && i < b->nchain; i++)
		order = order_number(new[a->chain[i]], new[b->chain[i]]);
	if (order == 0)
		order = order_number((uint64_t)a->nchain, (uint64_t)b->nchain);
	return order;
}

static void
order_variables(
	struct database_order *o, struct arena *a, const struct profile *p)
{
	struct key *key = ARENA_ARRAY(a, struct key, p->variable.n);

	o->variable = numbers(a, p->variable.n);
	for (int i = 0; i < p->variable.n; i++)
		key[i] = (struct key){ p, o, (uint32_t)i };
	number_keys(&o->variable, key, (uint32_t)p->variable.n, by_variable);
}

/* Orders siblings: no two of them have both kind and location in common. */
static int
by_node(const void *pa, const void *pb)
{
	const struct key *ka = pa, *kb = pb;
	const struct node *a = &ka->p->node.at[ka->old];
	const struct node *b = &kb->p->node.at[kb->old];
	const uint32_t *new = ka->o->location.new;
	int order = order_number(new[a->location], new[b->location]);

	return order != 0 ? order : order_number(a->kind, b->kind);
}

/* Numbers the tree in the order of breadth-first search. */
static void
order_nodes(struct database_order *o, struct arena *a, const struct profile *p)
{
	struct database_numbers *to = &o->node;
	struct key *key = ARENA_ARRAY(a, struct key, p->node.n);

	*to = numbers(a, p->node.n);
	to->new[0] = 0;
	to->n = 1;
	for (uint32_t i = 0; i < to->n; i++) {
		const struct node *up = &p->node.at[to->old[i]];
		uint32_t n = 0;

		for (uint32_t c = up->child; c != 0; c = p->node.at[c].next)
			key[n++] = (struct key){ p, o, c };
		number_keys(to, key, n, by_node);
	}
}

void
database_order(
	struct database_order *o, struct arena *a, const struct profile *p)
{
	*o = (struct database_order){ 0 };
	order_locations(o, a, p);
	order_variables(o, a, p);
	order_nodes(o, a, p);
}
