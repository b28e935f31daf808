/* SPDX-License-Identifier: MIT */
/*
 * sweep.h - removes rings that killed programs had prepared and never used.
 *
 * Such rings hold no event and nothing would ever read them, but they fill the
 * tmpfs of a machine where programs crash again and again. Rings that were used
 * stay: weft reads them after a crash.
 */
#ifndef WEFT_INPROC_CORE_SWEEP_H
#define WEFT_INPROC_CORE_SWEEP_H

#include "inproc/core/directory.h"

/* Begins a walk through the ring directory. */
void weft_rt_sweep_start(struct directory *f);

/* Examines the next few files. Keeps rings of living processes, and rings made
 * in the last ten minutes, because a process that is not visible may run in
 * another container. Ignores failures. */
void weft_rt_sweep_step(struct directory *f);

#endif
