/* SPDX-License-Identifier: MIT */
/*
 * emu.h - the emulator: turns events into states.
 *
 * The emulator takes the events of a source one by one, lets the models change
 * channels (bind.h finds the rows of an event in the models), and after each
 * event writes every row whose value changed to the sink.
 *
 *	struct emu_options options = { .all_models = false };
 *	struct emu *emu = emu_open(&arena, source, sink, &options, &err);
 *	emu_run(emu, NULL);
 *	emu_close(emu);
 *
 * Findings are added to those of the trace. Times in records count from the
 * first event.
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

/* Returns true if a model row writes records in the past: then records are not
 * in order of time, and order.h must stand between emulator and sink. */
bool emu_writes_past(const struct model *m);

/*
 * Builds the system from the tables of the source and declares rows, types and
 * labels to the sink. Everything is in the arena; source and sink are borrowed.
 * Returns NULL with err (ERR_LIMIT) if rows times channels would take more
 * memory than a trace of that size may use.
 */
struct emu *emu_open(struct arena *a, struct source *source, struct sink *sink,
	const struct emu_options *options, struct err *err);

/* Emulates the source to its end. progress may be NULL. */
void emu_run(struct emu *emu, struct progress *progress);

/*
 * Takes the next event and returns it, valid until the next call, for callers
 * that need the events, too. Returns NULL after the last event, when the end of
 * the trace has been checked.
 */
const struct event *emu_next(struct emu *emu);

/* Returns the current or last event; NULL before the first. */
const struct event *emu_event(const struct emu *emu);

/* Returns the CPU of a stream's thread, as index among the CPU rows; -1:
 * none. */
int emu_cpu(const struct emu *emu, uint32_t stream);

/* Returns the tid of the thread that sent the last event, which must be of this
 * stream. If a CPU sent the event, returns the tid of the thread that runs
 * there; -1: not known. */
int64_t emu_tid(const struct emu *emu, uint32_t stream);

/* A stack of a thread that is not empty. Texts are borrowed for the call. */
struct emu_open_stack {
	const char *row, *key, *title; /* name of the thread's row; key and
	                                * title of the type */
	const char *text;              /* labels: "outer" > "inner" */
	uint32_t depth;
	int64_t tid, number; /* tid of the thread; Paraver number of the type */
};

/* Calls fn for all stacks of threads that are not empty now, such as those
 * still open when the trace ended. */
void emu_each_open(const struct emu *emu,
	void (*fn)(void *arg, const struct emu_open_stack *open), void *arg);

/* Returns true if threads have stack channels besides buffer flushes. */
bool emu_has_stacks(const struct emu *emu);

/* Return the number of threads so far, the number of processes that have
 * threads or are in the metadata, the number of events so far, and the time
 * since the first event, in ns. */
int emu_threads(const struct emu *emu);
int emu_processes(const struct emu *emu);
uint64_t emu_events(const struct emu *emu);
int64_t emu_time(const struct emu *emu);

/* Returns the time of the first event; TRACE_UNKNOWN before it. */
int64_t emu_start(const struct emu *emu);

/* Returns true if the source was read to its end: neither stopped nor ended by
 * an error. */
bool emu_is_complete(const struct emu *emu);

/* Frees everything that is not in the arena. */
void emu_close(struct emu *emu);

#endif
