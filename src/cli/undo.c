/* SPDX-License-Identifier: MIT */
#include "cli/undo.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/leftover.h"
#include "base/progress.h"
#include "base/text.h"

#define NO_FILE "no file was written, and the output is not complete"

atomic_int undo_noted;

/* Global, because a signal handler reads them. Signals are blocked while they
 * change. */
static char sentence[1024];
static const char *begin = "weft";

/* Threads that answer a page's questions read and write these at once. */
static atomic_int notes_first, is_set, owner;
static atomic_bool is_cut;

static void
write_all(const char *text)
{
	size_t n = strlen(text);

	while (n > 0) {
		ssize_t done = write(STDERR_FILENO, text, n);

		if (done <= 0)
			return;
		text += done;
		n -= (size_t)done;
	}
}

/* Returns true for the signals with which people and systems ask a command to
 * end. */
static bool
asks_to_end(int number)
{
	return number == SIGINT || number == SIGTERM || number == SIGHUP ||
		number == SIGALRM;
}

static void
on_signal(int number)
{
	if (notes_first && undo_noted == 0 && asks_to_end(number)) {
		undo_noted = number;
		return;
	}
	/* A child between fork() and exec() removes nothing: the files belong
	 * to its parent. */
	if (getpid() == owner) {
		leftovers_remove();
		if (sentence[0] != '\0' && (is_set || number != SIGPIPE)) {
			write_all(progress_is_drawn() ? PROGRESS_CLEAR : "");
			write_all(sentence);
		}
	}
	signal(number, SIG_DFL);
	raise(number); /* SA_NODEFER is set: this ends the process */
}

/* Lets write() fail with EFBIG, which the command reports. */
static void
on_limit(int number)
{
	(void)number;
}

/* A read or write that a noted signal interrupts goes on. */
static const struct sigaction act = { .sa_handler = on_signal,
	.sa_flags = SA_RESTART | SA_NODEFER };

static void
change(const char *stands, bool first)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	owner = getpid();
	notes_first = first;
	if (stands != NULL) {
		snprintf(sentence, sizeof sentence - 1, "%s: interrupted: %s",
			begin, stands);
		text_disarm(sentence);
		memcpy(sentence + strlen(sentence), "\n", 2);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* Catches the signal unless it is ignored, as nohup does. */
static void catch (int number)
{
	struct sigaction old;

	if (sigaction(number, NULL, &old) == 0 && old.sa_handler != SIG_IGN)
		sigaction(number, &act, NULL);
}

void
undo_begin(const char *prefix)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGQUIT,
		SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM };

	begin = prefix;
	change(NO_FILE, false);
	for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
		catch (caught[i]);
	sigaction(SIGXFSZ, &(struct sigaction){ .sa_handler = on_limit }, NULL);
}

void
undo_note_first(void)
{
	change(NULL, true);
	catch (SIGHUP);
	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGALRM, &act, NULL);
}

static void
at_once(const char *stands)
{
	change(stands, false);
	if (undo_noted != 0 && !is_cut)
		raise(undo_noted);
}

void
undo_say(const char *stands)
{
	change(stands, notes_first);
}

void
undo_set(const char *stands)
{
	is_set = true;
	at_once(stands);
}

void
undo_at_once(void)
{
	at_once(NULL);
}

bool
undo_is_noted(void)
{
	return undo_noted != 0;
}

void
undo_cut(void)
{
	is_cut = true;
}

void
undo_end(void)
{
	if (!is_cut || undo_noted == 0)
		return;
	signal(undo_noted, SIG_DFL);
	raise(undo_noted);
}
