/* SPDX-License-Identifier: MIT */
#include "base/tempdir.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

/* Removes the directory when the other end of the pipe is closed: when weft has
 * ended, also by SIGKILL. */
static void
wait_and_remove(const char *dir, int end)
{
	char byte;

	setsid();
	for (int fd = 0; fd < 3; fd++)
		dup2(open("/dev/null", O_RDWR | O_CLOEXEC), fd);
	/* Nobody shall wait for the end of a pipe that this process keeps. */
	dup2(end, 3);
	close_range(4, ~0U, 0);
	while (read(3, &byte, 1) > 0)
		;
	file_remove_tree(dir);
	_exit(0);
}

/* Starts the process that removes the directory in the end. */
static bool
remove_at_end(const char *dir, struct err *err)
{
	sigset_t all, before;
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return err_set(err, ERR_SYSTEM, "cannot make a pipe");
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0) {
		/* Twice, so that nobody has to wait for the child. */
		close(ends[1]);
		if (fork() == 0)
			wait_and_remove(dir, ends[0]);
		_exit(0);
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return err_set(err, ERR_SYSTEM, "cannot start a process");
	}
	waitpid(pid, NULL, 0);
	return true; /* ends[1] stays open until this process ends */
}

char *
tempdir_make(struct arena *a, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	char *dir = arena_printf(a, "%s/weft-XXXXXX",
		tmp != NULL && *tmp != '\0' ? tmp : "/tmp");

	if (mkdtemp(dir) == NULL) {
		err_set(err, ERR_SYSTEM, "cannot create %s", dir);
		return NULL;
	}
	if (remove_at_end(dir, err))
		return dir;
	rmdir(dir);
	return NULL;
}
