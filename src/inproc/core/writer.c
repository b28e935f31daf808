/* SPDX-License-Identifier: MIT */
#include "inproc/core/writer.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inproc/core/assert.h"
#include "inproc/core/clock.h"
#include "inproc/core/clocks.h"
#include "inproc/core/config.h"
#include "inproc/core/drain.h"
#include "inproc/core/futex.h"
#include "inproc/core/guest.h"
#include "inproc/core/handler.h"
#include "inproc/core/held.h"
#include "inproc/core/ours.h"
#include "inproc/core/part.h"
#include "inproc/core/pool.h"
#include "inproc/core/proc.h"
#include "inproc/core/reserve.h"
#include "inproc/core/say.h"
#include "inproc/core/signals.h"
#include "inproc/core/slow.h"
#include "inproc/core/stream.h"
#include "inproc/core/sweep.h"
#include "perf/alone.h"

enum {
	FIRST_NAP = 10000000, /* ns; also the longest one for parts that must be
	                       * called soon */
	LONGEST_NAP = 200000000,
	WHOLE = 1024,       /* shares of a ring are in units of 1/WHOLE */
	DUE = WHOLE / 8,    /* enough for a write */
	SLOW = 1000000000,  /* ns after which even a few bytes are written */
	GONE_TURNS = 10000, /* looks for a thread that has ended: for 0.2 s */
	STACK = 256 << 10,
	MOST_FILES = 1 << 16 /* closed one by one on an old kernel */
};

/* The writer's table must not hold descriptors that the program closes: a
 * reader of a pipe would wait for our copy of its other end. */
static void
leave_descriptors(void)
{
#ifndef RT_ONE_TABLE /* the thread sanitizer allows one table only */
	if (weft_rt_proc->is_left || unshare(CLONE_FILES) != 0)
		return;
	if (syscall(SYS_close_range, 0u, ~0u, 0u) != 0)
		for (int fd = 0; fd < MOST_FILES; fd++)
			close(fd);
	/* Keeps numbers 0 to 2 in use: another library must not write its
	 * standard error into a file of the trace. */
	while ((unsigned)open("/", O_PATH | O_CLOEXEC) < STDERR_FILENO)
		;
	weft_rt_say_from_aside();
#endif
}

/* Returns how much of the ring is not in the file yet, in 1/WHOLE. */
static uint64_t
fill_of(const struct stream *s)
{
	const struct ringfile *f = s->mem.file;
	uint64_t tail = __atomic_load_n(&f->tail, __ATOMIC_RELAXED);
	uint64_t n = __atomic_load_n(&f->head, __ATOMIC_ACQUIRE) - tail;

	/* head is read later, and may be that of the ring's next turn */
	return n > f->size ? WHOLE : (n * WHOLE + f->size - 1) / f->size;
}

struct round {
	bool is_slow;  /* even a few bytes are written */
	uint64_t fill; /* of the fullest ring */
};

/* Returns true if the ring has enough bytes for a write. */
static bool
is_due(const struct stream *s, struct round *r)
{
	uint64_t fill = fill_of(s);

	if (fill > r->fill)
		r->fill = fill;
	return fill >= (r->is_slow ? 1 : DUE);
}

/* Returns the next stream after s that has something to write, taken; gives s
 * back under the same lock, so that s stays in the list until then. */
static struct stream *
next(struct stream *s, struct round *r)
{
	struct proc *p = weft_rt_proc;
	struct stream *n;
	bool is_me;

	weft_rt_lock(&p->lock, NULL);
	for (n = s ? s->next : p->streams; n; n = n->next)
		if (n->has_file && is_due(n, r) &&
			weft_rt_drain_take(n, &is_me))
			break;
	if (s)
		weft_rt_drain_give(s);
	weft_rt_unlock(&p->lock);
	return n;
}

static bool
round_of_all(struct round *r)
{
	bool has_written = false;

	for (struct stream *s = next(NULL, r); s; s = next(s, r))
		has_written = weft_rt_drain(s) || has_written;
	return has_written;
}

/* Calls the parts. Returns true if one must be called again soon. */
static bool
drain_parts(void)
{
	bool is_soon = false;

	for (const struct part *const *p = weft_rt_parts; *p; p++)
		if ((*p)->drain)
			is_soon = (*p)->drain() || is_soon;
	return is_soon;
}

/* Returns the time in which a ring fills to an eighth if events come at the
 * speed of memory. */
static uint64_t
shortest_nap(void)
{
	uint64_t ns = weft_rt_config.ring_bytes / 16;

	return ns < 20000 ? 20000 : ns > 500000 ? 500000 : ns;
}

/* Returns the time in which the fullest ring becomes due if what it has came in
 * the last `passed` ns, but at most twice the nap before: each nap that ends
 * takes a CPU from a thread of the program. A rate that grows is noticed by the
 * thread whose ring is half full. A ring that cannot be written stays full. */
static uint64_t
choose_nap(uint64_t before, uint64_t passed, uint64_t fill, bool is_soon)
{
	bool fails =
		__atomic_load_n(&weft_rt_proc->error, __ATOMIC_RELAXED) != 0;
	uint64_t least = fails ? FIRST_NAP : shortest_nap(), most = 2 * before;

	if (fill > 0 && passed * DUE / fill < most)
		most = passed * DUE / fill;
	if (is_soon && most > FIRST_NAP)
		most = FIRST_NAP;
	if (most > LONGEST_NAP)
		most = LONGEST_NAP;
	return most < least ? least : most;
}

/* Ends early when a ring is half full, or became so since the round began. */
static void
nap(uint64_t ns)
{
	struct proc *p = weft_rt_proc;
	struct timespec t = { 0, (long)ns };

	if (!__atomic_load_n(&p->writer_ends, __ATOMIC_SEQ_CST))
		futex_wait(&p->nap, 1, &t);
	__atomic_store_n(&p->nap, 0, __ATOMIC_SEQ_CST);
}

/* Prepares the calling thread, and tells the thread that made it. */
static void
begin(struct proc *p)
{
	if (guest_hooks() != NULL)
		guest_hooks()->quiet();
	weft_rt_slow_is_large();
	prctl(PR_SET_NAME, ALONE_WRITER);
	leave_descriptors();
	__atomic_store_n(&p->writer, (int)gettid(), __ATOMIC_RELEASE);
	futex_wake(&p->writer);
}

static void *
run(void *none)
{
	struct proc *p = weft_rt_proc;
	uint64_t last = weft_rt_clock_now(), slow = 0, now, ns = FIRST_NAP;
	struct directory sweep;
	struct round round;
	bool has_written, is_soon;

	(void)none;
	begin(p);
	weft_rt_sweep_start(&sweep);
	while (!__atomic_load_n(&p->writer_ends, __ATOMIC_ACQUIRE)) {
		now = weft_rt_clock_now();
		__atomic_store_n(&p->nap, 1, __ATOMIC_SEQ_CST);
		round = (struct round){ .is_slow = now - slow > SLOW };
		has_written = weft_rt_config.full != FULL_OVERWRITE &&
			round_of_all(&round);
		if (round.is_slow)
			slow = now;
		is_soon = drain_parts();
		weft_rt_pool_refill();
		weft_rt_clock_tick();
		if (round.is_slow)
			weft_rt_clocks_tick();
		if (round.is_slow && weft_is_left_alone())
			return weft_rt_ours_is_last();
		if (!has_written)
			weft_rt_sweep_step(&sweep);
		ns = choose_nap(ns, now - last, round.fill, is_soon);
		last = now;
		/* a ring may have filled again during the write */
		if (round.is_slow || !has_written)
			nap(ns);
	}
	return NULL;
}

/* Waits until it has its own descriptors: the program may use up all of them
 * next. */
static void
wait_until_it_runs(struct proc *p)
{
	while (__atomic_load_n(&p->writer, __ATOMIC_ACQUIRE) == 0)
		futex_wait(&p->writer, 0, NULL);
}

void
weft_rt_writer_want(void)
{
	struct proc *p = weft_rt_proc;

	/* in this order: a start sets has_writer, then ends */
	if (__atomic_load_n(&weft_rt_config.has_writer, __ATOMIC_RELAXED) &&
		!__atomic_load_n(&p->is_starting, __ATOMIC_ACQUIRE) &&
		!__atomic_load_n(&p->has_writer, __ATOMIC_RELAXED))
		__atomic_store_n(&p->wants_writer, true, __ATOMIC_RELEASE);
}

/* Returns true if the caller is to start the writer. Call under the lock. */
static bool
claim(struct proc *p)
{
	if (!__atomic_load_n(&p->wants_writer, __ATOMIC_RELAXED) ||
		__atomic_load_n(&p->is_starting, __ATOMIC_RELAXED) ||
		p->state != PROC_READY)
		return false;
	WEFT_ASSERT(process_has_one_writer,
		!__atomic_load_n(&p->has_writer, __ATOMIC_RELAXED) &&
			__atomic_load_n(&p->writer, __ATOMIC_RELAXED) == 0);
	/* in this order: the exit sets is_closing, then waits for a start */
	__atomic_store_n(&p->is_starting, true, __ATOMIC_SEQ_CST);
	__atomic_store_n(&p->wants_writer, false, __ATOMIC_RELEASE);
	if (!weft_rt_proc_is_closing())
		return true;
	__atomic_store_n(&p->is_starting, false, __ATOMIC_RELEASE);
	return false;
}

/* Starting a thread calls the program's allocator. That may record an event,
 * or wait for a lock whose holder records one: no lock of ours may be held. */
static void
start(struct proc *p)
{
	if (weft_rt_ours_start(run, NULL, STACK, &p->handle)) {
		__atomic_store_n(&p->has_writer, true, __ATOMIC_RELEASE);
		wait_until_it_runs(p);
	} else {
		__atomic_store_n(
			&weft_rt_config.has_writer, false, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&p->is_starting, false, __ATOMIC_RELEASE);
}

/* Signals are blocked all the time: the handler of one may end the process,
 * which waits for the end of a start. */
static void
start_wanted(void *none)
{
	struct proc *p = weft_rt_proc;
	bool is_mine;
	sigset_t was;

	(void)none;
	weft_rt_proc_lock(&was);
	is_mine = claim(p);
	weft_rt_unlock(&p->lock);
	if (is_mine)
		start(p);
	signals_restore(&was);
}

void
weft_rt_writer_start(void)
{
	weft_rt_slow(start_wanted, NULL);
}

/* Returns true if the thread may hold a lock that starting a thread needs. */
static bool
may_hold_locks(void)
{
	return weft_rt_handler_may_be() ||
		(guest_hooks() != NULL && guest_hooks()->is_inside());
}

void
weft_rt_writer_offer(void)
{
	if (__atomic_load_n(&weft_rt_proc->wants_writer, __ATOMIC_ACQUIRE) &&
		!may_hold_locks())
		weft_rt_writer_start();
}

void
weft_rt_writer_avoid(void)
{
	struct proc *p = weft_rt_proc;
	cpu_set_t mine, left;
	int writer = __atomic_load_n(&p->writer, __ATOMIC_ACQUIRE);

	if (writer == 0 || sched_getaffinity(0, sizeof(mine), &mine) != 0 ||
		sched_getaffinity(writer, sizeof(left), &left) != 0 ||
		CPU_COUNT(&mine) >= CPU_COUNT(&left))
		return;
	CPU_XOR(&mine, &mine, &left);
	CPU_AND(&left, &left, &mine);
	if (CPU_COUNT(&left) > 0)
		sched_setaffinity(writer, sizeof(left), &left);
}

void
weft_rt_writer_stop(void)
{
	struct proc *p = weft_rt_proc;
	int cancel;

	WEFT_ASSERT(writer_is_not_awaited_under_the_lock, !held_is(RANK_PROC));
	__atomic_store_n(&p->wants_writer, false, __ATOMIC_RELEASE);
	while (__atomic_load_n(&p->is_starting, __ATOMIC_SEQ_CST))
		weft_rt_stream_pause(UINT_MAX);
	if (!__atomic_load_n(&p->has_writer, __ATOMIC_ACQUIRE))
		return;
	if (__atomic_exchange_n(&p->is_stopping, true, __ATOMIC_ACQUIRE)) {
		/* main ends while another thread ends the process */
		while (__atomic_load_n(&p->has_writer, __ATOMIC_ACQUIRE))
			weft_rt_stream_pause(UINT_MAX);
		return;
	}
	__atomic_store_n(&p->writer_ends, true, __ATOMIC_SEQ_CST);
	weft_rt_proc_wake();
	/* A join may be cancelled; the call that the program made may not. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	pthread_join(p->handle, NULL);
	pthread_setcancelstate(cancel, NULL);
	__atomic_store_n(&p->writer_ends, false, __ATOMIC_RELAXED);
	__atomic_store_n(&p->writer, 0, __ATOMIC_RELAXED);
	__atomic_store_n(&p->has_writer, false, __ATOMIC_RELEASE);
	__atomic_store_n(&p->is_stopping, false, __ATOMIC_RELEASE);
}

/* A join ends before the kernel has removed the thread from the process. */
static bool
is_there(int tid)
{
	return syscall(SYS_tgkill, getpid(), tid, 0) == 0;
}

bool
weft_rt_writer_pause(void)
{
	struct proc *p = weft_rt_proc;
	int tid = __atomic_load_n(&p->writer, __ATOMIC_ACQUIRE);

	if (!__atomic_load_n(&p->has_writer, __ATOMIC_ACQUIRE))
		return false;
	weft_rt_writer_stop();
	for (unsigned turn = 0; turn < GONE_TURNS && is_there(tid); turn++)
		weft_rt_stream_pause(turn);
	return true;
}

/* Requests the writer again. Returns false if the process ends. */
static bool
want_again(void)
{
	sigset_t was;

	if (!weft_rt_proc_enter(&was))
		return false;
	weft_rt_writer_want();
	weft_rt_proc_unlock(&was);
	return true;
}

void
weft_rt_writer_resume(void)
{
	if (want_again())
		weft_rt_writer_offer();
}

void
weft_rt_writer_stays(void)
{
	sigset_t was;

	if (!weft_rt_proc_enter(&was))
		return;
	weft_rt_proc->is_left = true;
	weft_rt_proc_unlock(&was);
	if (weft_rt_writer_pause() && want_again())
		weft_rt_writer_start();
}
