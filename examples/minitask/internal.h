/* SPDX-License-Identifier: MIT */
/*
 * internal.h - what the files of the runtime share.
 *
 *	task.c    a task's life           deps.c    which tasks come first
 *	for.c     task-for                sched.c   which CPU runs what
 *	worker.c  threads on CPUs         leader.c  deadlines
 *	start.c   start, stop, CPUs       base.c    counts, memory
 *	mutex.c   mutexes of tasks        events.h  what is recorded
 */
#ifndef MINITASK_INTERNAL_H
#define MINITASK_INTERNAL_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "minitask.h"

/* Something for a CPU to do: begin a task, resume it, or help with it. */
struct work {
	struct work *next;
	struct mt_task *task;
	bool is_help;
};

struct queue {
	struct work *first, *last;
};

struct task_list {
	struct mt_task **at;
	int n, room;
};

/* The unfinished siblings that use an address. */
struct datum {
	struct datum *next;
	const void *address;
	struct mt_task *writer;   /* the last task that writes, or NULL */
	struct task_list readers; /* tasks that read since the last writer */
};

enum { PLACES = 256 };

struct mt_task {
	struct work work;
	struct mt_type *type;
	uint32_t id;
	struct mt_task *parent; /* NULL: created from outside */
	struct mt_task *below;  /* the task that its thread ran before */
	struct worker *worker;  /* worker whose stack holds the body, or NULL */
	void (*done)(void *);
	void *done_arg;

	/* Dependencies on siblings, under the parent's lock. */
	int nbefore; /* tasks that must end first, plus 1 until submitted */
	struct task_list after;
	int nplaces;
	struct datum **place;

	pthread_mutex_t lock;
	int nchildren;
	bool waits;              /* waits until nchildren is 0 */
	bool blocks;             /* is blocked until mt_unblock() */
	int unblocks;            /* calls of mt_unblock() before the block */
	struct datum **children; /* PLACES lists, or NULL */

	uint64_t deadline; /* ns; used by the leader */
	struct mt_task *later;

	long n, chunk; /* total and chunk size of a task-for */
	atomic_long next_chunk;
	struct work *help;

	void *arg;
};

struct cpu {
	int index;            /* 0 to ncpus - 1 */
	int id;               /* the system's number */
	struct worker *spare; /* workers that the running one may wake */
	atomic_bool wants;    /* wants work */
	struct work *given;   /* work from the server, under its lock */
	struct worker *rests; /* asleep, under the inbox's lock; or NULL */
};

/* A thread. It sleeps on wake unless it owns its CPU. */
struct worker {
	struct worker *next;      /* in the list of spare workers */
	struct worker *next_made; /* in the list of all workers */
	pthread_t thread;
	int32_t tid, creator;
	struct cpu *cpu;
	struct cpu *next_cpu; /* set by the thread that wakes it */
	struct mt_task *task; /* innermost, or NULL */
	int depth;            /* how many tasks are nested */
	sem_t wake, born;
};

/* clang-format off */
enum count {
	TASKS, EXECUTED, ENDED, TYPES, NESTING, PAUSES, CHUNKS, HELPS, HELPED, FUNCTIONS,
	TASKWAITS, BLOCKS, UNBLOCKS, DEADLINES, WORKERS, SWITCHES, MIGRATIONS,
	RESTS, LOCKS, COUNTS
};
/* clang-format on */

extern __thread struct worker *mt_me; /* NULL: not a worker */

/* base.c */
void count(enum count what);
void count_most(enum count what, long value);
void *mem_get(size_t size); /* zeroed; ends the program if memory runs out */
void mem_put(void *mem);
void list_add(struct task_list *list, struct mt_task *task);
void sleep_on(sem_t *sem);
uint64_t now_ns(void);

/* start.c */
struct cpu *cpu_at(int index);
void outside_begin(void); /* begin and end a task from outside */
void outside_end(void);

/* task.c */
struct mt_task *task_create(struct mt_type *type, const void *arg, int nplaces);
void task_submit(struct mt_task *task, const struct mt_access *accesses);
void task_run(struct mt_task *task); /* runs it to its end and frees it */
void task_suspend(struct mt_task *task);
void task_child_ends(struct mt_task *parent);

/* deps.c */
int deps_count(const struct mt_access *accesses);
void deps_register(struct mt_task *task, const struct mt_access *accesses);
void deps_unregister(struct mt_task *task);
void deps_free(struct mt_task *parent);

/* for.c */
void for_run(struct mt_task *task);
void for_help(struct mt_task *task);

/* sched.c */
void queue_add(struct queue *queue, struct work *work);
void sched_add(struct queue works);
void sched_add_one(struct work *work);
struct work *sched_get(struct cpu *cpu); /* NULL: the runtime stops */
void sched_stop(void);

/* worker.c */
void workers_start(void);
void workers_join(void);
void worker_rest(void);
void worker_yield(void); /* gives the CPU to a spare worker, until woken */

/* leader.c */
void leader_start(void);
void leader_stop(void);
void leader_add(struct mt_task *task);

#endif
