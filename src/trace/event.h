/* SPDX-License-Identifier: MIT */
/*
 * event.h - the first waist: what every reader yields, in time order.
 *
 * A reader knows bytes and no meaning. What an event is called is its class,
 * an index into the table of the trace (trace.h); what it means is bound to
 * the class once, by name (emu/bind.h). Arguments are bytes as in the file,
 * or values when the reader had to walk the fields to find the event's end.
 */
#ifndef WEFT_TRACE_EVENT_H
#define WEFT_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* How an argument lies in the bytes of a payload. Little endian. */
enum field_type {
	FIELD_U8,
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_I8,
	FIELD_I16,
	FIELD_I32,
	FIELD_I64,
	FIELD_F64,
	FIELD_STR, /* ends with its NUL */
};

struct field {
	const char *name; /* NULL: known by its position only */
	enum field_type type;
};

/* The value of a field; the field's type says which member. */
union value {
	int64_t i;
	uint64_t u;
	double f;
	const char *s;
};

/* One a distinct event of a trace. */
struct event_class {
	const char *name; /* "6W[", "nanos6:tc:taskwait_enter" */
	bool jumbo;       /* the payload may be of any size; of an ovni event:
	                   * it has a size word of 32 bits */
	bool described;   /* the reader knows the fields: see below */
	int nfields;      /* of a described class; else 0 */
	const struct field *field;
};

struct event {
	int64_t time;           /* ns, clock offsets applied; never goes back */
	uint32_t stream, class; /* indexes into the tables of the trace */
	uint32_t size;          /* bytes of payload */
	const uint8_t *data;    /* payload as in the file, valid until the next
	                         * event; of a jumbo without its size word */
	const union value *value; /* described classes: nfields values; NULL
	                           * otherwise */
	int64_t offset; /* in the stream's file: byte, or line of a text */
};

#endif
