/* SPDX-License-Identifier: MIT */
/*
 * contract.c - tests one cell of the table at the top of <weft/trace.h>: it
 * makes calls of one kind in one situation (PLACE).
 *
 *	contract PLACE CALLS
 *
 * The program prints "done" and exits with 0 when the calls have returned. It
 * exits with 99 if a handler calls malloc(). The test `contract` reads the
 * trace.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ovni.h"
#include "weft/ctf.h"
#include "weft/trace.h"

static __thread volatile int in_handler;

#ifndef NO_WATCH
void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *at, size_t n);
void __libc_free(void *at);

static void
watch(void)
{
	static const char said[] = "memory is allocated in a handler\n";

	if (in_handler && write(2, said, sizeof(said) - 1) > 0)
		_exit(99);
}

void *
malloc(size_t n)
{
	watch();
	return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	watch();
	return __libc_calloc(n, size);
}

void *
realloc(void *at, size_t n)
{
	watch();
	return __libc_realloc(at, n);
}

void
free(void *at)
{
	watch();
	__libc_free(at);
}
#endif

static const char *place, *calls;
static struct weft_region region = WEFT_REGION("a region");
static struct weft_counter counter = WEFT_COUNTER(3, "a counter");
static struct weft_ctf_tracepoint points[] = {
	{ "hit", "u32 n", .variants = 0 }, { .name = NULL }
};

static int
is(const char *word)
{
	return strcmp(place, word) == 0;
}

static int
kind(const char *word)
{
	return strcmp(calls, word) == 0;
}

static void
ovni(const char *mcv, const void *data, int n)
{
	struct ovni_ev ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, mcv);
	if (n > 0)
		ovni_payload_add(&ev, data, n);
	ovni_ev_emit(&ev);
}

static void
init(void)
{
	ovni_proc_init(1, "node.1", getpid());
}

static void
init_thread(void)
{
	static const int32_t start[4] = { -1, -1, 0, 0 };

	ovni_thread_init(gettid());
	ovni_add_cpu(0, 0);
	ovni_mark_type(1, OVNI_MARK_STACK, "a mark");
	ovni("OHx", start, sizeof(start));
}

/* Sets up the process, the thread and the names of its regions, if the
 * situation comes after these calls. */
static void
prepare_process(void)
{
	if (kind("ctf"))
		weft_ctf_start(&(struct weft_ctf_runtime){
			.prefix = "it", .points = points, .ncpus = 1 });
	else if (kind("ovni_ev") || kind("set-up"))
		init();
	else
		weft_ev("OU,");
}

static void
prepare_thread(void)
{
	if (kind("ovni_ev") || kind("set-up"))
		init_thread();
	else if (kind("ctf"))
		weft_ctf_ev_u32(&points[0], 1);
	else
		weft_ev("OU,");
}

static void
prepare_names(void)
{
	if (!kind("named"))
		return;
	weft_enter(&region);
	weft_leave(&region);
	weft_count(&counter, 1);
}

static void
regions(void)
{
	weft_enter(&region);
	weft_count(&counter, 42);
	weft_leave(&region);
}

static void
set_up(void)
{
	if (is("child") || is("child of a handler") || is("handler, process") ||
		is("constructor") || is("stack of 16 KB") ||
		is("stack of 8 KB"))
		init();
	if (!ovni_thread_isready())
		init_thread();
	ovni_thread_require("nanos6", "1.1.0");
	ovni_mark_type(2, 0, "another");
	ovni_mark_label(2, 42, "forty-two");
	ovni_mark_set(2, 42);
}

static void
act(void)
{
	if (kind("event")) {
		for (int i = 0; i < 3; i++)
			weft_ev("OU.");
	} else if (kind("named") || kind("new")) {
		regions();
	} else if (kind("ovni_ev")) {
		if (!ovni_thread_isready() && is("handler, process"))
			init();
		if (!ovni_thread_isready() && !is("child") &&
			!is("child of a handler")) {
			if (is("constructor") || is("stack of 16 KB") ||
				is("stack of 8 KB"))
				init();
			init_thread();
		}
		ovni("OU.", NULL, 0);
		ovni_mark_push(1, 7);
		ovni_mark_pop(1, 7);
	} else if (kind("set-up")) {
		set_up();
	} else if (kind("dump")) {
		weft_off();
		weft_ev("OU,");
		weft_on();
		weft_dump();
		weft_lost();
		weft_ev("OU.");
	} else if (kind("ctf")) {
		weft_ctf_ev_u32(&points[0], 42);
	}
}

/* Ends the thread as its interface asks for. */
static void
end_thread(void)
{
	if (!kind("ovni_ev") && !kind("set-up"))
		return;
	if (!ovni_thread_isready())
		return;
	ovni("OHe", NULL, 0);
	ovni_thread_free();
}

static void
fork_here(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		return;
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
		static const char said[] = "the child died\n";

		if (write(2, said, sizeof(said) - 1) > 0)
			_exit(98);
	}
}

static volatile int is_parent;

static void
on_signal(int sig)
{
	pid_t me = getpid();

	(void)sig;
	errno = 77;
	in_handler = 1;
	if (is("child of a handler")) {
		in_handler = 0; /* the C library's fork() may allocate */
		fork_here();
		is_parent = getpid() == me;
	} else {
		act();
	}
	in_handler = 0;
	if (errno != 77 && !is("child of a handler"))
		_exit(97);
}

static void
raise_it(int flags)
{
	struct sigaction a = { .sa_handler = on_signal, .sa_flags = flags };

	sigaction(SIGUSR1, &a, NULL);
	raise(SIGUSR1);
}

static void
on_small_stack(void)
{
	enum { SIZE = 8192, GUARD = 4096 };
	char *at = mmap(NULL, GUARD + SIZE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t small = { .ss_sp = at + GUARD, .ss_size = SIZE };

	mprotect(at, GUARD, PROT_NONE);
	if (sigaltstack(&small, NULL) != 0)
		_exit(96);
	raise_it(SA_ONSTACK);
}

static pthread_key_t key;

static void
destroy(void *arg)
{
	(void)arg;
	act();
	end_thread();
}

static volatile int goes_on;

static void *
run(void *arg)
{
	(void)arg;
	if (is("handler, thread")) {
		raise_it(0);
	} else if (is("signals blocked")) {
		sigset_t all;

		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL);
		if (kind("ovni_ev"))
			prepare_thread();
		act();
	} else if (is("key destructor")) {
		if (kind("ovni_ev") || kind("set-up"))
			prepare_thread();
		pthread_setspecific(key, &key);
		return NULL;
	} else if (is("exit")) {
		prepare_thread();
		goes_on = 1;
		for (;; nanosleep(&(struct timespec){ 0, 10000 }, NULL))
			act();
	} else {
		if (kind("named"))
			prepare_names();
		act();
	}
	end_thread();
	return NULL;
}

static void
in_thread(size_t stack)
{
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	if (stack > 0 && pthread_attr_setstacksize(&attr, stack) != 0)
		_exit(95);
	if (pthread_create(&t, &attr, run, NULL) != 0)
		_exit(94);
	if (is("exit"))
		while (!goes_on)
			;
	else
		pthread_join(t, NULL);
}

static void
at_exit(void)
{
	act();
	end_thread();
}

__attribute__((constructor)) static void
early(int argc, char **argv)
{
	if (argc != 3)
		return;
	place = argv[1];
	calls = argv[2];
	if (!is("constructor"))
		return;
	if (kind("ctf"))
		prepare_process();
	if (kind("named"))
		prepare_names();
	act();
}

__attribute__((destructor)) static void
late(void)
{
	if (is("destructor"))
		at_exit();
}

static void
in_main(void)
{
	if (is("atexit") || is("destructor")) {
		prepare_process();
		prepare_thread();
		prepare_names();
		if (is("atexit"))
			atexit(at_exit);
	} else if (is("handler, process") || is("stack of 8 KB")) {
		if (kind("ctf"))
			prepare_process();
		if (is("stack of 8 KB"))
			on_small_stack();
		else
			raise_it(0);
	} else if (is("handler, later")) {
		prepare_process();
		prepare_thread();
		prepare_names();
		raise_it(0);
	} else if (is("child") || is("child of a handler")) {
		prepare_process();
		if (!kind("set-up"))
			prepare_thread();
		prepare_names();
		if (is("child")) {
			pid_t me = getpid();

			fork_here();
			is_parent = getpid() == me;
		} else {
			raise_it(0);
		}
		if (!is_parent) {
			act();
			end_thread();
			exit(0);
		}
	}
}

/* Makes the calls and ends the process in a way that the library does not
 * notice. A program that exec() starts does the same. */
static void
end_abruptly(void)
{
	prepare_process();
	prepare_thread();
	prepare_names();
	act();
	if (is("exec") && getenv("AGAIN") == NULL) {
		setenv("AGAIN", "1", 1);
		execl("/proc/self/exe", program_invocation_short_name, place,
			calls, (char *)NULL);
		_exit(93);
	}
	if (is("_exit")) {
		puts("done");
		fflush(stdout);
		_exit(0);
	}
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	place = argv[1];
	calls = argv[2];
	key = 0;
	if (is("handler, thread") || is("key destructor") ||
		is("signals blocked") || is("exit")) {
		prepare_process();
		prepare_names();
		pthread_key_create(&key, destroy);
		in_thread(0);
	} else if (is("stack of 16 KB")) {
		if (kind("ctf"))
			prepare_process();
		in_thread(PTHREAD_STACK_MIN);
	} else if (is("exec") || is("_exit")) {
		end_abruptly();
	} else {
		in_main();
	}
	if (!is("atexit") && !is("destructor") && !is("exit"))
		end_thread();
	puts("done");
	return 0;
}
