/* SPDX-License-Identifier: MIT */
/*
 * proc.h - the traced process: who it is, where its trace goes, its threads.
 *
 * All of it lies in pages that a fork wipes, so that a child finds a process
 * that was never initialised, with free locks. What the environment asks for
 * is read once, at load.
 */
#ifndef WEFT_INPROC_CORE_PROC_H
#define WEFT_INPROC_CORE_PROC_H

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "inproc/core/config.h"
#include "inproc/core/ident.h"
#include "inproc/core/lock.h"
#include "inproc/core/ring.h"
#include "inproc/core/slow.h"

struct stream;
struct thread;

enum proc_state { PROC_NEW, PROC_READY, PROC_GONE };
enum { SPARE_STREAMS = 2 };

/* Who touches a field: README.md says what the words mean. */
struct proc {
	enum proc_state state; /* atomic; written under the lock */

	/* Written under the lock before state is PROC_READY, or before the
	 * first stream is in the list; then read by any thread. is_auto, rank
	 * and nranks: under the lock. */
	bool is_auto;     /* started by the first event */
	int app, pid;     /* pid: in the trace; ident has the real one */
	int rank, nranks; /* nranks 0: not set */
	struct ident ident;
	int64_t timens; /* as weft_rt_clocks_timens() says */
	char loom[512];
	char folder[PATH_MAX]; /* proc.PID of the trace, absolute; empty: not
	                          yet */
	char temp[PATH_MAX];   /* where streams lie until they end, or empty */

	/* Under the lock, if nothing else is said. Who has a ring for draining
	 * may take it; who holds it only tries to have a ring. */
	struct lock lock;
	struct stream *streams;              /* and next in each */
	int nstreams;                        /* atomic; read without the lock */
	struct stream *spare[SPARE_STREAMS]; /* of the pool */
	struct thread *teller; /* atomic, read without the lock; whose metadata
	                          tells of the process's clocks, or NULL */
	uint32_t told;         /* snapshots that earlier ones told */
	bool is_left; /* main has ended, and left the process to others */

	/* Atomic: any thread writes and reads them. */
	bool is_spent; /* nothing more is paid for */
	bool has_warned;
	int error;      /* errno of the last write that failed, or 0 */
	uint64_t retry; /* ns; when to try again after an error */
	uint64_t spent; /* of WEFT_MAX_MB: bytes, all threads */
	uint64_t lost;  /* events, all threads */
	int at_work;    /* futex: threads that write files; exit.h */

	/* Atomic: the writer, who starts it under the lock, and who stops it,
	 * under no lock. */
	int writer;        /* futex: thread id of the writer, or 0; the
	                      writer's */
	int nap;           /* futex: 1 while the writer sleeps long; any thread
	                      wakes it */
	bool has_writer;   /* to be joined */
	bool wants_writer; /* it has not been started yet */
	bool writer_ends;  /* it should */
	bool is_stopping;  /* somebody waits until it has: who set this */
	pthread_t handle;  /* of the writer; whoever set is_stopping reads it */

	/* Atomic: written by the exit alone, in this order. */
	bool is_leaving; /* exit.h */
	bool is_closing; /* recording ends */
	int has_exited;  /* futex: 1 when all is written */

	struct slow_stack slow[SLOW_STACKS];
};
extern struct proc *weft_rt_proc;

/* Reads what the environment asks for, if that has not been done: who calls us
 * in a constructor of a program that holds the archive may come before our
 * own. */
void weft_rt_load(void);

/* Blocks all signals and takes the lock; was is for unlock. */
void weft_rt_proc_lock(sigset_t *was);
void weft_rt_proc_unlock(const sigset_t *was);

/* The same for who starts or ends a stream; false: the exit is near, and
 * neither is done. */
bool weft_rt_proc_enter(sigset_t *was);

/* Ends the writer's long sleep. No system call if it is awake. */
void weft_rt_proc_wake(void);

bool weft_rt_proc_is_ready(void);

/* The exit ends the streams: nothing more is recorded. */
static inline bool
weft_rt_proc_is_closing(void)
{
	return __atomic_load_n(&weft_rt_proc->is_closing, __ATOMIC_SEQ_CST);
}

/* The process is about to end: who starts records nothing, who ends leaves its
 * stream to the exit, and neither takes the lock of the process, for which the
 * exit would have to queue. */
bool weft_rt_proc_is_leaving(void);

/* The calling thread wanted to record when nothing is recorded any more: it
 * stands still until the exit is done, for some milliseconds at most. Threads
 * that record without a pause would leave the exit no CPU. Not under the
 * lock. */
void weft_rt_proc_let_exit(void);

/* The calling thread begins or ends to write files or to end its stream, for
 * which the exit waits. */
void weft_rt_proc_work(bool begins);

/* The folder in which streams are written. */
const char *weft_rt_proc_place(void);

/* Warns, once a process, that recording stopped. */
void weft_rt_proc_trouble(int error, const char *path);

#endif
