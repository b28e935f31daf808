/* SPDX-License-Identifier: MIT */
/*
 * type.h - the declarations in the metadata of a CTF trace: types of fields,
 * clocks, classes of streams and of events.
 *
 * Types are shared and never change once parsed; layout.h compiles them into
 * the positions of an event's values. Names are as written. In CTF 1.8 that
 * includes the underscore that keeps a name from being a keyword;
 * ctf_plain_name() drops it.
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
	/* Only in CTF 2. */
	CTF_BLOB,     /* bytes */
	CTF_OPTIONAL, /* its element, or nothing */
};

/* What a field of CTF 2 tells the reader: bits of ctf_type.roles. In CTF 1.8
 * the name of the field says that. */
enum ctf_role {
	CTF_ROLE_MAGIC = 1 << 0,
	CTF_ROLE_UUID = 1 << 1,
	CTF_ROLE_STREAM_CLASS = 1 << 2,
	CTF_ROLE_STREAM = 1 << 3,
	CTF_ROLE_TOTAL = 1 << 4,
	CTF_ROLE_CONTENT = 1 << 5,
	CTF_ROLE_CLOCK = 1 << 6,
	CTF_ROLE_END_CLOCK = 1 << 7,
	CTF_ROLE_DISCARDED = 1 << 8,
	CTF_ROLE_SEQUENCE = 1 << 9,
	CTF_ROLE_EVENT_CLASS = 1 << 10,
};

enum ctf_encoding {
	CTF_UTF8,
	CTF_UTF16LE,
	CTF_UTF16BE,
	CTF_UTF32LE,
	CTF_UTF32BE,
};

/*
 * The field that a length or a selector of CTF 2 refers to. The path starts at
 * a scope, or without one at the structure that holds the reference; a NULL
 * name leads from a structure to the one around it.
 */
struct ctf_location {
	const char *scope; /* "stream.packet.context", or NULL */
	int n;
	const char *const *name;
};

/* Values of a selector that choose an option. */
struct ctf_range {
	int64_t lo, hi;
	uint32_t option; /* index in the members; of an optional: 1 */
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
	bool variable;     /* an integer of any number of bytes (LEB128) */
	bool truth;        /* a boolean: any bit that is set means true */
	bool flags;        /* labels name bits, not values */
	bool reversed;     /* the bits are in the order opposite to the bytes */
	uint16_t roles;    /* bits of enum ctf_role */
	const char *clock; /* name of the mapped clock, or NULL */
	enum ctf_order order;
	VEC(struct field_label) labels; /* labels of an enumeration */
	/* Structs and variants. */
	VEC(struct ctf_member) members;
	/* Path of an integer field: the tag of a variant, the length of a
	 * sequence. NULL: a variant without a tag; an array. */
	const char *path;
	/* Lists, optionals. */
	const struct ctf_type *element;
	uint64_t length; /* length of an array, of a sized string, of a blob */
	/* CTF 2 has a location instead of a path. */
	const struct ctf_location *location;
	VEC(struct ctf_range) ranges; /* variants and optionals */
	/* Strings. */
	enum ctf_encoding encoding;
	bool sized; /* the string has a length and need not end with a NUL */
};

struct ctf_clock {
	const char *name;
	uint64_t freq; /* > 0 */
	int64_t offset_s, offset;
	const char *uuid; /* LTTng: the id of the machine's boot; or NULL */
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
	const char *clock; /* CTF 2: name of the clock, or NULL */
};

struct ctf_meta {
	const char *file, *text; /* in the arena, for messages */
	size_t size;             /* bytes of the text */
	bool made;               /* the built-in metadata of Nanos6 */
	bool is_ctf2;            /* the file is CTF 2 */
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
