/* SPDX-License-Identifier: MIT */
/*
 * scrub.h - takes names of machines and people, and paths, out of texts that
 * leave the machine.
 *
 *	struct scrub s = { 0 };
 *	scrub_name(&s, &arena, "login3.cluster.org", SCRUB_HOST);
 *	scrub_text(&s, &arena, "/srv/eva/heat.c:12 on login3")
 *	                                             "heat.c:12 on host1"
 *
 * A host is known by its whole name and by what stands before the first dot;
 * letter case does not matter. A name is found only as a whole word. Of an
 * absolute path the name of a file stays, if it has an extension; of any other
 * path, "(path)".
 */
#ifndef WEFT_SERVE_SCRUB_H
#define WEFT_SERVE_SCRUB_H

#include <stddef.h>

#include "base/out.h"
#include "base/vec.h"

struct arena;

enum scrub_kind { SCRUB_HOST, SCRUB_USER };

struct scrub_name {
	const char *name;
	size_t n;
	const char *becomes;
};

struct scrub {
	VEC(struct scrub_name) names;
	int hosts;
};

/* A name to take out; NULL, and what is known already, is fine. */
void scrub_name(struct scrub *s, struct arena *a, const char *name,
	enum scrub_kind kind);

/* The text without them, from the arena. */
const char *scrub_text(
	const struct scrub *s, struct arena *a, const char *text);

/* Writes a document of JSON, with its texts scrubbed but for those of members
 * that only have words of Weft: "class", "key", "kind", "unit"... */
void scrub_json(
	const struct scrub *s, struct out *to, const char *json, size_t n);

#endif
