/* SPDX-License-Identifier: MIT */
/*
 * cut.h - threads whose last events are missing because the writer was killed
 * or the stream was damaged later.
 *
 * Such a thread ends with its last event, as in a repaired trace: the events
 * that lead to its end are inferred one by one, and all of them appear in the
 * timelines. If the lost events changed other threads, the changes are inferred
 * when a later event contradicts the known state (placement.c): of two threads
 * on one CPU, the one placed there earlier has left.
 */
#ifndef WEFT_EMU_CUT_H
#define WEFT_EMU_CUT_H

#include "emu/model.h"

struct cpu;
struct emu;
struct event;
struct thread;

/* Ends the thread of the current event's stream, which has ended, unless the
 * thread has ended already. */
void cut_thread(struct emu *emu, struct thread *th);

/* Starts and ends threads without any event at the first event of the trace, in
 * the order of their streams: those that come before the event; NULL: all. */
void cut_absent(struct emu *emu, const struct event *ev);

/* Leaves what the model's channels with `away` hold, in a thread whose last
 * events are missing; `cut` of struct model. */
hook_fn cut_away;

#endif
