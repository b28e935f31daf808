/* SPDX-License-Identifier: MIT */
/*
 * weft/trace.h - events at the price of the clock.
 *
 *	weft_ev("6W[");                   an event of the nanos6 model
 *	weft_ev_u32("6Tx", task);         with a payload
 *	weft_enter(&solve); ...           a region of your own
 *
 * An event is a code of three letters (model, category, value) and 0 or 2 to 16
 * bytes of payload; its time is taken by the call. Nothing has to be set up:
 * the first event of a process and of a thread does that, the end of a thread
 * (or exit) ends its stream. The trace is written to ./ovni, or where the
 * environment variable OVNI_TRACEDIR says, in the ovni v3 format.
 *
 * An event costs one read of the time-stamp counter and a store: no lock, no
 * allocation, no system call. What was recorded survives the death of the
 * process.
 *
 * All functions may be called from any thread, and from these places:
 *
 *                    | event | named | new | ovni_ev | set-up | dump | point
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
 * yes: it is recorded, or done. no: nothing is recorded, nothing is said. -:
 * there is no such case.
 *
 * The calls. event: weft_ev* and weft_jumbo*; named: regions and counters that
 * were used before; new: their first use; ovni_ev: ovni_ev_* and
 * ovni_mark_push, pop, set; set-up: ovni_proc_init, ovni_thread_init,
 * ovni_add_cpu, ovni_thread_require, ovni_mark_type and label; dump: weft_dump,
 * off, on, lost; point: weft_ctf_* of an event without counters.
 *
 * The places. handler: of a signal; process, thread: what is called there is
 * the first of the process, of the thread; constructor: of C or C++, before
 * main; child: of fork(), which has a trace of its own from ovni_proc_init()
 * on; child of a handler: fork() was called in one, the child returns from it
 * (not after _Fork() or clone()); stack of 16 KB: PTHREAD_STACK_MIN; stack of 8
 * KB: an alternate one for signals; destructor: of the program; key destructor:
 * of pthread_key_create(), in its first two rounds, or of a C++ thread_local;
 * exit: another thread goes on when exit() has come to this library; exec:
 * before exec(), and in the program that it starts, which is a process of its
 * own in the trace; _exit: before _exit() or quick_exit().
 *
 * These three do not tell this library, no more than a signal that kills does.
 * Nothing that was recorded before is lost: what was not yet written is read
 * from the rings. But the threads have no end, which weft check warns of.
 *
 * Of calls of weft_* alone, time never goes back in a stream, whatever handlers
 * do; nor does it if handlers call ovni_ev_emit(). But a thread that calls that
 * takes the clock first: what a handler records in between is later, and lies
 * before the event. weft check finds it. Block signals from ovni_clock_now() to
 * ovni_ev_emit(), or call weft_* there as well.
 *
 * No call allocates memory or takes a lock of the C library in a handler, and
 * errno is kept. The thread that writes the rings out is started by one of the
 * next events outside of handlers; until then their owners do that.
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
/* The library itself has each of these functions as a symbol as well, of the
 * same name, for other languages. */
#ifdef WEFT_OUT_OF_LINE
#define WEFT_INLINE WEFT_API
#else
#define WEFT_INLINE static inline __attribute__((always_inline, unused))
#endif

/* The layout of struct weft_ring. A program compiled with another layout
 * than its library's stops with a message at its first event. */
#define WEFT_LAYOUT 2

/*
 * The ring of a thread, as the code below needs it. Not to be touched.
 * Positions count bytes since the stream's beginning and never wrap.
 */
struct weft_ring {
	uint64_t res;        /* where the next record goes */
	uint64_t limit;      /* records that end beyond ask for room first */
	uint64_t *head;      /* all before is whole; lies in the ring's file */
	unsigned char *base; /* the ring, mapped twice in a row */
	uint64_t mask;       /* size - 1 */
	uint64_t check;      /* ticks of the line after which to look again */
	const struct weft_line *line;
};

/* time in ns = ns0 + ((tsc - tsc0) * mult >> 64); never changes once used */
struct weft_line {
	uint64_t tsc0, ns0, mult;
	uint64_t look; /* ticks after which to look for the next line */
};

extern WEFT_API __thread struct weft_ring *weft_self
	__attribute__((tls_model("initial-exec")));

/* One byte a model and category. 0: off, 1: on, else weft_ask() knows. */
extern WEFT_API unsigned char weft_gate[128 * 128];

/* The slow ways. weft_room() makes room for size bytes in weft_self, which it
 * may set up or replace; false: the event is not recorded. weft_ask() says
 * whether an event is recorded, of a model that was not used yet, which it
 * requires. */
WEFT_API int weft_room(uint64_t size, int layout);
WEFT_API int weft_ask(const char *mcv);
WEFT_API uint64_t weft_time(struct weft_ring *ring, uint64_t tsc);

WEFT_INLINE uint64_t
weft_ring_now(struct weft_ring *ring)
{
#ifdef __x86_64__
	/* The line first: a handler may put a later one there, which does not
	 * hold for a counter that was read before. */
	const struct weft_line *l =
		__atomic_load_n(&ring->line, __ATOMIC_RELAXED);
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	/* A counter that was set back makes this number huge. */
	uint64_t ticks = __builtin_ia32_rdtsc() - l->tsc0;
	__asm__("" : "+r"(ticks)); /* the compiler keeps this number alone */
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

/* Reserves size bytes against handlers of signals on this thread. */
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

/* Does a record that ends there lie beyond the limit? The exit of the process
 * may lower that at any moment: one load of an atomic, which compilers leave
 * apart from the comparison. */
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

WEFT_INLINE void
weft_publish(struct weft_ring *ring, uint64_t pos)
{
	uint64_t res;
	if (__builtin_expect(
		    __atomic_load_n(ring->head, __ATOMIC_RELAXED) != pos, 0))
		return; /* this handler interrupted a call, which publishes */
	do {
		res = __atomic_load_n(&ring->res, __ATOMIC_RELAXED);
		__atomic_store_n(ring->head, res, __ATOMIC_RELEASE);
	} while (__builtin_expect(
		res != __atomic_load_n(&ring->res, __ATOMIC_RELAXED), 0));
}

/*
 * Records an event whose first four bytes are first (flags and code), now.
 * There is room.
 *
 * A handler of a signal may come in at any instruction and record as well.
 * Whoever reserves first lies first; if a record lies behind ours before we
 * have the time, its time is the latest that ours may have. The outermost call
 * publishes all.
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

/* The same where there may be no room. */
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

/* Is the model and category of a code recorded? */
WEFT_INLINE int
weft_is_on(const char *mcv)
{
	return __atomic_load_n(
		       &weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED) != 0;
}

/* The four first bytes of an event with n bytes of payload. */
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

/* An event with n bytes of payload, n = 0 or 2 to 16. */
WEFT_INLINE void
weft_ev_data(const char *mcv, const void *data, uint64_t n)
{
	unsigned char gate = __atomic_load_n(
		&weft_gate[weft_gate_of(mcv)], __ATOMIC_RELAXED);

	if (__builtin_expect(gate != 1, 0) && (gate == 0 || !weft_ask(mcv)))
		return;
	weft_record(weft_first(mcv, n), data, n);
}

/* An event without payload. */
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

/* An event with up to 2^32 - 1 bytes. Large ones (more than a quarter of the
 * ring) go to the file at once and wait for it. */
WEFT_API void weft_jumbo(const char *mcv, const void *data, uint32_t n);

/* A jumbo event of a number and a text, as in "6Yc" (type, label). */
WEFT_API void weft_jumbo_u32_str(const char *mcv, uint32_t a, const char *text);

/*
 * Enter here, leave at the end of the block, however it is left:
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
 * Regions: named parts of a program that has no model of its own. They nest.
 *
 *	static struct weft_region solve = WEFT_REGION("solve");
 *	weft_enter(&solve); ... weft_leave(&solve);     or
 *	WEFT_IN(&solve);                                until the block's end
 *
 * On the timeline they are the mark type 99, "Regions".
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
 * thread. */
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
 * Counters: a number over time, as the mark type 0 to 98 that you choose; the
 * same type has the same title in all processes.
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
 * Switches recording off and on again, for all threads, also points of CTF; the
 * events that start, end and move threads are recorded always. Switch where no
 * region is open: an enter without its leave is a finding against the trace.
 */
WEFT_API void weft_off(void);
WEFT_API void weft_on(void);

/* Says which model the thread's events belong to, for instance "nanos6",
 * "1.1.0"; once a process. The first event of a model of weft does so by
 * itself, with the version that weft has, unless this came before. */
WEFT_API void weft_require(const char *model, const char *version);

/* With WEFT_FULL=overwrite: writes what all rings hold now to the trace. False:
 * could not be written. */
WEFT_API int weft_dump(void);

/* Events of this process that were not recorded for want of room. */
WEFT_API uint64_t weft_lost(void);

#ifdef __cplusplus
}
#endif
#endif
