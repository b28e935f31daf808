/* SPDX-License-Identifier: MIT */
/*
 * timer.h - the source that needs no perf_event_open: a POSIX timer a thread,
 * on its CPU time.
 *
 * The kernel looks at such timers at its tick: a signal a tick, with the rest
 * as overruns, which become the sample's count. The handler copies the
 * registers and the call path into a ring of the thread.
 */
#ifndef WEFT_INPROC_MEM_TIMER_H
#define WEFT_INPROC_MEM_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/* Takes over the events that have no source and can have this one. */
void timer_open(void);

/* Makes the timers of a thread, unless somebody has: the thread itself, or for
 * one that was there before timer_open() the drain. */
struct self;
void timer_start(struct self *s);

/* Ends those of this thread. */
void timer_stop(void);

/* The drain: takes all there is. */
void timer_drain(void);

uint64_t timer_lost(void);

/* The self-test: this thread is interrupted every so many ns, and
 * skid_note called. */
bool timer_test_begin(uint64_t ns);
void timer_test_end(void);

void timer_forked(void);

#endif
