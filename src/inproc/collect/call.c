/* SPDX-License-Identifier: MIT */
#include "inproc/collect/call.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "inproc/collect/callers.h"
#include "inproc/collect/confine.h"
#include "inproc/collect/put.h"
#include "inproc/collect/thread_memory.h"
#include "inproc/core/guest.h"

enum {
	RECORD = 12, /* bytes of an event without payload */
	PROBES = 4,  /* places in which the count of a code location may lie */
	WORTH = 10000000, /* ns of short calls */
};

__thread struct call_counts call_counts;

/* A key whose destructor records the counts of a thread that ends. */
static pthread_key_t ending;
static bool has_ending;

/* The events of each kind of call; `row.kind` is unused. */
static const struct wait_row rows[CALLS_MAX] = {
	[CALL_CHILD] = { "WPp", "WPP", 0, HAS_I64 },
	[CALL_SLEEP] = { "WTs", "WTS", 0, HAS_I64 },
	[CALL_SIGNAL] = { "WTy", "WTY", 0, HAS_I64 },
	[CALL_READ] = { "WIr", "WIR", 0, HAS_I64 },
	[CALL_WRITE] = { "WIw", "WIW", 0, HAS_I64 },
	[CALL_OPEN] = { "WIo", "WIO", 0, HAS_I64 },
	[CALL_CLOSE] = { "WIc", "WIC", 0, HAS_I64 },
	[CALL_SYNC] = { "WIs", "WIS", 0, HAS_I64 },
	[CALL_FILE_LOCK] = { "WIl", "WIL", 0, HAS_I64 },
	[CALL_OTHER] = { "WIm", "WIM", 0, HAS_I64 },
	[CALL_RECEIVE] = { "WNr", "WNR", 0, HAS_I64 },
	[CALL_SEND] = { "WNs", "WNS", 0, HAS_I64 },
	[CALL_ACCEPT] = { "WNa", "WNA", 0, HAS_I64 },
	[CALL_CONNECT] = { "WNc", "WNC", 0, HAS_I64 },
	[CALL_POLL] = { "WNp", "WNP", 0, HAS_I64 },
};

/* Records a count and sets it to 0. */
static void
put_count(struct call_count *c, uint64_t kind)
{
	struct {
		uint16_t kind, site;
		uint32_t n;
		uint64_t ns;
	} data = { (uint16_t)kind, (uint16_t)c->site, c->n, c->ns };

	*c = (struct call_count){ 0 };
	if (data.n > 0)
		weft_ev_data("WKc", &data, sizeof data);
}

static void
put_counts(void)
{
	for (int i = 0; i < CALL_SITES; i++) {
		struct call_site *s = &call_counts.site[i];
		const void *caller =
			(const void *)(uintptr_t)(s->key >> CALL_KIND_BITS);

		if (s->count.n > 0 && s->count.site == 0 &&
			!site_is_quiet(caller))
			s->count.site = site_number(caller, 0);
		put_count(&s->count, s->key & ((1u << CALL_KIND_BITS) - 1));
		s->key = 0;
	}
	for (uint32_t i = 0; i < CALLS_MAX; i++)
		put_count(&call_counts.of[i], i);
}

/* Where the library of a language calls for the program, only the calls around
 * the caller say which line it is: those of the first call count for all until
 * the counts are recorded. A thread without a stream gets none for that. */
static void
find_site(struct call_count *c, const void *caller)
{
	int error = errno;

	collect_enter();
	if (put_ring() != NULL && !site_is_quiet(caller))
		c->site = callers_site(caller, collect_self.site);
	collect_leave();
	errno = error;
}

struct call_count *
call_count_slow(uint64_t key)
{
	uint32_t at = call_slot(key);

	for (int i = 0; i < PROBES; i++, at = (at + 1) % CALL_SITES) {
		struct call_site *s = &call_counts.site[at];

		if (s->key == 0) {
			s->key = key;
			if (callers_has)
				find_site(&s->count,
					(const void *)(uintptr_t)(key >>
						CALL_KIND_BITS));
		}
		if (s->key == key)
			return &s->count;
	}
	return &call_counts.of[key & ((1u << CALL_KIND_BITS) - 1)];
}

/* The id of this process, in pages that a fork wipes: the child of a raw
 * clone(), for which no handler runs, finds 0. A child that shares the memory,
 * as that of vfork(), finds its parent's id. */
static pid_t none, *own_pid = &none;

/* Returns true in the process that recorded the thread's events. */
static bool
is_own(void)
{
	return *own_pid != 0 && *own_pid == getpid();
}

/* Returns true if the counts alone are worth a stream. Those of a child of a
 * raw clone() are its parent's. */
static bool
is_worth(void)
{
	uint64_t ns = 0;

	for (int i = 0; i < CALL_SITES; i++)
		ns += call_counts.site[i].count.ns;
	for (int i = 0; i < CALLS_MAX; i++)
		ns += call_counts.of[i].ns;
	return ns >= WORTH && is_own();
}

static void
end_counts(bool may_begin)
{
	collect_enter();
	if (put_ring() != NULL || (may_begin && is_worth()))
		put_counts();
	collect_leave();
	if (!collect_self.is_named)
		wait_tell_name(); /* nothing but counts was recorded */
}

static void
end_thread(void *counts)
{
	(void)counts;
	end_counts(true);
}

static void
end_own_thread(void *counts)
{
	end_thread(counts);
	memory_end_thread();
}

/* A thread that this library did not see begin is noted at its first short
 * call. */
void
call_begin_thread(void)
{
	if (call_counts.began != 0)
		return;
	call_counts.began = span_clock();
	memory_begin_thread();
	if (has_ending)
		pthread_setspecific(ending, &call_counts);
}

/* The load of this library, or the fork of this process, ns. */
static uint64_t process_began;

/* The thread that forks; the child has a copy. */
static __thread struct maker forking;

/* The process that calls daemon() ends inside of it, behind its fork. */
static __thread bool becomes_daemon;

/* The C library's fork() changes errno only if it fails. */
static void
begin_fork(void)
{
	forking = wait_maker();
	if (becomes_daemon)
		errno = 0;
}

static void end_if_free(void);

static void
end_fork(void)
{
	if (becomes_daemon && errno == 0)
		end_if_free();
}

/* A child of fork begins now. */
static void
begin_child(void)
{
	confine_forked();
	if (collect_has == 0 || collect_self.is_confined)
		return;
	*own_pid = getpid();
	process_began = span_clock();
	call_counts = (struct call_counts){ .began = process_began };
	collect_self.is_named = false;
	collect_self.nopen = 0;
	collect_self.maker = forking;
	memory_begin_child();
	weft_after_fork();
}

bool
call_load(void)
{
	pid_t *pages = wiped_pages(sizeof *pages);

	if (pages == NULL)
		return false;
	own_pid = pages;
	*own_pid = getpid();
	call_counts.began = process_began = span_clock();
	/* the program may be executed by a child that recorded nothing */
	collect_self.maker =
		(struct maker){ (int32_t)getppid(), call_counts.began };
	pthread_atfork(begin_fork, end_fork, begin_child);
	/* called after the program's own */
	(void)at_quick_exit(end_if_free);
	has_ending = pthread_key_create(&ending, end_own_thread) == 0;
	return true;
}

static __attribute__((destructor)) void
end_process(void)
{
	end_thread(NULL);
}

/* The recorder's functions. */
static const struct host *recorder;

void
call_take_host(const struct host *host)
{
	recorder = host;
	span_take_line(host->line);
}

void
call_offer(void)
{
	int error = errno;

	if (recorder != NULL && collect_self.busy == 0)
		recorder->offer();
	errno = error;
}

/* Ends the recording of a process that ends without its exit handlers, as
 * shells do. */
static void
end_early(void)
{
	if (recorder == NULL || !is_own())
		return;
	end_thread(NULL);
	collect_enter();
	recorder->end();
}

void
call_exit_process(void)
{
	end_early();
}

/* Called by the C library. */
static void
end_if_free(void)
{
	if (collect_has != 0 && collect_is_free())
		end_early();
}

void
call_exit_thread(void)
{
	if (recorder != NULL && is_own() && recorder->is_alone())
		end_early();
}

/* The same holds for exec. */
bool
call_replace(const char *path)
{
	int error = errno;
	bool ends;

	if (path == NULL || recorder == NULL || !is_own())
		return false;
	end_thread(NULL);
	collect_enter();
	ends = recorder->replace(path);
	collect_leave();
	errno = error;
	return ends;
}

void
call_keep(void)
{
	collect_enter();
	recorder->keep();
	collect_leave();
}

bool
call_pause(void)
{
	int error = errno;
	bool is_paused;

	if (recorder == NULL || !is_own())
		return false;
	collect_enter();
	is_paused = recorder->pause();
	collect_leave();
	errno = error;
	return is_paused;
}

/* The writer starts outside of our work: it calls the program's allocator. */
void
call_resume(void)
{
	int error = errno;

	recorder->resume();
	errno = error;
}

void
call_stay_alone(void)
{
	int error = errno;

	if (recorder != NULL && is_own())
		recorder->stay_alone();
	errno = error;
}

void
call_confine(long number, const unsigned long a[4])
{
	int error = errno;
	bool all;

	if (recorder == NULL || !confine_is_near(number, a, &all))
		return;
	if (*own_pid != 0 && *own_pid != getpid()) {
		confine_borrower();
		errno = error;
		return;
	}
	end_counts(false);
	if (all)
		collect_has = 0;
	collect_enter();
	all = recorder->confine(all);
	collect_leave();
	confine_thread();
	if (all) {
		collect_has = 0;
		confine_children();
	}
	errno = error;
}

#define EXIT(name) \
	WRAPPER _Noreturn void wrap_##name(int status); \
	static void (*real_##name)(int); \
	REAL_ENTRY(name, "2.2.5"); \
	ONE_VERSION(name, "2.2.5"); \
	void wrap_##name(int status) \
	{ \
		if (collect_has != 0 && collect_is_free()) \
			end_early(); \
		(void)confine_returns(); \
		REAL_OF(name)(status); \
		__builtin_unreachable(); \
	}

EXIT(_exit)
EXIT(_Exit)

CALL_REAL(int, daemon, "2.2.5", (int stays, int keeps_open));

int
wrap_daemon(int stays, int keeps_open)
{
	int r;

	becomes_daemon = true;
	r = REAL_OF(daemon)(stays, keeps_open);
	becomes_daemon = false;
	return r;
}

void
call_tell(uint64_t now)
{
	int error = errno;

	collect_enter();
	call_begin_thread();
	if (call_counts.told != 0)
		put_counts();
	else if (has_ending)
		pthread_setspecific(ending, &call_counts);
	call_counts.told = now;
	collect_leave();
	errno = error;
}

void
wait_begin_stream(const char *event)
{
	uint64_t now;

	if (!weft_is_on(event))
		return;
	call_begin_thread();
	now = span_clock();
	if (weft_room(RECORD, WEFT_LAYOUT) && put_ring() != NULL)
		put_time = now;
}

/* Returns true if an event of the call's beginning would be in order: then no
 * signal handler has recorded since. A thread without a stream gets one, whose
 * beginning lies before all of its calls. */
static bool
is_in_order(struct call_time begin)
{
	if (put_ring() == NULL)
		return begin.res == 0 && weft_room(RECORD, WEFT_LAYOUT) &&
			put_ring() != NULL;
	return begin.res != 0 &&
		__atomic_load_n(&weft_self->res, __ATOMIC_RELAXED) == begin.res;
}

/* The end of the long call that is being recorded, ns: what the recorder does
 * then, as to begin a stream, is not the call's time. */
static __thread uint64_t call_ended;

/* Returns how long a call took, ns; 0: a fork has come between. Sets the
 * call's end. */
static uint64_t
end_call(struct call_time begin)
{
	struct call_time now;
	uint64_t ns;

	if (begin.res != 0) {
		now = call_time();
		call_ended = now.ns;
		return now.res != 0 ? now.ns - begin.ns : 0;
	}
	/* the call may have begun on the clock of the system */
	ns = span_now();
	ns = ns > begin.ns ? ns - begin.ns : 0;
	call_ended = span_clock();
	/* the counter may have run on while the machine was suspended */
	if (ns > call_ended - process_began)
		ns = call_ended - process_began;
	if (call_counts.began == 0 || call_counts.began > call_ended - ns)
		call_counts.began = call_ended - ns;
	return ns;
}

bool
call_is_told(struct call_time begin, enum call kind, const void *caller)
{
	int error = errno;
	struct call_count *c;
	bool is_told = false;
	uint64_t ns;

	collect_enter();
	ns = end_call(begin);
	if (!site_is_quiet(caller) && weft_is_on(rows[kind].enter)) {
		is_told = is_in_order(begin);
		if (!is_told) {
			c = call_count_of(kind, caller);
			c->n++;
			c->ns += ns;
		}
	}
	/* busy until call_was(): a signal handler must not change put_time and
	 * call_ended, nor record behind the time that they mean */
	if (is_told)
		put_time = call_ended - ns;
	else
		collect_leave();
	errno = error;
	return is_told;
}

void
call_was(enum call kind, uint32_t number, int64_t result, const void *caller)
{
	int error = errno;
	struct {
		uint32_t file, site;
	} data = { .file = number };

	data.site = callers_site(caller, collect_self.site);
	put_event(rows[kind].enter, &data, sizeof data);
	put_time = call_ended;
	put_event(rows[kind].leave, &result, sizeof result);
	put_time = 0;
	collect_leave();
	if (!collect_self.is_named)
		wait_tell_name();
	errno = error;
}

void
call_begin(struct waiting *w, enum call kind, uint32_t number,
	const void *caller, const void *frame)
{
	/* a signal is not a file */
	wait_begin_data(w, &rows[kind], &number,
		kind == CALL_SIGNAL ? 0 : sizeof number, caller, frame);
	call_offer();
}

void
call_begin_sleep(
	struct waiting *w, uint64_t ns, const void *caller, const void *frame)
{
	wait_begin_data(w, &rows[CALL_SLEEP], &ns, sizeof ns, caller, frame);
	call_offer();
}

void
call_end(struct waiting *w, int64_t result)
{
	wait_end_i64(w, result);
}

void
call_cut(void *waiting)
{
	wait_end_i64(waiting, -ECANCELED);
}
