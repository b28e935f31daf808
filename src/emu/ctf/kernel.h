/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - which thread the kernel runs on each CPU, and what it does to it:
 * interrupts and system calls, which are stacked on the thread and go with it.
 * A process is known by its command's name; the one that was traced is 1.
 */
#ifndef WEFT_EMU_CTF_KERNEL_H
#define WEFT_EMU_CTF_KERNEL_H

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "emu/model.h"

struct arena;
struct event_class;

#define KERNEL_IDLE 0
#define KERNEL_TRACED 1 /* a thread of the program that was traced */
#define KERNEL_IRQ 2    /* preemption */
#define KERNEL_SOFT_IRQ 3
#define KERNEL_OTHER 2      /* system calls: of another program */
#define KERNEL_CALLS 3      /* the first one */
#define KERNEL_COMMANDS 100 /* preemption: the first other program */

/* Stacks; the first of each says whose thread it is. */
struct kernel_thread {
	int64_t tid;
	VEC(int64_t) preempted, calls;
};

struct kernel {
	struct arena *arena;
	struct map threads; /* by node, tid; the idle one by CPU */
	struct map running; /* by CPU */
	struct intern commands, calls;
};

/* A switch on a CPU, which has a number of its own. */
struct kernel_switch {
	uint32_t cpu, node;
	int64_t tid;
	const char *command, *traced; /* of the thread; of the program */
};

void kernel_init(struct kernel *k, struct arena *a);
void kernel_fini(struct kernel *k);

/* The thread that runs from now on. */
struct kernel_thread *kernel_run(
	struct kernel *k, const struct kernel_switch *to);

/* The one that runs on the CPU, or NULL: there was no switch yet. */
struct kernel_thread *kernel_running(const struct kernel *k, uint32_t cpu);

/* The number of a system call, by its name. */
int64_t kernel_call(struct kernel *k, const char *name);

/* The channels of the model. */
enum { KERNEL_TID, KERNEL_PREEMPTIONS, KERNEL_SYSCALLS };

/* What a class of events is, in "sys_enter_read": "read". */
const char *kernel_call_name(const struct event_class *class);

/* (i32 next_pid, str next_comm) */
event_fn kernel_switches;

event_fn kernel_irq_begin, kernel_irq_end, kernel_soft_begin, kernel_soft_end,
	kernel_call_begin, kernel_call_end;

#endif
