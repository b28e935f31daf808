/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - takes away the rings that killed programs had ready and never used.
 *
 * They hold no event, and no one would ever look at them, but they fill the
 * tmpfs of a machine where programs crash again and again. Rings that were used
 * stay: they are what a crash leaves to be read.
 */
#ifndef WEFT_INPROC_CORE_SWEEP_H
#define WEFT_INPROC_CORE_SWEEP_H

#include "inproc/core/folder.h"

/* Begins a walk through the folder of rings. */
void weft_rt_sweep_start(struct folder *f);

/* Looks at the next few files. Rings of the living stay, and those of the last
 * ten minutes: who has no such process may be in another container. What fails
 * is left alone. */
void weft_rt_sweep_step(struct folder *f);

#endif
