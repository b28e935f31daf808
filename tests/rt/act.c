/* SPDX-License-Identifier: MIT */
/*
 * act.c - a traced program; the first argument selects what happens to it.
 *
 *	act count 1000 4        four threads record 1 to 1000 each
 *	act fork                ...and so on: the table at the end
 *
 * Its output and its exit code 7 are the same whatever happens to the trace.
 * A number is recorded as the value of a mark ("OM="), so that a trace with
 * gaps violates no rule.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acts.h"
#include "ovni.h"
#include "weft/trace.h"

static struct weft_counter counter = WEFT_COUNTER(1, "Number");

static void
count(long from, long to)
{
	for (long i = from; i <= to; i++)
		weft_count(&counter, i);
}

/* Emits an event as programs of ovni.h do. */
static void
emit(const char *mcv, const void *data, int n)
{
	struct ovni_ev ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, mcv);
	if (n > 0)
		ovni_payload_add(&ev, data, n);
	ovni_ev_emit(&ev);
}

static void
set_up(const char *loom, int tid)
{
	char host[256] = "";

	gethostname(host, sizeof(host) - 1);
	host[strcspn(host, "./")] = '\0';
	ovni_proc_init(1, loom ? loom : host, (int)getpid());
	ovni_thread_init(tid);
	for (int i = 0; i < sysconf(_SC_NPROCESSORS_CONF); i++)
		ovni_add_cpu(i, i);
}

static void
begin(const char *loom, int tid)
{
	int32_t where[4] = { 0, -1, 0, 0 };

	set_up(loom, tid);
	emit("OHx", where, 16);
}

static void
end(void)
{
	emit("OHe", NULL, 0);
	ovni_flush();
	ovni_thread_free();
	ovni_proc_fini();
}

static void *
counts(void *n)
{
	count(1, *(long *)n);
	return NULL;
}

static void
with_threads(int n, void *(*run)(void *), void *data)
{
	pthread_t all[256];

	for (int i = 0; i < n; i++)
		if (pthread_create(&all[i], NULL, run, data) != 0)
			n = i;
	for (int i = 0; i < n; i++)
		pthread_join(all[i], NULL);
}

/* N [THREADS [TIMES MS]]: main and the threads record 1 to N, TIMES times, and
 * pause MS ms in between */
static void
act_count(void)
{
	long n = arg(0, 1000), times = arg(2, 1);

	for (long i = 0; i < times; i++) {
		with_threads((int)arg(1, 0), counts, &n);
		count(1, n);
		usleep((unsigned)arg(3, 0) * 1000);
	}
}

static void
act_classic(void)
{
	begin(NULL, (int)gettid());
	for (int64_t i = 1; i <= arg(0, 1000); i++)
		emit("OU[", NULL, 0), emit("OU]", NULL, 0);
	end();
}

/* A child of fork records nothing until it calls ovni_proc_init(). */
static void
child(void)
{
	count(1000, 1010);
	emit("OU[", NULL, 0);
	if (ovni_thread_isready())
		puts("a child is ready");
	begin(NULL, (int)gettid());
	count(2001, 2010);
	end();
	fflush(stdout);
	_exit(0);
}

static void
act_fork(void)
{
	long n = 100;
	pid_t pid;

	count(1, 10);
	with_threads(4, counts, &n);
	pid = fork();
	if (pid == 0)
		child();
	count(11, 20);
	wait_for(pid);
	count(21, 30);
	pid = fork();
	if (pid == 0) {
		count(5000, 5010);
		exit(0); /* the child did not call ovni_proc_init(), so the
		          * recorder does nothing in exit() */
	}
	wait_for(pid);
}

static void
act_clone(void)
{
	pid_t pid;

	count(1, 10);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		child();
	wait_for(pid);
	count(11, 30);
}

static void
act_vfork(void)
{
	pid_t pid;

	count(1, 10);
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	wait_for(pid);
	count(11, 30);
}

static void
act_exec(void)
{
	char number[32];

	snprintf(number, sizeof(number), "%ld", arg(0, 1) - 1);
	count(1, 10);
	if (arg(0, 1) > 0)
		execl("/proc/self/exe", "act", "exec", number, (char *)NULL);
}

static void *
executes(void *none)
{
	(void)none;
	count(1, 20);
	execl("/proc/self/exe", "act", "count", "30", (char *)NULL);
	return NULL;
}

static void
act_exec_thread(void)
{
	count(1, 10);
	with_threads(1, executes, NULL);
}

static void *
once(void *none)
{
	(void)none;
	count(1, 3);
	return NULL;
}

static void
act_threads(void)
{
	for (long left = arg(0, 10000); left > 0; left -= 8)
		with_threads(left < 8 ? (int)left : 8, once, NULL);
}

static int nbegun;

static void *
counts_for_ever(void *none)
{
	(void)none;
	weft_count(&counter, 1);
	__atomic_fetch_add(&nbegun, 1, __ATOMIC_SEQ_CST);
	for (long i = 2;; i++) {
		if (i % 1000 == 0)
			/* keeps the trace small: tests read all of it */
			usleep(100);
		weft_count(&counter, i);
	}
	return NULL;
}

static void *
ends_the_process(void *none)
{
	(void)none;
	while (__atomic_load_n(&nbegun, __ATOMIC_SEQ_CST) < 3)
		usleep(100);
	puts("acted");
	exit(7);
	return NULL;
}

static void
act_exit_thread(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++)
		pthread_create(&t, NULL, counts_for_ever, NULL);
	with_threads(1, ends_the_process, NULL);
}

static void *
outlives_main(void *main)
{
	pthread_join(*(pthread_t *)main, NULL);
	count(1, 10);
	puts("acted");
	exit(7);
	return NULL;
}

static void
act_main_exits(void)
{
	static pthread_t me, t;

	me = pthread_self();
	count(1, 10);
	pthread_create(&t, NULL, outlives_main, &me);
	pthread_exit(NULL);
}

/* abort, segv or kill */
static void
act_die(void)
{
	count(1, 100);
	if (args[0][0] == 'a')
		abort();
	if (args[0][0] == 's')
		raise(SIGSEGV);
	kill(getpid(), SIGKILL);
}

static void
act_after_fini(void)
{
	begin(NULL, (int)gettid());
	count(1, 10);
	ovni_proc_fini();
	count(11, 20); /* still recorded: the thread has not ended */
	emit("OHe", NULL, 0);
	ovni_thread_free();
	count(21, 30); /* not recorded: the thread has ended */
	if (ovni_thread_isready())
		puts("still ready");
}

/* WHAT: makes calls that are forbidden */
static void
act_wrong(void)
{
	const char *what = args[0];
	struct ovni_ev ev = { 0 };

	if (strcmp(what, "emit") == 0)
		ovni_ev_emit(&ev);
	else if (strcmp(what, "flush") == 0)
		ovni_flush();
	else if (strcmp(what, "init-thread") == 0)
		ovni_thread_init(1);
	begin(NULL, 5);
	if (strcmp(what, "init-twice") == 0)
		ovni_proc_init(1, "node", 1);
	end();
	if (strcmp(what, "emit-after") == 0)
		ovni_ev_emit(&ev);
	else if (strcmp(what, "free-twice") == 0)
		ovni_thread_free();
	else if (strcmp(what, "fini-twice") == 0)
		ovni_proc_fini();
	else if (strcmp(what, "init-again") == 0)
		ovni_thread_init(5);
}

static void
act_adopt(void)
{
	count(1, 10);
	begin("other", (int)gettid());
	count(11, 20);
	end();
}

/* The program frees a thread that its first event started. */
static void
act_free_auto(void)
{
	count(1, 10);
	ovni_thread_free();
	count(11, 20);
}

static void *
first_of_two(void *none)
{
	int32_t where[4] = { 0, -1, 0, 0 };

	(void)none;
	ovni_thread_init(77);
	ovni_add_cpu(0, 0);
	ovni_thread_require("nanos6", "1.1.0");
	ovni_mark_type(3, 0, "Third");
	ovni_mark_label(3, 1, "one");
	ovni_attr_set_str("my.key", "kept");
	emit("OHx", where, 16);
	emit("6W[", NULL, 0), emit("6W]", NULL, 0);
	emit("OHe", NULL, 0);
	ovni_thread_free();
	return NULL;
}

static void *
second_of_two(void *none)
{
	int32_t where[4] = { 0, -1, 0, 0 };

	(void)none;
	ovni_thread_init(77);
	ovni_mark_type(3, 0, "Third");
	ovni_mark_label(3, 2, "two");
	emit("OHx", where, 16);
	ovni_mark_set(3, 2);
	emit("OHe", NULL, 0);
	ovni_thread_free();
	return NULL;
}

static void
act_recycle(void)
{
	ovni_proc_init(1, "node", (int)getpid());
	with_threads(1, first_of_two, NULL);
	with_threads(1, second_of_two, NULL);
	ovni_proc_fini();
}

static void
act_jumbo(void)
{
	count(1, 5);
	for (int i = 0; args[i]; i++) {
		size_t n = strtoul(args[i], NULL, 10);
		unsigned char *data = mmap(NULL, n + 1, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

		/* untouched pages of zeros need no memory */
		for (size_t k = 0; k < n && n <= 64 << 20; k++)
			data[k] = (unsigned char)(k % 251);
		weft_jumbo("OUj", data, (uint32_t)n);
		munmap(data, n + 1);
	}
	count(6, 10);
}

static void
handler(int signal)
{
	static unsigned char data[300000];

	(void)signal;
	weft_jumbo("OUj", data, 100);
	weft_jumbo("OUj", data, sizeof(data));
	weft_count(&counter, 5000);
}

static void
act_jumbo_handler(void)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, never = { 0 };
	unsigned char data[20000] = { 0 };

	signal(SIGALRM, handler);
	count(1, 1);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 2000; i++) {
		weft_jumbo("OUj", data, sizeof(data));
		count(1, 50);
	}
	setitimer(ITIMER_REAL, &never, NULL);
}

/* Names regions when the process has no free file descriptor. */
static void
act_nofile_names(void)
{
	static struct weft_region late = WEFT_REGION("late"),
				  later = WEFT_REGION("later");

	count(1, arg(0, 10));
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	for (long i = 0; i < arg(1, 100000); i++) {
		weft_enter(&late);
		weft_enter(&later);
		weft_leave(&later);
		weft_leave(&late);
	}
}

static void
act_nofile(void)
{
	count(1, arg(0, 10));
	while (open("/dev/null", O_RDONLY) >= 0)
		;
	count(arg(0, 10) + 1, arg(1, 20));
	with_threads(2, once, NULL);
}

/* Lowers the memory limit to MB more than is in use now. */
static void
act_no_memory(void)
{
	struct rlimit limit = { 0, RLIM_INFINITY };
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	if (!f || fscanf(f, "%lu", &pages) != 1)
		puts("no statm");
	if (f)
		fclose(f);
	limit.rlim_cur = (pages << 12) + ((rlim_t)arg(0, 1) << 20);
	setrlimit(RLIMIT_AS, &limit);
	if (args[1])
		begin(NULL, (int)gettid());
	count(1, 10);
	if (args[1])
		end();
}

static void
act_dump(void)
{
	count(1, 100000);
	if (!weft_dump())
		puts("not dumped");
	count(100001, 300000);
	if (!weft_dump())
		puts("not dumped");
	count(300001, 300010);
}

/* Moves and pauses a thread; the flight recorder keeps only the last of its
 * events. */
static void
act_moved(void)
{
	int32_t cpu = 1;

	begin(NULL, (int)gettid());
	emit("OAs", &cpu, 4);
	count(1, 10000);
	emit("OHp", NULL, 0);
	count(10001, 20000);
	weft_dump();
	emit("OHr", NULL, 0);
	end();
}

static void
act_switch(void)
{
	count(1, 10);
	weft_off();
	count(11, 20);
	if (chdir("/") != 0)
		puts("no /");
	weft_on();
	count(21, 30);
	with_threads(1, once, NULL);
}

static void
act_models(void)
{
	weft_require("nanos6", "1.1.0");
	weft_ev("6W["), weft_ev("6W]");
	weft_ev("6S["), weft_ev("6S]");
	weft_ev("6M["), weft_ev("6M]");
	count(1, 5);
}

/* Waits for a line on stdin between two series of events. */
static void
act_pause(void)
{
	char line[16];

	count(1, arg(0, 1000));
	puts("paused");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		puts("no input");
	usleep(200000); /* after that time the recorder tries to write again */
	count(arg(0, 1000) + 1, arg(1, 2000));
	printf("lost %llu\n", (unsigned long long)weft_lost());
}

/* N [WAIT]: names itself by host and pid, and records on any CPU; WAIT: waits
 * half-way for the end of stdin */
static void
act_named(void)
{
	int32_t where[4] = { -1, -1, 0, 0 };

	set_up(NULL, (int)gettid());
	emit("OHx", where, 16);
	count(1, arg(0, 1000) / 2);
	while (arg(1, 0) && getchar() != EOF)
		;
	count(arg(0, 1000) / 2 + 1, arg(0, 1000));
	end();
}

static const struct act acts[] = {
	{ "named", act_named },
	{ "count", act_count },
	{ "classic", act_classic },
	{ "fork", act_fork },
	{ "clone", act_clone },
	{ "vfork", act_vfork },
	{ "exec", act_exec },
	{ "exec-thread", act_exec_thread },
	{ "threads", act_threads },
	{ "exit-thread", act_exit_thread },
	{ "main-exits", act_main_exits },
	{ "die", act_die },
	{ "after-fini", act_after_fini },
	{ "wrong", act_wrong },
	{ "adopt", act_adopt },
	{ "free-auto", act_free_auto },
	{ "recycle", act_recycle },
	{ "jumbo", act_jumbo },
	{ "jumbo-handler", act_jumbo_handler },
	{ "nofile", act_nofile },
	{ "nofile-names", act_nofile_names },
	{ "no-memory", act_no_memory },
	{ "dump", act_dump },
	{ "moved", act_moved },
	{ "switch", act_switch },
	{ "models", act_models },
	{ "pause", act_pause },
};

int
main(int argc, char **argv)
{
	return acts_run(acts, sizeof(acts) / sizeof(*acts), argc, argv);
}
