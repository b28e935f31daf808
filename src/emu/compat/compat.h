/* SPDX-License-Identifier: MIT */
/*
 * compat.h - the records that ctf2prv writes of a CTF trace of Nanos6, with
 * what is wrong with them: ctf2prv in Python, and the fast one in C.
 *
 * Both write what an event says when it says it, also if it is shown already,
 * all in one timeline, "trace": a row for each CPU, the leader and each
 * external thread. They know nothing of several ranks. Which sections, tasks
 * and counts an event changes stands in the rows of the model (nanos6_ctf.c);
 * what each converter makes of it is all that is here, and nothing else looks
 * in here.
 */
#ifndef WEFT_EMU_COMPAT_COMPAT_H
#define WEFT_EMU_COMPAT_COMPAT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/compat/kind.h"

struct arena;
struct err;
struct sink;
struct source;

struct compat_options {
	enum compat_kind kind;
	const volatile sig_atomic_t *stop; /* or NULL */
	int64_t from, to; /* events between these are counted apart */
};

struct compat_result {
	uint64_t events, inside;
	int threads, processes;
	int64_t duration; /* ns */
};

/*
 * Converts the trace. Records come in no order: order.h stands in front of the
 * sink. False with err: events of Nanos6 are missing, or there are several
 * ranks and they are not to be merged.
 */
bool compat_run(struct arena *a, struct source *source, struct sink *sink,
	const struct compat_options *options, struct compat_result *result,
	struct err *err);

#endif
