/* SPDX-License-Identifier: MIT */
#include "inproc/collect/call.h"

#include <limits.h>
#include <stddef.h>

#include "inproc/collect/put.h"

enum { RECORD = 12 }; /* bytes of an event without payload */

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

/* Records the counts and sets them to 0. */
static void
put_counts(void)
{
	for (uint32_t i = 0; i < CALLS_MAX; i++) {
		struct call_count *c = &call_counts.of[i];
		struct {
			uint32_t kind, n;
			uint64_t ns;
		} data = { i, c->n, c->ns };

		if (c->n == 0)
			continue;
		*c = (struct call_count){ 0 };
		weft_ev_data("WKc", &data, sizeof data);
	}
}

static void
end_thread(void *counts)
{
	(void)counts;
	collect_self.busy++;
	/* counts alone are not worth a stream */
	if (put_ring() != NULL)
		put_counts();
	collect_self.busy--;
}

struct call_time
call_time_first(void)
{
	struct timespec t;
	uint64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &t);
	ns = (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
	if (call_counts.began == 0)
		call_counts.began = ns;
	return (struct call_time){ ns, 0 };
}

/* Called by the recorder when a thread's stream begins. */
WRAPPER uint64_t weft_collect_began(void);

uint64_t
weft_collect_began(void)
{
	return call_counts.began;
}

/* A child of fork begins now. */
static void
begin_child(void)
{
	call_counts = (struct call_counts){ .began = call_time().ns };
	collect_self.is_named = false;
	weft_after_fork();
}

void
call_load(void)
{
	call_counts.began = call_time().ns;
	pthread_atfork(NULL, NULL, begin_child);
	has_ending = pthread_key_create(&ending, end_thread) == 0;
}

static __attribute__((destructor)) void
end_process(void)
{
	end_thread(NULL);
}

void
call_tell(uint64_t now)
{
	int error = errno;

	collect_self.busy++;
	if (call_counts.told != 0)
		put_counts();
	else if (has_ending)
		pthread_setspecific(ending, &call_counts);
	call_counts.told = now;
	collect_self.busy--;
	errno = error;
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

bool
call_is_told(struct call_time begin, enum call kind, const void *caller)
{
	int error = errno;
	bool is_told = false;

	collect_self.busy++;
	if (!site_is_quiet(caller) && weft_is_on(rows[kind].enter)) {
		is_told = is_in_order(begin);
		if (!is_told) {
			call_counts.of[kind].n++;
			call_counts.of[kind].ns += call_time().ns - begin.ns;
		}
	}
	put_time = is_told ? begin.ns : 0;
	collect_self.busy--;
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

	collect_self.busy++;
	data.site = site_number(caller, collect_self.site);
	put_event(rows[kind].enter, &data, sizeof data);
	put_time = 0;
	weft_ev_i64(rows[kind].leave, result);
	collect_self.busy--;
	if (!collect_self.is_named)
		wait_tell_name();
	errno = error;
}

void
call_begin(
	struct waiting *w, enum call kind, uint32_t number, const void *caller)
{
	/* a signal is not a file */
	wait_begin_data(w, &rows[kind], &number,
		kind == CALL_SIGNAL ? 0 : sizeof number, caller);
}

void
call_begin_sleep(struct waiting *w, uint64_t ns, const void *caller)
{
	wait_begin_data(w, &rows[CALL_SLEEP], &ns, sizeof ns, caller);
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
