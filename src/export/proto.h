/* SPDX-License-Identifier: MIT */
/*
 * proto.h - writes messages in the wire format of Protocol Buffers.
 *
 * A message is a sequence of fields. A field is a tag, which has the field's
 * number and the kind of its value, and the value: a varint (7 bits a byte, low
 * bits first), 8 bytes, or a length and bytes. A message as a field is such
 * bytes:
 *
 *	size_t at = proto_begin(&p, 3);
 *	proto_text(&p, 1, "name");
 *	proto_end(&p, at);
 */
#ifndef WEFT_EXPORT_PROTO_H
#define WEFT_EXPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

#include "export/varint.h"

#define PROTO_VARINT_MAX VARINT_MOST

enum proto_kind {
	PROTO_VARINT = 0,
	PROTO_FIXED64 = 1,
	PROTO_BYTES = 2,
};

/* A buffer that grows. {0} is empty. */
struct proto {
	char *at; /* owned */
	size_t n, room;
	uint64_t mended; /* texts that were not UTF-8 and were repaired */
};

/* Writes a varint and returns its end; `to` needs PROTO_VARINT_MAX bytes. */
static inline char *
proto_varint(char *to, uint64_t value)
{
	return (char *)varint_put((uint8_t *)to, value);
}

/* Writes the tag of a field and returns its end. */
static inline char *
proto_tag(char *to, uint32_t field, enum proto_kind kind)
{
	return proto_varint(to, (uint64_t)field << 3 | (uint64_t)kind);
}

/* Append a field. Negative integers are written as 64 bits of two's
 * complement. */
void proto_u64(struct proto *p, uint32_t field, uint64_t value);
void proto_i64(struct proto *p, uint32_t field, int64_t value);
void proto_fixed64(struct proto *p, uint32_t field, uint64_t value);
void proto_bytes(struct proto *p, uint32_t field, const void *at, size_t n);

/* Appends a text; bytes that are not UTF-8 become U+FFFD. */
void proto_text(struct proto *p, uint32_t field, const char *text);

/* Appends bytes as they are: fields that are already encoded. */
void proto_raw(struct proto *p, const void *at, size_t n);

/* Begins a message as a field. Returns the argument of proto_end(), which ends
 * it and writes its length. */
size_t proto_begin(struct proto *p, uint32_t field);
void proto_end(struct proto *p, size_t at);

/* Frees the buffer. */
void proto_fini(struct proto *p);

#endif
