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

/*
 * The type of an argument. Of numbers and strings it also says how they lie in
 * the bytes of a payload (little endian) where the reader did not walk the
 * fields; where it did, a number is of the smallest type that holds it.
 */
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
	/* Only with values. */
	FIELD_STRUCT,  /* its members are the fields that follow; no value */
	FIELD_LIST,    /* any number of elements */
	FIELD_VARIANT, /* one of its options */
};

/* The names of values: all from lo to hi, signed or not as the field is. */
struct field_label {
	const char *name;
	int64_t lo, hi;
};

struct field_labels {
	int n;
	const struct field_label *at;
};

/* Fields in a row, as an element of a list has them: mostly one. */
struct field_list {
	int n;
	const struct field *field;
};

struct field {
	const char *name; /* NULL: known by its position only */
	enum field_type type;
	uint8_t base; /* how people read the number; 0: as it likes */
	uint8_t bits; /* of a number in the file; 0: as the type says */
	bool hidden;  /* needed to read the file, and of no interest */
	int n;        /* struct: fields that follow and are in it, at all
	               * depths; variant: options */
	const struct field_labels *labels; /* or NULL */
	const struct field_list *inner;    /* list: its element; variant: its
	                                    * options */
};

/* The value of a field; the field's type says which member. */
union value {
	int64_t i;
	uint64_t u;
	double f;
	const char *s;
	const struct value_list *list; /* of lists and variants */
};

/* Elements one after the other, each with the values of its fields. */
struct value_list {
	uint32_t n; /* elements; of a variant: the option, and at is its value
	             */
	const union value *at;
};

/* One a distinct event of a trace. */
struct event_class {
	const char *name;  /* "6W[", "nanos6:tc:taskwait_enter" */
	const char *tells; /* what its recorder says that it is for, beyond its
	                    * name: "weft:task_start"; or NULL */
	bool jumbo;        /* the payload may be of any size; of an ovni event:
	                    * it has a size word of 32 bits */
	bool described;    /* the reader knows the fields: see below */
	int nfields;       /* of a described class; else 0. A field has the
	                    * value of its index */
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
