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

/* Starts and ends, at the time of the first event of the trace, the threads
 * that have no event. Goes on in the order of the streams, up to the stream of
 * this event if the event has that time, else (or for NULL) to the last stream.
 */
void cut_absent(struct emu *emu, const struct event *ev);

/* Ends the values of the model's channels with `away`, in a thread whose last
 * events are missing; `cut` of struct model. */
hook_fn cut_away;

#endif
