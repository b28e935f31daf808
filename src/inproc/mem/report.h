/* SPDX-License-Identifier: MIT */
/*
 * report.h - writes the records of process.mem about the whole process:
 * settings, threads, paths, losses.
 */
#ifndef WEFT_INPROC_MEM_REPORT_H
#define WEFT_INPROC_MEM_REPORT_H

#include <stdint.h>

#include "inproc/mem/out.h"
#include "inproc/mem/self.h"

/* Reads the rank set by an MPI launcher, before the program runs and may change
 * its environment. */
void report_find_rank(void);

/* Writes version, program, events and settings. */
void report_begin(struct outbuf *o);

/* Writes events and settings again, with their current values. */
void report_setup(struct outbuf *o);

void report_thread(struct outbuf *o, struct self *s);
/* Writes all threads that are not written yet. */
void report_threads(struct outbuf *o);

/* Writes a thread's last records; its entry may then be reused. */
void report_thread_end(struct outbuf *o, struct self *s);

void report_paths(struct outbuf *o); /* writes only paths that are new */

/* The losses of the sample sources so far. */
struct report_losses {
	uint64_t ring, throttled, in_tool;
};
void report_losses(struct outbuf *o, struct report_losses of);

void report_end(struct outbuf *o);

/* Counts a thread for which no event could be opened. */
void report_unsampled(int error);

void report_forked(void);

#endif
