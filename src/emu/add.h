/* SPDX-License-Identifier: MIT */
/*
 * add.h - threads, CPUs and channels of processes that no metadata declares:
 * their rows are added when an event names them.
 */
#ifndef WEFT_EMU_ADD_H
#define WEFT_EMU_ADD_H

#include "emu/state.h"

/* Returns true if there are channels of that owner. */
bool add_has_chans(const struct emu *emu, enum chan_owner of);

/* Sets the start values of channels. */
void add_start_values(const struct emu *emu, struct holder *of);

/* Add a thread that an event names, or a virtual CPU for threads that run on no
 * known CPU, with its rows. Names are borrowed. */
struct thread *emu_add_thread(struct emu *emu, struct process *process,
	int64_t tid, const char *name);
struct cpu *emu_add_cpu(struct emu *emu, struct node *node, const char *name);

/* Adds channels and a row for a process, if the models have such channels and
 * the process has none yet. */
void add_process(struct emu *emu, struct process *p);

#endif
