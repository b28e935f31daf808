/* SPDX-License-Identifier: MIT */
/*
 * name.c - when threads begin, and what they are called.
 */
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <threads.h>

#include "inproc/collect/call.h"
#include "inproc/collect/confine.h"

enum { STARTS = 256, NAME = 16 };

/* A thread that does not run yet. */
static struct start {
	uint32_t is_taken; /* atomic */
	void *(*run)(void *);
	thrd_start_t run_int; /* instead of run, by thrd_create() */
	void *arg;
	struct maker maker;
	bool is_confined; /* by the thread that makes this one */
} starts[STARTS];

WRAPPER int wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
	void *(*call)(void *), void *arg);
static int (*real_pthread_create)(
	pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
REAL_ENTRY(pthread_create, "2.2.5");
TWO_VERSIONS(pthread_create, "2.2.5");

/* Notes when the thread begins: its stream begins only with its first event.
 * Returns its start, whose memory another thread may use now. */
static struct start
begin(struct start *s)
{
	struct start is = *s;

	__atomic_store_n(&s->is_taken, 0, __ATOMIC_RELEASE);
	collect_begin();
	if (is.is_confined) {
		confine_thread();
		return is;
	}
	call_begin_thread();
	collect_self.maker = is.maker;
	call_offer();
	return is;
}

static void *
run(void *start)
{
	struct start is = begin(start);

	return is.run(is.arg);
}

static int
run_int(void *start)
{
	struct start is = begin(start);

	return is.run_int(is.arg);
}

static struct start *
take_start(void)
{
	for (int i = 0; i < STARTS; i++)
		if (__atomic_exchange_n(
			    &starts[i].is_taken, 1, __ATOMIC_ACQUIRE) == 0)
			return &starts[i];
	return NULL;
}

/* Returns the start of a thread that the calling thread makes, or NULL.
 * is_free: the calling thread is not busy. */
static struct start *
prepare(bool is_free, void *arg)
{
	bool is_confined = collect_self.is_confined;
	struct start *s = collect_has != 0 && (is_confined || is_free)
		? take_start()
		: NULL;

	if (s == NULL)
		return NULL;
	s->arg = arg;
	s->maker = wait_maker();
	s->is_confined = is_confined;
	return s;
}

static void
end_start(struct start *s, bool is_made)
{
	if (!is_made)
		__atomic_store_n(&s->is_taken, 0, __ATOMIC_RELEASE);
	call_offer();
}

int
wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr,
	void *(*call)(void *), void *arg)
{
	struct start *s = prepare(collect_is_free(), arg);
	int r;

	if (s == NULL)
		return REAL_OF(pthread_create)(thread, attr, call, arg);
	s->run = call;
	r = REAL_OF(pthread_create)(thread, attr, run, s);
	end_start(s, r == 0);
	return r;
}

WRAPPER int wrap_thrd_create(thrd_t *thread, thrd_start_t call, void *arg);
static int (*real_thrd_create)(thrd_t *, thrd_start_t, void *);
REAL_ENTRY(thrd_create, "2.28");
TWO_VERSIONS(thrd_create, "2.28");

/* The C library does not call pthread_create() here. */
int
wrap_thrd_create(thrd_t *thread, thrd_start_t call, void *arg)
{
	struct start *s = prepare(collect_is_free(), arg);
	int r;

	if (s == NULL)
		return REAL_OF(thrd_create)(thread, call, arg);
	s->run_int = call;
	r = REAL_OF(thrd_create)(thread, run_int, s);
	end_start(s, r == thrd_success);
	return r;
}

/* Records the name of a thread; tid 0: the caller, which is not busy. */
static void
put_name(int32_t tid, const char *name)
{
	struct {
		int32_t tid;
		char name[NAME];
	} data = { tid, "" };
	int error = errno;

	if (name == NULL || put_ring() == NULL)
		return;
	collect_enter();
	memcpy(data.name, name, strnlen(name, NAME - 1));
	put_definition("WYn", &data,
		(uint32_t)(offsetof(__typeof__(data), name) +
			strlen(data.name) + 1));
	collect_leave();
	errno = error;
}

struct maker
wait_maker(void)
{
	struct weft_ring *ring = put_ring();

	return (struct maker){ wait_tid(pthread_self()),
		ring != NULL ? weft_ring_now(ring) : span_clock() };
}

/* Records who made the thread: the time between that and its begin. */
static void
put_maker(void)
{
	struct __attribute__((packed)) {
		int32_t tid;
		uint64_t ns;
	} data = { .tid = collect_self.maker.tid };

	if (data.tid == 0 || put_ring() == NULL)
		return;
	if (call_counts.began > collect_self.maker.time)
		data.ns = call_counts.began - collect_self.maker.time;
	collect_self.maker.tid = 0;
	collect_enter();
	weft_ev_data("WHc", &data, sizeof data);
	collect_leave();
}

void
wait_tell_name(void)
{
	char name[NAME] = "";

	/* an event that WEFT_EVENTS switches off makes no ring */
	if (put_ring() == NULL)
		return;
	collect_self.is_named = true;
	put_maker();
	if (prctl(PR_GET_NAME, name) == 0)
		put_name(0, name);
}

WRAPPER int wrap_pthread_setname_np(pthread_t thread, const char *name);
static int (*real_pthread_setname_np)(pthread_t, const char *);
REAL_ENTRY(pthread_setname_np, "2.12");
TWO_VERSIONS(pthread_setname_np, "2.12");

int
wrap_pthread_setname_np(pthread_t thread, const char *name)
{
	int r = REAL_OF(pthread_setname_np)(thread, name);

	if (r == 0 && collect_has != 0 && collect_is_free())
		put_name(pthread_equal(thread, pthread_self())
				? 0
				: wait_tid(thread),
			name);
	return r;
}

WRAPPER int wrap_prctl(int op, ...);
static int (*real_prctl)(int op, ...);
REAL_ENTRY(prctl, "2.2.5");
ONE_VERSION(prctl, "2.2.5");

int
wrap_prctl(int op, ...)
{
	unsigned long a[5] = { (unsigned)op };
	bool is_paused;
	va_list list;
	int r;

	va_start(list, op);
	for (int i = 1; i < 5; i++)
		a[i] = va_arg(list, unsigned long);
	va_end(list);
	if (op == PR_SET_SECCOMP && collect_has != 0 && collect_is_free())
		call_confine(SYS_prctl, a);
	is_paused = single_begin(SYS_prctl, op);
	r = REAL_OF(prctl)(op, a[1], a[2], a[3], a[4]);
	if (is_paused)
		call_resume();
	if (r == 0 && op == PR_SET_NAME && collect_has != 0 &&
		collect_is_free())
		put_name(0, (const char *)a[1]);
	return r;
}
