/* SPDX-License-Identifier: MIT */
/*
 * flush.h - flushes: a thread writes its event buffer to the file, and cannot
 * run meanwhile.
 */
#ifndef WEFT_EMU_FLUSH_H
#define WEFT_EMU_FLUSH_H

#include "emu/model.h"

struct findings;

#define FLUSH_VALUE 1 /* value of the model's first channel during a flush */

/* Handle the events around a flush. flush_end() adds up the flushes that took
 * more than 10 ms while the thread was Running. */
event_fn flush_begin, flush_end;

/* Ends the flush of a thread whose last events are missing. */
hook_fn flush_cut;

/* At the end: adds a finding about the time that threads waited for flushes. */
hook_fn flush_report;

/* Adds the finding about n long flushes, if there are any. Times in ns. */
void flush_say(struct findings *fs, const char *file, uint64_t n, int64_t sum,
	int64_t longest);

#endif
