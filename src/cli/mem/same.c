/* SPDX-License-Identifier: MIT */
#include "cli/mem/same.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "mem/db/profile.h"

/* Returns the text by which a variable is found in both measurements. It has no
 * lines, which move when a program is edited. */
static const char *
text_of(struct arena *a, const struct profile *p, const struct variable_row *v)
{
	const char *text =
		arena_printf(a, "%s\n%s", variable_kind_name(v->kind), v->name);

	for (int i = 0; i < v->nchain; i++)
		text = arena_printf(a, "%s\n%s", text,
			profile_location(p, v->chain[i])->function);
	return text;
}

static int
compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
by_place(const struct code_location *a, const struct code_location *b)
{
	int order = strcmp(
		a->file == NULL ? "" : a->file, b->file == NULL ? "" : b->file);

	if (order == 0)
		order = compare((uint64_t)a->line, (uint64_t)b->line);
	return order != 0 ? order : compare(a->call, b->call);
}

static int
by_line(const void *pa, const void *pb, void *profile)
{
	const struct same_one *a = pa, *b = pb;
	const struct profile *p = profile;
	const struct variable_row *v = &p->variable.at[a->variable],
				  *w = &p->variable.at[b->variable];
	int order = compare(a->key, b->key);

	for (int i = 0; order == 0 && i < v->nchain && i < w->nchain; i++)
		order = by_place(profile_location(p, v->chain[i]),
			profile_location(p, w->chain[i]));
	if (order == 0 && v->nchain == 0)
		order = by_place(profile_location(p, v->location),
			profile_location(p, w->location));
	return order != 0 ? order : a->variable - b->variable;
}

struct same
same_number(struct arena *a, struct intern *text, const struct profile *p)
{
	int n = p->variable.n;
	struct same s = { .profile = p,
		.one = ARENA_ARRAY(a, struct same_one, n + 1),
		.number = ARENA_ARRAY(a, int, n + 1),
		.key = ARENA_ARRAY(a, uint32_t, n + 1) };

	for (int i = 0; i < n; i++) {
		s.key[i] = intern_add(text, text_of(a, p, &p->variable.at[i]));
		s.one[i] = (struct same_one){ .key = s.key[i], .variable = i };
	}
	qsort_r(s.one, (size_t)n, sizeof *s.one, by_line, (void *)(uintptr_t)p);
	for (int i = 0; i < n; i++)
		s.number[s.one[i].variable] =
			(int)++*map_put(&s.count, s.one[i].key);
	return s;
}

static uint64_t
count(const struct same *s, uint32_t key)
{
	const uint64_t *n = map_get(&s->count, key);

	return n == NULL ? 0 : *n;
}

const char *
same_text(struct arena *a, const struct intern *text, const struct same *of,
	const struct same *other, int variable)
{
	uint32_t key = of->key[variable];
	const char *name = intern_name(text, key);
	uint64_t n = count(of, key);

	if (n < 2 || n != count(other, key))
		return name;
	return arena_printf(a, "%s\n#%d", name, of->number[variable]);
}

void
same_fini(struct same *s)
{
	map_fini(&s->count);
}
