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
 * in upper or lower case; a domain behind it goes, too. A name is found only as
 * a whole word, which a '_' ends. Of an absolute path, "../a", "~name/a",
 * "C:\a" and "\\host\a", only the file name stays, if it has an extension; else
 * "(path)" replaces it.
 *
 * With same_length every text keeps its length, so that names of files, offsets
 * and wire formats stay valid: "node7" becomes "host1", and an absolute path
 * "/xxx/xxx/heat.c".
 */
#ifndef WEFT_BASE_SCRUB_H
#define WEFT_BASE_SCRUB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/out.h"
#include "base/vec.h"

struct arena;

enum scrub_kind { SCRUB_HOST, SCRUB_USER };

struct scrub_name {
	const char *name;
	size_t n;
	const char *becomes;
	enum scrub_kind kind;
};

#define SCRUB_LENGTHS 65 /* lengths of names that are counted apart */

struct scrub {
	bool same_length; /* set it before the first name */
	/* Members of documents whose texts are words of the format itself, by
	 * which readers know what follows; ends with NULL. NULL: none. */
	const char *const *own;
	VEC(struct scrub_name) names;
	int hosts;
	int of_length[SCRUB_LENGTHS]; /* hosts by the length of their names */
	bool is_full; /* there are more hosts than names of that length */
};

/* Adds the names of this host and of the user of this process. */
void scrub_here(struct scrub *s, struct arena *a);

/* Adds a name to remove. NULL, and a name that was added before, are
 * allowed. */
void scrub_name(struct scrub *s, struct arena *a, const char *name,
	enum scrub_kind kind);

/* Writes a JSON document with its texts scrubbed, except the texts of members
 * in s->own. */
void scrub_json(
	const struct scrub *s, struct out *to, const char *json, size_t n);

/* The following need same_length, and change texts in place. */

/* Scrubs any text. */
void scrub_bytes(const struct scrub *s, char *text, size_t n);

/* Returns true if a member or field of that name holds what is hidden as a
 * whole: arguments of a command, the environment. */
bool scrub_hides(const char *member, size_t n);

/* Scrubs the texts in quotes of a document in JSON, or in TSDL ("env { hostname
 * = "node7"; }"). Names of members stay, and in members of s->own only paths
 * are scrubbed. */
void scrub_document(const struct scrub *s, char *text, size_t n);

/* Returns a name that is still in the text, or NULL. */
const char *scrub_find(const struct scrub *s, const char *text, size_t n);

#endif
