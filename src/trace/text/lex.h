/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of a text trace, line by line.
 *
 * A function that takes something either moves past it and the blanks after
 * it, or returns false and leaves the place where it was; those that say
 * "expected" have set err then. Columns count bytes from 1.
 *
 *	while (lex_line(&l))
 *		if (lex_keyword(&l, "tid") && !lex_int(&l, "a tid", &tid))
 *			return false;
 */
#ifndef WEFT_TRACE_TEXT_LEX_H
#define WEFT_TRACE_TEXT_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct err;

#define LEX_WORD 4096 /* most bytes of a word */

struct lex {
	const char *file;  /* for messages */
	const char *text;  /* the whole file */
	const char *end;   /* of the file */
	const char *line;  /* where this line starts */
	const char *after; /* its end: the newline, or the end of the file */
	const char *at;    /* next byte to look at */
	int64_t number;    /* of this line, from 1; 0 before the first */
	struct err *err;
};

/* Before the first line of a text of size bytes. */
void lex_init(struct lex *l, const char *file, const char *text, size_t size,
	struct err *err);

/* Goes to the next line; false at the end of the text. */
bool lex_line(struct lex *l);

/* Goes back to a line seen before, by its first byte and its number. */
void lex_seek(struct lex *l, size_t at, int64_t number);

/* True if only blanks are in the line; a comment is not blank. */
bool lex_blank(const struct lex *l);

/* True if nothing but a comment is left in the line. */
bool lex_end(const struct lex *l);

/* The same, with "expected WHAT" when it is false. */
bool lex_expect_end(struct lex *l, const char *what);

/* True if the next byte starts a number, or is c. */
bool lex_is_number(const struct lex *l);
bool lex_is(const struct lex *l, char c);

/* Moves past the word, if that is the next one. */
bool lex_keyword(struct lex *l, const char *word);

/* Moves past the byte and nothing after it, if it is the next one. */
bool lex_byte(struct lex *l, char c);

/* An identifier with the '=' right after it, if that is next; else NULL. */
const char *lex_assign(struct lex *l, struct arena *a);

/*
 * A word (up to the next blank), a string in quotes, an integer, raw bytes.
 * False with "expected WHAT". Results live in the arena.
 */
bool lex_word(
	struct lex *l, const char *what, struct arena *a, const char **out);
bool lex_string(
	struct lex *l, const char *what, struct arena *a, const char **out);
bool lex_int(struct lex *l, const char *what, int64_t *out);
bool lex_raw(struct lex *l, struct arena *a, const uint8_t **out, uint32_t *n);

/* An integer that may go on: "0" of "0:1". Blanks after it are kept. */
bool lex_int_part(struct lex *l, const char *what, int64_t *out);

/* Sets err to "file: line 4: column 9: WHAT" and returns false. */
bool lex_fail(struct lex *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

#endif
