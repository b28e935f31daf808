/* SPDX-License-Identifier: MIT */
#include "cli/run/group.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The kernel may not have delivered the signal to the other process yet. */
enum { TRIES = 2, AGAIN_NS = 2000000, PATIENCE = 1000 /* ms */ };

static bool
has_come(int sig)
{
	static const struct timespec now;
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, sig);
	return sigtimedwait(&only, NULL, &now) == sig;
}

static void __attribute__((noreturn)) sit(int ask, int answer)
{
	sigset_t all;
	unsigned char sig;
	ssize_t n;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "weft-group");
	/* a reader of the program's output must not wait for this process */
	dup2(ask, 0);
	dup2(answer, 1);
	syscall(SYS_close_range, 2u, ~0u, 0u);
	while ((n = read(0, &sig, 1)) == 1 || (n < 0 && errno == EINTR)) {
		char yes = n == 1 && has_come(sig);

		if (n == 1 && write(1, &yes, 1) != 1)
			break;
	}
	_exit(0);
}

void
group_open(struct group *g)
{
	int ask[2], answer[2];

	*g = (struct group){ .pid = -1, .ask = -1, .answer = -1 };
	if (pipe2(ask, O_CLOEXEC) != 0)
		return;
	if (pipe2(answer, O_CLOEXEC) != 0) {
		close(ask[0]);
		close(ask[1]);
		return;
	}
	g->pid = fork();
	if (g->pid == 0)
		sit(ask[0], answer[1]);
	close(ask[0]);
	close(answer[1]);
	g->ask = ask[1];
	g->answer = answer[0];
}

static bool
has_answer(const struct group *g)
{
	struct pollfd p = { g->answer, POLLIN, 0 };

	return poll(&p, 1, PATIENCE) == 1;
}

bool
group_got(struct group *g, int sig)
{
	static const struct timespec again = { 0, AGAIN_NS };
	unsigned char byte = (unsigned char)sig;
	char yes = 0;

	/* SIGCONT, because SIGSTOP and SIGCONT may have been sent to us
	 * alone */
	for (int i = 0; g->pid > 0 && i < TRIES && !yes; i++) {
		if (i > 0)
			nanosleep(&again, NULL);
		kill(g->pid, SIGCONT);
		if (write(g->ask, &byte, 1) != 1 || !has_answer(g) ||
			read(g->answer, &yes, 1) != 1) {
			group_close(g);
			return false;
		}
	}
	return yes != 0;
}

void
group_close(struct group *g)
{
	if (g->pid <= 0)
		return;
	close(g->ask);
	close(g->answer);
	kill(g->pid, SIGKILL);
	waitpid(g->pid, NULL, 0);
	g->pid = -1;
}
