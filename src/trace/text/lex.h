/* SPDX-License-Identifier: MIT */
/*
 * lex.h - splits a text trace into words, line by line.
 *
 * A function that takes something either moves past it and the blanks after it,
 * or returns false and does not move; functions with a parameter `what` have
 * then set err to "expected WHAT". Columns count bytes from 1.
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
	const char *end;   /* end of the file */
	const char *line;  /* where this line starts */
	const char *after; /* end of the line: the newline, or the end of the
	                    * file */
	const char *at;    /* next byte to look at */
	int64_t number;    /* number of this line, from 1; 0 before the first */
	struct err *err;
};

/* Starts before the first line of a text of size bytes. */
void lex_init(struct lex *l, const char *file, const char *text, size_t size,
	struct err *err);

/* Moves to the next line; returns false at the end of the text. */
bool lex_line(struct lex *l);

/* Moves back to a line seen before, by its first byte and its number. */
void lex_seek(struct lex *l, size_t at, int64_t number);

/* Returns true if the line is blank; a comment is not. */
bool lex_blank(const struct lex *l);

/* Returns true if only blanks or a comment are left in the line. */
bool lex_end(const struct lex *l);

/* Does the same as lex_end(), and sets "expected WHAT" if it returns false. */
bool lex_expect_end(struct lex *l, const char *what);

/* Return true if the next byte begins a number, or is c. */
bool lex_is_number(const struct lex *l);
bool lex_is(const struct lex *l, char c);

/* Takes the word, if it is the next one. */
bool lex_keyword(struct lex *l, const char *word);

/* Takes the byte, but no blanks after it, if it is the next one. */
bool lex_byte(struct lex *l, char c);

/* Takes an identifier and the '=' right behind it. Returns NULL if the next
 * word is something else. */
const char *lex_assign(struct lex *l, struct arena *a);

/*
 * Take a word (up to the next blank), a string in quotes, an integer, or raw
 * bytes. Return false with "expected WHAT". Results are in the arena.
 */
bool lex_word(
	struct lex *l, const char *what, struct arena *a, const char **out);
bool lex_string(
	struct lex *l, const char *what, struct arena *a, const char **out);
bool lex_int(struct lex *l, const char *what, int64_t *out);
bool lex_raw(struct lex *l, struct arena *a, const uint8_t **out, uint32_t *n);

/* Takes an integer that may be followed directly by something else: "0" of
 * "0:1". Does not skip blanks. */
bool lex_int_part(struct lex *l, const char *what, int64_t *out);

/* Sets err to "file: line 4: column 9: WHAT" and returns false. */
bool lex_fail(struct lex *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), cold));

#endif
