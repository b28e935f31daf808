/* SPDX-License-Identifier: MIT */
/*
 * old.h - the old names of commands: ovniemu and the other ovni tools; ctf2prv.
 *
 * The binary looks at the name by which it was called. Under an old name it
 * takes the old tool's options, writes its output to the same files, prints the
 * same texts and returns the same exit codes, 0 or 1. It accepts and refuses
 * the same traces: nothing is inferred, and the first error ends the emulation.
 */
#ifndef WEFT_CLI_OLD_OLD_H
#define WEFT_CLI_OLD_OLD_H

struct old {
	const char *name;
	const char *options; /* "": none */
	int (*run)(int argc, char *argv[]);
};

/* Returns the i-th tool, or NULL. */
const struct old *old_at(int i);

/* Returns the tool with that name after any directory, or NULL. */
const struct old *old_find(const char *argv0);

#endif
