/* SPDX-License-Identifier: MIT */
#include "export/proto.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/utf8.h"

static char *
make_room(struct proto *p, size_t n)
{
	if (p->room - p->n < n) {
		p->room = 2 * p->room + n;
		p->at = mem_resize(p->at, p->room, 1);
	}
	return p->at + p->n;
}

void
proto_u64(struct proto *p, uint32_t field, uint64_t value)
{
	char *at = make_room(p, 2 * (size_t)PROTO_VARINT_MAX);

	at = proto_varint(proto_tag(at, field, PROTO_VARINT), value);
	p->n = (size_t)(at - p->at);
}

void
proto_i64(struct proto *p, uint32_t field, int64_t value)
{
	proto_u64(p, field, (uint64_t)value);
}

void
proto_fixed64(struct proto *p, uint32_t field, uint64_t value)
{
	char *at = make_room(p, PROTO_VARINT_MAX + sizeof value);

	at = proto_tag(at, field, PROTO_FIXED64);
	for (size_t i = 0; i < sizeof value; i++)
		*at++ = (char)(value >> 8 * i);
	p->n = (size_t)(at - p->at);
}

/* Appends tag and length. */
static void
put_length(struct proto *p, uint32_t field, size_t n)
{
	char *at = make_room(p, 2 * (size_t)PROTO_VARINT_MAX);

	at = proto_varint(proto_tag(at, field, PROTO_BYTES), n);
	p->n = (size_t)(at - p->at);
}

void
proto_raw(struct proto *p, const void *at, size_t n)
{
	if (n > 0)
		memcpy(make_room(p, n), at, n);
	p->n += n;
}

void
proto_bytes(struct proto *p, uint32_t field, const void *at, size_t n)
{
	put_length(p, field, n);
	proto_raw(p, at, n);
}

void
proto_text(struct proto *p, uint32_t field, const char *text)
{
	size_t n = strlen(text);
	char *to;

	if (utf8_is_valid(text, n)) {
		proto_bytes(p, field, text, n);
		return;
	}
	p->mended++;
	to = mem_resize(NULL, n, 3);
	proto_bytes(p, field, to, utf8_mend(to, text, n));
	mem_free(to);
}

size_t
proto_begin(struct proto *p, uint32_t field)
{
	char *at = make_room(p, PROTO_VARINT_MAX);

	p->n = (size_t)(proto_tag(at, field, PROTO_BYTES) - p->at);
	return p->n;
}

/* Moves the message to make room for its length, which is known only now. */
void
proto_end(struct proto *p, size_t at)
{
	char length[PROTO_VARINT_MAX];
	size_t n = p->n - at, bytes;

	BUG_ON(at > p->n);
	bytes = (size_t)(proto_varint(length, n) - length);
	make_room(p, bytes);
	memmove(p->at + at + bytes, p->at + at, n);
	memcpy(p->at + at, length, bytes);
	p->n += bytes;
}

void
proto_fini(struct proto *p)
{
	mem_free(p->at);
	p->at = NULL;
	p->n = p->room = 0;
}
