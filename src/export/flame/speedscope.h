/* SPDX-License-Identifier: MIT */
/*
 * speedscope.h - the stacks of each row in the order of time, for
 * speedscope.app: trace.speedscope.json.
 *
 * Each row with a stack is a profile of events: "O" opens a frame, "C" closes
 * one. The events of a row are one array, so they wait in memory until the
 * sink is closed, packed into a few bytes each. A trace with more than 16
 * million events becomes one profile with the time of each stack instead.
 */
#ifndef WEFT_EXPORT_FLAME_SPEEDSCOPE_H
#define WEFT_EXPORT_FLAME_SPEEDSCOPE_H

#include "export/sink.h"

extern const struct sink_ops sink_speedscope;

/* For tests: limits the number of events. */
void speedscope_limit(struct sink *s, uint64_t events);

#endif
