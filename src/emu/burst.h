/* SPDX-License-Identifier: MIT */
/*
 * burst.h - burst probes: events emitted back to back, to measure the cost of
 * one event.
 *
 * After every 100 probes of a thread, a finding reports the times between them.
 */
#ifndef WEFT_EMU_BURST_H
#define WEFT_EMU_BURST_H

#include "emu/model.h"

/* Takes no arguments. A median above 100 ns gives a warning. */
event_fn burst_probe;

#endif
