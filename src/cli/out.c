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
plain_length(const unsigned char *s)
{
	const unsigned char *at = s;

	while (*at >= ' ' && *at < 0x7f && *at != '"' && *at != '\\')
		at++;
	return (size_t)(at - s);
}

/* One character that does not; the number of its bytes. */
static size_t
put_special(struct out *o, const unsigned char *s)
{
	size_t n = utf8_length((const char *)s, 4);

	if (n == 0) {
		out_puts(o, UTF8_REPLACEMENT);
		return 1;
	}
	if (*s < ' ' || *s == 0x7f) {
		put_control(o, *s);
		return n;
	}
	if (n == 1)
		out_puts(o, "\\");
	out_put(o, (const char *)s, n);
	return n;
}

void
out_json(struct out *o, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	if (text == NULL) {
		out_puts(o, "null");
		return;
	}
	out_puts(o, "\"");
	while (*s != '\0') {
		size_t n = plain_length(s);

		out_put(o, (const char *)s, n);
		s += n;
		if (*s != '\0')
			s += put_special(o, s);
	}
	out_puts(o, "\"");
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
