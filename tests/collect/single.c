/* SPDX-License-Identifier: MIT */
/*
 * single WAY - makes calls that need a process with a single thread, between
 * sleeps, and prints what the kernel says.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void
nap(void)
{
	const struct timespec t = { 0, 2000000 };

	nanosleep(&t, NULL);
}

static void
say(const char *what, long r)
{
	printf("%s: %ld %s\n", what, r, r == 0 ? "" : strerror(errno));
	fflush(stdout);
	for (int i = 0; i < 3; i++)
		nap();
}

static void *
other(void *none)
{
	for (int i = 0; i < 50; i++)
		nap();
	return none;
}

static void
enter(const char *name, int kind)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	errno = 0;
	say(name, setns(fd, kind));
	close(fd);
}

static void
all(void)
{
	int fd = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);

	say("memory", unshare(CLONE_VM));
	say("handlers", unshare(CLONE_SIGHAND));
	say("threads", unshare(CLONE_THREAD));
	say("files", unshare(CLONE_FILES));
	say("by number", syscall(SYS_unshare, CLONE_VM));
	enter("/proc/self/ns/mnt", CLONE_NEWNS);
	enter("/proc/self/ns/mnt", 0);
	enter("/proc/self/ns/user", CLONE_NEWUSER);
	say("setns by number", syscall(SYS_setns, fd, CLONE_NEWNS));
	close(fd);
	say("nothing", setns(-1, 0));
}

/* unshare() is no cancellation point. */
static void
cancelled(void)
{
	int r, state;

	pthread_cancel(pthread_self());
	r = unshare(CLONE_VM);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	say("cancelled", r);
}

/* Keeps capabilities that no other thread would have. */
static void
keep(void)
{
	struct __user_cap_header_struct of = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct caps[2];

	say("read", syscall(SYS_capget, &of, caps));
	say("keep", prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0));
	say("change", setresuid(65534, 65534, 65534));
	say("raise", syscall(SYS_capset, &of, caps));
	say("groups", setgroups(0, NULL));
	say("bits", prctl(PR_SET_SECUREBITS, 4, 0, 0, 0)); /* no fixup */
	say("back", setresuid(0, 0, 0));
	say("once more", setresuid(65534, 65534, 65534));
	say("groups again", setgroups(0, NULL));
}

/* Prints the number of threads of the process. */
static void
count(const char *what)
{
	struct stat st;

	nap();
	nap();
	say(what,
		stat("/proc/self/task", &st) == 0 ? (long)st.st_nlink - 2 : -1);
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pthread_t t;
	pid_t pid;

	nap();
	if (strcmp(way, "all") == 0)
		all();
	if (strcmp(way, "keep") == 0)
		keep();
	if (strcmp(way, "user") == 0)
		say("user", unshare(CLONE_NEWUSER));
	if (strcmp(way, "user") == 0 || strcmp(way, "first") == 0)
		count("threads");
	if (strcmp(way, "process") == 0) {
		say("processes", unshare(CLONE_NEWUSER | CLONE_NEWPID));
		pid = fork();
		if (pid == 0) {
			printf("%d\n", (int)getpid());
			fflush(stdout);
			_exit(4);
		}
		waitpid(pid, NULL, 0);
	}
	if (strcmp(way, "cancelled") == 0)
		cancelled();
	if (strcmp(way, "two") == 0) {
		pthread_create(&t, NULL, other, NULL);
		say("two", unshare(CLONE_NEWUSER));
		pthread_join(t, NULL);
	}
	return 3;
}
