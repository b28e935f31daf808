/* SPDX-License-Identifier: MIT */
#include "cli/out.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/digits.h"
#include "base/utf8.h"

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

static void
put_control(struct out *o, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";

	out_puts(o, "\\u00");
	out_put(o, &hex[c >> 4], 1);
	out_put(o, &hex[c & 15], 1);
}

/* The length of what stands for itself: ASCII without quotes. */
static size_t
plain_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] >= ' ' && s[i] < 0x7f && s[i] != '"' &&
		s[i] != '\\')
		i++;
	return i;
}

/* One character of at most n bytes that does not; the number of its bytes. */
static size_t
put_special(struct out *o, const char *s, size_t n)
{
	size_t length = utf8_length(s, n);

	if (length == 0) {
		out_puts(o, UTF8_REPLACEMENT);
		return 1;
	}
	if ((unsigned char)*s < ' ' || *s == 0x7f) {
		put_control(o, (unsigned char)*s);
		return 1;
	}
	if (length == 1)
		out_puts(o, "\\");
	out_put(o, s, length);
	return length;
}

void
out_json_n(struct out *o, const char *text, size_t n)
{
	out_puts(o, "\"");
	for (size_t i = 0; i < n;) {
		size_t plain = plain_length(text + i, n - i);

		out_put(o, text + i, plain);
		i += plain;
		if (i < n)
			i += put_special(o, text + i, n - i);
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
