/* SPDX-License-Identifier: MIT */
/* gap_learn.h - the first pass over a trace with gaps (gap.h). */
#ifndef WEFT_EMU_GAP_LEARN_H
#define WEFT_EMU_GAP_LEARN_H

#include <stdbool.h>

#include "emu/gap_notes.h"

struct emu_options;
struct source;

/*
 * Emulates the trace to take notes. source: the trace, opened once more for
 * this. Returns false if the trace is too large.
 */
bool gap_learn(struct gap_notes *notes, struct source *source,
	const struct emu_options *options);

#endif
