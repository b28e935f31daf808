/* SPDX-License-Identifier: MIT */
#include "emu/core.h"

#include "emu/state.h"

const struct type view_core_thread[THREAD_CORE] = {
	[THREAD_TID] = { .key = "ovni.tid",
		.title = "Thread: TID of the ACTIVE thread",
		.number = 2,
		.kind = TYPE_ID },
	[THREAD_STATE] = { .key = "ovni.state",
		.title = "Thread: thread state",
		.number = 4 },
	[THREAD_CPU] = { .key = "ovni.cpu",
		.title = "Thread: CPU affinity",
		.number = 6 },
};

const struct type view_core_cpu[CPU_CORE] = {
	[CPU_PID] = { .key = "ovni.pid",
		.title = "CPU: PID of the RUNNING thread",
		.number = 1,
		.kind = TYPE_ID },
	[CPU_TID] = { .key = "ovni.tid",
		.title = "CPU: TID of the RUNNING thread",
		.number = 2,
		.kind = TYPE_ID },
	[CPU_RUNNING] = { .key = "ovni.running",
		.title = "CPU: number of RUNNING threads",
		.number = 3,
		.kind = TYPE_NUMBER },
};

void
core_label_errors(struct emu *emu, uint32_t type, bool active)
{
	if (emu->errors == ERRORS_NULL)
		return;
	sink_label(emu->sink, type, VIEW_BAD,
		active ? "Bad: the active thread's channel is disabled"
		       : "Bad: the running thread's channel is disabled",
		MEANS_ERROR);
	sink_label(emu->sink, type, VIEW_TOO_MANY,
		active ? "Bad: too many active threads"
		       : "Bad: too many running threads",
		MEANS_ERROR);
}
