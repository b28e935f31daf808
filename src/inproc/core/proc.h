/* SPDX-License-Identifier: MIT */
/*
 * proc.h - the traced process: its identity, its trace directory, its threads.
 *
 * All of it lies in pages that a fork wipes, so that a child finds a process
 * that was never initialised, with free locks. The environment is read once, at
 * load.
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

/* Comments state which thread accesses a field, in the terms of README.md. */
struct proc {
	enum proc_state state; /* atomic; written under the lock */

	/* Written under the lock before state is PROC_READY, or before the
	 * first stream is in the list; then read by any thread. is_auto, rank
	 * and nranks: under the lock. */
	bool is_auto; /* started by the first event */
	int app, pid; /* application id; process number in the trace (ident has
	               * the process id) */
	int rank, nranks; /* nranks 0: not set */
	struct ident ident;
	int64_t timens; /* value of weft_rt_clocks_timens() */
	char loom[512];
	char folder[PATH_MAX]; /* proc.PID of the trace, absolute; empty: not
	                        * known yet */
	char temp[PATH_MAX];   /* directory of unfinished streams, or empty */

	/* Protected by the lock, unless a comment says otherwise. A thread that
	 * has a ring for draining may take the lock; a thread that holds the
	 * lock only tries to take a ring. */
	struct lock lock;
	struct stream *streams;              /* linked by next */
	int nstreams;                        /* atomic; read without the lock */
	struct stream *spare[SPARE_STREAMS]; /* managed by pool.c */
	struct thread *teller; /* atomic, read without the lock; the thread
	                        * whose metadata states the process's clocks, or
	                        * NULL */
	uint32_t told;         /* clock snapshots written by earlier tellers */
	bool is_left;          /* main has ended before other threads */

	/* Atomic: any thread writes and reads them. */
	bool is_spent;            /* no more bytes are paid for */
	bool has_warned, is_mute; /* another process warned, or nobody shall */
	int error;      /* errno of the last write that failed, or 0 */
	uint64_t retry; /* time of the next attempt after an error, ns */
	uint64_t spent; /* bytes of WEFT_MAX_MB that all threads have used */
	uint64_t lost;  /* number of events that all threads lost */
	int at_work; /* futex: number of threads that write files; see exit.h */

	/* Atomic: written by the writer, by the thread that starts it and by
	 * the thread that stops it, without the lock. */
	int writer;        /* futex: thread id of the writer, or 0; set by the
	                    * writer */
	int nap;           /* futex: 1 while the writer sleeps long; any thread
	                    * wakes the writer */
	bool has_writer;   /* there is a writer to join */
	bool wants_writer; /* a writer is to be started */
	bool is_starting;  /* the thread that set this, under the lock, starts
	                    * the writer */
	bool writer_ends;  /* the writer is to end */
	bool is_stopping; /* the thread that set this waits for the writer's end
	                   */
	pthread_t handle; /* handle of the writer's thread; read by the thread
	                   * that set is_stopping */

	/* Atomic: written by the thread that calls exec; NULL: none does. */
	const char *image; /* the program that replaces this one */

	/* Atomic: written by the exit alone, in this order. */
	bool is_leaving; /* the process is about to end; see exit.h */
	bool is_closing; /* recording ends */
	int has_exited;  /* futex: 1 when all records are written */

	struct slow_stack slow[SLOW_STACKS];
};
extern struct proc *weft_rt_proc;

/* Reads the environment, if that was not done: in a program that links the
 * archive, a constructor may call the library before the library's own
 * constructor runs. */
void weft_rt_load(void);

/* Blocks all signals and takes the lock; was is for weft_rt_proc_unlock(). */
void weft_rt_proc_lock(sigset_t *was);
void weft_rt_proc_unlock(const sigset_t *was);

/* Does the same for a thread that starts or ends a stream. Returns false,
 * without the lock, if the exit is near. */
bool weft_rt_proc_enter(sigset_t *was);

/* Ends the writer's long sleep. Makes no system call if the writer is awake. */
void weft_rt_proc_wake(void);

bool weft_rt_proc_is_ready(void);

/* Returns true when the exit ends the streams: nothing more is recorded. */
static inline bool
weft_rt_proc_is_closing(void)
{
	return __atomic_load_n(&weft_rt_proc->is_closing, __ATOMIC_SEQ_CST);
}

/* Returns true when the process is about to end. From then on, a thread that
 * starts records nothing, a thread that ends leaves its stream to the exit, and
 * neither takes the process's lock, because the exit would have to wait for it.
 */
bool weft_rt_proc_is_leaving(void);

/* Called by a thread that wants to record when recording has ended: waits until
 * the exit is done, some milliseconds at most. Threads that record without a
 * pause would leave the exit no CPU. Do not call under the lock. */
void weft_rt_proc_let_exit(void);

/* Called when the calling thread begins or stops writing files or ending its
 * stream: the exit waits for such threads. */
void weft_rt_proc_work(bool begins);

/* Returns the directory in which streams are written. */
const char *weft_rt_proc_directory(void);

/* Warns, once per process, that recording stopped. */
void weft_rt_proc_trouble(int error, const char *path);

#endif
