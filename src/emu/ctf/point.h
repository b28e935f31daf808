/* SPDX-License-Identifier: MIT */
/*
 * point.h - the context of what a runtime calls its points, if they are those
 * of no model: a call from task context outside a task, an exit without its
 * enter, an enter that is never left.
 *
 * Names say what is an entry point: "mine:tc:wait_enter" and
 * "mine:tc:wait_exit" are a pair. Which events begin and end tasks their
 * recorder tells (event_class.tells). The rules are those of <weft/ctf.h> with
 * WEFT_CTF_DEBUG; here the run goes on, and findings say what broke them.
 */
#ifndef WEFT_EMU_CTF_POINT_H
#define WEFT_EMU_CTF_POINT_H

#include <stdint.h>

struct binding;
struct emu;
struct event_class;
struct points;

/* Adds to a class's binding what its events do to the context of their
 * thread. */
void point_bind(
	struct emu *emu, const struct event_class *class, struct binding *to);

/* The trace was read to its end: calls that are open in processes which ended
 * in an orderly way. */
void point_check_ends(struct emu *emu);

/* NULL: nothing. */
void point_fini(struct points *p);

#endif
