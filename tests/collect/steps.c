/* SPDX-License-Identifier: MIT */
/*
 * steps - a signal handler comes between any two instructions of recorded
 * calls: the processor's trap flag is set. The handler makes a recorded call,
 * too. Prints how often it came.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TRAP = 1 << 8, WARM = 20, CALLS = 5 };

static int file, fd[2];
static volatile long steps;

static void
on_step(int signal)
{
	char c = 'h';

	(void)signal;
	steps++;
	/* NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
	if (pwrite(file, &c, 1, 0) != 1)
		_exit(1);
}

#define SET_TRAP(op) \
	__asm__ volatile("pushfq\n" op ", (%%rsp)\npopfq" \
			 : \
			 : "i"(TRAP), "i"(~TRAP) \
			 : "cc", "memory")

/* A call that is recorded afterwards, and two that are recorded before. */
static void
make_calls(void)
{
	char c = 'c';

	if (pread(file, &c, 1, 0) != 1 || write(fd[1], &c, 1) != 1 ||
		read(fd[0], &c, 1) != 1)
		abort();
}

int
main(void)
{
	char name[] = "/tmp/weft-steps-XXXXXX", c;

	file = mkstemp(name);
	if (file < 0 || unlink(name) != 0 || pipe(fd) != 0)
		return 1;
	signal(SIGTRAP, on_step);
	/* the stream, the names of files and of code locations */
	for (int i = 0; i < WARM; i++) {
		raise(SIGTRAP);
		make_calls();
	}
	steps = 0;
	SET_TRAP("orq %0");
	make_calls();
	SET_TRAP("andq %1");
	printf("%s\n", steps > 100 ? "steps" : "no steps");
	fflush(stdout);
	for (int i = 0; i < CALLS; i++)
		if (fsync(file) != 0)
			return 1;
	return pread(file, &c, 1, 0) != 1;
}
