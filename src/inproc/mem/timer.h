/* SPDX-License-Identifier: MIT */
/*
 * timer.h - the source without perf_event_open: a POSIX timer per thread, on
 * its CPU time.
 *
 * The kernel checks such timers at its tick: one signal per tick, with the rest
 * as overruns, which become the sample's count. The handler copies the
 * registers and the call path into a ring of the thread.
 */
#ifndef WEFT_INPROC_MEM_TIMER_H
#define WEFT_INPROC_MEM_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/* Takes over the events that have no source, where timers can sample them. */
void timer_open(void);

/* Makes the timers of a thread, unless they exist. Called by the thread itself,
 * or by the drain for threads that began before timer_open(). */
struct self;
void timer_start(struct self *s);

/* Deletes the timers of this thread. */
void timer_stop(void);

/* Takes all samples. Called by the drain. */
void timer_drain(void);

uint64_t timer_lost(void);

/* For the self-test: interrupts this thread every ns nanoseconds and calls
 * skid_note. */
bool timer_test_begin(uint64_t ns);
void timer_test_end(void);

void timer_forked(void);

#endif
