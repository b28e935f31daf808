/* SPDX-License-Identifier: MIT */
/*
 * type.h - what the metadata of a CTF 1.8 trace declares: types of fields,
 * clocks, classes of streams and of events.
 *
 * Types are shared and never change once parsed; layout.h makes of them where
 * each value of an event lies. Names are as written, with the underscore that
 * keeps a name from being a keyword; ctf_plain_name() takes it off.
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
	CTF_NATIVE, /* that of the trace */
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
	/* Integers, floats, and enumerations as their container. */
	uint32_t size; /* bits: 1..64 */
	uint8_t base;  /* as people read it: 2, 8, 10 or 16 */
	bool is_signed;
	bool is_text;      /* a character */
	const char *clock; /* its name; NULL: no clock is mapped */
	enum ctf_order order;
	VEC(struct field_label) labels; /* of an enumeration */
	/* Structs and variants. */
	VEC(struct ctf_member) members;
	/* Of a variant its tag, of a sequence its length: where the integer
	 * stands. NULL: not said yet; an array. */
	const char *path;
	/* Lists. */
	const struct ctf_type *element;
	uint64_t length; /* of an array */
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
	const char *at; /* where it stands in the text */
	const struct ctf_type *context, *fields; /* or NULL */
};

struct ctf_stream_class {
	uint64_t id;
	const struct ctf_type *packet_context, *header, *context; /* or NULL */
};

struct ctf_meta {
	const char *file, *text; /* in the arena, for messages */
	size_t size;             /* of the text */
	bool made;               /* it is what is known of Nanos6 */
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

/* A field's name without the underscore in front. */
static inline const char *
ctf_plain_name(const char *name)
{
	return name != NULL && name[0] == '_' ? name + 1 : name;
}

#endif
