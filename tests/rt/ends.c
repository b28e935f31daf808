/* SPDX-License-Identifier: MIT */
/*
 * ends.c - threads and processes that begin and end while signals arrive and
 * other threads record. The first argument selects an act:
 *
 *	ends short N HOW    N threads of 50 regions, HOW: turns or once, with a
 *	                    timer; its handler may interrupt them anywhere
 *	ends leaves MS      main ends by pthread_exit(), another thread goes on
 *	                    for MS ms (0: there is no other thread)
 *	ends tally N EACH   N threads record EACH numbers each; their handlers
 *	                    record numbers until the thread has ended
 *	ends mixed N HOW    a thread of ovni.h and handlers of weft/trace.h,
 *	                    HOW: open, handlers run at any time; blocked,
 *	                    after the event; handler, the reverse
 *
 *	ends dumps N EACH   N threads record EACH numbers, main dumps the rings
 *	ends sips N EACH    dumps EACH numbers, then N sips of 1, 2, ... numbers
 *	ends attributes N   N threads set and write attributes while main leaves
 *
 * A number is recorded as the value of a mark. The program prints how many
 * events it began to record.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "ovni.h"
#include "weft/trace.h"

enum { REGIONS = 50, MOST = 128, COMES = 200 };

static struct weft_region work = WEFT_REGION("work");
static struct weft_counter numbers = WEFT_COUNTER(1, "Number");
static int (*next_sigmask)(int, const sigset_t *, sigset_t *);
static unsigned long nbegun, each;
/* how many signals the handler still raises where it may */
static __thread int comes;

/* The library calls this function instead of the C library's. */
WEFT_API int pthread_sigmask(int how, const sigset_t *set, sigset_t *was);

/* Raises signals just before the library blocks them, and just after. */
int
pthread_sigmask(int how, const sigset_t *set, sigset_t *was)
{
	int error;

	if (!next_sigmask)
		*(void **)&next_sigmask = dlsym(RTLD_NEXT, "pthread_sigmask");
	if (comes > 0 && how == SIG_BLOCK && comes--)
		raise(SIGALRM);
	error = next_sigmask(how, set, was);
	if (comes > 0 && how == SIG_SETMASK && comes--)
		raise(SIGALRM);
	return error;
}

static void
begin_one(void)
{
	__atomic_fetch_add(&nbegun, 1, __ATOMIC_RELAXED);
}

static void
on_alarm(int sig)
{
	(void)sig;
	begin_one();
	weft_ev("OB.");
}

static void
on_number(int sig)
{
	(void)sig;
	begin_one();
	weft_count(&numbers, 2);
}

static void
handle(void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &a, NULL);
}

static void
block(int how)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(how, &alarm, NULL);
}

static void *
be_short(void *none)
{
	block(SIG_UNBLOCK);
	comes = COMES;
	for (int i = 0; i < REGIONS; i++) {
		weft_enter(&work);
		weft_leave(&work);
	}
	return none;
}

static void
start_all(pthread_t *all, long n, void *(*run)(void *), int in_turns)
{
	for (long i = 0; i < n; i++) {
		if (pthread_create(&all[i], NULL, run, NULL) != 0)
			abort();
		if (in_turns)
			pthread_join(all[i], NULL);
	}
	for (long i = 0; i < n && !in_turns; i++)
		pthread_join(all[i], NULL);
}

static void
act_short(long n, const char *how)
{
	struct itimerval often = { { 0, 200 }, { 0, 200 } }, never = { 0 };
	pthread_t all[MOST];

	handle(on_alarm);
	/* so that no thread of the test records the first event of the
	 * process */
	on_alarm(0);
	block(SIG_BLOCK); /* the timer interrupts the threads only */
	setitimer(ITIMER_REAL, &often, NULL);
	start_all(all, n, be_short, strcmp(how, "turns") == 0);
	setitimer(ITIMER_REAL, &never, NULL);
}

static void
say_left(void)
{
	static const char text[] = "left\n";

	if (write(STDOUT_FILENO, text, sizeof(text) - 1) < 0)
		_exit(1);
}

static pthread_t first;

static void *
go_on(void *ms)
{
	pthread_join(first, NULL);
	for (long i = 0; i < (long)(intptr_t)ms; i++) {
		for (int k = 0; k < 100; k++)
			weft_count(&numbers, i * 100 + k + 1);
		usleep(1000);
	}
	return NULL;
}

static void
act_leaves(long ms)
{
	pthread_t t;

	atexit(say_left);
	for (int i = 1; i <= 10; i++)
		weft_count(&numbers, i);
	first = pthread_self();
	if (ms > 0 &&
		pthread_create(&t, NULL, go_on, (void *)(intptr_t)ms) != 0)
		abort();
	pthread_exit(NULL);
}

/* Starts a timer of the calling thread, which runs until the thread ends. */
static void
start_timer(void)
{
	struct sigevent to = { .sigev_notify = SIGEV_THREAD_ID,
		.sigev_signo = SIGALRM };
	struct itimerspec every = { { 0, 43000 }, { 0, 43000 } };
	timer_t timer;

	to._sigev_un._tid = (int)gettid();
	if (timer_create(CLOCK_MONOTONIC, &to, &timer) != 0 ||
		timer_settime(timer, 0, &every, NULL) != 0)
		abort();
}

static void *
tally(void *none)
{
	start_timer();
	comes = COMES;
	for (unsigned long i = 0; i < each; i++) {
		begin_one();
		weft_count(&numbers, 1);
	}
	comes = COMES; /* for signals while the thread ends */
	return none;
}

static void
act_tally(long n)
{
	pthread_t all[MOST];

	handle(on_number);
	on_number(0);
	start_all(all, n, tally, 0);
	printf("lost %llu\n", (unsigned long long)weft_lost());
}

static int nleft;

static void *
count_on(void *none)
{
	for (unsigned long i = 0; i < each; i++) {
		begin_one();
		weft_count(&numbers, 1);
	}
	__atomic_fetch_sub(&nleft, 1, __ATOMIC_RELEASE);
	return none;
}

static void
act_dumps(long n)
{
	pthread_t all[MOST];

	nleft = (int)n;
	for (long i = 0; i < n; i++)
		if (pthread_create(&all[i], NULL, count_on, NULL) != 0)
			abort();
	while (__atomic_load_n(&nleft, __ATOMIC_ACQUIRE) > 0)
		weft_dump();
	for (long i = 0; i < n; i++)
		pthread_join(all[i], NULL);
	printf("lost %llu\n", (unsigned long long)weft_lost());
}

static void
count_and_dump(long n)
{
	for (long i = 0; i < n; i++) {
		begin_one();
		weft_count(&numbers, 1);
	}
	weft_dump();
}

static void
act_sips(long n)
{
	for (unsigned long i = 0; i < each; i += 1000)
		count_and_dump(1000);
	for (long sip = 1; sip <= n; sip++)
		count_and_dump(sip);
}

static void
emit(int comes_in)
{
	struct ovni_ev ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	if (comes_in)
		raise(SIGALRM);
	ovni_ev_set_mcv(&ev, "OB.");
	ovni_ev_emit(&ev);
}

static void
on_emit(int sig)
{
	(void)sig;
	emit(0);
}

static void
act_mixed(long n, const char *how)
{
	static const int32_t where[4] = { -1, -1, 0, 0 };
	int by_handler = strcmp(how, "handler") == 0;
	struct ovni_ev ev = { 0 };

	ovni_proc_init(1, "node", (int)getpid());
	ovni_thread_init((int)gettid());
	ovni_add_cpu(0, 0);
	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, "OHx");
	ovni_payload_add(&ev, (const uint8_t *)where, sizeof(where));
	ovni_ev_emit(&ev);
	handle(by_handler ? on_emit : on_alarm);
	if (by_handler)
		start_timer();
	for (long i = 0; i < n; i++) {
		if (strcmp(how, "blocked") == 0)
			block(SIG_BLOCK);
		if (by_handler)
			weft_ev("OB.");
		else
			emit(1);
		block(SIG_UNBLOCK);
	}
	block(SIG_BLOCK);
	weft_ev("OHe");
	ovni_thread_free();
	ovni_proc_fini();
}

static void *
set_attributes(void *number)
{
	char key[32];

	weft_ev("OB.");
	for (unsigned long i = 0;; i++) {
		snprintf(key, sizeof(key), "a%p.b%lu", number, i % 50);
		ovni_attr_set_double(key, (double)i);
		ovni_attr_flush();
		/* without this pause the exit waits long for the lock */
		usleep(20);
	}
	return NULL;
}

static void
act_attributes(long n)
{
	const struct timespec soon = { 0, 10000000 };
	pthread_t one;

	for (long i = 1; i <= n; i++)
		if (pthread_create(&one, NULL, set_attributes,
			    (void *)(intptr_t)i) != 0)
			abort();
	weft_ev("OB.");
	nanosleep(&soon, NULL);
}

int
main(int argc, char **argv)
{
	const char *word = argc > 2 ? argv[1] : "";
	long n = argc > 2 ? atol(argv[2]) : 0;

	if (n > MOST && strcmp(word, "leaves") != 0 &&
		strcmp(word, "mixed") != 0)
		return 2;
	each = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	if (strcmp(word, "leaves") == 0)
		act_leaves(n);
	else if (strcmp(word, "short") == 0 && argc > 3)
		act_short(n, argv[3]);
	else if (strcmp(word, "mixed") == 0 && argc > 3)
		act_mixed(n, argv[3]);
	else if (strcmp(word, "tally") == 0)
		act_tally(n);
	else if (strcmp(word, "dumps") == 0)
		act_dumps(n);
	else if (strcmp(word, "sips") == 0)
		act_sips(n);
	else if (strcmp(word, "attributes") == 0)
		act_attributes(n);
	else
		return 2;
	printf("begun %lu\n", nbegun);
	return 7;
}
