/* SPDX-License-Identifier: MIT */
/*
 * weft/trace.h - records events at the cost of reading the clock.
 *
 *	weft_ev("6W[");                   an event of the nanos6 model
 *	weft_ev_u32("6Tx", task);         with a payload
 *	weft_enter(&solve); ...           a region of your own
 *
 * An event is a code of three letters (model, category, value) and 0 or 2 to 16
 * bytes of payload; the call takes its time. No set-up is needed: the first
 * event of a process and of a thread sets them up, and the end of the thread
 * (or exit) ends its stream. The trace is written to ./ovni, or to the
 * directory in the environment variable OVNI_TRACEDIR, in the ovni v3 format.
 *
 * An event costs one read of the time-stamp counter and a store: no lock, no
 * allocation, no system call. Recorded events survive the death of the process.
 *
 * All functions may be called from any thread, and in these situations:
 *
 *                    | event | named | new | ovni_ev | set-up | dump | ctf
 * handler, process   | yes   | -     | yes | yes     | yes    | yes  | yes
 * handler, thread    | yes   | yes   | yes | yes     | yes    | yes  | yes
 * handler, later     | yes   | yes   | yes | yes     | yes    | yes  | yes
 * constructor        | yes   | yes   | yes | yes     | yes    | yes  | yes
 * child              | no    | no    | no  | no      | yes    | no   | no
 * child of a handler | no    | no    | no  | no      | yes    | no   | no
 * stack of 16 KB     | yes   | yes   | yes | yes     | yes    | yes  | yes
 * stack of 8 KB      | yes   | -     | yes | yes     | yes    | yes  | yes
 * signals blocked    | yes   | yes   | yes | yes     | yes    | yes  | yes
 * atexit             | yes   | yes   | yes | yes     | yes    | yes  | yes
 * destructor         | yes   | yes   | yes | yes     | yes    | yes  | yes
 * key destructor     | yes   | yes   | yes | yes     | yes    | yes  | yes
 * exit               | no    | no    | no  | no      | -      | no   | no
 * exec               | yes   | yes   | yes | yes     | yes    | yes  | yes
 * _exit              | yes   | yes   | yes | yes     | yes    | yes  | yes
 *
 * yes: the call records, or does its work. no: the call does nothing and prints
 * nothing. -: the case does not exist.
 *
 * Columns (calls). event: weft_ev* and weft_jumbo*; named: regions, counters
 * and marks that were used before; new: the first use of one of them; ovni_ev:
 * ovni_ev_* and ovni_mark_push, pop, set; set-up: ovni_proc_init,
 * ovni_thread_init, ovni_add_cpu, ovni_thread_require, ovni_mark_type and
 * label; dump: weft_dump, off, on, lost; ctf: weft_ctf_* of an event without
 * counters.
 *
 * Lines (situations). handler: in a signal handler, where the call is the first
 * of the process, the first of the thread, or a later one; constructor: of C or
 * C++, before main; child: after fork(), where ovni_proc_init() or
 * weft_after_fork() begins a trace of the child's own; child of a handler: the
 * same after a fork() in a signal handler, from which the child returns (not
 * after _Fork() or clone()); stack of 16 KB: PTHREAD_STACK_MIN; stack of 8 KB:
 * an alternate signal stack; destructor: of the program; key destructor: of
 * pthread_key_create(), in its first two rounds, or of a C++ thread_local;
 * exit: in another thread that still runs when exit() has reached this library;
 * exec: before exec(), and in the new program, which is a process of its own in
 * the trace; _exit: before _exit() or quick_exit().
 *
 * exec(), _exit() and quick_exit() do not notify this library, and neither does
 * a signal that kills. Events recorded before are not lost: readers take from
 * the rings what was not yet written. But the threads have no end event, and
 * weft check warns of that.
 *
 * With calls of weft_* only, time never goes back in a stream, whatever signal
 * handlers record; nor does it if handlers call ovni_ev_emit(). But a thread
 * that calls ovni_ev_emit() reads the clock before the call: an event that a
 * handler records in between has a later time but precedes the thread's event
 * in the stream. weft check reports that. To avoid it, block signals from
 * ovni_clock_now() to ovni_ev_emit(), or call weft_* instead.
 *
 * In a handler no call allocates memory or takes a lock of the C library, and
 * errno is kept. One of the next events outside of handlers starts the thread
 * that writes the rings to the trace; until then the threads write their own
 * rings.
 *
 * Environment: WEFT_EVENTS WEFT_FULL WEFT_RING_KB WEFT_RING_DIR WEFT_WRITER
 * WEFT_MAX_MB WEFT_CLOCK; docs/user/recording.md describes each.
 *
 * C11, C17 and C++17; gcc and clang. Link with -lovni (pkg-config ovni).
 */
#ifndef WEFT_TRACE_H
#define WEFT_TRACE_H

#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_API __attribute__((visibility("default")))
/* The library also exports each of these functions as a symbol of the same
 * name, for other languages. */
#ifdef WEFT_OUT_OF_LINE
#define WEFT_INLINE WEFT_API
#else
#define WEFT_INLINE static inline __attribute__((always_inline, unused))
#endif

/* The layout of struct weft_ring. A program compiled with another layout than
 * the library's stops with a message at its first event. */
#define WEFT_LAYOUT 2

/*
 * The ring of a thread, as the inline code below needs it. For the library
 * only. Positions count bytes since the beginning of the stream and never wrap.
 */
struct weft_ring {
	uint64_t res;   /* position of the next record */
	uint64_t limit; /* a record that would end beyond this position asks for
	                 * room first */
	uint64_t *head; /* end of all complete records; lies in the ring's
	                 * file */
	unsigned char *base; /* the ring, mapped twice in a row */
	uint64_t mask;       /* size - 1 */
	uint64_t check;      /* ticks since line->tsc0 after which the code must
	                      * look for a new line */
	const struct weft_line *line;
};

/* time in ns = ns0 + ((tsc - tsc0) * mult >> 64); never changes once used */
struct weft_line {
	uint64_t tsc0, ns0, mult;
	uint64_t look; /* ticks after which to look for the next line */
};

extern WEFT_API __thread struct weft_ring *weft_self
	__attribute__((tls_model("initial-exec")));

/* One byte per model and category. 0: off, 1: on, else weft_ask() decides. */
extern WEFT_API unsigned char weft_gate[128 * 128];

/* Slow paths. weft_room() makes room for size bytes in weft_self, which it may
 * set up or replace; false: do not record the event. weft_ask() returns whether
 * to record an event of a model that was not used yet, and adds the model to
 * the thread's required models. */
WEFT_API int weft_room(uint64_t size, int layout);
WEFT_API int weft_ask(const char *mcv);
WEFT_API uint64_t weft_time(struct weft_ring *ring, uint64_t tsc);

WEFT_INLINE uint64_t
weft_ring_now(struct weft_ring *ring)
{
#ifdef __x86_64__
	/* Load the line first: a handler may store a later line, which does not
	 * hold for a counter value that was read before. */
	const struct weft_line *l =
		__atomic_load_n(&ring->line, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* If the counter was set back, this number is huge. */
	uint64_t ticks = __builtin_ia32_rdtsc() - l->tsc0;
	__asm__(""
		: "+r"(ticks)); /* stops the compiler from merging this number
	                         * with other numbers */
	if (__builtin_expect(ticks < ring->check, 1)) {
		__extension__ unsigned __int128 wide = ticks;
		return l->ns0 + (uint64_t)(wide * l->mult >> 64);
	}
	__asm__("" : "+r"(l));
	return weft_time(ring, ticks + l->tsc0);
#else
	return weft_time(ring, 0);
#endif
}

/* Reserves size bytes; safe against signal handlers on this thread. */
WEFT_INLINE uint64_t
weft_reserve(uint64_t *res, uint64_t size)
{
#ifdef __x86_64__
	__asm__ volatile("xaddq %0, %1"
			 : "+r"(size), "+m"(*res)
			 :
			 : "memory", "cc");
	return size;
#else
	return __atomic_fetch_add(res, size, __ATOMIC_RELAXED);
#endif
}

/* Returns true if a record that ends at `end` lies beyond the limit. The exit
 * of the process may lower the limit at any moment, so the code loads it once,
 * atomically, and in the comparison itself: compilers would use two
 * instructions. */
WEFT_INLINE int
weft_is_beyond(const uint64_t *limit, uint64_t end)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && \
	!defined(__SANITIZE_THREAD__)
	int is_beyond;
	__asm__ volatile("cmpq %1, %2"
			 : "=@cca"(is_beyond)
			 : "m"(*limit), "r"(end));
	return is_beyond;
#else
	return end > __atomic_load_n(limit, __ATOMIC_RELAXED);
#endif
}

/* Completes a record. A handler's record that came before the store waits for
 * this call; one that came after it was published by the handler, and to store
 * an older end then would set the head back below what the writer has drained.
 */
WEFT_INLINE void
weft_publish(struct weft_ring *ring, uint64_t pos)
{
	uint64_t res;
	if (__builtin_expect(
		    __atomic_load_n(ring->head, __ATOMIC_RELAXED) != pos, 0))
		return; /* the interrupted call publishes */
	do {
		res = __atomic_load_n(&ring->res, __ATOMIC_RELAXED);
		__atomic_store_n(ring->head, res, __ATOMIC_RELEASE);
	} while (__builtin_expect(
			 res != __atomic_load_n(&ring->res, __ATOMIC_RELAXED),
			 0) &&
		__atomic_load_n(ring->head, __ATOMIC_RELAXED) == res);
}

/*
 * Records an event now. `first` holds the event's first four bytes (flags and
 * code). The caller made sure of room.
 *
 * A signal handler may interrupt at any instruction and record as well. Records
 * lie in the order in which they were reserved. If a handler's record lies
 * behind ours before we have taken the time, our time must not be later than
 * the handler's. The outermost call publishes all records.
 */
WEFT_INLINE void
weft_store(struct weft_ring *ring, uint32_t first, const void *data, uint64_t n)
{
	uint64_t pos = weft_reserve(&ring->res, 12 + n), later;
	uint64_t time = weft_ring_now(ring);
	unsigned char *to;

	if (__builtin_expect(__atomic_load_n(&ring->res, __ATOMIC_RELAXED) !=
			    pos + 12 + n,
		    0)) {
		memcpy(&later, ring->base + ((pos + 12 + n) & ring->mask) + 4,
			8);
		if (later < time)
			time = later;
	}
	to = ring->base + (pos & ring->mask);
	memcpy(to, &first, 4);
	memcpy(to + 4, &time, 8);
	if (n > 0)
		memcpy(to + 12, data, n);
	weft_publish(ring, pos);
}

/* Does the same, and asks for room if necessary. */
WEFT_INLINE void
weft_record(uint32_t first, const void *data, uint64_t n)
{
	struct weft_ring *ring = weft_self;

	if (__builtin_expect(
		    weft_is_beyond(&ring->limit,
			    __atomic_load_n(&ring->res, __ATOMIC_RELAXED) + 12 +
				    n),
		    0)) {
		if (!weft_room(12 + n, WEFT_LAYOUT))
			return;
		ring = weft_self;
	}
	weft_store(ring, first, data, n);
}

WEFT_INLINE unsigned
weft_gate_of(const char *mcv)
{
	return (unsigned)((mcv[0] & 127) << 7 | (mcv[1] & 127));
}

/* Returns true if events of this model and category are recorded. */
WEFT_INLINE int
weft_is_on(const char *mcv)
{
	return __atomic_load_n(
		       &weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED) != 0;
}

/* Returns the first four bytes of an event with n bytes of payload. */
WEFT_INLINE uint32_t
weft_first(const char *mcv, uint64_t n)
{
	unsigned char byte[4] = { (unsigned char)(n > 0 ? n - 1 : 0),
		(unsigned char)mcv[0], (unsigned char)mcv[1],
		(unsigned char)mcv[2] };
	uint32_t first;
	memcpy(&first, byte, 4);
	return first;
}

/* Records an event with n bytes of payload, n = 0 or 2 to 16. */
WEFT_INLINE void
weft_ev_data(const char *mcv, const void *data, uint64_t n)
{
	unsigned char gate = __atomic_load_n(
		&weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED);

	if (__builtin_expect(gate != 1, 0) && (gate == 0 || !weft_ask(mcv)))
		return;
	weft_record(weft_first(mcv, n), data, n);
}

/* Records an event without payload. */
WEFT_INLINE void
weft_ev(const char *mcv)
{
	weft_ev_data(mcv, 0, 0);
}

WEFT_INLINE void
weft_ev_u32(const char *mcv, uint32_t a)
{
	weft_ev_data(mcv, &a, 4);
}

WEFT_INLINE void
weft_ev_i32(const char *mcv, int32_t a)
{
	weft_ev_data(mcv, &a, 4);
}

/* Two 32-bit values, as in "6Tc" (task, type). */
WEFT_INLINE void
weft_ev_u32_u32(const char *mcv, uint32_t a, uint32_t b)
{
	uint32_t both[2] = { a, b };
	weft_ev_data(mcv, both, 8);
}

WEFT_INLINE void
weft_ev_u64(const char *mcv, uint64_t a)
{
	weft_ev_data(mcv, &a, 8);
}

WEFT_INLINE void
weft_ev_i64(const char *mcv, int64_t a)
{
	weft_ev_data(mcv, &a, 8);
}

/* A 64-bit and a 32-bit value, as in "OM=" (value, type). */
WEFT_INLINE void
weft_ev_i64_i32(const char *mcv, int64_t a, int32_t b)
{
	unsigned char both[12];
	memcpy(both, &a, 8);
	memcpy(both + 8, &b, 4);
	weft_ev_data(mcv, both, 12);
}

/* Records an event with up to 2^32 - 1 bytes. An event larger than a quarter of
 * the ring is written to the file at once, and the call waits for that. */
WEFT_API void weft_jumbo(const char *mcv, const void *data, uint32_t n);

/* Records a jumbo event of a number and a text, as in "6Yc" (type, label). */
WEFT_API void weft_jumbo_u32_str(const char *mcv, uint32_t a, const char *text);

/*
 * Records the event `enter` now and the event `leave` at the end of the block,
 * whichever way control leaves the block:
 *
 *	WEFT_SCOPE("6C[", "6C]");
 */
WEFT_INLINE void
weft_scope_end(const char *const *leave)
{
	weft_ev(*leave);
}
#define WEFT_JOIN2(a, b) a##b
#define WEFT_JOIN(a, b) WEFT_JOIN2(a, b)
#define WEFT_SCOPE(enter, leave) \
	__attribute__((cleanup(weft_scope_end), unused)) \
	const char *const WEFT_JOIN(weft_scope_, __LINE__) = (leave); \
	weft_ev(enter)

/*
 * Regions: named parts of a program without a model of its own. They nest.
 *
 *	static struct weft_region solve = WEFT_REGION("solve");
 *	weft_enter(&solve); ... weft_leave(&solve);     or
 *	WEFT_IN(&solve);                                until the block's end
 *
 * The timeline shows them as mark type 99, "Regions".
 */
struct weft_region {
	const char *name;
	int64_t value; /* set at first use; the same in all processes */
};
#define WEFT_REGION(name) \
	{ \
		(name), 0 \
	}
#define WEFT_REGION_TYPE 99

/* Gives a region its value and writes its name to the metadata of the calling
 * thread. Returns the value. */
WEFT_API int64_t weft_region_name(struct weft_region *region);

WEFT_INLINE int64_t
weft_region_value(struct weft_region *region)
{
	int64_t value = __atomic_load_n(&region->value, __ATOMIC_ACQUIRE);
	return __builtin_expect(value != 0, 1) ? value
					       : weft_region_name(region);
}

WEFT_INLINE void
weft_enter(struct weft_region *region)
{
	weft_ev_i64_i32("OM[", weft_region_value(region), WEFT_REGION_TYPE);
}

WEFT_INLINE void
weft_leave(struct weft_region *region)
{
	weft_ev_i64_i32("OM]", weft_region_value(region), WEFT_REGION_TYPE);
}

WEFT_INLINE void
weft_region_end(struct weft_region *const *region)
{
	weft_leave(*region);
}
#define WEFT_IN(region) \
	__attribute__((cleanup(weft_region_end), \
		unused)) struct weft_region *const WEFT_JOIN(weft_in_, \
		__LINE__) = (region); \
	weft_enter(WEFT_JOIN(weft_in_, __LINE__))

/*
 * Counters: a number over time, as a mark type from 0 to 98 that you choose;
 * the same type must have the same title in all processes. Any value but
 * INT64_MIN, which readers of traces refuse.
 *
 *	static struct weft_counter queue = WEFT_COUNTER(1, "Queue length");
 *	weft_count(&queue, n);
 */
struct weft_counter {
	const char *title;
	int32_t type;
	int32_t is_named;
};
#define WEFT_COUNTER(type, title) \
	{ \
		(title), (type), 0 \
	}

/* Writes a counter's title to the metadata. */
WEFT_API void weft_counter_name(struct weft_counter *counter);

WEFT_INLINE void
weft_count(struct weft_counter *counter, int64_t value)
{
	if (__builtin_expect(
		    !__atomic_load_n(&counter->is_named, __ATOMIC_ACQUIRE), 0))
		weft_counter_name(counter);
	weft_ev_i64_i32("OM=", value, counter->type);
}

/*
 * Marks: what holds in a thread from now on, a phase or a mode, as named values
 * of a mark type from 0 to 98 that you choose. A type is for counters or for
 * marks, and has the same title in all processes.
 *
 *	static struct weft_mark warm = WEFT_MARK(2, "Phase", "Warming up");
 *	static struct weft_mark full = WEFT_MARK(2, "Phase", "Full speed");
 *	weft_set(&warm); ... weft_set(&full);
 */
struct weft_mark {
	const char *title; /* title of the mark type */
	const char *name;
	int64_t value; /* set at first use; the same in all processes */
	int32_t type;
};
#define WEFT_MARK(type, title, name) \
	{ \
		(title), (name), 0, (type) \
	}

/* Gives a mark its value, and writes the type's title and the mark's name to
 * the metadata of the calling thread. Returns the value. */
WEFT_API int64_t weft_mark_name(struct weft_mark *mark);

/* The mark holds until another mark of its type is set. */
WEFT_INLINE void
weft_set(struct weft_mark *mark)
{
	int64_t value = __atomic_load_n(&mark->value, __ATOMIC_ACQUIRE);

	if (__builtin_expect(value == 0, 0))
		value = weft_mark_name(mark);
	weft_ev_i64_i32("OM=", value, mark->type);
}

/*
 * Switches recording off and on again, for all threads and also for CTF
 * tracepoints. Events that start, end or move threads are always recorded.
 * Switch while no region is open: weft check reports an enter without its
 * leave.
 */
WEFT_API void weft_off(void);
WEFT_API void weft_on(void);

/* Declares which model the thread's events belong to, for instance "nanos6",
 * "1.1.0"; once per process. The first event of a model that weft knows
 * declares it automatically, in weft's version, unless this call came
 * before. */
WEFT_API void weft_require(const char *model, const char *version);

/* In a child of fork(): the next event of the child begins a trace of its own,
 * as the first event of a process does. Without this call, or
 * ovni_proc_init(), the child records nothing. Elsewhere the call does nothing.
 * A signal handler may call it. */
WEFT_API void weft_after_fork(void);

/* With WEFT_FULL=overwrite: writes the present contents of all rings to the
 * trace. Returns false if that fails. */
WEFT_API int weft_dump(void);

/* Returns the number of this process's events that were lost because a ring
 * was full. */
WEFT_API uint64_t weft_lost(void);

#ifdef __cplusplus
}
#endif
#endif
