/* SPDX-License-Identifier: MIT */
/*
 * build.h - how layout.c makes the code of one struct, and finds the field
 * that a length or a tag names.
 *
 * Every field that was laid out is seen by its name from those that follow:
 * in the same struct, in those around it, in the scopes before
 * (trace.packet.header, stream.packet.context, ..., event.fields). A scope is
 * a field without parent.
 */
#ifndef WEFT_TRACE_CTF_BUILD_H
#define WEFT_TRACE_CTF_BUILD_H

#include "base/err.h"
#include "trace/ctf/code.h"
#include "trace/ctf/lex.h"
#include "trace/ctf/type.h"

struct arena;

struct ctf_seen {
	const char *name;  /* NULL: an element */
	int parent;        /* index, or -1 */
	struct ctf_op *op; /* of a number; else NULL */
	const struct ctf_type *type;
};

struct ctf_build {
	struct arena *arena;
	const struct ctf_meta *meta;
	struct ctf_code *code; /* being made */
	struct ctf_op *run;    /* or NULL */
	uint32_t known;        /* bits: the run begins at a multiple of it */
	int depth;
	int *fields; /* of all codes of the trace, against bombs */
	uint32_t nkeys;
	VEC(struct ctf_seen) seen;
	int parent; /* in seen */
	/* Of an event's header: numbers named "id", and those of the clock. */
	bool header;
	VEC(struct ctf_op *) ids, clocks;
	bool id_is_tag;    /* or a length: it needs its key */
	const char *clock; /* name of the first one, or NULL */
	const char *at;    /* of the metadata, for errors */
	struct err *err;
};

/* Lays out a scope into the code, behind what is there. type may be NULL. */
bool ctf_build_scope(struct ctf_build *b, struct ctf_code *code,
	const char *scope, const struct ctf_type *type);

/* The field of that path, or NULL. */
struct ctf_seen *ctf_build_find(struct ctf_build *b, const char *path);

/* Its number is kept: the key. 0 with err if it has none, or too many do. */
uint16_t ctf_build_key(struct ctf_build *b, const char *path, const char *what);

/* There are n more fields; false with err if these are too many. */
bool ctf_build_count(struct ctf_build *b, int n);

/* An error at the current place of the metadata; false. */
bool ctf_build_fail(struct ctf_build *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Lists and variants; called by build.c. */
bool ctf_build_list(
	struct ctf_build *b, const char *name, const struct ctf_type *t);
bool ctf_build_variant(
	struct ctf_build *b, const char *name, const struct ctf_type *t);

/* What they are made of. */
bool ctf_build_type(
	struct ctf_build *b, const char *name, const struct ctf_type *t);
struct field *ctf_build_field(
	struct ctf_build *b, const char *name, enum field_type type);
struct ctf_op *ctf_build_op(struct ctf_build *b, enum ctf_op_kind kind);
void ctf_build_align(struct ctf_build *b, uint32_t align);

/* Fields of no element so far, at a position that is a multiple of known. */
struct ctf_build_place {
	struct ctf_code *code;
	int parent;
};
struct ctf_build_place ctf_build_begin(struct ctf_build *b,
	struct ctf_code *inner, const char *name, const struct ctf_type *t);
void ctf_build_end(struct ctf_build *b, struct ctf_build_place outer);

#endif
