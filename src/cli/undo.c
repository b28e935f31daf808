/* SPDX-License-Identifier: MIT */
#include "cli/undo.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Global, because a signal handler reads them. Signals are blocked while they
 * change. */
static char temporary[PATH_MAX], sentence[1024];

static void
on_signal(int number)
{
	size_t n = strlen(sentence);

	if (temporary[0] != '\0')
		unlink(temporary);
	while (n > 0 && write(STDERR_FILENO, sentence, n) < 0)
		n = 0;
	raise(number); /* SA_RESETHAND is set: this ends the process */
}

void
undo_begin(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct sigaction act = { .sa_handler = on_signal,
		.sa_flags = (int)SA_RESETHAND | SA_NODEFER };
	struct sigaction old;

	for (int i = 0; i < 4; i++)
		/* A signal that nohup ignores stays ignored. */
		if (sigaction(signals[i], NULL, &old) == 0 &&
			old.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

void
undo_set(const char *path, const char *stands)
{
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	temporary[0] = '\0';
	if (path != NULL)
		snprintf(temporary, sizeof temporary, "%s.tmp-%ld", path,
			(long)getpid());
	snprintf(sentence, sizeof sentence, "interrupted: %s\n", stands);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
