/* SPDX-License-Identifier: MIT */
/* Field locations of CTF 2: a path from a scope, or from a structure. */
#include <string.h>

#include "trace/ctf/build.h"

/* Returns the structure that encloses field i, or the field itself if it is
 * one; -1: none does. */
static int
structure_of(const struct ctf_build *b, int i)
{
	while (i >= 0 && b->seen.at[i].type->kind != CTF_STRUCT)
		i = b->seen.at[i].parent;
	return i;
}

static int
scope_of(const struct ctf_build *b, const char *name)
{
	for (int i = b->seen.n - 1; i >= 0; i--)
		if (b->seen.at[i].parent == -1 &&
			strcmp(b->seen.at[i].name, name) == 0)
			return i;
	return -1;
}

static int
child_of(const struct ctf_build *b, int parent, const char *name)
{
	for (int i = b->seen.n - 1; i > parent; i--) {
		const struct ctf_seen *s = &b->seen.at[i];

		if (s->parent == parent && s->name != NULL &&
			strcmp(s->name, name) == 0)
			return i;
	}
	return -1;
}

/*
 * Returns the structure through which the path goes on behind field i. For a
 * list, variant or optional that is the element or option being read now: the
 * outermost structure inside it that encloses the current position.
 */
static int
enter(const struct ctf_build *b, int i)
{
	int inside = -1;

	if (b->seen.at[i].type->kind == CTF_STRUCT)
		return i;
	for (int at = b->parent; at >= 0; at = b->seen.at[at].parent) {
		const struct ctf_seen *s = &b->seen.at[at];

		if (s->type->kind == CTF_STRUCT)
			inside = at;
		else if (s->name == NULL && s->type == b->seen.at[i].type &&
			s->parent == b->seen.at[i].parent)
			return inside;
	}
	return -1;
}

struct ctf_seen *
ctf_build_locate(const struct ctf_build *b, const struct ctf_location *l)
{
	int at = l->scope != NULL ? scope_of(b, l->scope)
				  : structure_of(b, b->parent);

	for (int i = 0; i < l->n && at >= 0; i++) {
		if (l->name[i] == NULL)
			at = structure_of(b, b->seen.at[at].parent);
		else
			at = child_of(b, at, l->name[i]);
		if (at >= 0 && i + 1 < l->n)
			at = enter(b, at);
	}
	return at < 0 ? NULL : &b->seen.at[at];
}
