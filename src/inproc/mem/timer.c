/* SPDX-License-Identifier: MIT */
#include "inproc/mem/timer.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "inproc/code/walk.h"
#include "inproc/core/assert.h"
#include "inproc/core/held.h"
#include "inproc/core/pages.h"
#include "inproc/mem/events.h"
#include "inproc/mem/report.h"
#include "inproc/mem/self.h"
#include "inproc/mem/skid.h"
#include "inproc/mem/take.h"
#include "inproc/mem/ticks.h"

enum {
	BYTES = 32768,
	RED_ZONE =
		128, /* bytes below the stack pointer that leaf functions use */
	STACK = RED_ZONE + 256
};

struct entry {
	uint32_t size; /* size of the whole entry; 0: continue at the ring's
	                * beginning */
	uint32_t count;
	int event;
	uint16_t cpu;
	bool is_cut;
	uint64_t time;
	struct registers at;
	int npath;
	uint64_t stack_lo;
	uint64_t path[]; /* followed by the inner end of the stack */
};

struct timer_ring {
	/* Belong to the thread or the drain, whichever set is_timed in the
	 * thread's self; when the thread ends, to the thread. */
	timer_t timer[EVENTS_MAX];
	bool has_timer[EVENTS_MAX];
	uint32_t head; /* atomic, total bytes; written by the handler */
	uint32_t tail; /* atomic, total bytes; written by the drain */
	uint64_t lost; /* atomic; written by the handler */
	_Alignas(8) char bytes[BYTES];
};

static bool is_open; /* atomic; set by the drain, under its lock */

static int
signal_number(void)
{
	return SIGRTMAX - 2;
}

static void
copy_registers(struct registers *to, const ucontext_t *from)
{
	static const uint8_t order[REGS] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX,
		REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10,
		REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

	for (int i = 0; i < REGS; i++)
		to->r[i] = (uint64_t)from->uc_mcontext.gregs[order[i]];
	to->ip = (uint64_t)from->uc_mcontext.gregs[REG_RIP];
	to->flags = (uint64_t)from->uc_mcontext.gregs[REG_EFL];
}

static int
walk_live(const struct self *s, const struct registers *r, uint64_t *to,
	bool *cut)
{
	uint64_t sp = r->r[REG_SP];
	struct stack stack = { sp, s->stack_hi, (const void *)(uintptr_t)sp };

	if (sp < s->stack_lo || sp >= s->stack_hi)
		stack.hi = (sp | 4095) + 1;
	return walk(&stack, (struct frame){ r->ip, sp, r->r[REG_BP] }, to,
		MEM_PATH_MAX, cut);
}

/* Returns how many bytes to copy of the stack's inner end, and sets *lo to the
 * address of the first. Returns 0 if sp lies outside of the thread's stack. */
static uint32_t
inner_stack(const struct self *s, uint64_t sp, uint64_t *lo)
{
	uint64_t here = (uintptr_t)&here, bytes;

	if (sp < s->stack_lo || sp >= s->stack_hi)
		return 0;
	/* on an alternate signal stack the bytes below sp are unknown */
	*lo = here < sp && here >= s->stack_lo ? sp - RED_ZONE : sp;
	bytes = s->stack_hi - *lo;
	return (uint32_t)(bytes < STACK ? bytes & ~(uint64_t)7 : STACK);
}

/* Returns contiguous room for an entry, or NULL. */
static struct entry *
reserve(struct timer_ring *r, uint32_t size)
{
	uint32_t tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	uint32_t at = r->head % BYTES;

	WEFT_ASSERT(timer_ring_holds_what_is_between, r->head - tail <= BYTES);
	WEFT_ASSERT(timer_entries_are_aligned, at % 8 == 0 && size % 8 == 0);
	if (at + size > BYTES) {
		uint32_t rest = BYTES - at, none = 0;

		if (r->head + rest - tail > BYTES)
			return NULL;
		memcpy(r->bytes + at, &none, sizeof(none));
		__atomic_store_n(&r->head, r->head + rest, __ATOMIC_RELEASE);
		at = 0;
	}
	if (r->head + size - tail > BYTES)
		return NULL;
	return (struct entry *)(void *)(r->bytes + at);
}

static void
note(struct self *s, int event, uint32_t count, const ucontext_t *context)
{
	struct timer_ring *r = s->timer;
	struct registers at;
	uint64_t path[MEM_PATH_MAX];
	struct entry *e;
	uint64_t lo = 0;
	uint32_t size, nstack;
	bool cut;
	int n;

	copy_registers(&at, context);
	n = walk_live(s, &at, path, &cut);
	nstack = inner_stack(s, at.r[REG_SP], &lo);
	size = (uint32_t)(sizeof(*e) + (size_t)n * sizeof(path[0])) + nstack;
	e = reserve(r, size);
	if (e == NULL) {
		__atomic_store_n(&r->lost, r->lost + count, __ATOMIC_RELAXED);
		return;
	}
	*e = (struct entry){ .size = size,
		.count = count,
		.event = event,
		.cpu = (uint16_t)sched_getcpu(),
		.is_cut = cut,
		.time = ticks_ns(),
		.at = at,
		.npath = n,
		.stack_lo = lo };
	memcpy(e->path, path, (size_t)n * sizeof(path[0]));
	if (nstack > 0)
		memcpy(e->path + n, (const void *)(uintptr_t)lo, nstack);
	__atomic_store_n(&r->head, r->head + size, __ATOMIC_RELEASE);
}

static void
handle(int signal, siginfo_t *info, void *context)
{
	struct self *s = self_tls.self;
	const ucontext_t *at = context;
	int error = errno;

	(void)signal;
	if (info->si_code != SI_TIMER)
		return;
	if (self_tls.is_internal && self_tls.is_gone)
		skid_note((uint64_t)at->uc_mcontext.gregs[REG_RIP]);
	else if (s != NULL &&
		__atomic_load_n(&s->timer, __ATOMIC_ACQUIRE) != NULL)
		note(s, info->si_value.sival_int,
			1 + (uint32_t)info->si_overrun, context);
	errno = error;
}

void
timer_open(void)
{
	struct sigaction a = { .sa_sigaction = handle,
		.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK };
	struct timespec tick = { 0, 0 };

	bool is_used = false;

	for (int i = 0; i < events.n; i++) {
		struct event *e = &events.event[i];

		if (e->source != MEM_SOURCE_NONE || e->kind == MEM_EVENT_FAULT)
			continue;
		e->source = MEM_SOURCE_TIMER;
		/* the kernel checks timers only at its tick */
		if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) == 0 &&
			(uint64_t)tick.tv_nsec > e->period)
			e->real = (uint64_t)tick.tv_nsec;
		is_used = true;
	}
	sigfillset(&a.sa_mask);
	__atomic_store_n(&is_open,
		is_used && sigaction(signal_number(), &a, NULL) == 0,
		__ATOMIC_RELEASE);
}

/*
 * Returns the clock of a thread's user time, like the perf ring's task-clock
 * without the kernel: a tick inside a page fault would find an instruction that
 * has not been executed yet. The encoding is that of <linux/posix-timers.h>,
 * which is not available to programs: thread (~tid << 3), per thread (4), user
 * time (1).
 */
static clockid_t
user_time(int tid)
{
	return (clockid_t)(~(unsigned)tid << 3 | 4 | 1);
}

static bool
make_timer(clockid_t clock, int tid, uint64_t ns, int value, timer_t *timer)
{
	struct timespec step = { (time_t)(ns / 1000000000),
		(long)(ns % 1000000000) };
	struct itimerspec t = { step, { 0, 0 } };
	struct sigevent to = { .sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = signal_number(),
		.sigev_value.sival_int = value };
	uint64_t first;

	/* random first period, so that short threads get samples, too */
	first = 1 + self_random() % ns;
	t.it_value.tv_sec = (time_t)(first / 1000000000);
	t.it_value.tv_nsec = (long)(first % 1000000000);
	to._sigev_un._tid = tid;
	return timer_create(clock, &to, timer) == 0 &&
		timer_settime(*timer, 0, &t, NULL) == 0;
}

static timer_t test;

static void
let_through(int how)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, signal_number());
	pthread_sigmask(how, &one, NULL);
}

/* Interrupts by a timer on CLOCK_MONOTONIC, which is more precise than the
 * kernel's tick. The handler is that of the other timers. */
bool
timer_test_begin(uint64_t ns)
{
	let_through(SIG_UNBLOCK);
	return make_timer(CLOCK_MONOTONIC, gettid(), ns, 0, &test);
}

void
timer_test_end(void)
{
	timer_delete(test);
	let_through(SIG_BLOCK);
}

void
timer_start(struct self *s)
{
	if (!__atomic_load_n(&is_open, __ATOMIC_ACQUIRE) ||
		__atomic_exchange_n(&s->is_timed, true, __ATOMIC_ACQ_REL))
		return;
	if (s->timer_room == NULL)
		s->timer_room = room_take(sizeof(*s->timer));
	__atomic_store_n(&s->timer, s->timer_room, __ATOMIC_RELEASE);
	for (int i = 0; i < events.n; i++) {
		if (events.event[i].source != MEM_SOURCE_TIMER)
			continue;
		if (s->timer != NULL &&
			make_timer(user_time(s->tid), s->tid,
				events.event[i].period, i, &s->timer->timer[i]))
			s->timer->has_timer[i] = true;
		else
			report_unsampled(s->timer == NULL ? ENOMEM : errno);
	}
}

void
timer_stop(void)
{
	struct self *s = self_tls.self;

	if (s == NULL || s->timer == NULL)
		return;
	for (int i = 0; i < EVENTS_MAX; i++)
		if (s->timer->has_timer[i])
			timer_delete(s->timer->timer[i]);
	memset(s->timer->has_timer, 0, sizeof(s->timer->has_timer));
	__atomic_store_n(&s->is_timed, false, __ATOMIC_RELEASE);
}

static void
take_entry(const struct self *s, const struct entry *e)
{
	const uint64_t *bytes = e->path + e->npath;
	uint64_t n =
		e->size - (uint64_t)((const char *)bytes - (const char *)e);

	take_sample(&(struct sample){ .event = e->event,
		.tid = s->tid,
		.cpu = e->cpu,
		.count = e->count,
		.time = e->time,
		.has_registers = true,
		.at = e->at,
		.stack = { e->stack_lo, e->stack_lo + n,
			n == 0 ? NULL : bytes },
		.path = e->path,
		.npath = e->npath,
		.is_cut = e->is_cut });
}

static void
drain_one(struct self *s)
{
	struct timer_ring *r = s->timer;
	uint32_t head = __atomic_load_n(&r->head, __ATOMIC_ACQUIRE);

	WEFT_ASSERT(timer_ring_is_emptied_by_the_drain, held_is(RANK_DRAIN));
	while (r->tail != head) {
		uint32_t at = r->tail % BYTES, step;
		const struct entry *e = (const void *)(r->bytes + at);

		step = e->size == 0 ? BYTES - at : e->size;
		WEFT_ASSERT(timer_entry_lies_before_the_head,
			step <= head - r->tail && at + step <= BYTES);
		if (e->size != 0)
			take_entry(s, e);
		__atomic_store_n(&r->tail, r->tail + step, __ATOMIC_RELEASE);
	}
}

void
timer_drain(void)
{
	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (__atomic_load_n(&s->timer, __ATOMIC_ACQUIRE) != NULL)
			drain_one(s);
}

uint64_t
timer_lost(void)
{
	uint64_t n = 0;

	for (struct self *s = self_all(); s != NULL; s = s->next)
		if (s->timer_room != NULL)
			n += __atomic_load_n(
				&s->timer_room->lost, __ATOMIC_RELAXED);
	return n;
}

/* A child of fork does not inherit timers. */
void
timer_forked(void)
{
	is_open = false;
	for (struct self *s = self_all(); s != NULL; s = s->next) {
		s->timer = NULL;
		s->is_timed = false;
		if (s->timer_room != NULL)
			memset(s->timer_room, 0,
				offsetof(struct timer_ring, bytes));
	}
}
