/* SPDX-License-Identifier: MIT */
/*
 * minitask.h - a small task runtime that records what it does.
 *
 *	static void relax(void *arg) { ... }
 *	static struct mt_type relax_type = MT_TYPE("relax",
 *		relax, struct block);
 *
 *	mt_spawn(&relax_type, &block, (struct mt_access[]){
 *		{ MT_INOUT, here }, { MT_IN, above }, { 0 } });
 *	mt_taskwait();
 *
 * A task is a call that runs later, once the tasks before it that touch the
 * same addresses have ended; it ends when its body and its children have. One
 * worker thread runs on a CPU at a time. A task that waits keeps its thread and
 * leaves the CPU to another one.
 *
 * MINITASK_CPUS=N: use the first N of the CPUs that the process may use.
 * MINITASK_TRACE=ovni, ctf or both: what to record; ovni if it is not set.
 */
#ifndef MINITASK_H
#define MINITASK_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

struct mt_task;

/* A kind of task. Exactly one of the functions is set. */
struct mt_type {
	const char *label;  /* on the timeline */
	const char *source; /* source location: "heat.c:30" */
	void (*run)(void *arg);
	void (*range)(void *arg, long begin, long end); /* body of a task-for */
	size_t arg_size;
	uint32_t id; /* set at first use */
};
#define MT_TEXT2(line) #line
#define MT_TEXT(line) MT_TEXT2(line)
#define MT_SOURCE __FILE__ ":" MT_TEXT(__LINE__)
#define MT_TYPE(label, run, arg) \
	{ \
		(label), MT_SOURCE, (run), NULL, sizeof(arg), 0 \
	}
#define MT_FOR_TYPE(label, range, arg) \
	{ \
		(label), MT_SOURCE, NULL, (range), sizeof(arg), 0 \
	}

enum mt_mode { MT_IN = 1, MT_OUT, MT_INOUT };

/* How a task uses the data at an address. */
struct mt_access {
	enum mt_mode mode; /* 0 ends a list */
	const void *address;
};

/* mt_start() starts one worker on each CPU; mt_stop() ends them when all tasks
 * have ended. Both are for the program's main thread. */
void mt_start(void);
void mt_stop(void);

/* Runs a task and waits for it; for the main thread. */
void mt_run(struct mt_type *type, const void *arg);

/* Return the number of the runtime's CPUs, and the one that the calling task
 * runs on now, counted from 0. */
int mt_ncpus(void);
int mt_cpu(void);

/* The functions below are for tasks. mt_spawn() creates a task: it copies arg;
 * accesses is NULL, or a list that ends with { 0 }, and orders the task among
 * the children of the calling task. */
void mt_spawn(struct mt_type *type, const void *arg,
	const struct mt_access *accesses);

/* Runs a task at once, on top of the calling task. */
void mt_inline(struct mt_type *type, const void *arg);

/* Creates a task-for: several threads call range(arg, begin, end) for parts of
 * 0..n of at most chunk. A part must not wait or create tasks. */
void mt_for(struct mt_type *type, const void *arg, long n, long chunk,
	const struct mt_access *accesses);

/* Waits for the children of the calling task. */
void mt_taskwait(void);

/* A mutex: one task at a time has it; others get it in the order of their
 * calls. */
struct mt_mutex {
	pthread_mutex_t lock;
	struct mt_task *owner, *first, *last;
};
#define MT_MUTEX \
	{ \
		PTHREAD_MUTEX_INITIALIZER, NULL, NULL, NULL \
	}
void mt_lock(struct mt_mutex *mutex);
void mt_unlock(struct mt_mutex *mutex);

/* Waits for at least that long. */
void mt_wait_for(uint64_t ns);

/* Waits until somebody calls mt_unblock(task). Each call ends one wait; a call
 * before the wait counts, too. */
struct mt_task *mt_self(void);
void mt_block(void);

/* Leaves one CPU to the system for that long, as soon as its worker looks for
 * work. */
void mt_sponge(uint64_t ns);

/* For other threads of the program, between mt_attach() and mt_detach(). done,
 * if not NULL, is called when the task has ended. mt_unblock() is for tasks,
 * too. */
void mt_attach(void);
void mt_detach(void);
void mt_spawn_function(struct mt_type *type, const void *arg,
	void (*done)(void *), void *done_arg);
void mt_unblock(struct mt_task *task);

/* Prints counters of the runtime on one line, "name=number ...". Call after
 * mt_stop(). */
void mt_print_counts(void);

#endif
