/* SPDX-License-Identifier: MIT */
/*
 * execs WAY - sleeps, replaces itself in one of several ways, and sleeps again;
 * each image prints what it is.
 */
#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SLEEP = 20000, FAILS = 50 };

static char self[] = "/proc/self/exe", after[] = "after";
static char *const again[] = { self, after, NULL };

static void
say(const char *text)
{
	usleep(SLEEP);
	puts(text);
	fflush(stdout);
}

static void *
replace(void *none)
{
	say("thread");
	execv(self, again);
	return none;
}

static void *
waits(void *fd)
{
	char byte;

	/* until the exec ends it */
	return read(*(int *)fd, &byte, 1) == 1 ? fd : NULL;
}

static void
from_thread(void)
{
	pthread_t t[2];
	int fd[2];

	if (pipe(fd) != 0)
		exit(1);
	pthread_create(&t[0], NULL, waits, fd);
	pthread_create(&t[1], NULL, replace, NULL);
	pthread_join(t[0], NULL);
}

static bool stops;

/* Records all the time. */
static void *
works(void *sum)
{
	long *n = sum;

	while (!__atomic_load_n(&stops, __ATOMIC_RELAXED)) {
		usleep(100);
		++*n;
	}
	return NULL;
}

/* Prints how often it and its threads slept. */
static void
fail(int times)
{
	char *const none[] = { NULL };
	pthread_t t[2];
	long n[2] = { 0 };

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, works, &n[i]);
	for (int i = 0; i < times; i++) {
		errno = 0;
		if (execve("/nowhere/at/all", none, environ) != -1 ||
			errno != ENOENT)
			exit(1);
		usleep(1000);
	}
	__atomic_store_n(&stops, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	fprintf(stderr, "slept %ld\n", n[0] + n[1] + times + 1);
}

/* The child of vfork has the memory of the recorded process. */
static void
child(bool spawns)
{
	char path[] = "/bin/true";
	char *const argv[] = { path, NULL };
	int status = 1;
	pid_t pid;

	if (spawns) {
		if (posix_spawn(&pid, path, NULL, NULL, argv, environ) != 0)
			exit(1);
	} else {
		pid = vfork();
		if (pid == 0) {
			execl("/nowhere", "nowhere", (char *)NULL);
			execv(path, argv);
			_exit(127);
		}
	}
	waitpid(pid, &status, 0);
	printf("child %d\n", status);
}

int
main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	say(way);
	if (strcmp(way, "execve") == 0)
		execve(self, again, environ);
	else if (strcmp(way, "execl") == 0)
		execl(self, self, "after", (char *)NULL);
	else if (strcmp(way, "execle") == 0)
		execle(self, self, "execlp", (char *)NULL, environ);
	else if (strcmp(way, "execlp") == 0)
		execlp(self, self, "execvpe", (char *)NULL);
	else if (strcmp(way, "execvpe") == 0)
		execvpe(self, again, environ);
	else if (strcmp(way, "thread") == 0)
		from_thread();
	else if (strcmp(way, "fails") == 0)
		fail(FAILS);
	else if (strcmp(way, "vfork") == 0 || strcmp(way, "spawn") == 0)
		child(strcmp(way, "spawn") == 0);
	say("end");
	return 3;
}
