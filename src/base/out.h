/* SPDX-License-Identifier: MIT */
/*
 * out.h - standard output for millions of lines: assembled by hand in a
 * buffer, given to stdio in large pieces.
 *
 *	struct out out;
 *	out_open(&out);
 *	char *at = out_room(&out, 64);
 *	out.at = digits_i64(at, time);
 *	out_close(&out);
 *
 * Sticky: after a failure `failed` is true and what follows is dropped; the
 * end of the command says so.
 */
#ifndef WEFT_BASE_OUT_H
#define WEFT_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct out {
	char *at, *end; /* free part of the buffer */
	char *buf;      /* owned */
	bool memory;    /* it is never given away, and grows */
	bool failed;
};

void out_open(struct out *o);

/* The same to put a text together: it lies between buf and at. */
void out_open_memory(struct out *o);

/* Gives the buffer to stdio. */
void out_flush(struct out *o);

/* Flushes, and frees the buffer. */
void out_close(struct out *o);

/* Makes room for n bytes when the buffer has less: see out_room(). */
void out_make_room(struct out *o, size_t n);

/* At least n bytes, any number, at o->at; the caller moves o->at. */
static inline char *
out_room(struct out *o, size_t n)
{
	if (__builtin_expect((size_t)(o->end - o->at) < n, 0))
		out_make_room(o, n);
	return o->at;
}

static inline void
out_put(struct out *o, const char *text, size_t n)
{
	memcpy(out_room(o, n), text, n);
	o->at += n;
}

static inline void
out_puts(struct out *o, const char *text)
{
	out_put(o, text, strlen(text)); /* of a literal: a constant */
}

/* A number in decimal. */
void out_i64(struct out *o, int64_t value);
void out_u64(struct out *o, uint64_t value);

/*
 * A JSON string in quotes, or null for NULL. Bytes that are no UTF-8 become
 * U+FFFD.
 */
void out_json(struct out *o, const char *text);

/* The same of n bytes, which may hold NULs. */
void out_json_n(struct out *o, const char *text, size_t n);

/* A field of CSV, in quotes where it needs them. */
void out_csv(struct out *o, const char *text, size_t n);

/* A number of JSON, or null: it has no infinity. */
void out_json_f64(struct out *o, double value);

/* Bytes as "0a0b", or ":0a:0b" with mark ":". */
void out_hex(struct out *o, const char *mark, const void *data, size_t n);

#endif
