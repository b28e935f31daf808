/* SPDX-License-Identifier: MIT */
/*
 * burst.h - burst probes: events emitted back to back, to see what one costs.
 *
 * After every 100 probes of a thread their distances are told in one line.
 */
#ifndef WEFT_EMU_BURST_H
#define WEFT_EMU_BURST_H

#include "emu/model.h"

/* No arguments. A median above 100 ns is a warning. */
event_fn burst_probe;

#endif
