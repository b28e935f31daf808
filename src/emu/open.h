/* SPDX-License-Identifier: MIT */
/* open.h - the states that threads have entered and not left. */
#ifndef WEFT_EMU_OPEN_H
#define WEFT_EMU_OPEN_H

#include <stdbool.h>
#include <stddef.h>

struct emu;
struct thread;

/* Room for the labels of a stack, each of a section or a task type in
 * quotes. */
#define OPEN_ROOM (4 * 2048)

/* Returns true if that stack of the thread is not empty. */
bool open_is(const struct emu *emu, const struct thread *th, int chan);

/* Writes the entries of the stack, bottom first; only the top entry if there is
 * no room for all. Returns the buffer `to`. */
const char *open_stack(const struct emu *emu, const struct thread *th, int chan,
	char *to, size_t room);

/* Writes the code sections that the thread is in, for a message. Returns the
 * buffer `to`. */
const char *open_text(
	const struct emu *emu, const struct thread *th, char *to, size_t room);

/* At the end of the trace: adds findings about sections that are still open. */
void open_lint(struct emu *emu);

#endif
