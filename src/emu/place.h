/* SPDX-License-Identifier: MIT */
/*
 * place.h - where threads are, and in which state.
 */
#ifndef WEFT_EMU_PLACE_H
#define WEFT_EMU_PLACE_H

#include "emu/state.h"

/* Changes state and CPU of a thread; what it shows, and what its CPUs show, is
 * looked at after the event. */
void emu_place(struct emu *emu, struct thread *th, enum thread_state state,
	struct cpu *cpu);

/* As an event of the thread's own would, in the timelines at once. */
void place_now(struct emu *emu, struct thread *th, enum thread_state state,
	struct cpu *cpu);

/* What a CPU shows may have changed. */
void emu_touch_cpu(struct emu *emu, struct cpu *cpu);

#endif
