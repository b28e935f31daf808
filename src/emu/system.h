/* SPDX-License-Identifier: MIT */
/*
 * system.h - the traced system during emulation: nodes with CPUs, processes and
 * threads, and which threads are on which CPU.
 *
 * Built once from the tables of the trace, in the order of the rows: nodes by
 * lowest rank if all have ranks, else by name; processes by rank, else pid;
 * threads by tid; CPUs by the kernel's number, each node's virtual CPU last.
 * The virtual CPU stands for "some CPU of the node": any number of threads may
 * run there.
 *
 * Threads and CPUs also hold the state of the views: channels, and the last
 * value of each row. CPUs, processes and the system have channels only if a
 * model defines some.
 *
 * If streams belong to CPUs, events tell which threads exist, and threads are
 * added as they appear; a thread that runs on none of the node's CPUs (an
 * external thread) then gets a virtual CPU of its own.
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

/* State of a thread; the numbers are those of the row's values. */
enum thread_state {
	THREAD_UNKNOWN = 0,
	THREAD_RUNNING = 1,
	THREAD_PAUSED = 2,
	THREAD_DEAD = 3,
	THREAD_COOLING = 4, /* still running, about to pause */
	THREAD_WARMING = 5, /* about to run */
};

/* What a row shows instead of THREAD_PAUSED for a preempted thread. */
#define SHOWN_PREEMPTED 6

/* The last record of a row and type. */
struct shown {
	int64_t value;
	uint64_t begun; /* 1 + time of that record; 0: none */
};

/* Types of the core model. */
enum { THREAD_TID, THREAD_STATE, THREAD_CPU, THREAD_CORE };
enum { CPU_PID, CPU_TID, CPU_RUNNING, CPU_CORE };

/* Marks: channels of the mark types that the trace declares (mark.h). */
#define MARK_TYPES 100
#define MARK_FIRST_NUMBER 100 /* Paraver type of mark type 0 */

/* The owner of channels: a thread, a CPU, a process or the system. */
struct holder {
	struct thread *thread; /* the owner, if it is a thread; else NULL */
	/* The owner's channels, by channel of the emulator. */
	struct chan *chan;
	/* Last record of each channel in the owner's own row. */
	struct shown *shown;
	uint32_t row;
};

struct node {
	const char *name;
	const char *host;   /* name up to the first dot */
	int index;          /* position among the nodes */
	struct cpu *any;    /* the virtual CPU; NULL: events do not name it */
	struct map cpu_of;  /* index in events -> cpu */
	struct map phys;    /* kernel's number -> cpu */
	struct map threads; /* tid -> the last thread that began with it, or
	                     * else the first that has it */
	struct map told;    /* pid -> process that only events name */
	int64_t written;    /* see struct emu */
};

struct process {
	struct node *node;
	int64_t pid, app_id, rank;      /* rank -1: none */
	struct map threads;             /* tid -> thread */
	struct idset ended;             /* tasks that have ended: (model, id) */
	struct task_ended ended_bodies; /* ended bodies of its parallel tasks */
	struct map types;               /* (model, id) -> task_type */
	struct task_table tasks;
	uint32_t top_type;  /* highest type id in any event */
	uint32_t row;       /* id of its row, if processes have channels */
	struct holder *own; /* the process's channels; or NULL */
};

/* The threads of a CPU that are Running, or active. */
struct crew {
	struct thread *only; /* if there is exactly one; else NULL */
	uint64_t sum; /* sum of `place` of the threads: if there is one thread,
	               * its `place` */
	uint32_t n;
	bool changed;  /* `only` has changed in this event */
	int64_t since; /* time from which `only` has been the only thread */
};

struct cpu {
	struct node *node;
	const char *name; /* name of the row */
	int index;        /* index among all CPUs */
	int64_t phyid;    /* the kernel's number; -1 if virtual */
	bool virtual;     /* any number of threads may run there */
	bool touched;     /* in touched_cpus of this event */
	bool many_said;   /* reported that several active threads are here */
	uint32_t row;
	struct crew running, active;
	struct shown core[CPU_CORE];
	struct shown *shown; /* last record of each channel in its row */
	struct holder *own;  /* the CPU's own channels; or NULL */
	/* If streams belong to CPUs: stands for the unknown thread that sends
	 * events before the first event that names the running thread. Not in
	 * the table of threads; or NULL. */
	struct thread *nobody;
	struct thread *lost; /* a thread that ran here when its events were
	                      * lost, and may still run here; or NULL */
	int64_t lost_until;  /* clock of the end of the last gap reported for
	                      * its row */
};

struct thread {
	struct process *process;
	int64_t tid;
	const char *name; /* name of the row */
	uint32_t place;   /* index among all threads */
	int stream; /* stream with its events; TRACE_NONE: the thread has no
	             * stream */
	struct holder has;
	uint8_t state;  /* enum thread_state */
	uint8_t active; /* bits ACTIVE_... */
	uint8_t lacks; /* the bits of enum need that the thread does not meet */
	bool changed;  /* its state changed in this event */
	bool finished; /* its metadata says that the stream is
	                * complete */
	bool late;     /* its first events are missing */
	bool cut;      /* its last events are missing */
	bool moved;    /* was taken off its CPU because another thread
	                * runs there */
	bool preempted; /* while paused: it could go on, but another thread has
	                 * its CPU */
	bool met;       /* contexts of user-space events named it */
	bool lost;      /* in a gap (gap.h): its state is unknown */
	bool lost_inside;     /* it had events inside the gap */
	bool tasks_lost;      /* the thread may be in tasks whose begin was
	                       * lost */
	uint32_t ngaps;       /* number of gaps so far */
	int64_t lost_until;   /* clock of the last lost event */
	struct cpu *lost_cpu; /* CPU whose `lost` is this thread; or NULL */
	struct cpu *moved_to; /* CPU to which another thread moved it in the
	                       * gap; or NULL */
	struct cpu *cpu;      /* its CPU, or NULL */
	int64_t last;         /* time of its last event, if some values begin
	                       * before their event */
	int64_t flush_start;  /* time at which its last flush began */
	int64_t placed;       /* time of the last event that named its CPU */
	int64_t since[5]; /* time from which its rows have been shown or hidden,
	                   * by enum track */
	struct task **task;    /* by model: top of its stack of tasks */
	struct helped *helped; /* the task-for that it helps with; NULL: it
	                        * never helped */
	struct burst *burst;   /* probes so far; NULL: none */
	struct worker *worker; /* state of ctf/; NULL: none */
	struct cpu *own;       /* its own virtual CPU; or NULL */
	struct shown core[THREAD_CORE];
};

struct system {
	struct node *nodes;
	struct process *processes;
	struct thread *threads;
	struct cpu *cpus; /* the CPUs, except the ones that were added later */
	VEC(struct thread *) added; /* in the order of their rows */
	VEC(struct process *) told; /* processes that only events name */
	int nnodes, nprocesses, nthreads, ncpus, ncpus_added;
	int nchans, nmodels;         /* channels and models for which threads
	                              * have room */
	struct thread **of_stream;   /* by stream: current sender; NULL: each
	                              * event names its thread, or the sender is
	                              * unknown */
	struct process **process_of; /* by stream; NULL: unknown */
	struct holder *own;          /* the system's own channels; or NULL */
};

/* Builds the system in row order, with room for nchans channels and the tasks
 * of nmodels models. */
void system_init(struct system *sys, struct arena *a, const struct trace *t,
	int nchans, int nmodels);
void system_fini(struct system *sys);

/* Add channels to every CPU or process, or to the system. A process that only
 * events name gets them when it appears. */
void system_own_cpus(struct system *sys, struct arena *a);
void system_own_processes(
	struct system *sys, struct arena *a, const struct trace *t);
void system_own_process(
	const struct system *sys, struct arena *a, struct process *p);
void system_own(struct system *sys, struct arena *a);

/* Sets the senders of streams of CPUs to `nobody`, until an event tells which
 * thread runs. */
void system_place_streams(struct system *sys, const struct trace *t);

/* Add a thread that events name, or a virtual CPU; names are borrowed. */
struct thread *system_add_thread(struct system *sys, struct arena *a,
	struct process *process, int64_t tid, const char *name);
struct cpu *system_add_cpu(struct system *sys, struct arena *a,
	struct node *node, const char *name);

/* Returns the process of the node with that pid; adds it without a row if it is
 * new. */
struct process *system_process(
	struct system *sys, struct arena *a, struct node *node, int64_t pid);

/* Returns a CPU by its index in events (-1: the virtual CPU), or NULL. */
struct cpu *system_cpu(struct system *sys, struct node *node, int64_t index);

/* Returns a CPU by the kernel's number, or NULL. */
struct cpu *system_phys(const struct node *node, int64_t phyid);

/* Returns a thread of the process, else of its node, by tid; or NULL. */
struct thread *system_thread(const struct process *process, int64_t tid);

/*
 * Changes state and CPU of a thread (cpu NULL: none) and updates the CPUs'
 * crews. Marks what changed in thread and CPUs for the views.
 */
void thread_place(struct system *sys, struct thread *th,
	enum thread_state state, struct cpu *cpu);

/* Returns the name of a state: "Running". */
const char *thread_state_name(enum thread_state state);

#endif
