/* SPDX-License-Identifier: MIT */
/*
 * hwc.h - hardware counters whose values are all in one event, as in nosv.
 *
 * The metadata of threads declares names below MODEL.hwc; each becomes a
 * channel of threads. An event has one value for each counter, in the order of
 * the names. (Counters that events of CTF carry beside their arguments:
 * counter.h.)
 */
#ifndef WEFT_EMU_HWC_H
#define WEFT_EMU_HWC_H

#include "emu/model.h"

#define HWC_MAX 100

/* Channels of the counters that a model's events have. */
struct emu_hwc {
	int first, n;
};

/* Adds the channels of the declared counters, if the model has hwc_from; called
 * once for each model that is turned on. */
void hwc_add_chans(struct emu *emu, const struct model *m);

/* Arguments of the event: (i64 value, ...), one for each counter. */
event_fn hwc_set;

#endif
