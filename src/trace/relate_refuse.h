/* SPDX-License-Identifier: MIT */
/* relate_refuse.h - why two traces are not related, and what would relate
 * them. */
#ifndef WEFT_TRACE_RELATE_REFUSE_H
#define WEFT_TRACE_RELATE_REFUSE_H

#include <stdbool.h>

struct err;
struct trace;

struct relate_side {
	const char *name;
	const struct trace *trace;
	bool is_virtual; /* relate_is_virtual() */
};

/* Sets err to what relates `in` to the first input. Returns false. */
bool relate_refuse(const struct relate_side *first,
	const struct relate_side *in, struct err *err);

#endif
