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
#include "base/hash.h"
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

/* Returns true for a caller in the middle of many, whom text omits. */
static bool
is_omitted(const struct mem_report *r, int callers, int i)
{
	return r->options->format == TABLE_TEXT &&
		callers > CALLERS_FIRST + CALLERS_LAST + 1 &&
		i > CALLERS_FIRST && i <= callers - CALLERS_LAST;
}

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

		if (is_omitted(r, callers, i)) {
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

/*
 * Texts of variables are compared without making them: a text is its name, its
 * kind, and the numbers of the texts that origin() puts together.
 */
struct keys {
	struct intern text;
	uint32_t *where;  /* by location: number + 1 of its line's text */
	struct map first; /* hash to index + 1 in `list` */
	VEC(struct key) list;
};

/* The text of a variable with so many callers; which stands for its equals. */
struct key {
	int variable, callers;
	int n; /* variables that have it */
};

static uint32_t
text_number(struct keys *k, const char *text)
{
	return intern_add(&k->text, text) + 1;
}

/* Returns the number of the text of caller i, or of the variable's own line for
 * i == 0; 0 where the text omits the caller. */
static uint32_t
part(const struct mem_report *r, struct keys *k, const struct variable_row *v,
	int callers, int i)
{
	uint32_t location = i == 0 ? v->location : v->chain[i];
	const struct code_location *c = profile_location(r->profile, location);

	if (is_omitted(r, callers, i))
		return 0;
	if (i > 0 && c->file == NULL)
		return text_number(k, c->function);
	if (k->where[location] == 0)
		k->where[location] = text_number(k,
			mem_where(
				r, location, r->options->format != TABLE_TEXT));
	return k->where[location];
}

/* Returns how many parts the text has. */
static int
parts(const struct variable_row *v, int callers)
{
	if (v->nchain == 0)
		return 1;
	return callers < v->nchain ? callers + 1 : v->nchain;
}

static bool
is_alike(const struct mem_report *r, struct keys *k, const struct key *a,
	const struct key *b)
{
	const struct variable_row *v = &r->profile->variable.at[a->variable],
				  *w = &r->profile->variable.at[b->variable];
	int n = parts(v, a->callers);

	if (v->kind != w->kind || n != parts(w, b->callers) ||
		r->told[a->variable].name != r->told[b->variable].name)
		return false;
	for (int i = 0; i < n; i++)
		if (part(r, k, v, a->callers, i) !=
			part(r, k, w, b->callers, i))
			return false;
	return true;
}

/* Returns the index of the key of a variable. */
static uint32_t
find_key(const struct mem_report *r, struct keys *k, const struct key *wanted)
{
	const struct variable_row *v =
		&r->profile->variable.at[wanted->variable];
	uint64_t hash = hash_mix(v->kind, r->told[wanted->variable].name),
		 *slot;
	int n = parts(v, wanted->callers);

	for (int i = 0; i < n; i++)
		hash = hash_mix(hash, part(r, k, v, wanted->callers, i));
	/* of different keys with one hash, one gets the next hash */
	for (slot = map_put(&k->first, hash); *slot != 0;
		slot = map_put(&k->first, ++hash))
		if (is_alike(r, k, &k->list.at[*slot - 1], wanted))
			return (uint32_t)*slot - 1;
	VEC_PUSH(&k->list, r->arena, *wanted);
	*slot = (uint64_t)k->list.n;
	return (uint32_t)k->list.n - 1;
}

/* Returns the key of a variable, which changes only with the number of
 * callers. */
static uint32_t
key_of(struct mem_report *r, struct keys *k, int i)
{
	struct mem_told *told = &r->told[i];

	if (told->has_key)
		return told->key;
	if (told->name == 0)
		told->name = text_number(k, mem_variable_name(r, (uint32_t)i));
	told->has_key = true;
	told->key = find_key(
		r, k, &(struct key){ .variable = i, .callers = told->callers });
	return told->key;
}

/* Adds a caller to each line that equals another line. Returns false if none of
 * these lines has a further caller. */
static bool
add_callers(struct mem_report *r, struct keys *k)
{
	int n = r->profile->variable.n;
	bool has_grown = false;

	for (int i = 0; i < k->list.n; i++)
		k->list.at[i].n = 0;
	for (int i = 0; i < n; i++) {
		uint32_t key = key_of(r, k, i); /* may move the list */

		k->list.at[key].n++;
	}
	for (int i = 0; i < n; i++) {
		const struct variable_row *v = &r->profile->variable.at[i];
		int *callers = &r->told[i].callers;

		if (v->nchain <= *callers + 1 ||
			k->list.at[key_of(r, k, i)].n < 2)
			continue;
		++*callers;
		r->told[i].has_key = false;
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
count_alike(struct mem_report *r, struct keys *k)
{
	int n = r->profile->variable.n, from = 0;
	struct alike *list = ARENA_ARRAY(r->arena, struct alike, (unsigned)n);

	for (int i = 0; i < n; i++)
		list[i] = (struct alike){ key_of(r, k, i), i, r };
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
	size_t locations = (size_t)r->profile->symbols.location.n;
	struct keys keys = { 0 };

	if (n <= 0)
		return;
	keys.where = ARENA_ARRAY(r->arena, uint32_t, locations);
	intern_init(&keys.text, r->arena);
	r->told = ARENA_ARRAY(r->arena, struct mem_told, n);
	for (int i = 0; i < n; i++)
		r->told[i].callers = CALLERS_USUAL;
	for (int round = 0; round < ROUNDS && add_callers(r, &keys);)
		round++;
	count_alike(r, &keys);
	map_fini(&keys.first);
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
