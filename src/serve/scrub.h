/* SPDX-License-Identifier: MIT */
/*
 * scrub.h - removes names of machines and people, and paths, from texts that
 * leave the machine.
 *
 *	struct scrub s = { 0 };
 *	scrub_name(&s, &arena, "login3.cluster.org", SCRUB_HOST);
 *	scrub_json(&s, &out, json, n)
 *	    {"text":"/srv/eva/heat.c:12 on login3"} becomes
 *	    {"text":"heat.c:12 on host1"}
 *
 * A host is recognised by its full name and by the part before the first dot,
 * in upper or lower case. A name is found only as a whole word. Of an absolute
 * path only the file name stays, if it has an extension; any other path becomes
 * "(path)".
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

/* Adds a name to remove. NULL, and a name that was added before, are
 * allowed. */
void scrub_name(struct scrub *s, struct arena *a, const char *name,
	enum scrub_kind kind);

/* Writes a JSON document with its texts scrubbed, except the texts of members
 * that hold only Weft's own words: "class", "key", "kind", "unit"... */
void scrub_json(
	const struct scrub *s, struct out *to, const char *json, size_t n);

#endif
