/* SPDX-License-Identifier: MIT */
/*
 * textfile.h - a text file that is written in whole batches and read in
 * records.
 *
 * Writing: texts are collected in memory. textfile_commit() appends them to the
 * file; if the disk is full, the file keeps its former size.
 *
 * Reading: textfile_more() appends bytes to the buffer until a record is
 * complete.
 */
#ifndef WEFT_STORE_TEXTFILE_H
#define WEFT_STORE_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/digits.h"
#include "base/err.h"
#include "base/quote.h"
#include "store/row.h"

struct textfile {
	int fd;           /* -1 when closed */
	const char *path; /* borrowed */
	int64_t size;     /* bytes committed */
	int64_t at;       /* reading: offset of the next byte to read */
	char *buf;        /* owned */
	size_t room;
	size_t begin, end; /* begin and end of the bytes in buf */
};

/* Open the file for reading, or for appending. */
bool textfile_open_read(struct textfile *f, const char *path, struct err *err);
bool textfile_open_write(struct textfile *f, const char *path, struct err *err);
void textfile_close(struct textfile *f);

/* Makes room for n bytes after the collected text. */
void textfile_make_room(struct textfile *f, size_t n);

static inline char *
textfile_room(struct textfile *f, size_t n)
{
	if (__builtin_expect(f->room - f->end <= n, 0)) /* never NULL */
		textfile_make_room(f, n);
	return f->buf + f->end;
}

static inline void
textfile_put(struct textfile *f, const char *text, size_t n)
{
	memcpy(textfile_room(f, n), text, n);
	f->end += n;
}

static inline void
textfile_puts(struct textfile *f, const char *text)
{
	textfile_put(f, text, strlen(text));
}

/* Appends a quoted text; quote_json() or quote_csv() writes the inside. */
void textfile_quote(
	struct textfile *f, quote_fn *quote, const char *text, size_t n);

static inline void
textfile_u64(struct textfile *f, uint64_t value)
{
	char *to = textfile_room(f, DIGITS_MAX);

	f->end += (size_t)(digits_u64(to, value) - to);
}

static inline void
textfile_i64(struct textfile *f, int64_t value)
{
	char *to = textfile_room(f, DIGITS_MAX);

	f->end += (size_t)(digits_i64(to, value) - to);
}

/* Appends the shortest text that yields the same number when read. */
void textfile_real(struct textfile *f, double value);

typedef void textfile_text(struct textfile *f, const char *s, size_t n);

/* Appends a value that is not null. put_text writes texts in the way of the
 * file's format; numbers and flags look the same in all formats. */
void textfile_value(struct textfile *f, enum store_type type,
	const struct store_value *v, textfile_text *put_text);

/* Writes the collected text. Returns false with err after writing nothing. */
bool textfile_commit(struct textfile *f, struct err *err);

/* Truncates the file to `size` bytes and continues writing there. */
bool textfile_cut(struct textfile *f, int64_t size, struct err *err);

/* Continues reading at this offset. */
void textfile_seek(struct textfile *f, int64_t offset);

/* Reads more bytes into buf, behind the bytes from begin to end, which may
 * move. Returns false at the end of the file, or on failure with err set. */
bool textfile_more(struct textfile *f, struct err *err);

/* Returns the file offset of the byte at `begin`. */
static inline int64_t
textfile_tell(const struct textfile *f)
{
	return f->at - (int64_t)(f->end - f->begin);
}

#endif
