/* SPDX-License-Identifier: MIT */
/*
 * lex.h - splits TSDL, the language of CTF metadata, into tokens.
 *
 *	struct ctf_lex lex;
 *	ctf_lex_init(&lex, &arena, "a/metadata", text, size, &err);
 *	while (lex.token.kind != CTF_TOKEN_END && ctf_lex_next(&lex))
 *		use(&lex.token);
 *
 * lex.token is the current token. The first error is kept with file, line,
 * column and the text of the line; after it all tokens are CTF_TOKEN_END, so
 * that a parser stops wherever it is.
 */
#ifndef WEFT_TRACE_CTF_LEX_H
#define WEFT_TRACE_CTF_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

enum ctf_token_kind {
	CTF_TOKEN_END,
	CTF_TOKEN_NAME,
	CTF_TOKEN_INT,
	CTF_TOKEN_STRING,
	CTF_TOKEN_PUNCT,
};

/* Punctuation of more than one character. */
enum {
	CTF_BECOMES = 256, /* ":=" */
	CTF_ELLIPSIS,      /* "..." */
	CTF_ARROW,         /* "->" */
};

struct ctf_token {
	enum ctf_token_kind kind;
	int punct;        /* the character, or one of the above */
	const char *text; /* text of a name or string, in the arena */
	uint64_t value;   /* value of an integer or character */
	const char *at;   /* where the token begins */
};

struct ctf_lex {
	struct arena *arena;
	const char *file, *text, *at, *end;
	struct ctf_token token;
	struct err *err; /* kind ERR_NONE: no error yet */
};

/* Starts with a text of size bytes followed by a NUL, and reads the first
 * token. */
void ctf_lex_init(struct ctf_lex *lex, struct arena *a, const char *file,
	const char *text, size_t size, struct err *err);

/* Moves to the next token. Returns false at the end, and after an error. */
bool ctf_lex_next(struct ctf_lex *lex);

/* Sets an error at a position of the text; returns false. */
bool ctf_lex_fail(struct ctf_lex *lex, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* Returns the number of the line at a position, from 1. */
int ctf_lex_line(const struct ctf_lex *lex, const char *at);

/* Return true if the current token is that punctuation, or that name. */
bool ctf_lex_is(const struct ctf_lex *lex, int punct);
bool ctf_lex_is_name(const struct ctf_lex *lex, const char *name);

/* Skips the token if it is that punctuation. Returns true if it was. */
bool ctf_lex_take(struct ctf_lex *lex, int punct);

/* Skips the token if it is that punctuation; otherwise sets an error and
 * returns false. */
bool ctf_lex_expect(struct ctf_lex *lex, int punct);

/* Reads a name and returns it, or NULL with an error. */
const char *ctf_lex_expect_name(struct ctf_lex *lex, const char *what);

/* Reads an integer, possibly with a sign. Returns false with an error. */
bool ctf_lex_expect_int(struct ctf_lex *lex, int64_t *value);

#endif
