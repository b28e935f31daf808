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

/* Returns true if the kernel's record of switches is part of the trace. */
static bool
has_switches(const struct trace *t)
{
	for (int i = 0; i < t->streams.n; i++)
		if (t->streams.at[i].switches)
			return true;
	return false;
}

void
core_label_states(struct emu *emu)
{
	static const enum meaning state_means[] = {
		[THREAD_UNKNOWN] = MEANS_LOST,
		[THREAD_RUNNING] = MEANS_TASK,
		[THREAD_PAUSED] = MEANS_IDLE,
		[THREAD_DEAD] = MEANS_IDLE,
		[THREAD_COOLING] = MEANS_OVERHEAD,
		[THREAD_WARMING] = MEANS_OVERHEAD,
	};

	for (int i = THREAD_UNKNOWN; i <= THREAD_WARMING; i++)
		sink_label(emu->sink, emu->core_thread_type[THREAD_STATE], i,
			thread_state_name((enum thread_state)i),
			state_means[i]);
	if (!emu->strict && has_switches(emu->trace))
		sink_label(emu->sink, emu->core_thread_type[THREAD_STATE],
			SHOWN_PREEMPTED, "Preempted", MEANS_READY);
}

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
