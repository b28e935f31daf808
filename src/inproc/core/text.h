/* SPDX-License-Identifier: MIT */
/*
 * text.h - a text that grows, and is written to a file in one piece.
 *
 * The text begins in memory of the caller and grows in pages of its own, never
 * by malloc: a thread may start in a handler. Failures are remembered in
 * `failed`.
 */
#ifndef WEFT_INPROC_CORE_TEXT_H
#define WEFT_INPROC_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *at; /* ends with a NUL */
	size_t n, room;
	bool is_mapped, failed; /* failed: out of memory */
	int depth;
	bool is_first; /* the next element is the first one of its object or
	                * array */
};

void weft_rt_text_put(struct text *o, const char *text, size_t n);
void weft_rt_text_puts(struct text *o, const char *text);

/* Appends at most 1023 bytes. */
void weft_rt_text_printf(struct text *o, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes n bytes. Returns false with errno. */
bool weft_rt_text_write(int fd, const char *text, size_t n);

/* Unmaps the pages of the text. */
void weft_rt_text_free(struct text *text);

/* Writes a file through the temporary name path + ".new", which is built in
 * temp (at least 5 bytes longer than path). Returns false with errno; then the
 * file is unchanged. */
bool weft_rt_text_save(
	const char *text, size_t n, const char *path, char *temp);

/* Does the same where path is not there. */
bool weft_rt_text_save_new(
	const char *text, size_t n, const char *path, char *temp);

/* Writes over the beginning of a file, by one write within one page: a process
 * that is killed leaves the earlier bytes or the new ones. Returns false with
 * errno, and writes nothing if the program limits files to fewer bytes. n: at
 * most TEXT_PAGE. */
enum { TEXT_PAGE = 4096 };
bool weft_rt_text_overwrite(const char *text, size_t n, const char *path);

/* Doubles the memory, to at least want bytes, in pages; replaces *at. Unmaps
 * the old memory if is_mapped. */
bool weft_rt_text_grow(void **at, size_t *room, bool is_mapped, size_t want);

#endif
