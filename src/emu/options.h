/* SPDX-License-Identifier: MIT */
/* options.h - the options of an emulation. */
#ifndef WEFT_EMU_OPTIONS_H
#define WEFT_EMU_OPTIONS_H

#include <stdatomic.h>
#include <stdbool.h>

struct code_names;
struct emu_part;
struct gap_notes;
struct mends;
struct model;
struct short_calls;

/* How a CPU with several running threads is shown. */
enum emu_errors {
	ERRORS_SHOW, /* a physical CPU as "too many threads" */
	ERRORS_NULL, /* as if no thread ran */
	ERRORS_ALL,  /* any CPU, also the virtual one, as "too many threads" */
};

struct emu_options {
	/* Models from files, always enabled; borrowed. nextra may be 0. */
	const struct model *const *extra;
	int nextra;
	enum emu_errors errors;
	bool all_models; /* enable models that no thread requires, too */
	bool breakdown;  /* also write the timelines of breakdown.h */
	bool lint;       /* a section that is open at the end is an error */
	bool quiet;      /* only findings are needed: the sink may get no
	                  * records */
	/* For traces with lost events (gap.h): the notes that the first pass
	 * takes, and the notes of the first pass for the second one; or NULL.
	 */
	struct gap_notes *learn;
	const struct gap_notes *known;
	struct mends *mends; /* collects what is inferred (mend.h), or NULL */
	const struct code_names *names;  /* or NULL */
	struct short_calls *short_calls; /* adds up calls, or NULL */
	struct emu_part *part;           /* part.h; NULL: the whole trace */
	/* ends the emulation when it is not 0; or NULL */
	const atomic_int *stop;
};

#endif
