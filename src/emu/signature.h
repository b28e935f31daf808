/* SPDX-License-Identifier: MIT */
/*
 * signature.h - how an event and its arguments are written in a row:
 * "6Yc+(u32 typeid, str label)".
 *
 * Name, '+' for a jumbo, then types and names of the arguments: u8 u16 u32 u64
 * i8 i16 i32 i64 f64, and str as the last one. Arguments follow each other in
 * the payload without padding. '|' stands between two names of one argument,
 * which tracers call differently: "i32 next_pid|next_tid".
 */
#ifndef WEFT_EMU_SIGNATURE_H
#define WEFT_EMU_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/event.h"

#define SIGNATURE_MAX_ARGS 16

/* A signature, taken apart. */
struct signature {
	char name[400]; /* of all its spellings */
	bool jumbo;
	int nargs;
	struct field arg[SIGNATURE_MAX_ARGS];
	const char *other[SIGNATURE_MAX_ARGS]; /* its second name, or NULL */
	char names[256]; /* where the names of the arguments live */
};

/* Reads "6Tc(u32 task, u32 type)". False with err: where it is wrong. */
bool signature_parse(struct signature *s, const char *text, struct err *err);

/* Bytes that the first n arguments take; strings count as 1. */
uint32_t signature_size(const struct signature *s, int n);

/* "u32", for messages and lists. */
const char *signature_type_name(enum field_type type);

/* Bytes of the type in a payload; the least for a string. */
uint32_t signature_type_size(enum field_type type);

/* True if the name of an event fits one of the names in a row, which '|'
 * separates and where '?' is any letter and "..." any end. */
bool signature_match(const char *pattern, const char *name);

#endif
