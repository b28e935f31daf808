/* SPDX-License-Identifier: MIT */
/*
 * wait.h - records waits and hand-overs.
 *
 * While a thread records, it is busy: the wrappers that it enters meanwhile
 * call the real functions and do nothing else. The recorder's first event of a
 * thread takes locks, and would otherwise come back here without end.
 */
#ifndef WEFT_INPROC_COLLECT_WAIT_H
#define WEFT_INPROC_COLLECT_WAIT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "inproc/collect/objects.h"

/* Exports a name that the loader finds before the C library's. */
#define WRAPPER __attribute__((visibility("default")))
#define SLOW __attribute__((noinline))

/* The return address of a wrapper, and its frame: the stack pointer of its
 * caller before the call. */
#define CALLER __builtin_return_address(0)
#define FRAME __builtin_dwarf_cfa()

/* The result of a wait, in the event of its end. */
enum result { GOT = 0, FAILED = 1, CUT = 2 };

/* HAS_MIDDLE: the first event has a number between object and line. HAS_I64:
 * the result is an i64, where negative is a negated errno. */
enum { HAS_MIDDLE = 1, HAS_I64 = 2, OWNER_SHIFT = 8 };

/* The middle is the id of the thread that owns the object, which lies at this
 * offset in it, not 0. */
#define HAS_OWNER(offset) (HAS_MIDDLE | (unsigned)(offset) << OWNER_SHIFT)

/* A kind of wait. */
struct wait_row {
	const char *enter, *leave; /* events */
	enum kind kind;
	unsigned has; /* HAS_ bits */
};

/* An open wait of a thread. */
struct waiting {
	const struct wait_row *row;
	struct object *object; /* NULL: the table had no room */
	uint32_t place;        /* index among the thread's open waits */
	bool is_recorded;
};

enum { OPEN_MAX = 8 };

/* Who made a thread or process. */
struct maker {
	int32_t tid;   /* 0: not known */
	uint64_t time; /* ns */
};

struct collect_self {
	uint32_t busy, nopen;
	uintptr_t stack;    /* stack pointer when it became busy; UINTPTR_MAX
	                     * while it is not, or must not count as left */
	struct maker maker; /* of this thread, until it is recorded */
	bool is_unborn;     /* collect_begin() was not called; busy counts it */
	bool is_confined;   /* nothing is recorded any more: confine.h */
	bool is_lent;       /* is_confined was set by a child that shares the
	                     * memory of this thread */
	bool is_named;      /* the thread's name was recorded */
	uint32_t site;      /* site of the thread's OpenMP region, or 0 */
	struct open {
		const void *frame; /* FRAME of the wrapper */
		struct waiting waiting;
	} open[OPEN_MAX];
};

extern __thread struct collect_self collect_self
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* Atomic: how often a thread was confined, less those that a child gave back
 * (confine.h). */
extern uint32_t collect_nconfined __attribute__((visibility("hidden")));

/* The collectors of this library. */
enum does { LOCKS = 1, IO = 2, SLEEP = 4, OPENMP = 8, CHUNKS = 16 };

/* Reads which, at the first call: when the library is loaded, or a library's
 * constructor calls a wrapper before. */
void collect_load(void);

/* Bits of enum does; set at load. */
extern unsigned collect_has __attribute__((visibility("hidden")));

/* Atomic; the recorder changes the number whenever events of any thread are
 * lost. */
extern uint32_t collect_losses __attribute__((visibility("hidden")));

/* Calls shorter than this are only counted, ns. */
extern uint64_t collect_io_ns __attribute__((visibility("hidden")));

static inline __attribute__((always_inline)) uintptr_t
collect_stack(void)
{
	uintptr_t at;

	__asm__ volatile("mov %%rsp, %0" : "=r"(at));
	return at;
}

/* Begin and end work during which wrappers record nothing. A signal handler
 * may come between any two instructions: it finds a thread that is busy either
 * with the stack pointer of this work, or with UINTPTR_MAX. */
static inline void
collect_enter(void)
{
	if (__builtin_expect(collect_self.busy == 0, 1))
		collect_self.stack = collect_stack();
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	collect_self.busy++;
}

static inline void
collect_leave(void)
{
	if (__builtin_expect(collect_self.busy > 1, 0)) {
		collect_self.busy--;
		return;
	}
	collect_self.busy = 0;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	collect_self.stack = UINTPTR_MAX;
}

/* Called when a thread begins. */
static inline void
collect_begin(void)
{
	if (collect_self.is_unborn)
		collect_self.busy--;
	collect_self.is_unborn = false;
}

/* Returns true, and makes the thread free, if it is busy only because it begins
 * with this call, or because a signal handler left our work by longjmp().
 * caller, stack: of a wrapper. */
bool collect_was_left(const void *caller, uintptr_t stack)
	__attribute__((cold));

/* Returns true if the thread is not busy. For wrappers. */
static inline __attribute__((always_inline)) bool
collect_is_free(void)
{
	return __builtin_expect(collect_self.busy == 0, 1) ||
		collect_was_left(__builtin_return_address(0), collect_stack());
}

/* Returns true if a wrapper is to do more than call the real function. */
static inline __attribute__((always_inline)) bool
collect_does(enum does what)
{
	return (collect_has & what) != 0 && collect_is_free();
}

static inline __attribute__((always_inline)) bool
collect_looks(void)
{
	return collect_does(LOCKS);
}

enum { CALLS_MAX = 35 };

/* Records the begin of a wait for an object, and its end. caller, frame: of the
 * wrapper, see CALLER and FRAME. Both keep errno. */
void wait_begin(struct waiting *w, const struct wait_row *row,
	const void *address, const void *caller, const void *frame);
void wait_end(struct waiting *w, uint32_t result);

/* Does the same for a condition and its mutex. */
void wait_begin_condition(struct waiting *w, const struct wait_row *row,
	const void *address, const void *mutex, const void *caller,
	const void *frame);

/* Records the begin of a wait by an event of these bytes and the line. n: at
 * most 12. */
void wait_begin_data(struct waiting *w, const struct wait_row *row,
	const void *data, uint32_t n, const void *caller, const void *frame);

/* Records the end of such a wait, whose row has HAS_I64. */
void wait_end_i64(struct waiting *w, int64_t result);

/* Ends a wait that was cancelled; for pthread_cleanup_push(). */
void wait_cut(void *waiting);

/* Returns the id of a thread that has not ended, or 0: the clock of a thread
 * has its id in it. */
int32_t wait_tid(pthread_t thread);

/* Records the name of the calling thread, and who made it. */
void wait_tell_name(void);

/* Makes the stream of a thread that has none, for this event. That may last
 * longer than the wait: so the event, and the definitions that it needs, get
 * the time before (put_time). */
void wait_begin_stream(const char *event) __attribute__((cold));

/* Returns the calling thread and the time. */
struct maker wait_maker(void);

/* Records that an object goes to those who wait for it, if anyone waits. n: the
 * second number of the event; 0: the line of the caller; NO_SECOND: none. */
#define NO_SECOND UINT32_MAX
void wait_hand_over_slow(const char *event, const void *address, enum kind kind,
	uint32_t n, const void *caller);

static inline void
wait_hand_over(const char *event, const void *address, enum kind kind,
	uint32_t n, const void *caller)
{
	if (__builtin_expect(
		    __atomic_load_n(objects_waiting, __ATOMIC_RELAXED) != 0, 0))
		wait_hand_over_slow(event, address, kind, n, caller);
}

#endif
