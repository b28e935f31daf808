/* SPDX-License-Identifier: MIT */
/*
 * build.h - compiles one struct to the code of layout.c, and finds the field
 * that a length or a tag refers to.
 *
 * Every field that was laid out can be referred to by later fields: in the same
 * struct, in the structs around it, and in earlier scopes (trace.packet.header,
 * stream.packet.context, ..., event.fields). A scope is a field without a
 * parent. CTF 2 states the way to the field; CTF 1.8 only names it.
 */
#ifndef WEFT_TRACE_CTF_BUILD_H
#define WEFT_TRACE_CTF_BUILD_H

#include "base/err.h"
#include "trace/ctf/code.h"
#include "trace/ctf/lex.h"
#include "trace/ctf/type.h"

struct arena;

struct ctf_seen {
	const char *name;  /* NULL: an element of a list */
	int parent;        /* index, or -1 */
	struct ctf_op *op; /* operation of a number; NULL for other types */
	const struct ctf_type *type;
};

struct ctf_role_op {
	uint16_t roles; /* bits of enum ctf_role */
	const struct ctf_op *op;
};

struct ctf_build {
	struct arena *arena;
	const struct ctf_meta *meta;
	struct ctf_code *code; /* being built */
	struct ctf_op *run;    /* current run, or NULL */
	uint32_t known;        /* the run begins at a multiple of this many
	                        * bits */
	int depth;
	int *fields; /* number of fields in all codes of the trace, limited by
	              * FIELDS_MAX */
	uint32_t nkeys;
	VEC(struct ctf_seen) seen;
	int parent; /* index in seen */
	/* For an event's header: the numbers named "id", and the numbers that
	 * are clock values. */
	bool header;
	VEC(struct ctf_op *) ids, clocks;
	bool id_is_tag;    /* a length or tag refers to the id, so it needs
	                    * its key */
	const char *clock; /* name of the first clock, or NULL */
	/* CTF 2: the operations of fields with roles, in packet header and
	 * packet context. */
	VEC(struct ctf_role_op) roles;
	const char *at; /* position in the metadata, for errors */
	struct err *err;
};

/* Appends a scope to the code. type may be NULL. */
bool ctf_build_scope(struct ctf_build *b, struct ctf_code *code,
	const char *scope, const struct ctf_type *type);

/* Returns the field at that path, or NULL. */
struct ctf_seen *ctf_build_find(struct ctf_build *b, const char *path);

/* Returns the field at the location, or NULL. (In locate.c.) */
struct ctf_seen *ctf_build_locate(
	const struct ctf_build *b, const struct ctf_location *l);

/* Returns the key under which the number is kept that the type's path or
 * location leads to. Returns 0 with err if that field is not a number, or there
 * are too many keys. */
uint16_t ctf_build_key(
	struct ctf_build *b, const struct ctf_type *t, const char *what);

/* Counts n more fields; returns false with err if there are too many. */
bool ctf_build_count(struct ctf_build *b, int n);

/* Sets an error at the current position of the metadata; returns false. */
bool ctf_build_fail(struct ctf_build *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

/* Build lists, variants, and what has a length; called by build.c. */
bool ctf_build_sized(
	struct ctf_build *b, const char *name, const struct ctf_type *t);
bool ctf_build_optional(
	struct ctf_build *b, const char *name, const struct ctf_type *t);
bool ctf_build_list(
	struct ctf_build *b, const char *name, const struct ctf_type *t);
bool ctf_build_variant(
	struct ctf_build *b, const char *name, const struct ctf_type *t);

/* Build the parts of a struct. */
bool ctf_build_type(
	struct ctf_build *b, const char *name, const struct ctf_type *t);
struct field *ctf_build_field(
	struct ctf_build *b, const char *name, enum field_type type);
struct ctf_op *ctf_build_op(struct ctf_build *b, enum ctf_op_kind kind);
void ctf_build_align(struct ctf_build *b, uint32_t align);

/* Switches to the code of an element: an empty list of fields, at a position
 * whose alignment is unknown. ctf_build_end() switches back. */
struct ctf_build_position {
	struct ctf_code *code;
	int parent;
};
struct ctf_build_position ctf_build_begin(struct ctf_build *b,
	struct ctf_code *inner, const char *name, const struct ctf_type *t);
void ctf_build_end(struct ctf_build *b, struct ctf_build_position outer);

#endif
