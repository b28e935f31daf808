/* SPDX-License-Identifier: MIT */
/*
 * compat.h - writes the records that ctf2prv writes for a CTF trace of Nanos6,
 * including its faults: ctf2prv in Python, and the fast one in C.
 *
 * Both write a value with every event that has it, even if it is unchanged. All
 * rows are in one timeline, "trace": one per CPU, leader and external thread.
 * They do not handle several ranks. The rows of the model (nanos6_ctf.c) say
 * which sections, tasks and counts an event changes; this directory only turns
 * these changes into the records of each converter. No other code depends on
 * it.
 */
#ifndef WEFT_EMU_COMPAT_COMPAT_H
#define WEFT_EMU_COMPAT_COMPAT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/compat/kind.h"

struct arena;
struct err;
struct sink;
struct source;

struct compat_options {
	enum compat_kind kind;
	const atomic_int *stop; /* or NULL */
	int64_t from, to;       /* events in between are counted separately */
};

struct compat_result {
	uint64_t events, inside;
	int threads, processes;
	int64_t duration; /* ns */
};

/*
 * Converts the trace. Records are written in any order: put order.h in front of
 * the sink. Returns false with err if the trace has no events of Nanos6, or
 * several ranks that are not to be merged.
 */
bool compat_run(struct arena *a, struct source *source, struct sink *sink,
	const struct compat_options *options, struct compat_result *result,
	struct err *err);

#endif
