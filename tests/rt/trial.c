/* SPDX-License-Identifier: MIT */
/*
 * trial FILE API THREADS N [BURST] - threads that record numbers, among the
 * handlers of two timers, until each has N (0: never).
 *
 * API: ovni (the caller takes the clock), marks, jumbo (also large events),
 * weft, ctf. BURST: about that many events, then a pause, at random.
 * FILE gets two 64-bit numbers for each thread and each of its origins (main,
 * first and second timer): how many events were begun, and how many returned.
 * A number says who recorded it: thread << 48 | origin << 40 | n.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "ovni.h"
#include "weft/ctf.h"
#include "weft/trace.h"

enum { ORIGINS = 3, MOST = 16 };

struct count {
	volatile uint64_t begun, done;
};

static struct weft_counter numbers = WEFT_COUNTER(1, "Number");
static struct weft_ctf_tracepoint points[] = {
	{ .name = "number", .fields = "u64 n" }, { 0 }
};
static const char *api;
static uint64_t most, burst;
static struct count (*counts)[ORIGINS];
static __thread struct count *mine;
static __thread uint64_t who;
/* a clock was taken and its event is not recorded yet */
static __thread volatile int has_clock;
static __thread char large[40000];

static int
is(const char *name)
{
	return strcmp(api, name) == 0;
}

static void
emit_ovni(const char *mcv, const void *data, int n)
{
	struct ovni_ev ev = { 0 };

	has_clock = 1;
	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, mcv);
	if (n > 0)
		ovni_payload_add(&ev, data, n);
	ovni_ev_emit(&ev);
	has_clock = 0;
}

static void
emit_number(uint64_t value)
{
	unsigned char data[12] = { [8] = 1 };

	memcpy(data, &value, 8);
	if (is("ctf"))
		weft_ctf_ev_u64(&points[0], value);
	else if (is("ovni"))
		emit_ovni("OM=", data, sizeof(data));
	else if (is("marks"))
		ovni_mark_set(1, (int64_t)value);
	else
		weft_count(&numbers, (int64_t)value);
}

static void
emit(uint64_t origin)
{
	struct count *c = &mine[origin];
	uint64_t n = c->begun + 1;

	c->begun = n;
	emit_number(who << 48 | origin << 40 | n);
	c->done = n;
}

/* Records nothing while the thread holds a clock for ovni_ev_emit(): the event
 * of that clock must come first. */
static void
on_timer(int sig)
{
	if (mine && !has_clock)
		emit(sig == SIGALRM ? 1 : 2);
}

static void
block(int how)
{
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, SIGALRM);
	sigaddset(&both, SIGUSR1);
	pthread_sigmask(how, &both, NULL);
}

static void
start(void)
{
	static const struct {
		int32_t cpu, creator;
		uint64_t tag;
	} where = { -1, -1, 0 };

	if (is("ovni") || is("marks")) {
		ovni_thread_init((int)syscall(SYS_gettid));
		for (int i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++)
			ovni_add_cpu(i, i);
		ovni_mark_type(1, 0, "Number");
		emit_ovni("OHx", &where, sizeof(where));
	}
	if (is("jumbo"))
		weft_require("nanos6", "1.1.0");
}

static void
end(void)
{
	if (!is("ovni") && !is("marks"))
		return;
	emit_ovni("OHe", NULL, 0);
	ovni_flush();
	ovni_thread_free();
}

/* Records other events: flushes, and jumbo events of all sizes. */
static void
others(uint64_t n)
{
	uint32_t type = (uint32_t)(who << 24 | n);

	if (is("ovni") && n % 3001 == 0)
		ovni_flush();
	if (!is("jumbo") || n % 64 != 0)
		return;
	memcpy(large, &type, 4);
	memcpy(large + 4, "xxx", 4);
	weft_jumbo("6Yc", large,
		(uint32_t)(n % 4096 == 0 ? sizeof(large) : 0) + 8);
}

static void *
run(void *number)
{
	unsigned seed = (unsigned)(uintptr_t)number + 1;
	uint64_t left = 1;

	block(SIG_BLOCK);
	who = (uintptr_t)number;
	mine = counts[who];
	start();
	emit(0);
	block(SIG_UNBLOCK);
	for (uint64_t n = 2; most == 0 || n <= most; n++) {
		emit(0);
		others(n);
		if (burst == 0 && n % 4096 == 0)
			usleep(100);
		if (burst != 0 && --left == 0) {
			usleep((unsigned)rand_r(&seed) % 400);
			left = 1 + (uint64_t)rand_r(&seed) % burst;
		}
	}
	block(SIG_BLOCK);
	mine = NULL;
	end();
	return NULL;
}

static void
start_timers(void)
{
	struct sigaction act = { .sa_handler = on_timer,
		.sa_flags = SA_RESTART };
	struct sigevent to = { .sigev_notify = SIGEV_SIGNAL };
	struct itimerspec every = { { 0, 61000 }, { 0, 61000 } };
	timer_t timer;

	sigaction(SIGALRM, &act, NULL);
	sigaction(SIGUSR1, &act, NULL);
	for (int i = 0; i < 2; i++) {
		to.sigev_signo = i == 0 ? SIGALRM : SIGUSR1;
		every.it_interval.tv_nsec += 36000 * i;
		if (timer_create(CLOCK_MONOTONIC, &to, &timer) == 0)
			timer_settime(timer, 0, &every, NULL);
	}
}

static void
begin_process(void)
{
	if (is("ctf"))
		weft_ctf_start(&(struct weft_ctf_runtime){
			.prefix = "mine", .points = points, .ncpus = 1 });
	if (is("ovni") || is("marks"))
		ovni_proc_init(1, "node.1", (int)getpid());
}

int
main(int argc, char **argv)
{
	int fd = argc > 4 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
	size_t size = sizeof(struct count[MOST][ORIGINS]);
	pthread_t all[MOST];
	int n;

	if (fd < 0 || ftruncate(fd, (off_t)size) != 0)
		return 2;
	counts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	n = atoi(argv[3]);
	if (counts == MAP_FAILED || n < 1 || n >= MOST)
		return 2;
	api = argv[2];
	most = strtoull(argv[4], NULL, 10);
	burst = argc > 5 ? strtoull(argv[5], NULL, 10) : 0;
	begin_process();
	if (!getenv("QUIET")) /* QUIET: no signal handlers */
		start_timers();
	block(SIG_BLOCK);
	for (int i = 0; i < n; i++)
		pthread_create(&all[i], NULL, run, (void *)(uintptr_t)i);
	for (int i = 0; i < n; i++)
		pthread_join(all[i], NULL);
	if (is("ctf"))
		weft_ctf_stop();
	if (is("ovni") || is("marks"))
		ovni_proc_fini();
	return 7;
}
