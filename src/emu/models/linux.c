/* SPDX-License-Identifier: MIT */
/*
 * linux.c - what Linux did on the CPUs meanwhile: switches, interrupts and
 * system calls, from the tracepoints that Nanos6 records beside its own.
 */
#include "emu/ctf/kernel.h"
#include "emu/models/models.h"

/* clang-format off */
static const struct chan_def chans[] = {
	[KERNEL_TID] = {
		.key = "thread_id", .title = "Kernel Thread ID (TID)",
		.number = 6400100, .shows = TYPE_NUMBER, .plain = true, .dup = true,
		.of = CHAN_OF_CPU },
	[KERNEL_PREEMPTIONS] = {
		.key = "preemptions", .title = "Kernel Preemptions", .none = "Idle",
		.number = 6400101, .plain = true, .dup = true,
		.of = CHAN_OF_CPU },
	[KERNEL_SYSCALLS] = {
		.key = "syscalls", .title = "Kernel System Calls", .none = "Idle",
		.number = 6400102, .plain = true, .dup = true,
		.of = CHAN_OF_CPU },
};

static const struct event_def events[] = {
	{ "sched_switch(i32 next_pid, str next_comm)",
	  "switches to thread %next_pid of %next_comm", kernel_switches, 0 },
	{ "irq_handler_entry", "begins an interrupt", kernel_irq_begin, 0 },
	{ "irq_handler_exit", "ceases an interrupt", kernel_irq_end, 0 },
	{ "softirq_entry", "begins a soft interrupt", kernel_soft_begin, 0 },
	{ "softirq_exit", "ceases a soft interrupt", kernel_soft_end, 0 },
	{ "sys_enter_...", "enters a system call", kernel_call_begin, 0 },
	{ "sys_exit_...", "leaves a system call", kernel_call_end, 0 },
};

static const struct label_def labels[] = {
	{ KERNEL_PREEMPTIONS, KERNEL_IRQ, "IRQ" },
	{ KERNEL_PREEMPTIONS, KERNEL_SOFT_IRQ, "Soft IRQ" },
	{ KERNEL_SYSCALLS, KERNEL_OTHER, "Other Process" },
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
};
