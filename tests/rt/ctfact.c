/* SPDX-License-Identifier: MIT */
/*
 * ctfact.c - a runtime that records in CTF; the first argument selects an act,
 * as in act.c. It prints "acted" and exits with 7, whatever the trace has.
 *
 *	ctfact count 1000 2 3   numbers 1 to 1000 by the main thread, by one on
 *	                        each of 2 CPUs, and by 3 external ones
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"
#include "ctfearly.h"
#include "ctfmistake.h"
#include "syscalls.h"
#include "weft/hwc.h"
#include "weft/nanos6.h"

enum { NUMBER, HANDLER, CALL, START, END, BLOCK, WOKEN, NPOINTS };

static struct weft_ctf_tracepoint points[NPOINTS + 1] = {
	[NUMBER] = { .name = "number", .fields = "u64 n" },
	[HANDLER] = { .name = "handler", .fields = "u64 n" },
	[CALL] = { "call", "u32 id", WEFT_CTF_TC | WEFT_CTF_OC, 0,
		WEFT_CTF_NOTHING, { { 0, 0, 0 } } },
	[START] = { .name = "start",
		.fields = "u32 id",
		.does = WEFT_CTF_TASK_START },
	[END] = { .name = "end", .does = WEFT_CTF_TASK_END },
	[BLOCK] = { .name = "block", .does = WEFT_CTF_TASK_BLOCK },
	[WOKEN] = { .name = "woken", .does = WEFT_CTF_TASK_UNBLOCK },
};

static void
begin(int ncpus)
{
	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "mine", .points = points, .ncpus = ncpus });
}

static void
count(long from, long to)
{
	for (long i = from; i <= to; i++)
		weft_ctf_ev_u64(&points[NUMBER], (uint64_t)i);
}

static void *
counts(void *cpu)
{
	if ((long)cpu >= 0)
		weft_ctf_cpu((int)(long)cpu);
	count(1, arg(0, 1000));
	if ((long)cpu >= 0)
		weft_ctf_leave();
	return NULL;
}

/* N [CPUS [EXTERNAL]]: each thread records N numbers; -1: until killed */
static void
act_count(void)
{
	long ncpus = arg(1, 0), n = ncpus + (arg(2, 0) > 0 ? arg(2, 0) : 0);
	pthread_t all[256];

	begin(ncpus > 0 ? (int)ncpus : 1);
	for (long i = 0; i < n; i++)
		pthread_create(
			&all[i], NULL, counts, (void *)(i < ncpus ? i : -1));
	counts((void *)-1L);
	for (long i = 0; i < n; i++)
		pthread_join(all[i], NULL);
	if (arg(2, 0) < 0)
		raise(SIGKILL);
}

#define N6(point) (&n6[WEFT_NANOS6_##point])
static struct weft_ctf_tracepoint n6[] = { WEFT_NANOS6_TRACEPOINTS{ 0 } };

static void
every_call(const struct weft_ctf_tracepoint *p, int in_task)
{
	if (!(p->variants & (in_task ? WEFT_CTF_TC : WEFT_CTF_OC)))
		return;
	if (p == N6(TASK_CREATE))
		weft_ctf_enter_u16_u32(p, in_task, 4, 7);
	else
		weft_ctf_enter(p, in_task);
	weft_ctf_exit(p, in_task);
}

/* Records each event of Nanos6 with values as wide as the fields. */
static void
every_event(uint32_t tid)
{
	const char *texts[] = { "a label", "file.c:10" };
	uint64_t two[2] = { 1, 2 };
	uint16_t type = 4;
	uint8_t id = 200;

	weft_ctf_data(&N6(CTF_FLUSH)->event[0], two, 16);
	for (int i = WEFT_NANOS6_THREAD_CREATE;
		i <= WEFT_NANOS6_EXTERNAL_SHUTDOWN; i++)
		weft_ctf_ev_u32(&n6[i], tid);
	weft_ctf_ev_texts(N6(TASK_LABEL), texts, 2, &type, 2);
	weft_ctf_ev_texts(N6(DEBUG_REGISTER), texts, 1, &id, 1);
	weft_ctf_data(&N6(DEBUG_ENTER)->event[0], &id, 1);
	weft_ctf_data(&N6(DEBUG_TRANSITION)->event[0], &id, 1);
	weft_ctf_ev_u32(N6(TASK_START), 0xfffffffe);
	weft_ctf_ev_u64(N6(LOCK_SERVER), UINT64_MAX);
	weft_ctf_ev_u64_u32(N6(LOCK_CLIENT), 3, 9);
	weft_ctf_ev_u32(N6(LOCK_ASSIGN), 9);
	for (int i = 0; i < WEFT_NANOS6_N; i++) {
		if (n6[i].fields[0] == '\0' && n6[i].variants == 0)
			weft_ctf_ev(&n6[i]);
		every_call(&n6[i], 1);
		every_call(&n6[i], 0);
	}
}

static void *
on_cpu(void *cpu)
{
	weft_ctf_cpu((int)(long)cpu);
	every_event(70000);
	weft_ctf_leave();
	return NULL;
}

static void
act_nanos6(void)
{
	static const int cpus[] = { 5, 3 };
	pthread_t t[2];

	weft_ctf_start(&(struct weft_ctf_runtime){
		.prefix = "nanos6", .points = n6, .ncpus = 2, .cpus = cpus });
	every_event(3000000000u);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, on_cpu, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	weft_ctf_cpu(WEFT_CTF_LEADER);
	every_event(1);
	weft_ctf_leave();
}

/* Declares tracepoints while other threads record. */
static void
act_declare(void)
{
	static struct weft_ctf_tracepoint later[] = {
		{ .name = "later",
			.fields = "i8 a, i16 b, i32 c, i64 d, u8 e, u16 f, "
				  "str g" },
		{ .name = "bare" }, { 0 }
	};
	static const struct {
		int8_t a;
		int16_t b;
		int32_t c;
		int64_t d;
		uint8_t e;
		uint16_t f;
		char g[4];
	} __attribute__((packed)) values = { -1, -2, -3, -4, 5, 6, "h'?" };

	begin(1);
	count(1, 1000);
	weft_ctf_ev(&later[1]); /* not declared yet: not recorded */
	weft_ctf_declare(later);
	weft_ctf_data(&later[0].event[0], &values, sizeof(values));
	weft_ctf_ev(&later[1]);
	weft_ctf_stop();
	weft_ctf_ev(&later[1]); /* stopped: not recorded */
}

static void *
goes(void *none)
{
	weft_ctf_cpu(0);
	return none;
}

static struct weft_ctf_tracepoint twice[] = { { .name = "two" },
	{ .name = "two" }, { 0 } };
static struct weft_ctf_tracepoint wrong_field[] = {
	{ .name = "one", .fields = "u24 x" }, { 0 }
};
static struct weft_ctf_tracepoint wrong_fields[] = {
	{ .name = "one", .fields = "u8 x, u16 y, u32 x" }, { 0 }
};
static const int wrong_cpus[] = { 3, 3 };
static struct weft_ctf_tracepoint wrong_name[] = { { .name = "a:b" }, { 0 } };
static struct weft_ctf_tracepoint many[300];

/* Records events with undeclared fields; the writer must go on. */
static void
record_unlike_declared(const char *what)
{
	for (int i = 0; i < 3000; i++)
		if (strcmp(what, "fewer") == 0)
			weft_ctf_enter(&points[CALL], 0);
		else if (strcmp(what, "more") == 0)
			weft_ctf_ev_u64(&points[START], UINT64_MAX);
		else if (strcmp(what, "texts") == 0)
			weft_ctf_ev_texts(&points[START], &what, 1, NULL, 0);
		else if (strcmp(what, "variant") == 0)
			weft_ctf_exit(&points[START], 0);
}

/* WHAT: a forbidden call; with checks, also a call in a wrong context. */
static void
act_wrong(void)
{
	const char *what = args[0];
	static char names[300][8];
	pthread_t t;

	begin(2);
	record_unlike_declared(what);
	for (int i = 0; i < 299; i++) {
		snprintf(names[i], sizeof(names[i]), "p%d", i);
		many[i].name = names[i];
	}
	if (strcmp(what, "twice") == 0)
		weft_ctf_declare(twice);
	else if (strcmp(what, "field") == 0)
		weft_ctf_declare(wrong_field);
	else if (strcmp(what, "fields") == 0)
		weft_ctf_declare(wrong_fields);
	else if (strcmp(what, "cpus") == 0)
		weft_ctf_start(&(struct weft_ctf_runtime){ .prefix = "mine",
			.points = points,
			.ncpus = 2,
			.cpus = wrong_cpus });
	else if (strcmp(what, "name") == 0)
		weft_ctf_declare(wrong_name);
	else if (strcmp(what, "many") == 0)
		weft_ctf_declare(many);
	else if (strcmp(what, "cpu") == 0)
		weft_ctf_cpu(2);
	else if (strcmp(what, "tc") == 0)
		weft_ctf_enter_u32(&points[CALL], 1, 1);
	else if (strcmp(what, "exit") == 0)
		weft_ctf_exit(&points[CALL], 0);
	else if (strcmp(what, "end") == 0)
		weft_ctf_ev(&points[END]);
	weft_ctf_ev_u32(&points[START], 1);
	if (strcmp(what, "oc") == 0)
		weft_ctf_enter_u32(&points[CALL], 0, 1);
	else if (strcmp(what, "start") == 0)
		weft_ctf_ev_u32(&points[START], 2);
	else if (strcmp(what, "woken") == 0)
		weft_ctf_ev(&points[WOKEN]);
	weft_ctf_enter_u32(&points[CALL], 1, 1);
	if (strcmp(what, "other") == 0)
		weft_ctf_exit(&points[CALL], 0);
	weft_ctf_exit(&points[CALL], 1);
	weft_ctf_ev(&points[BLOCK]);
	weft_ctf_ev_u32(&points[START], 2);
	weft_ctf_ev(&points[END]);
	weft_ctf_ev(&points[WOKEN]);
	weft_ctf_ev(&points[END]);
	weft_ctf_cpu(0);
	if (strcmp(what, "producer") == 0) {
		pthread_create(&t, NULL, goes, NULL);
		pthread_join(t, NULL);
	}
	weft_ctf_leave();
	if (strcmp(what, "start-twice") == 0 &&
		weft_ctf_start(&(struct weft_ctf_runtime){
			.prefix = "mine", .points = points, .ncpus = 1 }))
		puts("started twice");
}

static void
act_mistake(void)
{
	ctfmistake(args[0]);
}

/* Refuses perf_event_open(), as Debian's kernel does without root. */
static void
deny_perf(void)
{
	struct sock_filter rule[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog all = { sizeof(rule) / sizeof(rule[0]), rule };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &all) != 0)
		puts("no seccomp");
}

static void
touch(volatile char *pages, long n)
{
	for (long i = 0; i < n; i++)
		pages[i * 4096] = 1;
}

/* Opens every counter on that CPU only, so that the kernel counts during a part
 * of the time, as with shared hardware counters. */
static int only_cpu = -1;

static bool
before_syscall(long number, long a[6])
{
	struct perf_event_attr *attr = (struct perf_event_attr *)a[0];

	if (number == SYS_perf_event_open && only_cpu >= 0) {
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = PERF_COUNT_SW_PAGE_FAULTS;
		a[2] = only_cpu;
	}
	return true;
}

static void
go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		puts("no such CPU");
}

/* TIMES DENY: a task touches 100 pages, then the runtime 7, and so on. */
static void
act_touch(void)
{
	long times = arg(0, 10);
	size_t size = (size_t)times * 107 * 4096;
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	madvise(pages, size, MADV_NOHUGEPAGE);
	if (arg(1, 0))
		deny_perf();
	points[CALL].counters = WEFT_CTF_TASK | WEFT_CTF_RUNTIME;
	points[START].counters = WEFT_CTF_RUNTIME;
	points[END].counters = WEFT_CTF_TASK;
	begin(1);
	weft_ctf_cpu(0);
	weft_ctf_ev_u32(&points[START], 1);
	weft_ctf_task_type("toucher");
	for (; times > 0; times--, pages += 107 * 4096) {
		touch(pages, 100);
		weft_ctf_enter_u32(&points[CALL], 1, 1);
		touch(pages + 100 * 4096, 7);
		weft_ctf_exit(&points[CALL], 1);
	}
	weft_ctf_ev(&points[END]);
	weft_ctf_leave();
}

/* FIRST SECOND: calls on two CPUs in turn; the counters count only on FIRST */
static void
act_share(void)
{
	static char pages[40][100 * 4096];

	only_cpu = (int)arg(0, 0);
	points[CALL].counters = WEFT_CTF_TASK | WEFT_CTF_RUNTIME;
	begin(1);
	weft_ctf_cpu(0);
	weft_ctf_ev_u32(&points[START], 1);
	for (int i = 0; i < 40; i++) {
		go_to((int)(i % 2 ? arg(1, 1) : arg(0, 0)));
		weft_ctf_enter_u32(&points[CALL], 1, 1);
		touch(pages[i], 100);
		weft_ctf_exit(&points[CALL], 1);
	}
	weft_ctf_ev(&points[END]);
	weft_ctf_leave();
}

/* Makes calls while no trace is recorded. */
static void
act_read(void)
{
	static char pages[200 * 4096];
	uint64_t value[WEFT_HWC_MAX];

	weft_hwc_delta(value);
	weft_hwc_delta(value);
	touch(pages + 4096, 50);
	weft_hwc_delta(value);
	for (int i = 0; i < weft_hwc_count(); i++)
		fprintf(stderr, "%s=%llu\n", weft_hwc_name(i),
			(unsigned long long)value[i]);
}

/* A child of fork() records nothing until it starts a trace of its own. */
static void
act_fork(void)
{
	pid_t pid;

	begin(2);
	weft_ctf_cpu(0);
	count(1, 10);
	pid = fork();
	if (pid == 0) {
		count(1000, 1010);
		weft_ctf_leave();
		count(1000, 1010);
		begin(2);
		count(2001, 2010);
		weft_ctf_cpu(1);
		count(2011, 2020);
		weft_ctf_stop();
		_exit(0);
	}
	count(11, 20);
	wait_for(pid);
	count(21, 30);
	pid = fork();
	if (pid == 0) {
		count(5000, 5010);
		exit(0); /* no trace ends here: the child has none */
	}
	wait_for(pid);
}

/* abort, segv or kill */
static void
act_die(void)
{
	pthread_t t;

	begin(1);
	args[1] = NULL;
	pthread_create(&t, NULL, counts, (void *)0L);
	pthread_join(t, NULL);
	count(1, 1000);
	if (args[0][0] == 'a')
		abort();
	if (args[0][0] == 's')
		raise(SIGSEGV);
	kill(getpid(), SIGKILL);
}

/* Waits for a line on stdin between two series of events. */
static void
act_pause(void)
{
	char line[16];

	begin(1);
	count(1, arg(0, 1000));
	puts("paused");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		puts("no input");
	usleep(200000); /* after that time the recorder tries to write again */
	count(arg(0, 1000) + 1, arg(1, 2000));
	printf("lost %llu\n", (unsigned long long)weft_lost());
}

static uint64_t handled;

static void
handler(int signal)
{
	(void)signal;
	weft_ctf_ev_u64(&points[HANDLER], ++handled);
}

static void
act_handler(void)
{
	struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { 0 };

	begin(1);
	weft_ctf_cpu(0);
	signal(SIGALRM, handler);
	setitimer(ITIMER_REAL, &often, NULL);
	count(1, arg(0, 1000000));
	setitimer(ITIMER_REAL, &never, NULL);
	printf("handled %llu\n", (unsigned long long)handled);
}

/* N: records N numbers, then 1000 by a new thread */
static void
act_late(void)
{
	pthread_t t;

	begin(1);
	count(1, arg(0, 1000));
	args[0] = NULL;
	pthread_create(&t, NULL, counts, (void *)-1L);
	pthread_join(t, NULL);
}

/* Threads take turns on one CPU; one of them is still running at exit. */
static void *
in_turn(void *turn)
{
	static int whose;

	for (int i = 0; i < 100; i++) {
		while (__atomic_load_n(&whose, __ATOMIC_ACQUIRE) !=
			(int)(long)turn)
			usleep(1);
		weft_ctf_cpu(0);
		count(i + 1, i + 1);
		weft_ctf_leave();
		__atomic_store_n(&whose, !turn, __ATOMIC_RELEASE);
	}
	while (turn != NULL)
		pause();
	return NULL;
}

static void
act_turns(void)
{
	pthread_t t[2];

	begin(1);
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, in_turn, (void *)i);
	pthread_join(t[0], NULL);
	usleep(20000);
}

static void
act_both(void)
{
	begin(1);
	count(1, 10);
	weft_ev("OB.");
	count(11, 20);
}

static const struct act acts[] = {
	{ "count", act_count },
	{ "nanos6", act_nanos6 },
	{ "declare", act_declare },
	{ "wrong", act_wrong },
	{ "context", ctfmistake_nanos6 },
	{ "mistake", act_mistake },
	{ "moves", ctfmistake_moves },
	{ "often", ctfmistake_often },
	{ "texts", ctfmistake_texts },
	{ "touch", act_touch },
	{ "share", act_share },
	{ "read", act_read },
	{ "fork", act_fork },
	{ "die", act_die },
	{ "pause", act_pause },
	{ "handler", act_handler },
	{ "late", act_late },
	{ "early", ctfearly },
	{ "turns", act_turns },
	{ "both", act_both },
};

int
main(int argc, char **argv)
{
	return acts_run(acts, sizeof(acts) / sizeof(*acts), argc, argv);
}
