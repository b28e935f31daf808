/* SPDX-License-Identifier: MIT */
/*
 * odd.c - more acts than act.c has room for: events at moments when a program
 * does something else. The first argument selects one:
 *
 *	odd malloc SEED     the first event interrupts malloc() and free()
 *	odd forks HOW       handlers fork and the children return; HOW: weft,
 *	                    ovni or ctf
 *	odd closes          writes, closes its output, and goes on
 *	odd letters CODE..  events of models, with nothing set up
 *	odd version         the same after weft_require()
 *	odd again           a handler records in a thread that has the id of
 *	                    an earlier thread
 *	odd own             a child of fork, of a process with busy threads
 *	odd early           (with the archive:) before and after main
 *	odd limits WHAT N [REGIONS]
 *	                    sets the limit WHAT (files or bytes) to N, goes on
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ovni.h"
#include "weft/ctf.h"
#include "weft/trace.h"

static struct weft_ctf_tracepoint points[] = {
	{ "hit", "u64 n", .variants = 0 }, { .name = NULL }
};
static struct weft_region region = WEFT_REGION("a region");
static volatile sig_atomic_t done;

static void
timer(void (*handler)(int), int us)
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };
	struct itimerval it = { { 0, us }, { 0, us } };

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &it, NULL);
}

static void
on_malloc(int sig)
{
	(void)sig;
	weft_ev("OB.");
	done = 1;
}

static int
interrupt_malloc(unsigned r)
{
	void *at[512] = { NULL };
	int n = 0;

	r *= 2654435761u;
	timer(on_malloc, (int)(200 + r % 3000));
	for (long i = 0; n < 2000; i++) {
		unsigned k;

		r = r * 1103515245 + 12345;
		k = r >> 16 & 511;
		free(at[k]);
		at[k] = malloc(1 + (r >> 8) % 6000);
		n += done && i % 64 == 0;
	}
	timer(SIG_IGN, 0);
	for (int i = 0; i < 200; i++)
		weft_ev("OB.");
	return 0;
}

enum { FORKS = 200 };
static volatile int is_child, nforks;

static void
on_fork(int sig)
{
	(void)sig;
	if (is_child || nforks == FORKS)
		return;
	nforks++;
	if (fork() == 0)
		is_child = 1;
}

static void
emit(char how, uint64_t n)
{
	struct ovni_ev ev = { 0 };

	if (how == 'w') {
		weft_ev_i64_i32("OM=", (int64_t)n, 1);
	} else if (how == 'c') {
		weft_ctf_ev_u64(&points[0], n);
	} else {
		ovni_ev_set_mcv(&ev, "OB.");
		ovni_ev_set_clock(&ev, ovni_clock_now());
		ovni_ev_emit(&ev);
	}
}

static void
begin(char how)
{
	static struct weft_counter numbers = WEFT_COUNTER(1, "Numbers");
	static const int32_t start[4] = { -1, -1, 0, 0 };
	struct ovni_ev ev = { 0 };

	if (how == 'w') {
		weft_count(&numbers, 1);
	} else if (how == 'c') {
		weft_ctf_start(&(struct weft_ctf_runtime){
			.prefix = "it", .points = points, .ncpus = 1 });
	} else {
		ovni_proc_init(1, "node.1", getpid());
		ovni_thread_init(gettid());
		ovni_add_cpu(0, 0);
		ovni_ev_set_mcv(&ev, "OHx");
		ovni_ev_set_clock(&ev, ovni_clock_now());
		ovni_payload_add(&ev, (const uint8_t *)start, sizeof(start));
		ovni_ev_emit(&ev);
	}
}

static int
forks(char how)
{
	int status, bad = 0;

	begin(how);
	timer(on_fork, 500);
	for (uint64_t i = 0; nforks < FORKS || is_child; i++) {
		emit(how, i + 1);
		for (int k = 0; is_child && k < 100; k++)
			emit(how, 1);
		if (is_child)
			_exit(0);
	}
	timer(SIG_IGN, 0);
	while (wait(&status) > 0)
		bad += status != 0;
	printf("%d of %d died\n", bad, FORKS);
	if (how == 'o') {
		struct ovni_ev ev = { 0 };

		ovni_ev_set_mcv(&ev, "OHe");
		ovni_ev_set_clock(&ev, ovni_clock_now());
		ovni_ev_emit(&ev);
		ovni_thread_free();
		ovni_proc_fini();
	}
	return bad > 0;
}

static int
closes(void)
{
	char c;

	weft_ev("OB.");
	if (write(1, "said\n", 5) != 5)
		return 1;
	close(1);
	/* waits until the reader has seen the end of the output */
	return read(0, &c, 1) != 0;
}

static void
on_region(int sig)
{
	(void)sig;
	weft_enter(&region);
	weft_leave(&region);
}

/* Goes on with the metadata of an earlier thread of the same id, in a handler
 * that may not allocate. */
static int
again(void)
{
	ovni_proc_init(1, "node.1", getpid());
	ovni_thread_init(gettid());
	ovni_attr_set_str("mine.key", "value");
	ovni_mark_type(5, 0, "earlier");
	signal(SIGUSR1, on_region);
	raise(SIGUSR1);
	ovni_flush();
	ovni_thread_free();
	ovni_proc_fini();
	return 0;
}

static int go_on = 1;

static void *
busy(void *arg)
{
	(void)arg;
	for (long i = 0; __atomic_load_n(&go_on, __ATOMIC_RELAXED); i++) {
		weft_ev("OB.");
		if (i % 64 == 0)
			usleep(20);
	}
	return NULL;
}

/* Tests that locks which threads held at the fork are free in the child. */
static int
own(void)
{
	pthread_t t[4];
	int status, bad = 0;

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, busy, NULL);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			alarm(100); /* ends the child if it hangs */
			ovni_proc_init(1, "node.1", getpid());
			for (int k = 0; k < 1000; k++)
				weft_ev("OB.");
			exit(0);
		}
		waitpid(pid, &status, 0);
		bad += status != 0;
	}
	__atomic_store_n(&go_on, 0, __ATOMIC_RELAXED);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	printf("%d died\n", bad);
	return bad > 0;
}

static void *
enter_and_leave(void *n)
{
	for (long i = 0; i < (long)n; i++) {
		weft_enter(&region);
		weft_leave(&region);
	}
	return NULL;
}

/* Forbids itself system calls, as a program does before it parses untrusted
 * data. */
static int
limits(const char *what, rlim_t n, long regions)
{
	struct rlimit limit = { n, n };
	pthread_t t;

	enter_and_leave((void *)1);
	if (setrlimit(what[0] == 'f' ? RLIMIT_NOFILE : RLIMIT_FSIZE, &limit))
		return 1;
	enter_and_leave((void *)regions);
	if (pthread_create(&t, NULL, enter_and_leave, (void *)10) != 0)
		return 1;
	pthread_join(t, NULL);
	return 0;
}

#ifdef EARLY
static struct weft_counter early_counter = WEFT_COUNTER(3, "a counter");

__attribute__((constructor)) static void
early(void)
{
	weft_enter(&region);
	weft_count(&early_counter, 42);
	weft_leave(&region);
	weft_ev("OB.");
}

__attribute__((destructor)) static void
late(void)
{
	weft_ev("OB.");
}
#endif

int
main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (strcmp(word, "malloc") == 0)
		return interrupt_malloc((unsigned)atoi(argv[2]));
	if (strcmp(word, "forks") == 0)
		return forks(argv[2][0]);
	if (strcmp(word, "closes") == 0)
		return closes();
	if (strcmp(word, "again") == 0)
		return again();
	if (strcmp(word, "own") == 0)
		return own();
	if (strcmp(word, "limits") == 0)
		return limits(argv[2], (rlim_t)atol(argv[3]),
			argc > 4 ? atol(argv[4]) : 19999);
	if (strcmp(word, "version") == 0)
		weft_require("nanos6", "1.0.7");
	for (int i = 2; i < argc; i++)
		weft_ev(argv[i]);
	return 0;
}
