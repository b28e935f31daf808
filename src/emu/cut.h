/* SPDX-License-Identifier: MIT */
/*
 * cut.h - threads whose last events are not there: their writer was killed, or
 * the stream was damaged later.
 *
 * Such a thread ends with its last event, as a repaired trace has it: the
 * events that would have led there are inferred one by one, and each shows in
 * the timelines. What the thread did to others in its lost events is inferred
 * when another event contradicts what is known (place.c): of two threads on one
 * CPU, the one whose place was said earlier has left.
 */
#ifndef WEFT_EMU_CUT_H
#define WEFT_EMU_CUT_H

struct cpu;
struct emu;
struct event;
struct thread;

/* The stream of the current event ended: so does its thread, unless it did. */
void cut_thread(struct emu *emu, struct thread *th);

/* Threads of whose streams nothing is left start and end at the first event of
 * the trace: those whose turn it is before the event, in the order of streams;
 * NULL: all. */
void cut_absent(struct emu *emu, const struct event *ev);

#endif
