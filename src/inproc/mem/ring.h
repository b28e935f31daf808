/* SPDX-License-Identifier: MIT */
/*
 * ring.h - the better source: the kernel's samples, in its rings.
 *
 * An event a CPU on the whole process, inherited by its threads, so that a new
 * thread costs nothing and no signal reaches the program. A sample brings the
 * user's registers and the inner end of the stack.
 */
#ifndef WEFT_INPROC_MEM_RING_H
#define WEFT_INPROC_MEM_RING_H

#include <stdbool.h>
#include <stdint.h>

/* Opens what can be opened of all events, on a process that has this thread
 * only; sets their sources. */
void ring_open(int main_tid);

/* Takes all samples until then (ns). How full the fullest ring was, in percent;
 * 100 if rings can always be expected to be. */
unsigned ring_drain(uint64_t until);

uint64_t ring_lost(void);
uint64_t ring_throttled(void);

/* The self-test: samples of this thread every so many ns, which go to
 * skid_note at the end. */
bool ring_test_begin(uint64_t ns);
void ring_test_end(void);

/* One sample of the calling thread, after so many ns of its CPU time. NULL:
 * refused. */
void *ring_once_open(int event, uint64_t after);

/* Takes that sample, if it has come, as one of so many; 0: drops it. */
void ring_once_close(void *ring, int event, uint64_t after, uint32_t count);

void ring_forked(void);

#endif
