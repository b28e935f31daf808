/* SPDX-License-Identifier: MIT */
#include "base/out.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/quote.h"

#define ROOM_BYTES (64u << 10) /* stays in the cache */
#define TEXT_BYTES 256

void
out_open(struct out *o)
{
	*o = (struct out){ 0 };
	o->at = o->buf = mem_resize(NULL, ROOM_BYTES, 1);
	o->end = o->buf + ROOM_BYTES;
}

void
out_open_memory(struct out *o)
{
	*o = (struct out){ .memory = true };
	out_make_room(o, TEXT_BYTES);
}

void
out_flush(struct out *o)
{
	size_t n = (size_t)(o->at - o->buf);

	if (o->memory)
		return;
	if (!o->failed && fwrite(o->buf, 1, n, stdout) != n)
		o->failed = true;
	o->at = o->buf;
}

void
out_close(struct out *o)
{
	out_flush(o);
	mem_free(o->buf);
	*o = (struct out){ .failed = o->failed };
}

void
out_make_room(struct out *o, size_t n)
{
	size_t used, room;

	out_flush(o);
	used = o->buf == NULL ? 0 : (size_t)(o->at - o->buf);
	if ((size_t)(o->end - o->at) >= n)
		return;
	room = 2 * used + n;
	o->buf = mem_resize(o->buf, room, 1);
	o->at = o->buf + used;
	o->end = o->buf + room;
}

void
out_i64(struct out *o, int64_t value)
{
	o->at = digits_i64(out_room(o, DIGITS_MAX), value);
}

void
out_u64(struct out *o, uint64_t value)
{
	o->at = digits_u64(out_room(o, DIGITS_MAX), value);
}

void
out_json_n(struct out *o, const char *text, size_t n)
{
	const char *at = text;

	out_puts(o, "\"");
	while (at < text + n) {
		out_room(o, QUOTE_ROOM);
		o->at = quote_json(o->at, o->end, &at, text + n);
	}
	out_puts(o, "\"");
}

void
out_csv(struct out *o, const char *text, size_t n)
{
	const char *at = text;

	if (!quote_csv_needs(text, n)) {
		out_put(o, text, n);
		return;
	}
	out_puts(o, "\"");
	while (at < text + n) {
		out_room(o, QUOTE_ROOM);
		o->at = quote_csv(o->at, o->end, &at, text + n);
	}
	out_puts(o, "\"");
}

void
out_json(struct out *o, const char *text)
{
	if (text == NULL)
		out_puts(o, "null");
	else
		out_json_n(o, text, strlen(text));
}

void
out_hex(struct out *o, const char *mark, const void *data, size_t n)
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *byte = data;
	size_t length = strlen(mark);

	for (size_t i = 0; i < n; i++) {
		out_put(o, mark, length);
		out_put(o, &hex[byte[i] >> 4], 1);
		out_put(o, &hex[byte[i] & 15], 1);
	}
}

void
out_json_f64(struct out *o, double value)
{
	char text[32];

	snprintf(text, sizeof text, "%.17g", value);
	out_puts(o, strpbrk(text, "in") != NULL ? "null" : text);
}
