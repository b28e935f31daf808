/* SPDX-License-Identifier: MIT */
/*
 * options.h - what who runs the emulator may choose.
 */
#ifndef WEFT_EMU_OPTIONS_H
#define WEFT_EMU_OPTIONS_H

#include <signal.h>
#include <stdbool.h>

struct gap_notes;
struct mends;
struct model;

/* How a CPU with several running threads shows. */
enum emu_errors {
	ERRORS_SHOW, /* a physical one as "too many threads" */
	ERRORS_NULL, /* as if none ran */
	ERRORS_ALL,  /* the virtual one, too, as "too many threads" */
};

struct emu_options {
	/* Models from files, always on; borrowed. Their number may be 0. */
	const struct model *const *extra;
	int nextra;
	enum emu_errors errors;
	bool all_models; /* enable models that no thread requires, too */
	bool breakdown;  /* also write breakdown.h's timelines */
	bool lint;       /* a section that is open at the end is an error */
	bool quiet;      /* only findings count: the sink may be told nothing */
	/* Of traces with lost events (gap.h): notes to be taken, or those of
	 * an earlier run of the same trace; or NULL. */
	struct gap_notes *learn;
	const struct gap_notes *known;
	struct mends *mends; /* gets what is inferred (mend.h), or NULL */
	/* Set by a signal handler: the run ends soon, with what is there; or
	 * NULL. */
	const volatile sig_atomic_t *stop;
};

#endif
