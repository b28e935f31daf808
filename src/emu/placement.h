/* SPDX-License-Identifier: MIT */
/* placement.h - changes the CPU and the state of threads. */
#ifndef WEFT_EMU_PLACEMENT_H
#define WEFT_EMU_PLACEMENT_H

#include "emu/state.h"

/* Changes state and CPU of a thread. The rows of the thread and its CPUs are
 * updated after the event. */
void placement_set(struct emu *emu, struct thread *th, enum thread_state state,
	struct cpu *cpu);

/* Does the same, but updates the rows at once, as a separate event of the
 * thread would. */
void placement_set_now(struct emu *emu, struct thread *th,
	enum thread_state state, struct cpu *cpu);

/* Marks a CPU whose rows may have to change. */
void emu_touch_cpu(struct emu *emu, struct cpu *cpu);

#endif
