/* SPDX-License-Identifier: MIT */
/*
 * wait_region.h - parallel regions of OpenMP: which threads are in which, and
 * when they are idle.
 *
 * A runtime tells a thread that a region is over only when it needs the thread
 * again, maybe a second later. So the end of the region in the thread that
 * began it counts: the end closes the join barrier of every thread of the team,
 * which is idle from then on. What a thread records later of that region is
 * ignored.
 */
#ifndef WEFT_EMU_MODELS_REGION_H
#define WEFT_EMU_MODELS_REGION_H

#include "emu/models/wait_names.h"

/* The events WGf, WGF, WGp and WGP. */
event_fn wait_region_begin, wait_region_end, wait_region_enter,
	wait_region_leave;

/* WGm and WGM: the sections `master` and `masked`, as regions of one thread. */
event_fn wait_masked_enter, wait_masked_leave;

/* WGb: the line of the wait that begins, which is a state of the model openmp.
 * It holds for the next waits of the thread in that region, too. */
event_fn wait_place;

#endif
