/* SPDX-License-Identifier: MIT */
/*
 * emu.h - the emulator: events in, states out.
 *
 * It takes the events of a source one by one, lets the models change channels
 * (bind.h says how an event finds its row in a model), and after each event
 * writes every row whose value changed to the sink.
 *
 *	struct emu_options options = { .all_models = false };
 *	struct emu *emu = emu_open(&arena, source, sink, &options, &err);
 *	emu_run(emu, NULL);
 *	emu_close(emu);
 *
 * Findings go to the list of the trace. Times in records count from the first
 * event.
 */
#ifndef WEFT_EMU_EMU_H
#define WEFT_EMU_EMU_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/options.h"

struct arena;
struct emu;
struct err;
struct event;
struct model;
struct progress;
struct sink;
struct source;

/* True if a row of the model writes records in the past: they are in no order
 * then, and order.h must stand between emulator and sink. */
bool emu_writes_past(const struct model *m);

/*
 * Builds the system from the tables of the source and tells the sink about
 * rows, types and labels. Everything lives in the arena; source and sink are
 * borrowed. NULL with err (ERR_LIMIT) if rows times channels would take more
 * memory than a trace of that size may cost.
 */
struct emu *emu_open(struct arena *a, struct source *source, struct sink *sink,
	const struct emu_options *options, struct err *err);

/* Reads the source to its end. progress may be NULL. */
void emu_run(struct emu *emu, struct progress *progress);

/*
 * For who wants to see the events, too: takes the next one and returns it,
 * valid until the next call. NULL when there is none any more; then the end of
 * the trace was checked.
 */
const struct event *emu_next(struct emu *emu);

/* The event that is being taken, or the last one; NULL before the first. */
const struct event *emu_event(const struct emu *emu);

/* The CPU that the thread of a stream is on, by its place among the rows of
 * CPUs; -1: none. */
int emu_cpu(const struct emu *emu, uint32_t stream);

/* The thread that sent the last event of this stream or, where the CPU sent
 * it, that runs there, by its tid; -1: none is known. */
int64_t emu_tid(const struct emu *emu, uint32_t stream);

/* A stack that is not empty. Texts are borrowed for the call. */
struct emu_open_stack {
	const char *row, *key, *title; /* of the thread, of the type */
	const char *text;              /* labels: "outer" > "inner" */
	uint32_t depth;
	int64_t tid, number; /* of the thread, of the type */
};

/* Calls fn for all stacks of threads that are not empty now: what was open
 * when the trace ended. */
void emu_each_open(const struct emu *emu,
	void (*fn)(void *arg, const struct emu_open_stack *open), void *arg);

/* True if some state of threads is a stack, beside flushes of the buffer. */
bool emu_has_stacks(const struct emu *emu);

/* Number of threads so far, of processes that have one or that the metadata
 * names, of events so far, and time since the first in ns. */
int emu_threads(const struct emu *emu);
int emu_processes(const struct emu *emu);
uint64_t emu_events(const struct emu *emu);
int64_t emu_time(const struct emu *emu);

/* True once the source was read to its end: neither stopped nor refused. */
bool emu_is_complete(const struct emu *emu);

/* Frees what does not live in the arena. */
void emu_close(struct emu *emu);

#endif
