/* SPDX-License-Identifier: MIT */
/*
 * hwc.h - hardware counters that one event tells all at once, as that of nosv.
 *
 * The metadata of threads declares names; each becomes a channel of threads. An
 * event has one value for each, in this order. (Counters that events of CTF
 * carry beside their arguments: counter.h.)
 */
#ifndef WEFT_EMU_HWC_H
#define WEFT_EMU_HWC_H

#include "emu/model.h"

#define HWC_FIRST_NUMBER 200 /* Paraver type of the first counter */
#define HWC_MAX 100

/* Adds the channels of the declared counters for a model with `counts`. */
void hwc_add_chans(struct emu *emu, const struct model *m);

/* (i64 value, ...): one for each counter */
event_fn hwc_set;

#endif
