/* SPDX-License-Identifier: MIT */
/*
 * kernel.h - which thread the kernel runs on each CPU, with interrupts and
 * system calls stacked on the thread. Processes are identified by the name of
 * their command; the traced program has number 1.
 *
 * LTTng's kernel traces contain all threads of the machine: each thread that
 * runs gets a row, whose state follows from the switches (kernel_row.c), and
 * whose process from the state dump and the forks.
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
/* A thread of the traced program; among LTTng's system calls: any thread that
 * is in no system call. */
#define KERNEL_TRACED 1
#define KERNEL_IRQ 2 /* preemption: an interrupt */
#define KERNEL_SOFT_IRQ 3
#define KERNEL_OTHER 2      /* system calls: a thread of another program */
#define KERNEL_CALLS 3      /* the first system call */
#define KERNEL_COMMANDS 100 /* preemption: the first other program */

/* A thread with two stacks. The first entry of each tells to which program the
 * thread belongs. */
struct kernel_thread {
	int64_t tid;
	VEC(int64_t) preempted, calls;
	const char *command; /* interned; NULL: not known yet */
	uint32_t number;     /* number of its command */
	int64_t labelled;    /* first entry of `preempted` when it was
	                      * labelled */
	struct thread *row;  /* LTTng: its row; NULL: it has not run yet */
	bool dies;           /* the thread has exited, and runs for the last
	                      * time */
};

/* What is known about a thread that may not have run yet. */
struct kernel_known {
	int64_t pid;      /* id of its process; 0: not known */
	const char *name; /* or NULL */
};

struct kernel {
	struct arena *arena;
	struct map threads; /* (node, tid), idle threads by CPU */
	VEC(struct kernel_thread *) running; /* by CPU; NULL: no switch yet */
	struct intern commands, calls;
	VEC(int64_t) call_of; /* by event class; 0: not known yet */
	bool rows;            /* a trace of LTTng: threads have rows */
	struct map known;     /* node, tid -> struct kernel_known */
};

/* A switch on a CPU; `cpu` is unique over all nodes. */
struct kernel_switch {
	uint32_t cpu, node;
	int64_t tid;
	const char *command, *traced; /* names of the thread's command, and
	                               * of the traced program */
};

void kernel_init(struct kernel *k, struct arena *a);
void kernel_fini(struct kernel *k);

/* Records a switch; returns the thread that runs from now on. */
struct kernel_thread *kernel_run(
	struct kernel *k, const struct kernel_switch *to);

/* Returns the thread that runs on the CPU, or NULL before the first switch. */
struct kernel_thread *kernel_running(const struct kernel *k, uint32_t cpu);

/* Forgets which thread runs on the CPU, until the next switch. */
void kernel_lose(struct kernel *k, uint32_t cpu);

/* Returns the number of a system call, by its name. */
int64_t kernel_call(struct kernel *k, const char *name);

/* The channels of the model. */
enum { KERNEL_TID, KERNEL_PREEMPTIONS, KERNEL_SYSCALLS };

/* Returns the system call of an event class: "read" for "sys_enter_read". */
const char *kernel_call_name(const struct event_class *class);

/* Arguments of the event: (i32 next_pid, str next_comm). */
event_fn kernel_switches;

event_fn kernel_irq_begin, kernel_irq_end, kernel_soft_begin, kernel_soft_end,
	kernel_call_begin, kernel_call_end;

/* Events of LTTng. Their arguments, in the order of the functions: (i32 tid,
 * i32 pid, str name); (i32 child_tid, i32 child_pid, str child_comm); (i32 tid,
 * str comm); (i32 tid). */
event_fn kernel_dumps, kernel_forks, kernel_wakes, kernel_exits;

/* Returns the emulation's state of the kernel; creates it at the first call. */
struct kernel *kernel_of(struct emu *emu);

/* Shows a switch in the rows of the threads. before: the thread that ran, or
 * NULL. */
void kernel_show_rows(struct emu *emu, struct kernel_thread *before,
	struct kernel_thread *after, const char *command);

/* Returns what events told about a thread of the node, or NULL. */
const struct kernel_known *kernel_known(
	struct emu *emu, const struct node *node, int64_t tid);

#endif
