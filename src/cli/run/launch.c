/* SPDX-License-Identifier: MIT */
#include "cli/run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/now.h"

/* Signals that are forwarded to the program. */
static const int handed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1,
	SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH };

static bool
block_signals(struct launch *l)
{
	sigset_t set;

	/* If SIGCHLD were ignored, waitpid() would find no child. */
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

void
launch_keep_environment(struct launch *l, struct arena *a)
{
	size_t n = 0;

	while (environ[n] != NULL)
		n++;
	l->own = arena_alloc(a, (n + 1) * sizeof *l->own);
	memcpy(l->own, environ, (n + 1) * sizeof *l->own);
	/* a recorder reads its directory from the environment when its process
	 * first waits: now, if we are recorded */
	if (getenv("WEFT_COLLECT") != NULL)
		poll(NULL, 0, 1);
}

static void __attribute__((noreturn))
be_program(const struct launch *l, char *argv[], char *env[])
{
	char byte;
	int error;

	/* Nothing is ever read: the other end is closed when the program may
	 * begin. */
	while (read(l->go, &byte, 1) < 0 && errno == EINTR)
		;
	sigaction(SIGCHLD, &l->ending, NULL);
	sigprocmask(SIG_SETMASK, &l->mask, NULL);
	environ = env;
	execvp(argv[0], argv);
	error = errno;
	while (write(l->failed, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(error == ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_NOT_RUN);
}

/* Forks what waits for launch_go() with the environment `env`. */
static bool
start(struct launch *l, char *argv[], char *env[], struct err *err)
{
	int go[2], failed[2];

	if (!block_signals(l))
		return err_set(err, ERR_SYSTEM, "cannot start %s", argv[0]);
	/* opened before the pipe that starts the program, so that the other
	 * process does not hold that pipe open */
	group_open(&l->group);
	if (pipe2(go, O_CLOEXEC) != 0 || pipe2(failed, O_CLOEXEC) != 0)
		return err_set(err, ERR_SYSTEM, "cannot start %s", argv[0]);
	l->pid = fork();
	if (l->pid == 0) {
		l->go = go[0];
		l->failed = failed[1];
		close(go[1]);
		be_program(l, argv, env);
	}
	l->go = go[1];
	l->failed = failed[0];
	close(go[0]);
	close(failed[1]);
	return l->pid > 0 ||
		err_set(err, ERR_SYSTEM, "cannot start %s", argv[0]);
}

bool
launch_start(struct launch *l, char *argv[], struct err *err)
{
	char **env = environ;
	bool ok;

	*l = (struct launch){
		.own = l->own, .pid = -1, .status = LAUNCH_NOT_RUN << 8
	};
	l->group.pid = -1;
	environ = l->own;
	ok = start(l, argv, env, err);
	environ = env;
	return ok;
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
		return true; /* nothing read: exec closed the pipe */
	group_close(&l->group);
	waitpid(l->pid, &l->status, 0);
	errno = error;
	return err_set(err, ERR_SYSTEM, "cannot start the program");
}

/* Stops, so that the shell sees a stopped job. The signal that continues us may
 * have been sent to us alone, so continues the program. */
static void
stop_too(struct launch *l)
{
	struct stop stop = { .from = now_ns() };

	raise(SIGSTOP);
	stop.to = now_ns();
	kill(l->pid, SIGCONT);
	if (l->stops.n < STOPS_MAX)
		l->stops.at[l->stops.n++] = stop;
}

/* Returns true if the program has ended. */
static bool
look_at_child(struct launch *l)
{
	int status;

	while (waitpid(l->pid, &status, WNOHANG | WUNTRACED) == l->pid) {
		if (!WIFSTOPPED(status)) {
			l->status = status;
			return true;
		}
		stop_too(l);
	}
	return false;
}

/* Forwards a signal that the program has not received itself. Signals from the
 * terminal always go to the whole group, except SIGHUP: when a terminal closes,
 * the kernel sends SIGHUP to the leader of the session alone. */
static void
hand_on(struct launch *l, const struct signalfd_siginfo *s)
{
	int sig = (int)s->ssi_signo;

	if (sig == SIGCHLD || (s->ssi_code == SI_KERNEL && sig != SIGHUP))
		return;
	/* a second SIGCONT has no effect */
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

const char *
launch_advice(const char *program)
{
	if (strchr(program, '/') == NULL)
		return file_is_regular(program)
			? "; write ./ before the name of a program in this "
			  "directory"
			: "";
	if (file_is_dir(program))
		return "; it is a directory";
	return file_is_regular(program) && access(program, X_OK) != 0
		? "; chmod +x makes the file executable"
		: "";
}

bool
launch_not_found(const struct launch *l)
{
	int status = l->status;

	return WIFEXITED(status) && WEXITSTATUS(status) == 127;
}

void
launch_say_end(const struct launch *l)
{
	int status = l->status;

	if (WIFSIGNALED(status))
		log_note("the program was killed by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status) != 0)
		log_note("the program ended with code %d%s",
			WEXITSTATUS(status),
			launch_not_found(l) ? ": probably it, or a library "
					      "that it needs, was not found"
					    : "");
}
