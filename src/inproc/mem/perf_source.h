/* SPDX-License-Identifier: MIT */
/*
 * perf_source.h - the better source: samples that the kernel writes to its perf
 * rings.
 *
 * There is an event per CPU for the whole process, inherited by its threads, so
 * that a new thread costs nothing and the program gets no signal. A sample has
 * the user registers and the inner end of the stack.
 */
#ifndef WEFT_INPROC_MEM_PERF_SOURCE_H
#define WEFT_INPROC_MEM_PERF_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

/* Opens all events that can be opened, for a process that has only this thread;
 * sets their sources. */
void ring_open(int main_tid);

/* Takes all samples up to `until` (ns). Returns how full the fullest ring was,
 * in percent; 100 if rings are always expected to fill. */
unsigned ring_drain(uint64_t until);

uint64_t ring_lost(void);
uint64_t ring_throttled(void);

/* For the self-test: samples this thread every ns nanoseconds; ring_test_end
 * calls skid_note for each sample. */
bool ring_test_begin(uint64_t ns);
void ring_test_end(void);

/* Requests one sample of the calling thread, after that many ns of its CPU
 * time. Returns NULL if refused. */
void *ring_once_open(int event, uint64_t after);

/* Takes the sample of ring_once_open(), if it has come, with this count; count
 * 0: drops the sample. */
void ring_once_close(void *ring, int event, uint64_t after, uint32_t count);

void ring_forked(void);

#endif
