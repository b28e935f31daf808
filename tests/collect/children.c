/* SPDX-License-Identifier: MIT */
/*
 * children WAY - children that no handler of pthread_atfork() prepares, and
 * programs that the C library starts: with system calls given up by seccomp,
 * before or after.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wordexp.h>

#include "confined.h"

enum { MANY = 100000, STACK = 1 << 16 };

#define IS(number, action) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), \
		BPF_STMT(BPF_RET | BPF_K, action)
#define KILL(number) IS(number, SECCOMP_RET_KILL_PROCESS)

#define CALLS_OF_THE_RECORDER \
	KILL(SYS_gettid), KILL(SYS_mkdirat), KILL(SYS_sigaltstack), \
		KILL(SYS_process_vm_readv), KILL(SYS_pwritev), \
		KILL(SYS_pwrite64), \
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Calls that this program does not make. */
static struct sock_filter ours[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	KILL(SYS_getpid),
	CALLS_OF_THE_RECORDER,
};

/* Calls that a shell does not make, either. */
static struct sock_filter shells[] = {
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	CALLS_OF_THE_RECORDER,
};

static struct sock_fprog kills = { sizeof ours / sizeof *ours, ours },
			 lets_start = { sizeof shells / sizeof *shells,
				 shells };

static char self[] = "/proc/self/exe", none[] = "none", missing[] = "missing";

static void
filter(struct sock_fprog *f)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, f, 0, 0) != 0)
		_exit(8);
}

static void
confine(void)
{
	filter(&kills);
}

static void
strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0) != 0)
		_exit(8);
}

static void
work(const char *text)
{
	pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	for (int i = 0; i < MANY; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	for (int i = 0; i < 300; i++)
		say("");
	say(text);
}

static void
say_end(pid_t pid)
{
	char text[64];
	int status = -1;

	if (pid < 0)
		fail("child");
	waitpid(pid, &status, 0);
	snprintf(text, sizeof text, "status %x\n", (unsigned)status);
	say(text);
	for (int i = 0; i < 3; i++)
		nap();
}

/* The child of a system call, which the C library does not know. */
static pid_t
copy(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void
copy_filter(void)
{
	pid_t pid = copy();

	if (pid == 0) {
		confine();
		work("copy\n");
		nap();
		_exit(3);
	}
	say_end(pid);
}

static void
copy_strict(void)
{
	pid_t pid = copy();

	if (pid == 0) {
		strict();
		work("strict\n");
		syscall(SYS_exit, 4);
	}
	say_end(pid);
}

static void *
copy_thread(void *nothing)
{
	copy_filter();
	copy_strict();
	return nothing;
}

static void
copy_beside(void)
{
	pthread_t t;

	pthread_create(&t, NULL, copy_thread, NULL);
	pthread_join(t, NULL);
	copy_filter();
}

/* Without handlers of pthread_atfork(). */
static void
plain_fork(void)
{
	pid_t pid = _Fork();

	if (pid == 0) {
		confine();
		work("fork\n");
		_exit(3);
	}
	say_end(pid);
}

/* A child that has not given up anything. */
static void
copy_free(void)
{
	pid_t pid = copy();

	if (pid == 0) {
		work("free\n");
		nap();
		execv(missing, (char *[]){ none, NULL });
		execv(self, (char *[]){ none, none, NULL });
	}
	say_end(pid);
}

static int
shared(void *text)
{
	confine();
	work(text);
	nap();
	execv(missing, (char *[]){ none, NULL });
	work(text);
	_exit(5);
}

static int
shared_strict(void *text)
{
	strict();
	work(text);
	syscall(SYS_exit, 6);
	return 0;
}

static int
shared_image(void *text)
{
	confine();
	work(text);
	execv(missing, (char *[]){ none, NULL });
	execv(self, (char *[]){ none, none, NULL });
	_exit(7);
}

/* Children that share the memory, and even the thread's. */
static void
share(int (*run)(void *), const char *text, int flags)
{
	char *stack = malloc(STACK);
	int pid = clone(run, stack + STACK, CLONE_VM | SIGCHLD | flags,
		(void *)(size_t)text);

	say_end(pid);
	free(stack);
}

static void
share_all(void)
{
	share(shared, "shared\n", CLONE_VFORK);
	share(shared_strict, "strict\n", CLONE_VFORK);
	share(shared_image, "image\n", CLONE_VFORK);
}

static void
share_beside(void)
{
	share(shared, "shared\n", 0);
	share(shared_strict, "strict\n", 0);
	share(shared_image, "image\n", 0);
}

static void
vfork_image(void)
{
	pid_t pid = vfork(); /* NOLINT */

	/* as launchers do */
	if (pid == 0) {
		confine(); /* NOLINT */
		execv(missing, (char *[]){ none, NULL });
		execv(self, (char *[]){ none, none, NULL });
		_exit(7);
	}
	say_end(pid);
}

static void
say_output(FILE *from)
{
	char line[200];

	while (fgets(line, sizeof line, from) != NULL)
		say(line);
}

/* Programs that the C library starts. */
static void
start_programs(void)
{
	char shell[] = "sh", flag[] = "-c", command[] = "echo spawned";
	char *words[] = { shell, flag, command, NULL };
	wordexp_t list;
	FILE *from;
	pid_t pid;

	if (system("echo system; exit 3") /* NOLINT */ != 3 << 8)
		say("no system\n");
	from = popen("echo popen; exit 4", "r"); /* NOLINT */
	if (from == NULL)
		fail("popen");
	say_output(from);
	if (pclose(from) != 4 << 8)
		say("no popen\n");
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, words, environ) == 0)
		say_end(pid);
	if (posix_spawnp(&pid, "sh", NULL, NULL, words, environ) == 0)
		say_end(pid);
	if (wordexp("$(echo words)", &list, 0) == 0)
		say(list.we_wordv[0]);
	say("\n");
}

static void *
start_thread(void *nothing)
{
	filter(&lets_start);
	start_programs();
	return nothing;
}

/* The other thread is not confined. */
static void
start_beside(void)
{
	pthread_t t;
	const char *list = getenv("LD_PRELOAD");
	char *before = strdup(list != NULL ? list : "");

	nap();
	pthread_create(&t, NULL, start_thread, NULL);
	pthread_join(t, NULL);
	list = getenv("LD_PRELOAD");
	say(strcmp(before, list != NULL ? list : "") == 0 ? "same\n"
							  : "changed\n");
	nap();
	if (system("echo main") != 0) /* NOLINT */
		say("no main\n");
	free(before);
}

static void
start_alone(void)
{
	nap();
	filter(&lets_start);
	start_programs();
}

static void *
other(void *nothing)
{
	for (int i = 0; i < 5; i++)
		nap();
	return nothing;
}

static void
notify(union sigval none_)
{
	(void)none_;
	nap();
	say("timer\n");
}

/* A thread that the C library makes by itself. */
static void
timer_thread(void)
{
	struct sigevent how = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = notify };
	const struct itimerspec t = { .it_value = { 0, SLEEP } };
	pthread_t beside;
	timer_t timer;

	pthread_create(&beside, NULL, other, NULL);
	filter(&lets_start);
	if (timer_create(CLOCK_MONOTONIC, &how, &timer) != 0)
		fail("timer");
	timer_settime(timer, 0, &t, NULL);
	for (int i = 0; i < 30; i++)
		nap();
	pthread_join(beside, NULL);
}

static sem_t notified;

static void
notify_main(union sigval none_)
{
	(void)none_;
	nap();
	sem_post(&notified);
}

/* Such a thread in a process whose child gave up system calls in its memory. */
static void
vfork_timer(void)
{
	struct sigevent how = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = notify_main };
	const struct itimerspec t = { .it_value = { 0, SLEEP } };
	timer_t timer;

	sem_init(&notified, 0, 0);
	vfork_image();
	if (timer_create(CLOCK_MONOTONIC, &how, &timer) != 0)
		fail("timer");
	timer_settime(timer, 0, &t, NULL);
	while (sem_wait(&notified) != 0)
		;
}

static void
exit_thread(void)
{
	nap();
	syscall(SYS_exit, 6);
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} way[] = { { "copy", copy_filter }, { "copy-strict", copy_strict },
		{ "copy-thread", copy_beside }, { "fork", plain_fork },
		{ "copy-free", copy_free }, { "share", share_all },
		{ "share-beside", share_beside }, { "vfork", vfork_image },
		{ "programs", start_alone },
		{ "programs-thread", start_beside }, { "exit", exit_thread },
		{ "timer", timer_thread }, { "vfork-timer", vfork_timer } };

	nap();
	for (size_t i = 0; i < sizeof way / sizeof *way; i++)
		if (argc > 1 && strcmp(argv[1], way[i].name) == 0)
			way[i].run();
	nap();
	return 3;
}
