/* SPDX-License-Identifier: MIT */
/*
 * report.h - the records of process.mem that tell of the whole: settings,
 * threads, paths, losses.
 */
#ifndef WEFT_INPROC_MEM_REPORT_H
#define WEFT_INPROC_MEM_REPORT_H

#include <stdint.h>

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

/* Keeps the rank that the launcher of an MPI program gave: before the program
 * runs, as it may change its environment later. */
void report_find_rank(void);

/* Version, program, events, settings. */
void report_begin(struct outbuf *o);

/* Events and settings once more, as they are now. */
void report_setup(struct outbuf *o);

void report_thread(struct outbuf *o, struct self *s);
void report_threads(struct outbuf *o); /* all that were not told */

/* The last of a thread; its entry may be another one's from now on. */
void report_thread_end(struct outbuf *o, struct self *s);

void report_paths(struct outbuf *o); /* new ones */

/* What the sources of samples lost so far. */
struct report_losses {
	uint64_t ring, throttled, in_tool;
};
void report_losses(struct outbuf *o, struct report_losses of);

void report_end(struct outbuf *o);

/* A tid that no event could be made for. */
void report_unsampled(int error);

void report_forked(void);

#endif
