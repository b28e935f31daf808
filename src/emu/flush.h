/* SPDX-License-Identifier: MIT */
/*
 * flush.h - a thread writes out its event buffer: it was held up meanwhile.
 */
#ifndef WEFT_EMU_FLUSH_H
#define WEFT_EMU_FLUSH_H

#include "emu/model.h"

#define FLUSH_VALUE 1 /* in the model's first channel, during a flush */

/* No arguments. Flushes of more than 10 ms of running threads are added up. */
event_fn flush_begin, flush_end;

/* A thread that ends while it is held up goes on before. */
hook_fn flush_cut;

/* At the end: says once how long threads waited for flushes. */
hook_fn flush_report;

#endif
