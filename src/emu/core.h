/* SPDX-License-Identifier: MIT */
/*
 * core.h - the types of rows that exist in every emulation; and the values of a
 * CPU that cannot show a thread's channel.
 */
#ifndef WEFT_EMU_CORE_H
#define WEFT_EMU_CORE_H

#include "emu/system.h"
#include "export/sink.h"

struct emu;

/* Both values are near the largest number that Paraver's label files hold, so
 * that they do not clash with an id, rank or hash of a label. */
#define VIEW_BAD INT64_C(2147483646)      /* its thread's channel is disabled */
#define VIEW_TOO_MANY INT64_C(2147483647) /* several threads run */

extern const struct type view_core_thread[THREAD_CORE];
extern const struct type view_core_cpu[CPU_CORE];

/* Labels the states of threads; "Preempted" only if the kernel's switches are
 * part of the trace. */
void core_label_states(struct emu *emu);

/* Labels both values for a type of CPU rows. */
void core_label_errors(struct emu *emu, uint32_t type, bool active);

#endif
