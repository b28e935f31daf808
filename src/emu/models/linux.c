/* SPDX-License-Identifier: MIT */
/*
 * linux.c - what Linux did on the CPUs: switches, interrupts and system calls,
 * from tracepoints that Nanos6 records in addition to its own (with perf's
 * names), or from LTTng's kernel tracer (with other names).
 */
#include "emu/ctf/kernel.h"
#include "emu/ctf/thread.h"
#include "emu/models/models.h"

/* clang-format off */
static const struct chan_def chans[] = {
	[KERNEL_TID] = {
		.key = "thread_id", .title = "Kernel Thread ID (TID)",
		.number = 6400100, .shows = TYPE_ID, .plain = true, .dup = true,
		.of = CHAN_OF_CPU },
	[KERNEL_PREEMPTIONS] = {
		.key = "preemptions", .title = "Kernel Preemptions", .none = "Idle",
		.means = MEANS_OVERHEAD, .none_means = MEANS_IDLE,
		.number = 6400101, .plain = true, .dup = true,
		.of = CHAN_OF_CPU },
	[KERNEL_SYSCALLS] = {
		.key = "syscalls", .title = "Kernel System Calls", .none = "Idle",
		.means = MEANS_IO, .none_means = MEANS_IDLE,
		.number = 6400102, .plain = true, .dup = true,
		.of = CHAN_OF_CPU },
};

static const struct event_def events[] = {
	{ "sched_switch|perf:switch_in|perf:switch_out(i32 next_pid|next_tid, "
	  "str next_comm)",
	  "switches to thread %next_pid of %next_comm", kernel_switches, 0 },
	{ "irq_handler_entry", "begins an interrupt", kernel_irq_begin, PAYLOAD_SHOWS },
	{ "irq_handler_exit", "ends an interrupt", kernel_irq_end, PAYLOAD_SHOWS },
	{ "softirq_entry|irq_softirq_entry", "begins a soft interrupt",
	  kernel_soft_begin, PAYLOAD_SHOWS },
	{ "softirq_exit|irq_softirq_exit", "ends a soft interrupt",
	  kernel_soft_end, PAYLOAD_SHOWS },
	{ "sys_enter_...|syscall_entry_...|compat_syscall_entry_...",
	  "enters a system call", kernel_call_begin, PAYLOAD_SHOWS },
	{ "sys_exit_...|syscall_exit_...|compat_syscall_exit_...",
	  "leaves a system call", kernel_call_end, PAYLOAD_SHOWS },

	{ "sched_waking|sched_wakeup|sched_wakeup_new(i32 tid|pid, str comm)",
	  "wakes thread %tid of %comm", kernel_wakes,
	  PAYLOAD_SHOWS },
	{ "sched_process_fork|perf:fork(i32 child_tid|child_pid, i32 child_pid, "
	  "str child_comm)",
	  "creates thread %child_tid of process %child_pid", kernel_forks, 0 },
	{ "sched_process_exit|perf:exit(i32 tid|pid)", "ends thread %tid",
	  kernel_exits, 0 },
	{ "perf:comm(i32 tid, i32 pid, str comm)",
	  "names thread %tid of process %pid: %comm", kernel_dumps, 0 },
	{ "sched_process_exec(i32 tid|pid, str filename)",
	  "thread %tid executes the program %filename", NULL, 0 },
	{ "lttng_statedump_process_state(i32 tid, i32 pid, str name)",
	  "lists thread %tid of process %pid: %name", kernel_dumps, 0 },
	{ "lttng_statedump_start", "begins the list of existing processes", NULL, 0 },
	{ "lttng_statedump_end", "ends the list of existing processes", NULL, 0 },
	{ "softirq_raise|irq_softirq_raise", "asks for a soft interrupt", NULL,
	  0 },
};

static const struct label_def labels[] = {
	{ KERNEL_PREEMPTIONS, KERNEL_IRQ, MEANS_OVERHEAD, "IRQ" },
	{ KERNEL_PREEMPTIONS, KERNEL_SOFT_IRQ, MEANS_OVERHEAD, "Soft IRQ" },
	{ KERNEL_SYSCALLS, KERNEL_OTHER, MEANS_TASK, "Other Process" },
};
/* clang-format on */

const struct model model_linux = {
	.id = 'l',
	.name = "linux",
	.prefix = "", /* tracepoints have no letter */
	.version = "1.0.0",
	.brief = "Linux: who ran on each CPU, interrupts, system calls",
	.need = NEED_NOTHING,
	MODEL_ROWS(chans),
	MODEL_ROWS(events),
	MODEL_ROWS(labels),
	.fini = ctf_fini,
};
