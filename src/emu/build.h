/* SPDX-License-Identifier: MIT */
/*
 * build.h - opens an emulation: the system of a trace, with a place for every
 * channel of every thread, and of CPUs and the system if a model has channels
 * of theirs.
 */
#ifndef WEFT_EMU_BUILD_H
#define WEFT_EMU_BUILD_H

#include <stdbool.h>

struct emu;
struct err;
struct process;
struct thread;

/* Builds emu->system once all channels are known, with their first values.
 * False with err: it would take too much memory for a trace of its size. */
bool build_system(struct emu *emu, struct err *err);

/* Gives the channels of a thread their first values. */
void build_thread(const struct emu *emu, struct thread *th);

/* Room and a row for the channels of a process that an event tells of, if
 * there are any and it has none. */
void build_process(struct emu *emu, struct process *p);

#endif
