/* SPDX-License-Identifier: MIT */
/*
 * textfile.h - a text file that grows by whole batches, and is read by
 * records.
 *
 * Writing: texts are collected in memory; textfile_commit() puts them at the
 * end of the file, or, when the disk is full, leaves it as it was before.
 * Reading: textfile_more() brings further bytes behind those that are there,
 * until a record is complete.
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
	int64_t size;     /* what was committed */
	int64_t at;       /* reading: offset of the next byte to get */
	char *buf;        /* owned */
	size_t room;
	size_t begin, end; /* of the bytes in buf */
};

/* Opens for reading, or for writing behind what is there. */
bool textfile_open_read(struct textfile *f, const char *path, struct err *err);
bool textfile_open_write(struct textfile *f, const char *path, struct err *err);
void textfile_close(struct textfile *f);

/* Makes n bytes of room at the end of what is collected. */
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

/* In quotes, its inside as that function writes it: quote_json, quote_csv. */
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

/* As short as it can be and still the same number when read again. */
void textfile_real(struct textfile *f, double value);

typedef void textfile_text(struct textfile *f, const char *s, size_t n);

/* A value that is not null: a text as the kind of file writes it, a number or a
 * flag as all do. */
void textfile_value(struct textfile *f, enum store_type type,
	const struct store_value *v, textfile_text *put_text);

/* Writes what was collected; false, and nothing written, with err. */
bool textfile_commit(struct textfile *f, struct err *err);

/* Cuts the file, for writing behind that place. */
bool textfile_cut(struct textfile *f, int64_t size, struct err *err);

/* Begins to read at an offset. */
void textfile_seek(struct textfile *f, int64_t offset);

/* Further bytes into buf, behind those from begin to end, which may move.
 * False at the end of the file, or with err. */
bool textfile_more(struct textfile *f, struct err *err);

/* Offset of the byte at begin. */
static inline int64_t
textfile_tell(const struct textfile *f)
{
	return f->at - (int64_t)(f->end - f->begin);
}

#endif
