/* SPDX-License-Identifier: MIT */
/*
 * calibrate.h - tests whether the instruction before the interrupted one is the
 * one that waits.
 *
 * The test runs at the start, on the drain's own thread: the source in use
 * interrupts a chain of loads at a known address. The majority of the
 * interruptions decides for this machine; if they do not agree, all reports say
 * "uncalibrated". The first program of a weft run saves its result in the
 * measurement, for later programs.
 */
#ifndef WEFT_INPROC_MEM_CALIBRATE_H
#define WEFT_INPROC_MEM_CALIBRATE_H

/* Runs for about 5 ms, if data is sampled and no program has tested yet. Called
 * by the drain. */
void calibrate_run(void);

#endif
