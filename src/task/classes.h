/* SPDX-License-Identifier: MIT */
/*
 * classes.h - the numbers that a journal gives to triples of texts.
 *
 * The first time it puts records that say what a number means. Texts are known
 * by their addresses: literals, and strings of the engine, need no comparison.
 */
#ifndef WEFT_TASK_CLASSES_H
#define WEFT_TASK_CLASSES_H

#include "base/arena.h"
#include "store/names.h"
#include "task/tail.h"

#define CLASSES_CACHED 1024u /* a power of two */

/* A triple of texts as it was last seen at these addresses. */
struct seen {
	const char *text[3];
	uint64_t word; /* the first of a short record, without what and where:
	                * the class; and perhaps: */
};

#define SEEN_LONG UINT64_C(1)    /* such a record has no room for the class */
#define SEEN_CHANGES UINT64_C(2) /* texts that may be others now */

/* What a triple was when it was seen; NULL: the text cannot change. */
struct copies {
	const char *text[3];
};

struct classes {
	struct seen seen[CLASSES_CACHED];
	struct copies copies[CLASSES_CACHED];
	struct weft_sim_engine *engine; /* or NULL */
	struct arena arena;
	struct names names, classes;
};

/* The engine, or NULL: see journal_open(). */
void classes_init(struct classes *c, struct weft_sim_engine *e);

/* The number of a name; puts a record if it is a new one. */
uint32_t classes_name(struct classes *c, struct tail *t, const char *text);

/* Sees a triple: gives it a number, and puts a record if it is a new one. */
void classes_add(struct classes *c, struct tail *t, struct seen *s,
	const char *const text[3]);

/* True if the texts are still what they were. */
bool classes_is_same(const struct classes *c, const struct seen *s);

void classes_fini(struct classes *c);

/* Where such a triple is, if it was seen. */
static inline struct seen *
classes_seen(struct classes *c, const char *kind, const char *what,
	const char *location)
{
	uintptr_t h =
		(uintptr_t)kind * 3 ^ (uintptr_t)what * 5 ^ (uintptr_t)location;

	return &c->seen[(h ^ h >> 10) & (CLASSES_CACHED - 1)];
}

static inline bool
seen_has(const struct seen *s, const char *kind, const char *what,
	const char *location)
{
	return s->text[0] == kind && s->text[1] == what &&
		s->text[2] == location;
}

static inline bool
seen_is_usual(uint64_t word)
{
	return (word & (SEEN_LONG | SEEN_CHANGES)) == 0;
}

/* The word of a triple that was seen; not a usual one: ask classes_of(). */
static inline uint64_t
classes_word(struct classes *c, const char *kind, const char *what,
	const char *location)
{
	const struct seen *s = classes_seen(c, kind, what, location);

	if (__builtin_expect(seen_has(s, kind, what, location), 1))
		return s->word;
	return SEEN_CHANGES;
}

/* The number of a triple of texts. */
static inline uint32_t
classes_of(struct classes *c, struct tail *t, const char *kind,
	const char *what, const char *location)
{
	struct seen *s = classes_seen(c, kind, what, location);

	if (!seen_has(s, kind, what, location) ||
		((s->word & SEEN_CHANGES) != 0 && !classes_is_same(c, s)))
		classes_add(
			c, t, s, (const char *const[]){ kind, what, location });
	return s->word >> 32 & JOURNAL_NUMBER_MAX;
}

#endif
