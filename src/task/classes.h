/* SPDX-License-Identifier: MIT */
/*
 * classes.h - the numbers that a journal gives to triples of texts.
 *
 * At the first use of a triple, records that define its number are appended.
 * Texts are recognised by their addresses: string literals and strings of the
 * engine need no comparison.
 */
#ifndef WEFT_TASK_CLASSES_H
#define WEFT_TASK_CLASSES_H

#include "base/arena.h"
#include "store/texts.h"
#include "task/tail.h"

#define CLASSES_CACHED 1024u /* a power of two */

/* A triple of texts, as it was when last seen at these addresses. */
struct seen {
	const char *text[3];
	uint64_t word; /* the first word of a short record with the class but
	                * without slot and kind of event; may have the flags
	                * below */
};

#define SEEN_LONG UINT64_C(1)    /* the class has no room in a short record */
#define SEEN_CHANGES UINT64_C(2) /* the texts may have changed since */

/* Copies of the texts of a triple; NULL: the text cannot change. */
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

/* Initialises c. e is NULL or the engine, see journal_open(). */
void classes_init(struct classes *c, struct weft_sim_engine *e);

/* Returns the number of a name. Appends a record if the name is new. */
uint32_t classes_name(struct classes *c, struct tail *t, const char *text);

/* Gives a triple its number and enters it in *s. Appends a record if the triple
 * is new. */
void classes_add(struct classes *c, struct tail *t, struct seen *s,
	const char *const text[3]);

/* Returns true if the texts have not changed. */
bool classes_is_same(const struct classes *c, const struct seen *s);

void classes_fini(struct classes *c);

/* Returns the cache entry in which the triple is, if it was seen. */
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

/* Returns the word of a triple that was seen before, or a word for which
 * seen_is_usual() is false: then the caller must use classes_of(). */
static inline uint64_t
classes_word(struct classes *c, const char *kind, const char *what,
	const char *location)
{
	const struct seen *s = classes_seen(c, kind, what, location);

	if (__builtin_expect(seen_has(s, kind, what, location), 1))
		return s->word;
	return SEEN_CHANGES;
}

/* Returns the number of a triple of texts. */
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
