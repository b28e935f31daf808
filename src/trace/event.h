/* SPDX-License-Identifier: MIT */
/*
 * event.h - an event as every reader yields it, in time order.
 *
 * A reader decodes bytes and does not know what events mean. An event has the
 * name of its class, an index into the table of the trace (trace.h); its
 * meaning is bound to the class once, by name (emu/bind.h). Arguments are bytes
 * as in the file, or values if the reader had to decode the fields to find the
 * event's end.
 */
#ifndef WEFT_TRACE_EVENT_H
#define WEFT_TRACE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The type of an argument. If the reader did not decode the fields, the type
 * also says how the argument is stored in the payload (little endian). If it
 * did, the type of a number is the smallest one that can hold the number.
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
	/* Only in decoded classes. */
	FIELD_STRUCT,  /* its members are the following fields; no value */
	FIELD_LIST,    /* any number of elements */
	FIELD_VARIANT, /* one of its options */
};

/* Returns the bytes of a number of this type; 0: it is no number. */
static inline uint32_t
field_size(enum field_type type)
{
	static const uint8_t bytes[] = { 1, 2, 4, 8, 1, 2, 4, 8, 8 };

	return type < FIELD_STR ? bytes[type] : 0;
}

/* A name for all values from lo to hi, signed or not as the field is. */
struct field_label {
	const char *name;
	int64_t lo, hi;
};

struct field_labels {
	int n;
	const struct field_label *at;
};

/* How people read a value that is not just a number, a list or a choice. */
enum field_form {
	FORM_PLAIN,
	FORM_TRUTH,    /* number: 0 is false, 1 is true */
	FORM_FLAGS,    /* number: each label names the bits lo to hi */
	FORM_BLOB,     /* list of bytes: one opaque value */
	FORM_OPTIONAL, /* variant: option 0 is an empty struct, for no value */
};

/* The fields of an element of a list, usually one. */
struct field_list {
	int n;
	const struct field *field;
};

struct field {
	const char *name; /* NULL: known by its position only */
	enum field_type type;
	uint8_t base; /* base in which people read the number; 0: any */
	uint8_t bits; /* bits of the number in the file; 0: as the type says */
	uint8_t form; /* enum field_form */
	bool hidden;  /* needed to read the file, of no interest otherwise */
	int n;        /* struct: number of following fields that are in it,
	               * at all depths; variant: options; list: elements, if
	               * their number never changes, else 0 */
	const struct field_labels *labels; /* or NULL */
	const struct field_list *inner;    /* list: its element; variant: its
	                                    * options */
};

/* The value of a field. The type of the field says which member is used. */
union value {
	int64_t i;
	uint64_t u;
	double f;
	const char *s;
	const struct value_list *list; /* for lists and variants */
};

/* The elements of a list, one after the other, each with the values of its
 * fields. */
struct value_list {
	uint32_t n; /* number of elements; for a variant: index of the option,
	             * whose value is at[0] */
	const union value *at;
};

/* A kind of events; each distinct one occurs once in a trace. */
struct event_class {
	const char *name;  /* "6W[", "nanos6:tc:taskwait_enter" */
	const char *tells; /* the meaning that its recorder states beyond its
	                    * name: "weft:task_start"; or NULL */
	bool jumbo;        /* the payload may be of any size; an ovni event
	                    * then has a 32-bit size word */
	bool described;    /* the reader knows the fields: see below */
	int nfields;       /* number of fields of a described class; else 0.
	                    * Field i has value[i] */
	const struct field *field;
};

struct event {
	int64_t time;           /* ns, clock offsets applied; never goes back */
	uint32_t stream, class; /* indexes into the tables of the trace */
	uint32_t size;          /* bytes of payload */
	const uint8_t *data;    /* payload as in the file, but without the size
	                         * word of a jumbo; valid until the next event */
	const union value *value; /* described classes: nfields values; NULL
	                           * otherwise */
	int64_t offset; /* in the stream's file: byte offset, or line number
	                 * of a text */
};

#endif
