/* SPDX-License-Identifier: MIT */
/*
 * parse.h - parses the text of CTF metadata.
 *
 * A recursive-descent parser over lex.h: blocks in parse.c, types in
 * parse_type.c, the attributes of numbers in parse_number.c. Each function is
 * called at the first token of the construct it reads, and leaves the token
 * behind it; it returns false, or NULL, after an error.
 */
#ifndef WEFT_TRACE_CTF_PARSE_H
#define WEFT_TRACE_CTF_PARSE_H

#include "trace/ctf/lex.h"
#include "trace/ctf/type.h"

#define CTF_DEPTH_MAX 32   /* levels of nested types and blocks */
#define CTF_NAMES_MAX 4096 /* types in a block; streams */

/* Names of types; the names of outer blocks are visible, too. */
struct ctf_scope {
	struct ctf_scope *outer;
	VEC(struct ctf_member) types; /* "uint8_t", "struct pair" */
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
	const char *at;              /* position in the text */
	const char *name;            /* "packet.header" */
	const struct ctf_type *type; /* NULL: the attribute is a value */
	const char *text;            /* a name or a string; NULL: a number */
	bool quoted;
	int64_t number;
};

/* Parses the whole text. Returns false with the lexer's error. */
bool ctf_parse(struct ctf_meta *m, struct arena *a, const char *file,
	const char *text, size_t size, struct err *err);

/* Reads a path: "a.b.c". */
const char *ctf_parse_path(struct ctf_parser *p, const char *what);

/* Reads one statement with its semicolon. A declaration of a type is added to
 * the scope, and the name of the attribute is then NULL. */
bool ctf_parse_statement(struct ctf_parser *p, struct ctf_attribute *a);

/* Read the attributes after "integer", "floating_point" and "string". */
struct ctf_type *ctf_parse_integer(struct ctf_parser *p);
struct ctf_type *ctf_parse_float(struct ctf_parser *p);
struct ctf_type *ctf_parse_string(struct ctf_parser *p);

/* ctf_is_declaration() returns true if the token begins the declaration of a
 * type (typealias, typedef, or a named struct); ctf_parse_declaration() reads
 * it with its semicolon. */
bool ctf_is_declaration(const struct ctf_parser *p);
bool ctf_parse_declaration(struct ctf_parser *p);

/* Reads a type without a declarator. */
const struct ctf_type *ctf_parse_type(struct ctf_parser *p);

/* Enters a nested block with its own names. Returns false if the nesting is too
 * deep. */
bool ctf_parse_enter(struct ctf_parser *p, struct ctf_scope *scope);
void ctf_parse_leave(struct ctf_parser *p);

#endif
