/* SPDX-License-Identifier: MIT */
/*
 * add.h - threads, CPUs and channels of processes that only events tell of:
 * each gets its rows when it comes.
 */
#ifndef WEFT_EMU_ADD_H
#define WEFT_EMU_ADD_H

#include "emu/state.h"

/* True if something of that kind has channels of its own. */
bool add_has_chans(const struct emu *emu, enum chan_owner of);

/* Gives channels their first values. */
void add_start_values(const struct emu *emu, struct holder *of);

/* A thread that an event tells of, with its rows; and a virtual CPU for what
 * runs beside the CPUs. Names are borrowed. */
struct thread *emu_add_thread(struct emu *emu, struct process *process,
	int64_t tid, const char *name);
struct cpu *emu_add_cpu(struct emu *emu, struct node *node, const char *name);

/* Room and a row for the channels of a process that an event tells of, if
 * there are any and it has none. */
void add_process(struct emu *emu, struct process *p);

#endif
