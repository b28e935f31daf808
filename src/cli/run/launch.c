/* SPDX-License-Identifier: MIT */
#include "cli/run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* Those that are meant for the program. */
static const int handed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
	SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH };

static bool
block_signals(struct launch *l)
{
	sigset_t set;

	/* Ignored, it would have no child left to wait for. */
	sigaction(SIGCHLD, &(struct sigaction){ .sa_handler = SIG_DFL },
		&l->ending);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < sizeof handed_on / sizeof *handed_on; i++)
		sigaddset(&set, handed_on[i]);
	sigprocmask(SIG_BLOCK, &set, &l->mask);
	l->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return l->signals >= 0;
}

static void __attribute__((noreturn))
be_program(const struct launch *l, char *argv[])
{
	char byte;
	int error;

	/* Nothing comes: the other end is closed, or we are alone. */
	while (read(l->go, &byte, 1) < 0 && errno == EINTR)
		;
	sigaction(SIGCHLD, &l->ending, NULL);
	sigprocmask(SIG_SETMASK, &l->mask, NULL);
	execvp(argv[0], argv);
	error = errno;
	while (write(l->failed, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(error == ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_NOT_RUN);
}

bool
launch_start(struct launch *l, char *argv[], struct err *err)
{
	int go[2], failed[2];

	*l = (struct launch){ .pid = -1, .status = LAUNCH_NOT_RUN << 8 };
	l->group.pid = -1;
	if (!block_signals(l))
		return err_set(err, ERR_SYSTEM, "cannot start %s", argv[0]);
	/* before it holds what tells the program to begin */
	group_open(&l->group);
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
		return err_set(err, ERR_SYSTEM, "cannot start %s", argv[0]);
	l->pid = fork();
	if (l->pid == 0) {
		l->go = go[0];
		l->failed = failed[1];
		close(go[1]);
		be_program(l, argv);
	}
	l->go = go[1];
	l->failed = failed[0];
	close(go[0]);
	close(failed[1]);
	return l->pid > 0 ||
		err_set(err, ERR_SYSTEM, "cannot start %s", argv[0]);
}

bool
launch_go(struct launch *l, struct err *err)
{
	int error = 0;
	ssize_t n;

	close(l->go);
	do
		n = read(l->failed, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	close(l->failed);
	if (n != (ssize_t)sizeof error)
		return true; /* exec closed it */
	group_close(&l->group);
	waitpid(l->pid, &l->status, 0);
	errno = error;
	return err_set(err, ERR_SYSTEM, "cannot start the program");
}

/* True if it has ended. */
static bool
look_at_child(struct launch *l)
{
	int status;

	while (waitpid(l->pid, &status, WNOHANG | WUNTRACED) == l->pid) {
		if (!WIFSTOPPED(status)) {
			l->status = status;
			return true;
		}
		/* The shell must see that the job stopped; whoever wakes us
		 * may have woken us alone. */
		raise(SIGSTOP);
		kill(l->pid, SIGCONT);
	}
	return false;
}

/* What has reached the whole group has reached the program: always if it comes
 * from the terminal. */
static void
hand_on(struct launch *l, const struct signalfd_siginfo *s)
{
	int sig = (int)s->ssi_signo;

	if (sig == SIGCHLD || s->ssi_code == SI_KERNEL)
		return;
	/* to be continued twice is the same */
	if (sig == SIGCONT || !group_got(&l->group, sig))
		kill(l->pid, sig);
}

bool
launch_wait(struct launch *l, int milliseconds)
{
	struct pollfd poll_for = { l->signals, POLLIN, 0 };
	struct signalfd_siginfo s;

	if (poll(&poll_for, 1, milliseconds) > 0)
		while (read(l->signals, &s, sizeof s) == (ssize_t)sizeof s)
			hand_on(l, &s);
	if (!look_at_child(l))
		return false;
	group_close(&l->group);
	return true;
}

int
launch_code(const struct launch *l)
{
	return WIFSIGNALED(l->status) ? 128 + WTERMSIG(l->status)
				      : WEXITSTATUS(l->status);
}
