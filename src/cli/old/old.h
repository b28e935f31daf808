/* SPDX-License-Identifier: MIT */
/*
 * old.h - the names of the ovni tools: ovniemu and its like; and ctf2prv.
 *
 * The binary looks at the name it was called by. Under an old name it takes the
 * old options, writes where the old tool wrote, prints its texts and ends with
 * its codes: 0 or 1. It accepts and refuses what the old tool does: nothing is
 * inferred, and the first error ends the run.
 */
#ifndef WEFT_CLI_OLD_OLD_H
#define WEFT_CLI_OLD_OLD_H

struct old {
	const char *name;
	int (*run)(int argc, char *argv[]);
};

/* The tool of that name, whatever folder stands before it; or NULL. */
const struct old *old_find(const char *argv0);

#endif
