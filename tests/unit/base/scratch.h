/* SPDX-License-Identifier: MIT */
/*
 * scratch.h - functions of the system for the tests of base: a directory that
 * is removed, a child process that may die, and its output to stderr.
 */
#ifndef WEFT_TEST_SCRATCH_H
#define WEFT_TEST_SCRATCH_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns the next value of a small generator (xorshift), the same on every
 * run. */
static inline uint64_t
scratch_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Makes a new directory and changes to it. */
static inline void
scratch_enter(char dir[64])
{
	snprintf(dir, 64, "/tmp/weft-unit-XXXXXX");
	if (mkdtemp(dir) == NULL || chdir(dir) != 0) {
		perror(dir);
		_exit(99);
	}
}

/* Removes the directory, however deep its tree is. */
static inline void
scratch_leave(const char *dir)
{
	pid_t pid;
	int status;

	if (chdir("/") != 0)
		_exit(99);
	pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", dir, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
}

/*
 * Runs fn in a child, and reads its stderr into text (room bytes, at least 1).
 * Returns the exit code, or 128 + the signal.
 */
static inline int
scratch_child(void (*fn)(void), char *text, size_t room)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;
	char sink[256];
	pid_t pid;

	fflush(stdout);
	if (pipe(ends) != 0 || (pid = fork()) < 0)
		_exit(99);
	if (pid == 0) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		fn();
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], sink, sizeof sink)) > 0)
		for (ssize_t i = 0; i < got && n + 1 < room; i++)
			text[n++] = sink[i];
	text[n] = '\0';
	close(ends[0]);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* Does the same with a terminal as stderr; returns -1 if the system has
 * none. */
static inline int
scratch_terminal(void (*fn)(void), char *text, size_t room)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), slave, status;
	size_t n = 0;
	char c;
	pid_t pid;

	text[0] = '\0';
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
		return -1;
	slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	if (slave < 0)
		return -1;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		dup2(slave, STDERR_FILENO);
		close(slave);
		close(master);
		fn();
		_exit(0);
	}
	close(slave);
	while (n + 1 < room && read(master, &c, 1) == 1)
		text[n++] = c;
	text[n] = '\0';
	close(master);
	waitpid(pid, &status, 0);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

#endif
