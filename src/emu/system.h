/* SPDX-License-Identifier: MIT */
/*
 * system.h - the traced system while it is emulated: nodes with CPUs,
 * processes and threads; who is on which CPU, and who runs there.
 *
 * Built once from the tables of the trace, in the order of the rows: nodes by
 * lowest rank if all have ranks, else by name; processes by rank, else pid;
 * threads by tid; CPUs by the kernel's number, each node's virtual CPU last.
 * The virtual CPU stands for "some CPU of the node": any number of threads may
 * run there.
 *
 * Thread and CPU also keep what the views need: the channels, and what each
 * row showed last. A CPU, a process or the system has channels if a model has
 * such.
 *
 * Where streams are those of CPUs, events tell which threads there are, and
 * threads are added while they come; what runs beside the CPUs of the node (an
 * external thread) gets a virtual CPU of its own then.
 */
#ifndef WEFT_EMU_SYSTEM_H
#define WEFT_EMU_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/idset.h"
#include "base/map.h"
#include "base/vec.h"
#include "emu/chan.h"
#include "emu/task_table.h"

struct arena;
struct trace;

/* Execution state of a thread; the numbers are those of its row. */
enum thread_state {
	THREAD_UNKNOWN = 0,
	THREAD_RUNNING = 1,
	THREAD_PAUSED = 2,
	THREAD_DEAD = 3,
	THREAD_COOLING = 4, /* still running, about to pause */
	THREAD_WARMING = 5, /* about to run */
};

/* What a row showed last for one type. */
struct shown {
	int64_t value;
	uint64_t begun; /* 1 + time of that record; 0: there is none yet */
};

/* Rows of the core model. */
enum { THREAD_TID, THREAD_STATE, THREAD_CPU, THREAD_CORE };
enum { CPU_PID, CPU_TID, CPU_RUNNING, CPU_CORE };

/* Marks: channels of those types that the trace declares (mark.h). */
#define MARK_TYPES 100
#define MARK_FIRST_NUMBER 100 /* Paraver type of mark type 0 */

/* What channels belong to: a thread, a CPU, a process or the system. */
struct holder {
	struct thread *thread; /* that it is; NULL: it is none */
	struct chan *chan;     /* one a channel of the emulator */
	struct shown *shown;   /* by its own row */
	uint32_t row;
};

struct node {
	const char *name;
	const char *host;   /* name up to the first dot */
	int index;          /* position among the nodes */
	struct cpu *any;    /* the virtual CPU; NULL: events name no such */
	struct map cpu_of;  /* index in events -> cpu */
	struct map phys;    /* kernel's number -> cpu */
	struct map threads; /* tid -> the first that has it */
	struct map told;    /* pid -> process that events tell of */
};

struct process {
	struct node *node;
	int64_t pid, app_id, rank; /* rank -1: none */
	struct map threads;        /* by tid */
	struct idset ended;        /* tasks that are gone: model, id */
	struct map types;          /* model, id -> task_type */
	struct task_table tasks;
	uint32_t top_type;  /* the highest id that any event names */
	uint32_t row;       /* if there are channels of processes */
	struct holder *own; /* has these; or NULL */
};

/* The threads of a CPU that are Running, or that are active. */
struct crew {
	struct thread *only; /* the one there is; NULL: none, or several */
	uint64_t sum;        /* of their places: that of one, if it is one */
	uint32_t n;
	bool changed;  /* `only` is another one, in this event */
	int64_t since; /* time from which `only` is the one */
};

struct cpu {
	struct node *node;
	const char *name; /* of the row */
	int index;        /* its place among all */
	int64_t phyid;    /* the kernel's number; -1 if virtual */
	bool virtual;     /* any number of threads may run there */
	bool touched;     /* looked at in this event */
	bool many_said;   /* that several active threads are there */
	uint32_t row;
	struct crew running, active;
	struct shown core[CPU_CORE];
	struct shown *shown; /* one a channel */
	struct holder *own;  /* has the CPU's own channels; or NULL */
	/* Where streams are those of CPUs: sends what is there before an event
	 * says who runs, and is not among the threads; or NULL. */
	struct thread *nobody;
	struct thread *lost; /* ran here when its events were lost, and may
	                      * still; or NULL */
	int64_t lost_until;  /* clock up to which a gap of its row was told */
};

struct thread {
	struct process *process;
	int64_t tid;
	const char *name; /* of the row */
	uint32_t place;   /* among all */
	int stream;       /* that has its events; TRACE_NONE: none is its own */
	struct holder has;
	uint8_t state;        /* enum thread_state */
	uint8_t active;       /* ACTIVE_RUNNING, ACTIVE_ACTIVE */
	bool changed;         /* its state did, in this event */
	bool finished;        /* its writer ended it in an orderly way */
	bool late;            /* its first events are not there */
	bool cut;             /* its last events are not there */
	bool moved;           /* off its CPU, as another thread runs there */
	bool met;             /* contexts of user space named it */
	bool lost;            /* in a gap (gap.h): nothing is known of it */
	bool lost_inside;     /* it had events in the gap all the same */
	bool tasks_lost;      /* it may be in tasks that nobody saw begin */
	uint32_t ngaps;       /* so far */
	int64_t lost_until;   /* clock of the last event that was lost */
	struct cpu *lost_cpu; /* whose cpu->lost it is; or NULL */
	struct cpu *moved_to; /* by another thread, in the gap; or NULL */
	struct cpu *cpu;      /* where it is, or NULL */
	int64_t last;        /* time of its last event, if some tell of the past
	                      */
	int64_t flush_start; /* while its buffer is flushed */
	int64_t placed;      /* when an event said where it is */
	int64_t since[3];    /* by enum track: its rows are shown, or not */
	struct task **task;  /* top of its stack of tasks, one a model */
	struct helped *helped; /* a task-for; NULL: it never helped with one */
	struct burst *burst;   /* probes so far; NULL: none */
	struct worker *worker; /* what ctf/ knows of it; NULL: nothing */
	struct cpu *own;       /* its virtual CPU; NULL: it has none */
	struct shown core[THREAD_CORE];
};

struct system {
	struct node *nodes;
	struct process *processes;
	struct thread *threads;
	struct cpu *cpus;           /* without those that were added */
	VEC(struct thread *) added; /* in the order of their rows */
	VEC(struct process *) told; /* processes that events tell of */
	int nnodes, nprocesses, nthreads, ncpus, ncpus_added;
	int nchans, nmodels;         /* that threads have room for */
	struct thread **of_stream;   /* who sends events there now; NULL: events
	                              * say it, or nobody */
	struct process **process_of; /* by stream; NULL: unknown */
	struct holder *own; /* has the system's own channels; or NULL */
};

/* Builds the system in row order, with room for nchans channels
 * and the tasks of nmodels models. */
void system_init(struct system *sys, struct arena *a, const struct trace *t,
	int nchans, int nmodels);
void system_fini(struct system *sys);

/* Gives every CPU or process, or the system, room for channels of its own; a
 * process that only events tell of when they do. */
void system_own_cpus(struct system *sys, struct arena *a);
void system_own_processes(
	struct system *sys, struct arena *a, const struct trace *t);
void system_own_process(
	const struct system *sys, struct arena *a, struct process *p);
void system_own(struct system *sys, struct arena *a);

/* Streams of CPUs: until an event says who runs there, nobody sends. */
void system_place_streams(struct system *sys, const struct trace *t);

/* A thread that events tell of, and a virtual CPU; names are borrowed. */
struct thread *system_add_thread(struct system *sys, struct arena *a,
	struct process *process, int64_t tid, const char *name);
struct cpu *system_add_cpu(struct system *sys, struct arena *a,
	struct node *node, const char *name);

/* The process of the node with that pid, made if it is new: events tell of it,
 * and it has no row. */
struct process *system_process(
	struct system *sys, struct arena *a, struct node *node, int64_t pid);

/* A CPU by its index in events (-1: the virtual one), or NULL. */
struct cpu *system_cpu(struct system *sys, struct node *node, int64_t index);

/* A CPU by the kernel's number, or NULL. */
struct cpu *system_phys(const struct node *node, int64_t phyid);

/* A thread of the process, else of its node, by tid; or NULL. */
struct thread *system_thread(const struct process *process, int64_t tid);

/*
 * Changes state and CPU of a thread (cpu NULL: it has none) and keeps the
 * CPUs' crews right. What changed is marked in thread and
 * CPUs for the views.
 */
void thread_place(struct system *sys, struct thread *th,
	enum thread_state state, struct cpu *cpu);

/* "Running". */
const char *thread_state_name(enum thread_state state);

#endif
