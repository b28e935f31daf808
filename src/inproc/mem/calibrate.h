/* SPDX-License-Identifier: MIT */
/*
 * calibrate.h - is it the instruction before the interrupted one that waits?
 *
 * A self-test at the start, on the drain's own thread: a chain of loads whose
 * place is known, interrupted by the source in use. What most of the
 * interruptions show, holds for this machine; if they agree on nothing, all
 * reports say "uncalibrated". The first program of a weft run leaves what it
 * found in the measurement, for those that come later.
 */
#ifndef WEFT_INPROC_MEM_CALIBRATE_H
#define WEFT_INPROC_MEM_CALIBRATE_H

/* About 5 ms, where data is sampled and nobody has tested; else nothing. The
 * drain. */
void calibrate_run(void);

#endif
