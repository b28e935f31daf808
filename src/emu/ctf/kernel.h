/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - which thread the kernel runs on each CPU, and what it does to it:
 * interrupts and system calls, which are stacked on the thread and go with it.
 * A process is known by its command's name; the one that was traced is 1.
 *
 * Traces of LTTng's kernel tracer tell of all threads of the machine: there
 * each thread that runs has a row, whose state the switches tell
 * (kernel_row.c). Its process is what the state dump and the forks said.
 */
#ifndef WEFT_EMU_CTF_KERNEL_H
#define WEFT_EMU_CTF_KERNEL_H

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "emu/model.h"

struct arena;
struct event_class;
struct node;

#define KERNEL_IDLE 0
#define KERNEL_TRACED \
	1            /* a thread of the program that was traced; of LTTng's \
	              * system calls: any, outside of them */
#define KERNEL_IRQ 2 /* preemption */
#define KERNEL_SOFT_IRQ 3
#define KERNEL_OTHER 2      /* system calls: of another program */
#define KERNEL_CALLS 3      /* the first one */
#define KERNEL_COMMANDS 100 /* preemption: the first other program */

/* Stacks; the first of each says whose thread it is. */
struct kernel_thread {
	int64_t tid;
	VEC(int64_t) preempted, calls;
	const char *command; /* interned; NULL: not asked yet */
	uint32_t number;     /* its own, among the commands */
	int64_t labelled;    /* the first preempted that has its label */
	struct thread *row;  /* of LTTng; or NULL: it has not run yet */
	bool dies;           /* it is the last time that it runs */
};

/* What is known of a thread before it runs. */
struct kernel_known {
	int64_t pid;      /* of its process; 0: not known */
	const char *name; /* or NULL */
};

struct kernel {
	struct arena *arena;
	struct map threads; /* by node, tid; the idle one by CPU */
	VEC(struct kernel_thread *) running; /* by CPU; NULL: no switch yet */
	struct intern commands, calls;
	VEC(int64_t) call_of; /* by event class; 0: not asked yet */
	bool rows;            /* the trace is LTTng's: threads have rows */
	struct map known;     /* node, tid -> struct kernel_known */
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

/* Nobody knows who runs there until the next switch. */
void kernel_lose(struct kernel *k, uint32_t cpu);

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

/* Of LTTng: (i32 tid, i32 pid, str name), (i32 child_tid, i32 child_pid, str
 * child_comm), (i32 tid, str comm), (i32 tid). */
event_fn kernel_dumps, kernel_forks, kernel_wakes, kernel_exits;

/* What the emulation knows of the kernel; made by the first call. */
struct kernel *kernel_of(struct emu *emu);

/* Shows a switch in the rows of the threads; before: who ran there, or NULL. */
void kernel_show_rows(struct emu *emu, struct kernel_thread *before,
	struct kernel_thread *after, const char *command);

/* What was told of a thread of the event's node, or NULL. */
const struct kernel_known *kernel_known(
	struct emu *emu, const struct node *node, int64_t tid);

#endif
