/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of TSDL, the language of CTF metadata.
 *
 *	struct ctf_lex lex;
 *	ctf_lex_init(&lex, &arena, "a/metadata", text, size, &err);
 *	while (lex.token.kind != CTF_TOKEN_END && ctf_lex_next(&lex))
 *		use(&lex.token);
 *
 * lex.token is the current one. The first error is kept with file, line,
 * column and the row itself; afterwards all tokens are CTF_TOKEN_END, so that
 * a parser ends wherever it is.
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

/* Marks of more than one character. */
enum {
	CTF_BECOMES = 256, /* ":=" */
	CTF_ELLIPSIS,      /* "..." */
	CTF_ARROW,         /* "->" */
};

struct ctf_token {
	enum ctf_token_kind kind;
	int punct;        /* the character, or one of the above */
	const char *text; /* of names and strings: in the arena */
	uint64_t value;   /* of integers and characters */
	const char *at;   /* where it begins */
};

struct ctf_lex {
	struct arena *arena;
	const char *file, *text, *at, *end;
	struct ctf_token token;
	struct err *err; /* kind ERR_NONE: none so far */
};

/* The text has size bytes and a NUL behind them. Reads the first token. */
void ctf_lex_init(struct ctf_lex *lex, struct arena *a, const char *file,
	const char *text, size_t size, struct err *err);

/* False at the end, and after an error. */
bool ctf_lex_next(struct ctf_lex *lex);

/* An error at a place of the text; false. */
bool ctf_lex_fail(struct ctf_lex *lex, const char *at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4), cold));

/* The line of a place, from 1. */
int ctf_lex_line(const struct ctf_lex *lex, const char *at);

/* True if the current token is that mark, or that name. */
bool ctf_lex_is(const struct ctf_lex *lex, int punct);
bool ctf_lex_is_name(const struct ctf_lex *lex, const char *name);

/* If it is the mark, goes on to the next token. */
bool ctf_lex_take(struct ctf_lex *lex, int punct);

/* The same; an error if it is another. */
bool ctf_lex_expect(struct ctf_lex *lex, int punct);

/* The name that must stand here, or NULL with an error. */
const char *ctf_lex_expect_name(struct ctf_lex *lex, const char *what);

/* An integer, also with a sign; false with an error. */
bool ctf_lex_expect_int(struct ctf_lex *lex, int64_t *value);

#endif
