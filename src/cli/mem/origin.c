/* SPDX-License-Identifier: MIT */
/*
 * The origin of variables, with as many callers as distinguish one from the
 * others: the statement that allocated a block, its caller, and further callers
 * if two lines would otherwise be equal. Several calls on one line are
 * numbered.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "cli/mem/mem.h"
#include "mem/db/profile.h"

enum {
	CALLERS_USUAL = 1,
	ROUNDS = 24,
	CALLERS_FIRST = 2, /* text omits callers between the first ones and the
	                    * last ones */
	CALLERS_LAST = 2
};

/* Returns "make.c:21 from main.c:60" with that many callers. Text omits the
 * middle of many callers, because the last ones distinguish lines. */
static const char *
origin(const struct mem_report *r, const struct variable_row *v, int callers)
{
	bool is_whole = r->options->format != TABLE_TEXT;
	const char *text = mem_where(r, v->location, is_whole);

	for (int i = 1; i < v->nchain && i <= callers; i++) {
		const struct code_location *c =
			profile_location(r->profile, v->chain[i]);

		if (!is_whole && callers > CALLERS_FIRST + CALLERS_LAST + 1 &&
			i > CALLERS_FIRST && i <= callers - CALLERS_LAST) {
			if (i == CALLERS_FIRST + 1)
				text = arena_printf(r->arena, "%s ...", text);
			continue;
		}
		text = arena_printf(r->arena, "%s from %s", text,
			c->file == NULL ? c->function
					: mem_where(r, v->chain[i], is_whole));
	}
	return text;
}

static uint32_t
key_of(const struct mem_report *r, struct intern *keys, int i)
{
	const struct variable_row *v = &r->profile->variable.at[i];

	return intern_add(keys,
		arena_printf(r->arena, "%s\n%s\n%s",
			mem_variable_name(r, (uint32_t)i),
			variable_kind_name(v->kind),
			origin(r, v, r->told[i].callers)));
}

/* Adds a caller to each line that equals another line. Returns false if none of
 * these lines has a further caller. */
static bool
add_callers(struct mem_report *r, struct intern *keys, struct map *rows)
{
	int n = r->profile->variable.n;
	bool has_grown = false;

	for (int i = 0; i < n; i++)
		++*map_put(rows, key_of(r, keys, i));
	for (int i = 0; i < n; i++) {
		const struct variable_row *v = &r->profile->variable.at[i];
		int *callers = &r->told[i].callers;

		if (v->nchain <= *callers + 1 ||
			*map_put(rows, key_of(r, keys, i)) < 2)
			continue;
		++*callers;
		has_grown = true;
	}
	return has_grown;
}

struct alike {
	uint32_t key;
	int row;
	const struct mem_report *r;
};

/* Orders by text, then by the addresses of the calls. */
static int
by_calls(const void *pa, const void *pb)
{
	const struct alike *a = pa, *b = pb;
	const struct profile *p = a->r->profile;
	const struct variable_row *v = &p->variable.at[a->row],
				  *w = &p->variable.at[b->row];

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	for (int i = 0; i < v->nchain && i < w->nchain; i++) {
		uint64_t x = profile_location(p, v->chain[i])->call;
		uint64_t y = profile_location(p, w->chain[i])->call;

		if (x != y)
			return x < y ? -1 : 1;
	}
	return a->row - b->row;
}

static void
count_alike(struct mem_report *r, struct intern *keys)
{
	int n = r->profile->variable.n, from = 0;
	struct alike *list = ARENA_ARRAY(r->arena, struct alike, n);

	for (int i = 0; i < n; i++)
		list[i] = (struct alike){ key_of(r, keys, i), i, r };
	qsort(list, (size_t)n, sizeof(*list), by_calls);
	for (int i = 1; i <= n; i++) {
		if (i < n && list[i].key == list[from].key)
			continue;
		for (int at = from; at < i; at++) {
			r->told[list[at].row].number = at - from + 1;
			r->told[list[at].row].of = i - from;
		}
		from = i;
	}
}

void
mem_tell_apart(struct mem_report *r)
{
	int n = r->profile->variable.n;
	struct intern keys;
	bool more = n > 0;

	r->told = ARENA_ARRAY(r->arena, struct mem_told, n + 1);
	for (int i = 0; i < n; i++)
		r->told[i].callers = CALLERS_USUAL;
	intern_init(&keys, r->arena);
	for (int round = 0; more && round < ROUNDS; round++) {
		struct map rows = { 0 };

		more = add_callers(r, &keys, &rows);
		map_fini(&rows);
	}
	if (n > 0)
		count_alike(r, &keys);
}

const char *
mem_origin(const struct mem_report *r, uint32_t variable)
{
	const struct variable_row *v = &r->profile->variable.at[variable];
	const struct mem_told *t = &r->told[variable];
	const char *text = origin(r, v, t->callers);

	if (t->of < 2 || v->nchain == 0)
		return text;
	return arena_printf(
		r->arena, "%s (call %d of %d)", text, t->number, t->of);
}

const char *
mem_variable_site(const struct mem_report *r, uint32_t variable)
{
	const char *name = mem_variable_name(r, variable), *at;

	if (r->profile->variable.at[variable].nchain == 0)
		return name; /* not a block: the name suffices */
	at = mem_origin(r, variable);
	return *at == '\0' ? name : arena_printf(r->arena, "%s (%s)", name, at);
}
