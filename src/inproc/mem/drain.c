/* SPDX-License-Identifier: MIT */
#include "inproc/mem/drain.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inproc/code/walk.h"
#include "inproc/core/assert.h"
#include "inproc/core/futex.h"
#include "inproc/core/guest.h"
#include "inproc/core/held.h"
#include "inproc/core/ours.h"
#include "inproc/core/pages.h"
#include "inproc/mem/blame.h"
#include "inproc/mem/calibrate.h"
#include "inproc/mem/events.h"
#include "inproc/mem/files.h"
#include "inproc/mem/first.h"
#include "inproc/mem/heap.h"
#include "inproc/mem/modules.h"
#include "inproc/mem/perf_source.h"
#include "inproc/mem/regions.h"
#include "inproc/mem/replay.h"
#include "inproc/mem/report.h"
#include "inproc/mem/resolve.h"
#include "inproc/mem/take.h"
#include "inproc/mem/ticks.h"
#include "inproc/mem/timer.h"
#include "inproc/mem/track.h"
#include "perf/alone.h"

enum {
	STACK = 512 << 10,
	/* ns: a round costs as much as ten samples, but must come before a ring
	 * is full */
	NAP = 40000000,
	SHORT_NAP = 2000000,
	/* ns of CPU time before sampling starts: most programs of scripts, and
	 * most children before an exec, have ended by then */
	HEAD_START = 1000000,
	FULL = 40, /* percent of a ring */
	/* ns that a sample waits, so that an allocation call in progress has
	 * registered its block */
	SETTLED = 1000000,
	LOOK = 1000000000,    /* ns between checks whether only our threads are
	                       * left */
	PATIENCE = 2000000000 /* ns that an ending program waits for the
	                       * drain */
};

enum phase {
	PHASE_NONE,
	PHASE_EARLY,  /* nothing is sampled yet */
	PHASE_WANTED, /* nothing is sampled yet, and a thread waits for
	               * sampling */
	PHASE_RUNS,
	PHASE_LAST,
	PHASE_DONE
};

static struct {
	pthread_mutex_t lock; /* RANK_DRAIN: held during a round */
	int phase;            /* atomic, enum phase; a futex: any thread sets
	                       * it */
	int rounds;           /* atomic; rounds done, counted under the lock; a
	                       * futex */
	int waiting; /* atomic: number of threads that wait until a round has
	              * taken all samples */
	bool was_orderly; /* atomic: set by the thread that ends the process, or
	                   * the drain */

	int tid;         /* atomic: of the thread; set by it */
	bool is_blind;   /* atomic: no samples are looked up any more */
	bool is_looking; /* atomic: they are, at this moment */

	/* Under the lock. */
	int unloading; /* threads in dlclose */
	bool is_told;  /* the beginning of process.mem is written */

	/* Set before the thread is made; is_left and next_look belong to the
	 * thread. */
	bool is_fork;
	pid_t pid;          /* process of the thread */
	uint64_t begun;     /* ns of CPU time, when it was started */
	bool is_left;       /* only our threads are left */
	uint64_t next_look; /* ns */
} drain = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
take_lock(void)
{
	held_before(RANK_DRAIN);
	pthread_mutex_lock(&drain.lock);
	held_take(RANK_DRAIN);
}

static void
give_lock(void)
{
	held_give(RANK_DRAIN);
	pthread_mutex_unlock(&drain.lock);
}

static void
flush_all(void)
{
	files_flush_process();
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (s->has_file)
			out_flush(s->out);
}

/* Marks threads that have ended: the next round takes their last samples. */
static void
find_ended(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == SELF_ENDED)
			s->state = SELF_LAST_ROUND;
}

static void
end_threads(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (s->state == SELF_LAST_ROUND)
			report_thread_end(files_process(), s);
}

static struct report_losses
losses_of_sources(void)
{
	return (struct report_losses){ .ring = ring_lost() + timer_lost(),
		.throttled = ring_throttled(),
		.in_tool = take_in_tool() };
}

/* Takes samples up to `until` (ns). Returns how full a ring was, in percent. */
static unsigned
round_of_all(uint64_t until, bool is_last)
{
	uint64_t before = ticks_now();
	unsigned percent = 0;

	WEFT_ASSERT(rounds_are_under_the_lock, held_is(RANK_DRAIN));
	ticks_compare();
	if (until != UINT64_MAX)
		before = ticks_of_ns(until);
	if (is_last)
		find_ended();
	__atomic_store_n(&drain.is_looking, true, __ATOMIC_SEQ_CST);
	if (drain.unloading == 0 &&
		!__atomic_load_n(&drain.is_blind, __ATOMIC_SEQ_CST)) {
		modules_look(files_process());
		report_threads(files_process());
		percent = ring_drain(until);
		timer_drain();
		first_take();
		take_end_round();
		heap_tick(before);
	}
	__atomic_store_n(&drain.is_looking, false, __ATOMIC_SEQ_CST);
	heap_write(files_process(), is_last);
	flush_all();
	end_threads();
	report_losses(files_process(), losses_of_sources());
	if (is_last && __atomic_load_n(&drain.was_orderly, __ATOMIC_RELAXED))
		report_end(files_process());
	files_flush_process();
	find_ended();
	regions_tick();
	__atomic_add_fetch(&drain.rounds, 1, __ATOMIC_SEQ_CST);
	futex_wake(&drain.rounds);
	return percent;
}

static void
set_phase(enum phase phase)
{
	__atomic_store_n(&drain.phase, (int)phase, __ATOMIC_SEQ_CST);
	futex_wake(&drain.phase);
}

static int
phase(void)
{
	return __atomic_load_n(&drain.phase, __ATOMIC_SEQ_CST);
}

static void
nap(int while_phase, const struct timespec *t)
{
	futex_wait(&drain.phase, while_phase, t);
}

/* Returns a nap after which rings are FULL percent full. */
static uint32_t
next_nap(uint32_t last, unsigned percent)
{
	uint32_t nap = percent > FULL ? last / percent * FULL : last + last / 4;

	return nap > NAP ? NAP : nap < SHORT_NAP ? SHORT_NAP : nap;
}

/* The thread's table must not hold descriptors that the program closes, and the
 * program must not close the thread's. */
static void
leave_descriptors(void)
{
	if (unshare(CLONE_FILES) == 0)
		syscall(SYS_close_range, 3u, ~0u, 0u);
}

/* Returns true when all threads of the program have ended, the main one by
 * pthread_exit(): the process then ends regularly, unless our threads keep
 * it. */
static bool
is_over(void)
{
	uint64_t now = ticks_ns();

	if (drain.is_left || now < drain.next_look)
		return drain.is_left;
	drain.next_look = now + LOOK;
	if (!weft_is_left_alone())
		return false; /* main may be ending at this moment */
	drain.is_left = true;
	__atomic_store_n(&drain.was_orderly, true, __ATOMIC_RELAXED);
	return true;
}

/* Waits until the process has used its head start, ends, or a thread wants
 * samples. */
static void
let_run_alone(void)
{
	struct timespec t = { 0, SHORT_NAP };

	while (phase() == PHASE_EARLY) {
		nap(PHASE_EARLY, &t);
		if (ticks_of_clock(CLOCK_PROCESS_CPUTIME_ID) - drain.begun >=
				HEAD_START ||
			is_over())
			return;
		t.tv_nsec = next_nap((uint32_t)t.tv_nsec, 0);
	}
}

static void
tell_begin(void)
{
	report_begin(files_process());
	modules_look(files_process());
	files_flush_process();
	drain.is_told = true;
}

/* Changes the phase, unless it is not `from` any more. */
static bool
change_phase(int from, enum phase to)
{
	if (!__atomic_compare_exchange_n(&drain.phase, &from, (int)to, false,
		    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return false;
	futex_wake(&drain.phase);
	return true;
}

/* Opens the sources; also starts timers in threads that began earlier. */
static void
open_sources(int main_tid)
{
	ring_open(main_tid);
	timer_open();
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == SELF_ALIVE)
			timer_start(s);
}

/* Returns false if the process has ended before. */
static bool
begin_sampling(int main_tid)
{
	let_run_alone();
	take_lock();
	if (phase() != PHASE_LAST)
		open_sources(main_tid);
	if (!drain.is_told)
		tell_begin();
	give_lock();
	return change_phase(PHASE_EARLY, PHASE_RUNS) ||
		change_phase(PHASE_WANTED, PHASE_RUNS);
}

static void *
run(void *main_tid)
{
	uint32_t length = SHORT_NAP;

	if (guest_hooks() != NULL)
		guest_hooks()->quiet();
	self_tls.is_internal = true;
	self_tls.is_gone = true;
	prctl(PR_SET_NAME, ALONE_MEM);
	__atomic_store_n(&drain.tid, gettid(), __ATOMIC_RELEASE);
	leave_descriptors();
	if (begin_sampling((int)(intptr_t)main_tid)) {
		calibrate_run();
		take_lock();
		report_setup(files_process());
		give_lock();
	}
	while (phase() == PHASE_RUNS && !is_over()) {
		struct timespec t = { 0, 0 };
		uint64_t until;

		take_lock();
		until = __atomic_load_n(&drain.waiting, __ATOMIC_SEQ_CST) > 0
			? UINT64_MAX
			: ticks_ns() - SETTLED;
		length = next_nap(length, round_of_all(until, false));
		give_lock();
		t.tv_nsec = length;
		nap(PHASE_RUNS, &t);
	}
	take_lock();
	round_of_all(UINT64_MAX, true);
	give_lock();
	set_phase(PHASE_DONE);
	return drain.is_left ? weft_rt_ours_is_last() : NULL;
}

/* A collector must not take the thread for one of the program: as that began,
 * it would start the recorder's writer, which waits for this thread. */
static bool
start_thread(void)
{
	const struct guest *guest = guest_hooks();
	uintptr_t before = guest != NULL ? guest->enter() : 0;
	bool ok = weft_rt_ours_start(
		run, (void *)(intptr_t)gettid(), STACK, NULL);

	if (guest != NULL)
		guest->leave(before);
	return ok;
}

/* Writes the file before the program runs, so that the program may die at once.
 * A child of fork may be about to exec: its file comes later. */
void
drain_start(void)
{
	drain.pid = getpid();
	drain.begun = ticks_of_clock(CLOCK_PROCESS_CPUTIME_ID);
	drain.next_look = ticks_ns() + LOOK;
	drain.is_told = drain.is_left = false;
	__atomic_store_n(&drain.tid, 0, __ATOMIC_RELAXED);
	take_lock();
	out_open(files_process(), MEM_FILE_PROCESS, 0, "process.mem");
	if (!drain.is_fork)
		tell_begin();
	give_lock();
	set_phase(PHASE_EARLY);
	if (!start_thread())
		drain.phase = PHASE_NONE;
	else if (events_are_exact())
		drain_sample_now();
}

void
drain_sample_now(void)
{
	struct timespec t = { 0, PATIENCE / 10 };
	uint64_t until;

	if (phase() != PHASE_EARLY || getpid() != drain.pid)
		return;
	until = ticks_ns() + PATIENCE;
	change_phase(PHASE_EARLY, PHASE_WANTED);
	while (phase() == PHASE_WANTED && ticks_ns() < until)
		nap(PHASE_WANTED, &t);
}

void
drain_finish(void)
{
	struct timespec t = { 0, PATIENCE / 10 };
	uint64_t until;
	int error = errno;

	/* the child of a fork that the library did not see has no such
	 * thread */
	if (self_tls.is_confined || phase() < PHASE_EARLY ||
		phase() > PHASE_RUNS || getpid() != drain.pid)
		return;
	__atomic_store_n(&drain.was_orderly, true, __ATOMIC_RELAXED);
	until = ticks_ns() + PATIENCE;
	set_phase(PHASE_LAST);
	while (phase() == PHASE_LAST && ticks_ns() < until)
		nap(PHASE_LAST, &t);
	errno = error;
}

bool
drain_is_alone(void)
{
	const struct timespec t = { 0, 20000 };
	uint64_t until = ticks_ns() + PATIENCE / 10;

	/* our thread is known by the name that it gives itself */
	while (phase() != PHASE_NONE && phase() != PHASE_DONE &&
		__atomic_load_n(&drain.tid, __ATOMIC_ACQUIRE) == 0 &&
		ticks_ns() < until)
		nanosleep(&t, NULL);
	return weft_is_only_thread();
}

void
drain_is_gone(void)
{
	const struct timespec t = { 0, 20000 };
	uint64_t until = ticks_ns() + PATIENCE;

	while (phase() == PHASE_DONE && ticks_ns() < until &&
		syscall(SYS_tgkill, getpid(),
			__atomic_load_n(&drain.tid, __ATOMIC_ACQUIRE), 0) == 0)
		nanosleep(&t, NULL);
}

void
drain_never_looks(void)
{
	__atomic_store_n(&drain.is_blind, true, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(&drain.is_looking, __ATOMIC_SEQ_CST))
		__builtin_ia32_pause();
}

/* Waits for a round of all samples by the drain's thread, whose costs are not
 * counted as the program's time. */
static void
wait_for_round(void)
{
	struct timespec t = { 0, SHORT_NAP };
	uint64_t until;
	int before;

	drain_sample_now(); /* the thread does no rounds before */
	until = ticks_ns() + PATIENCE;
	__atomic_add_fetch(&drain.waiting, 1, __ATOMIC_SEQ_CST);
	take_lock(); /* no round is in progress */
	before = drain.rounds;
	give_lock();
	while (phase() == PHASE_RUNS && getpid() == drain.pid &&
		__atomic_load_n(&drain.rounds, __ATOMIC_SEQ_CST) == before &&
		ticks_ns() < until) {
		futex_wake(&drain.phase);
		futex_wait(&drain.rounds, before, &t);
	}
	__atomic_sub_fetch(&drain.waiting, 1, __ATOMIC_SEQ_CST);
}

void
drain_before_unload(void)
{
	wait_for_round();
	take_lock();
	drain.unloading++;
	give_lock();
}

void
drain_after_unload(void)
{
	take_lock();
	drain.unloading--;
	modules_look(files_process());
	blame_forget();
	give_lock();
}

void
drain_hold(void)
{
	take_lock();
}

void
drain_let_go(void)
{
	give_lock();
}

void
drain_forked(void)
{
	drain.phase = PHASE_NONE;
	drain.unloading = 0;
	drain.waiting = 0;
	replay_start();
	drain.is_fork = true;
	modules_forked();
	regions_forked();
	resolve_forked();
	heap_forked();
	report_forked();
	events_forked();
	ring_forked();
	first_forked();
	timer_forked();
}
