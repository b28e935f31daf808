/* SPDX-License-Identifier: MIT */
/*
 * signature.h - parses an event with its arguments, as in a model row:
 * "6Yc+(u32 typeid, str label)".
 *
 * The name, '+' for a jumbo, then types and names of the arguments: u8 u16 u32
 * u64 i8 i16 i32 i64 f64, and str as the last one. Arguments follow each other
 * in the payload without padding. '|' separates two names of one argument that
 * different tracers use: "i32 next_pid|next_tid".
 */
#ifndef WEFT_EMU_SIGNATURE_H
#define WEFT_EMU_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/event.h"

#define SIGNATURE_MAX_ARGS 16

/* A parsed signature. */
struct signature {
	char name[400]; /* with all alternatives */
	bool jumbo;
	int nargs;
	struct field arg[SIGNATURE_MAX_ARGS];
	const char *other[SIGNATURE_MAX_ARGS]; /* second name, or NULL */
	char names[256]; /* holds the names of the arguments */
};

/* Parses "6Tc(u32 task, u32 type)". Returns false with err, which tells the
 * position of the error. */
bool signature_parse(struct signature *s, const char *text, struct err *err);

/* Returns the bytes that the first n arguments take; strings count as 1. */
uint32_t signature_size(const struct signature *s, int n);

/* Returns the name of a type, for messages and lists: "u32". */
const char *signature_type_name(enum field_type type);

/* Returns the bytes of the type in a payload; 1 for a string. */
uint32_t signature_type_size(enum field_type type);

/* Returns true if the name of an event matches a pattern of names separated by
 * '|', in which '?' is any letter and "..." any end. */
bool signature_match(const char *pattern, const char *name);

#endif
