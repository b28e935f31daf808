/* SPDX-License-Identifier: MIT */
/*
 * shape.h - how the fields of an event are stored in CTF: the tree from which
 * the metadata is printed and the values are encoded.
 *
 * Everything is little endian and begins at a byte. A list is preceded by a
 * number NAME_length, a variant by a number NAME_tag. If the trace itself has
 * such a number in front of the list, as LTTng's traces have, it is used.
 */
#ifndef WEFT_TRACE_CTF_OUT_SHAPE_H
#define WEFT_TRACE_CTF_OUT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/event.h"

struct arena;

enum shape_kind {
	SHAPE_NUMBER,
	SHAPE_LENGTH, /* a number: the elements of the list in `slot` */
	SHAPE_TAG,    /* a number: the option of the variant in `slot` */
	SHAPE_REAL,
	SHAPE_TEXT,
	SHAPE_STRUCT,
	SHAPE_LIST,
	SHAPE_BLOB,
	SHAPE_VARIANT,
	SHAPE_OPTIONAL,
};

struct shape {
	enum shape_kind kind;
	const char *name; /* NULL: the element of a list */
	uint8_t bits, base, bytes;
	bool is_signed;
	bool is_added; /* a length or tag that the trace did not have */
	uint8_t form;  /* enum field_form */
	const struct field_labels *labels; /* or NULL */
	uint32_t slot;   /* index of the value among those of the level */
	uint32_t step;   /* of a list: values of an element */
	int count;       /* of a list: elements, if always the same; else 0 */
	const char *ref; /* name of the length or tag; or NULL */
	/* Members of a struct; the element of a list; the options of a variant,
	 * of an optional the only one. */
	int n;
	struct shape *member;
};

/* Buffer of a packet. */
struct shape_out {
	uint8_t *buf; /* owned; SHAPE_SLACK bytes behind cap may be written */
	size_t at, cap;
	uint8_t unused; /* bits at the end of the last number */
};

#define SHAPE_SLACK 16

/* Returns the name with letters, digits and '_' only; "argSLOT" for NULL and
 * "". */
const char *shape_plain_name(struct arena *a, const char *name, uint32_t slot);

/* Returns the shape of n fields of a struct, whose values begin at `slot`.
 * Those that are hidden are kept, too: times of a clock, which become plain
 * numbers. */
struct shape *shape_of_struct(struct arena *a, const char *name,
	const struct field *field, int n, uint32_t slot);

/* Does the same without those that are hidden: the context of packets, in which
 * the writer has its own. */
struct shape *shape_of_shown(struct arena *a, const char *name,
	const struct field *field, int n, uint32_t slot);

/* Returns the shape of a payload of n plain arguments, or of any bytes if n is
 * negative. */
struct shape *shape_of_args(struct arena *a, const struct field *arg, int n);

/* Appends the values of a struct. */
void shape_put(
	struct shape_out *o, const struct shape *s, const union value *v);

/* Appends a struct of zeros, empty lists and empty texts. */
void shape_put_none(struct shape_out *o, const struct shape *s);

/* Makes room for n bytes. */
void shape_grow(struct shape_out *o, size_t n) __attribute__((cold));

static inline uint8_t *
shape_room(struct shape_out *o, size_t n)
{
	if (__builtin_expect(o->cap - o->at < n, 0))
		shape_grow(o, n);
	return o->buf + o->at;
}

/* Fields, at any depth, that are not as they were. */
struct shape_changes {
	uint64_t odd;   /* CTF 1.8 stores them in another form: truth values,
	                 * flags, blobs, optional fields */
	uint64_t added; /* lengths and tags that the trace did not have */
};

/* Adds up the changes; s: NULL is fine. */
void shape_count(const struct shape *s, struct shape_changes *n);

#endif
