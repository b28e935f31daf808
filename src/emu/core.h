/* SPDX-License-Identifier: MIT */
/*
 * core.h - rows that are always there, whatever the models, and those of marks;
 * and what a CPU shows that cannot show the channel of one thread.
 */
#ifndef WEFT_EMU_CORE_H
#define WEFT_EMU_CORE_H

#include "emu/system.h"
#include "export/sink.h"

struct emu;

/* At the top of what a label file of Paraver holds, so that they meet no id,
 * rank or hash of a label. */
#define VIEW_BAD INT64_C(2147483646)      /* its thread's channel is disabled */
#define VIEW_TOO_MANY INT64_C(2147483647) /* several threads run */

extern const struct type view_core_thread[THREAD_CORE];
extern const struct type view_core_cpu[CPU_CORE];

/* The labels of both values, for a type of CPUs. */
void core_label_errors(struct emu *emu, uint32_t type, bool active);

#endif
