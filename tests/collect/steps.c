/* SPDX-License-Identifier: MIT */
/*
 * steps - a signal handler comes between any two instructions of recorded
 * calls: the processor's trap flag is set. The handler makes a recorded call,
 * too. With an argument it leaves the call by longjmp() instead, each time at
 * another instruction of the recording library, and the process ends.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { TRAP = 1 << 8, WARM = 20, CALLS = 5, STRIDE = 13, CODE = 256 << 10 };

static int file, fd[2];
static volatile long steps, last;
static sigjmp_buf back;
static uintptr_t library;

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

static void
leave(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *at = context;
	uintptr_t ip = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];

	(void)signal;
	(void)info;
	if (ip - library < CODE && ++steps == last)
		/* NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
		siglongjmp(back, 1);
}

#define SET_TRAP(op) \
	__asm__ volatile("pushfq\n" op ", (%%rsp)\npopfq" \
			 : \
			 : "i"(TRAP), "i"(~TRAP) \
			 : "cc", "memory")

static void
call_once(void)
{
	char c = 'c';

	if (pread(file, &c, 1, 0) != 1)
		abort();
}

/* A call that is recorded afterwards, and two that are recorded before. */
static void
make_calls(void)
{
	char c = 'c';

	call_once();
	if (write(fd[1], &c, 1) != 1 || read(fd[0], &c, 1) != 1)
		abort();
}

static void
go_on(void)
{
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
	for (int i = 0; i < CALLS; i++)
		if (fsync(file) != 0)
			abort();
	call_once();
}

/* Returns 0 if the call was left. Else the recorder may come to code in which
 * it blocks signals: then the kernel kills the process. */
static int
leave_once(void)
{
	for (int i = 0; i < WARM; i++)
		call_once();
	steps = 0;
	if (sigsetjmp(back, 1) != 0)
		return 0;
	SET_TRAP("orq %0");
	call_once();
	SET_TRAP("andq %1");
	return 1;
}

static void
leave_all(void)
{
	struct sigaction a = { .sa_sigaction = leave, .sa_flags = SA_SIGINFO };
	int status = 0;
	Dl_info in;

	if (dladdr(dlsym(RTLD_DEFAULT, "pread"), &in) == 0)
		abort();
	library = (uintptr_t)in.dli_fbase;
	sigaction(SIGTRAP, &a, NULL);
	for (last = 1; status == 0; last += STRIDE) {
		int pid = fork();

		if (pid == 0)
			_exit(leave_once());
		waitpid(pid, &status, 0);
	}
	printf("%s\n", last > 100 ? "left" : "not left");
}

int
main(int argc, char *argv[])
{
	char name[] = "/tmp/weft-steps-XXXXXX", c = 'c';

	(void)argv;
	file = mkstemp(name);
	if (file < 0 || unlink(name) != 0 || write(file, &c, 1) != 1 ||
		pipe(fd) != 0)
		return 1;
	if (argc > 1)
		leave_all();
	else
		go_on();
	return 0;
}
