/* SPDX-License-Identifier: MIT */
/*
 * kernel.c - context switches in ovni streams, which nOS-V copies from the
 * kernel's perf rings: a thread that was switched out sends no other events of
 * its program.
 */
#include "emu/cut.h"
#include "emu/models/models.h"

enum { CONTEXT_SWITCH };

/* clang-format off */
static const struct chan_def chans[] = {
	[CONTEXT_SWITCH] = {
		.key = "context_switch", .title = "Kernel context switch",
		.number = 45, .kind = CHAN_STACK, .away = true,
		.thread = TRACK_NONE },
};

static const struct span_def spans[] = {
	{ "KCO", "KCI", CONTEXT_SWITCH, 3, MEANS_READY, "Context switch: Out of the CPU",
	  "enters the time out of the CPU" },
};
static const struct infer_def infers[] = {
	{ INFER_LEAVE, "KCI" },
};
/* clang-format on */

const struct model model_kernel = {
	.id = 'K',
	.name = "kernel",
	.version = "1.0.0",
	.brief = "the kernel's context switches, as nOS-V records them",
	.need = NEED_NOTHING,
	MODEL_ROWS(chans),
	MODEL_ROWS(spans),
	MODEL_ROWS(infers),
	.cut = cut_away,
};
