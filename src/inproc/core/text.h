/* SPDX-License-Identifier: MIT */
/*
 * text.h - a text that grows, and goes to a file in one piece.
 *
 * It begins in memory that it is given and goes on in pages of its own, never
 * by malloc: a thread may start in a handler. What fails is remembered.
 */
#ifndef WEFT_INPROC_CORE_TEXT_H
#define WEFT_INPROC_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *at; /* ends with a NUL */
	size_t n, room;
	bool is_mapped, failed; /* failed: no memory */
	int depth;
	bool is_first; /* of its object or array */
};

void weft_rt_text_put(struct text *o, const char *text, size_t n);
void weft_rt_text_puts(struct text *o, const char *text);

/* At most 1023 bytes. */
void weft_rt_text_printf(struct text *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* False with errno. */
bool weft_rt_text_write(int fd, const char *text, size_t n);

/* Gives its pages back. */
void weft_rt_text_free(struct text *text);

/* Writes a file through the temporary name path + ".new", which is made in
 * temp, of at least 5 bytes more. False with errno: the file is as it was. */
bool weft_rt_text_save(
	const char *text, size_t n, const char *path, char *temp);

/* Twice as much in pages; at is replaced. The old ones go if they were such. */
bool weft_rt_text_grow(void **at, size_t *room, bool is_mapped, size_t want);

#endif
