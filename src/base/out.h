/* SPDX-License-Identifier: MIT */
/*
 * out.h - fast standard output for millions of lines: the caller assembles text
 * in a buffer, which goes to stdio in large pieces.
 *
 *	struct out out;
 *	out_open(&out);
 *	char *at = out_room(&out, 64);
 *	out.at = digits_i64(at, time);
 *	out_close(&out);
 *
 * Errors are sticky: after a failure `failed` is set, further text is dropped,
 * and the command reports the failure when it ends.
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
	bool memory;    /* keep all text in the buffer, which grows */
	bool failed;
};

void out_open(struct out *o);

/* Opens a buffer that collects text between buf and at. */
void out_open_memory(struct out *o);

/* Writes the buffer to stdio. */
void out_flush(struct out *o);

/* Writes the buffer and frees it. */
void out_close(struct out *o);

/* The slow path of out_room(): makes room for n bytes. */
void out_make_room(struct out *o, size_t n);

/* Returns o->at with room for at least n bytes. The caller advances o->at. */
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
	out_put(o, text, strlen(text)); /* strlen() of a literal is a
	                                 * constant */
}

/* Append a number in decimal. */
void out_i64(struct out *o, int64_t value);
void out_u64(struct out *o, uint64_t value);

/*
 * Appends a quoted JSON string, or null for NULL. Invalid UTF-8 becomes U+FFFD.
 */
void out_json(struct out *o, const char *text);

/* Appends n bytes, which may contain NULs, as a JSON string. */
void out_json_n(struct out *o, const char *text, size_t n);

/* Appends a CSV field, quoted if necessary. */
void out_csv(struct out *o, const char *text, size_t n);

/* Appends a JSON number, or null for infinity and NaN. */
void out_json_f64(struct out *o, double value);

/* Appends bytes as "0a0b", or as ":0a:0b" with mark ":". */
void out_hex(struct out *o, const char *mark, const void *data, size_t n);

#endif
