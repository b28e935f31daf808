/* SPDX-License-Identifier: MIT */
/*
 * type.h - the declarations in the metadata of a CTF 1.8 trace: types of
 * fields, clocks, classes of streams and of events.
 *
 * Types are shared and never change once parsed; layout.h compiles them into
 * the positions of an event's values. Names are as written, including the
 * underscore that keeps a name from being a keyword; ctf_plain_name() drops it.
 */
#ifndef WEFT_TRACE_CTF_TYPE_H
#define WEFT_TRACE_CTF_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/trace.h"

enum ctf_kind {
	CTF_INT,
	CTF_FLOAT,
	CTF_ENUM,
	CTF_STRING,
	CTF_STRUCT,
	CTF_VARIANT,
	CTF_LIST, /* an array, or a sequence */
};

enum ctf_order {
	CTF_NATIVE, /* the byte order of the trace */
	CTF_LITTLE,
	CTF_BIG,
};

struct ctf_type;

struct ctf_member {
	const char *name;
	const struct ctf_type *type;
};

struct ctf_type {
	enum ctf_kind kind;
	uint32_t align; /* bits, a power of two */
	/* Integers and floats; enumerations as their integers. */
	uint32_t size; /* bits: 1..64 */
	uint8_t base; /* base in which people read the number: 2, 8, 10 or 16 */
	bool is_signed;
	bool is_text;      /* a character */
	const char *clock; /* name of the mapped clock, or NULL */
	enum ctf_order order;
	VEC(struct field_label) labels; /* labels of an enumeration */
	/* Structs and variants. */
	VEC(struct ctf_member) members;
	/* Path of an integer field: the tag of a variant, the length of a
	 * sequence. NULL: a variant without a tag; an array. */
	const char *path;
	/* Lists. */
	const struct ctf_type *element;
	uint64_t length; /* length of an array */
};

struct ctf_clock {
	const char *name;
	uint64_t freq; /* > 0 */
	int64_t offset_s, offset;
};

struct ctf_event_class {
	const char *name;
	const char *uri; /* "model.emf.uri", or NULL */
	uint64_t id, stream_id;
	const char *at;                          /* position in the text */
	const struct ctf_type *context, *fields; /* or NULL */
};

struct ctf_stream_class {
	uint64_t id;
	const struct ctf_type *packet_context, *header, *context; /* or NULL */
};

struct ctf_meta {
	const char *file, *text; /* in the arena, for messages */
	size_t size;             /* bytes of the text */
	bool made;               /* the built-in metadata of Nanos6 */
	bool is_ours; /* our recorder wrote the streams: inproc/ctf/wire.h */
	enum ctf_order order;
	bool has_uuid;
	uint8_t uuid[16];
	const struct ctf_type *packet_header; /* or NULL */
	VEC(struct ctf_clock) clocks;
	VEC(struct trace_env) env;
	VEC(struct ctf_stream_class) streams;
	VEC(struct ctf_event_class) events;
};

/* Returns a field's name without the underscore in front. */
static inline const char *
ctf_plain_name(const char *name)
{
	return name != NULL && name[0] == '_' ? name + 1 : name;
}

#endif
