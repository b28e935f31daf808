/* SPDX-License-Identifier: MIT */
/*
 * parse.h - from the text of CTF metadata to its declarations.
 *
 * A recursive-descent parser over lex.h: blocks in parse.c, types in
 * parse_type.c, the attributes of numbers in parse_number.c. Each function is
 * called at the first token of what it reads and leaves the one behind it;
 * false, or NULL, after an error.
 */
#ifndef WEFT_TRACE_CTF_PARSE_H
#define WEFT_TRACE_CTF_PARSE_H

#include "trace/ctf/lex.h"
#include "trace/ctf/type.h"

#define CTF_DEPTH_MAX 32   /* types and blocks inside each other */
#define CTF_NAMES_MAX 4096 /* of types in a block; streams */

/* Names of types: those of the blocks around are seen, too. */
struct ctf_scope {
	struct ctf_scope *outer;
	VEC(struct ctf_member) types; /* "uint8_t", "struct point" */
};

struct ctf_parser {
	struct arena *arena;
	struct ctf_lex lex;
	struct ctf_meta *meta;
	struct ctf_scope *scope;
	int depth;
};

/* One statement of a block: NAME = value, or NAME := type. */
struct ctf_attribute {
	const char *at;              /* where it stands */
	const char *name;            /* "packet.header" */
	const struct ctf_type *type; /* NULL: it is a value */
	const char *text;            /* of a name or a string; NULL: a number */
	bool quoted;
	int64_t number;
};

/* Reads the whole text. False with the error of the lexer. */
bool ctf_parse(struct ctf_meta *m, struct arena *a, const char *file,
	const char *text, size_t size, struct err *err);

/* "a.b.c" */
const char *ctf_parse_path(struct ctf_parser *p, const char *what);

/* One statement with its semicolon; declarations of types are taken in. The
 * name of the attribute is NULL when it was one. */
bool ctf_parse_statement(struct ctf_parser *p, struct ctf_attribute *a);

/* Behind "integer", "floating_point" and "string". */
struct ctf_type *ctf_parse_integer(struct ctf_parser *p);
struct ctf_type *ctf_parse_float(struct ctf_parser *p);
struct ctf_type *ctf_parse_string(struct ctf_parser *p);

/* If the token begins the declaration of a type (typealias, typedef, or a
 * named struct): reads it and its semicolon. */
bool ctf_is_declaration(const struct ctf_parser *p);
bool ctf_parse_declaration(struct ctf_parser *p);

/* A type without a declarator. */
const struct ctf_type *ctf_parse_type(struct ctf_parser *p);

/* One level deeper, with names of its own. False if that is too deep. */
bool ctf_parse_enter(struct ctf_parser *p, struct ctf_scope *scope);
void ctf_parse_leave(struct ctf_parser *p);

#endif
