/* SPDX-License-Identifier: MIT */
/*
 * fragments.h - parses the metadata of CTF 2: a sequence of JSON objects, each
 * after a byte 0x1e.
 *
 * Fragments in fragments.c, field classes in fragment_type.c. The result is
 * what ctf_parse() makes of CTF 1.8, with roles and field locations instead of
 * names. A fragment is parsed, converted and freed before the next one. Each
 * function returns false, or NULL, after an error, which names the fragment and
 * the byte where it begins.
 */
#ifndef WEFT_TRACE_CTF_FRAGMENTS_H
#define WEFT_TRACE_CTF_FRAGMENTS_H

#include "base/err.h"
#include "base/json.h"
#include "trace/ctf/type.h"

struct arena;

#define CTF_FRAGMENT 0x1e /* the byte before each fragment */

struct ctf_fragments {
	struct arena *arena;
	struct ctf_meta *meta;
	const char *at;               /* the fragment in the text */
	VEC(struct ctf_member) alias; /* names of field classes */
	bool has_trace;
	struct err *err;
};

/* Parses the whole text, which is changed while the function runs. */
bool ctf_fragments_parse(struct ctf_meta *m, struct arena *a, const char *file,
	char *text, size_t size, struct err *err);

/* Reads a field class: an object, or the name of an alias. `depth` levels of
 * field classes are around it. */
const struct ctf_type *ctf_fragment_type(
	struct ctf_fragments *p, struct json_object *v, int depth);

/* Sets an error about the fragment that begins at `at`; returns false. */
bool ctf_fragment_fail(const struct ctf_meta *m, const char *at,
	struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), cold));
#define CTF_FRAGMENT_FAIL(p, ...) \
	ctf_fragment_fail((p)->meta, (p)->at, (p)->err, __VA_ARGS__)

/* Returns false with an error if the object has no such property, or it is of
 * another type. */
bool ctf_fragment_need(struct ctf_fragments *p, struct json_object *v,
	const char *name, enum json_type type);

/* Reads an integer from 0 to `max`. A missing property leaves *to as it is.
 * Returns false with an error if the property is anything else. */
bool ctf_fragment_number(struct ctf_fragments *p, struct json_object *v,
	const char *name, uint64_t max, uint64_t *to);

/* Reads a text and copies it to the arena. A missing property leaves *to as it
 * is. Returns false with an error if the property is no text. */
bool ctf_fragment_text(struct ctf_fragments *p, struct json_object *v,
	const char *name, const char **to);

#endif
