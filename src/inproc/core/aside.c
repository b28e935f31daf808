/* SPDX-License-Identifier: MIT */
#include "inproc/core/aside.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inproc/core/signals.h"

enum { STACK = 128 << 10 };

struct errand {
	bool (*work)(void *);
	void *data;
	bool ok;
	int error;
};

/* The table is a copy: the program's descriptors stay open. The child keeps
 * stderr, for messages, and closes stdin and stdout, because with a limit of
 * three descriptors there are no others to free. */
static int
run(void *data)
{
	struct errand *e = data;

	syscall(SYS_close_range, 0u, STDERR_FILENO - 1u, 0u);
	syscall(SYS_close_range, STDERR_FILENO + 1u, ~0u, 0u);
	e->ok = e->work(e->data);
	e->error = errno;
	return 0;
}

/* No signal tells the program of the child, and waits of the program do not see
 * it. */
static void
send(struct errand *e)
{
	sigset_t was;
	void *stack;
	int pid;

	stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	if (stack == MAP_FAILED)
		return;
	signals_block(&was);
	pid = clone(run, (char *)stack + STACK, CLONE_VM | CLONE_VFORK, e);
	while (pid > 0 && syscall(SYS_wait4, pid, NULL, __WCLONE, NULL) < 0 &&
		errno == EINTR)
		;
	signals_restore(&was);
	munmap(stack, STACK);
}

bool
weft_rt_aside(bool (*work)(void *data), void *data)
{
	struct errand e = { work, data, false, EMFILE };

	if (work(data))
		return true;
#ifdef RT_ONE_TABLE
	return false;
#endif
	if (errno != EMFILE)
		return false;
	send(&e);
	errno = e.error;
	return e.ok;
}
