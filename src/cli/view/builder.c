/* SPDX-License-Identifier: MIT */
#include "cli/view/builder.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/log.h"
#include "base/now.h"
#include "base/progress.h"
#include "cli/undo.h"
#include "cli/view/make.h"

#define AT_ONCE 2    /* builders that work at the same time */
#define PAUSE_MS 250 /* between two readings of a live trace, at least */
#define PAUSE_MOST 1000
#define SOCKET 3 /* file descriptor of the builder's process */

enum word_kind {
	WORD_PROGRESS,
	WORD_PART,  /* an index of the trace's beginning; text: its file */
	WORD_WHOLE, /* an index of the whole trace; text: its file */
	WORD_FAILED,
};

/* A message from a builder. If the message names a file, the server confirms it
 * by one byte. */
struct word {
	uint32_t kind;
	uint32_t complete; /* with WORD_WHOLE: the trace does not grow any
	                    * more */
	int64_t done;
	uint64_t records;
	char text[PATH_MAX];
};

/* The state of the builder's process. */
struct work {
	struct view_trace *trace;
	int fd;
	bool hushed;
	/* The last progress that was sent. */
	uint64_t records, links;
	int64_t end;
	uint32_t findings;
	bool complete, any;
};

static bool
send_word(int fd, const struct word *w)
{
	size_t n = offsetof(struct word, text) + strlen(w->text) + 1;

	return send(fd, w, n, MSG_NOSIGNAL) == (ssize_t)n;
}

/* Waits until the server's process has handled the message. Returns false if
 * that process has ended. */
static bool
await(int fd)
{
	char byte;
	ssize_t n;

	do
		n = recv(fd, &byte, 1, 0);
	while (n < 0 && errno == EINTR && !undo_is_noted());
	return n == 1;
}

static void
tell_progress(
	void *arg, const struct progress *p, uint64_t done, uint64_t count)
{
	struct work *k = arg;
	struct word w = { .kind = WORD_PROGRESS, .records = count };

	if (p->total > 0)
		w.done = done < p->total
			? (int64_t)((double)done / (double)p->total * 1000)
			: 1000;
	send_word(k->fd, &w);
}

static bool
tell_file(struct work *k, enum word_kind kind, const char *file)
{
	struct word w = { .kind = kind, .complete = k->complete };

	snprintf(w.text, sizeof w.text, "%s", file);
	return send_word(k->fd, &w) && await(k->fd);
}

static void
tell_part(void *arg, const char *file)
{
	tell_file(arg, WORD_PART, file);
}

/* Sends the index of the whole trace, unless a live trace has not grown. */
static bool
tell_whole(void *arg, const char *file, struct err *err)
{
	struct work *k = arg;
	struct arena a = { 0 };
	struct index *ix = index_open(&a, file, err);
	const struct index_meta *m;

	if (ix == NULL) {
		arena_fini(&a);
		return false;
	}
	m = index_meta(ix);
	if (!k->any || m->nrecords != k->records || m->end != k->end ||
		m->nlinks != k->links || m->nfindings != k->findings)
		tell_file(k, WORD_WHOLE, file);
	k->any = true;
	k->records = m->nrecords;
	k->links = m->nlinks;
	k->end = m->end;
	k->findings = m->nfindings;
	index_close(ix);
	arena_fini(&a);
	return true;
}

static void
tell_failure(struct work *k, const char *why)
{
	struct word w = { .kind = WORD_FAILED };

	snprintf(w.text, sizeof w.text, "%s", why);
	send_word(k->fd, &w);
}

/* Waits. Returns false if the server's process has ended, or a signal came. */
static bool
pause_ms(const struct work *k, int ms)
{
	struct pollfd fd = { .fd = k->fd, .events = POLLIN };

	return poll(&fd, 1, ms) == 0 && !undo_is_noted();
}

/* Returns how long to wait before a live trace is read again: at least as long
 * as the last reading took, and longer after each reading that found nothing
 * new. */
static int64_t
next_pause(int64_t pause, int64_t took, bool grew)
{
	pause = grew ? PAUSE_MS : 2 * pause;
	pause = pause > PAUSE_MOST ? PAUSE_MOST : pause;
	return pause < took ? took : pause;
}

/* Reads a live trace again and again. Reading takes at most half of the
 * time. */
static enum exit_code
follow(struct work *k)
{
	struct make_options o = {
		.take = tell_whole, .part = tell_part, .arg = k, .hushed = true
	};
	int64_t pause = PAUSE_MS;
	struct made made;

	do {
		int64_t start = now_ms();
		uint64_t before = k->records;

		if (k->any) {
			/* A part would show less than the page already
			 * shows. */
			o.part = NULL;
			log_quiet(true);
		}
		if (make_index(k->trace, &o, &made) &&
			made.complete != k->complete) {
			k->complete = made.complete;
			k->any = false; /* send the new state */
			continue;
		}
		if (made.code == EXIT_USAGE) {
			tell_failure(k, made.text);
			return made.code;
		}
		pause = next_pause(
			pause, now_ms() - start, k->records != before);
	} while (pause_ms(k, (int)pause));
	return EXIT_YES;
}

/* Runs in the builder's process until it ends. */
static enum exit_code
work(struct view_trace *t, int fd, pid_t server)
{
	struct work k = { .trace = t, .fd = fd };
	struct make_options o = {
		.take = tell_whole, .part = tell_part, .arg = &k
	};
	struct made made;
	bool ok;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	undo_note_first();
	if (getppid() != server || !await(fd))
		return EXIT_UNABLE;
	progress_tell(tell_progress, &k);
	if (t->live)
		return follow(&k);
	k.complete = true;
	/* The page shows the index that there is until the new one is whole. */
	if (t->index != NULL)
		o.part = NULL;
	do {
		k.any = false;
		ok = make_index(t, &o, &made);
		if (ok)
			o.part = NULL;
		else
			tell_failure(&k, made.text);
	} while ((ok || o.part == NULL) && await(fd));
	return made.code;
}

bool
builder_start(
	struct builder *b, struct view_trace *t, int number, struct err *err)
{
	pid_t server = getpid();
	int fd[2];

	*b = (struct builder){ .trace = t, .number = number, .fd = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fd) != 0)
		return err_set(err, ERR_SYSTEM, "%s", t->path);
	fflush(NULL);
	b->pid = fork();
	if (b->pid < 0) {
		close(fd[0]);
		close(fd[1]);
		b->pid = 0;
		return err_set(err, ERR_SYSTEM, "%s", t->path);
	}
	if (b->pid == 0) {
		enum exit_code code;

		/* Sockets of other builders would stay open after the server
		 * closed them. */
		dup2(fd[1], SOCKET);
		close_range(SOCKET + 1, ~0U, 0);
		code = work(t, SOCKET, server);
		fflush(NULL);
		_exit((int)code);
	}
	close(fd[1]);
	b->fd = fd[0];
	return true;
}

bool
builder_has_index(const struct builder *b)
{
	return b->trace->index != NULL || b->built;
}

static void
answer(const struct builder *b)
{
	send(b->fd, "", 1, MSG_NOSIGNAL);
}

void
builders_begin(struct builder *b, int n)
{
	int working = 0;

	for (int i = 0; i < n; i++)
		working += b[i].working && b[i].fd >= 0;
	for (int i = 0; i < n && working < AT_ONCE; i++)
		if (b[i].wanted && !b[i].working && b[i].fd >= 0) {
			b[i].wanted = false;
			b[i].working = true;
			answer(&b[i]);
			working++;
		}
}

/* Opens the index of a message, and hands it over. */
static void
take(struct builder *b, const struct builder_handlers *to, const struct word *w)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct index *ix = index_open(&a, w->text, &err);
	enum serve_state state = w->kind == WORD_PART ? SERVE_BUILDING
		: w->complete                         ? SERVE_READY
						      : SERVE_LIVE;

	answer(b); /* the file may be removed now */
	if (w->kind == WORD_WHOLE)
		b->working = false;
	if (ix == NULL) {
		arena_fini(&a);
		if (w->kind == WORD_WHOLE)
			to->failed(to->arg, b, err.text);
		return;
	}
	to->show(to->arg, b, ix, &a, state);
	b->shown = true;
	b->built |= w->kind == WORD_WHOLE;
}

/* The process has ended. */
static void
end(struct builder *b, const struct builder_handlers *to)
{
	int status = 0;
	char why[80];

	close(b->fd);
	b->fd = -1;
	while (waitpid(b->pid, &status, 0) < 0 && errno == EINTR)
		;
	b->pid = 0;
	b->code = WIFEXITED(status) ? (enum exit_code)WEXITSTATUS(status)
				    : EXIT_UNABLE;
	b->working = false;
	if (b->failed || (builder_has_index(b) && WIFEXITED(status)))
		return;
	b->failed = true;
	if (WIFSIGNALED(status))
		snprintf(why, sizeof why,
			"the process that built the index was killed by "
			"signal %d",
			WTERMSIG(status));
	else
		snprintf(why, sizeof why, "the index could not be built");
	to->failed(to->arg, b, why);
}

static void
hear(struct builder *b, const struct builder_handlers *to)
{
	struct word w;
	ssize_t n = recv(b->fd, &w, sizeof w, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= (ssize_t)offsetof(struct word, text)) {
		end(b, to);
		return;
	}
	w.text[sizeof w.text - 1] = '\0';
	switch ((enum word_kind)w.kind) {
	case WORD_PROGRESS:
		to->progress(to->arg, b, (int)w.done, w.records);
		break;
	case WORD_PART:
	case WORD_WHOLE:
		take(b, to, &w);
		break;
	case WORD_FAILED:
		b->working = false;
		b->failed = !builder_has_index(b);
		to->failed(to->arg, b, w.text);
		break;
	}
}

void
builders_step(struct builder *b, int n, const struct builder_handlers *to,
	int timeout_ms)
{
	struct pollfd *fd = mem_resize(NULL, (size_t)n + 1, sizeof *fd);

	/* poll() ignores the descriptors of builders that have ended: -1 */
	for (int i = 0; i < n; i++)
		fd[i] = (struct pollfd){ .fd = b[i].fd, .events = POLLIN };
	if (poll(fd, (nfds_t)n, timeout_ms) > 0)
		for (int i = 0; i < n; i++)
			if (fd[i].revents != 0)
				hear(&b[i], to);
	mem_free(fd);
	builders_begin(b, n);
}

void
builder_stop(struct builder *b)
{
	if (b->pid == 0)
		return;
	kill(b->pid, SIGTERM);
	kill(b->pid, SIGCONT); /* the process may have been stopped */
	close(b->fd);          /* the process may wait for an answer */
	b->fd = -1;
	while (waitpid(b->pid, NULL, 0) < 0 && errno == EINTR)
		;
	b->pid = 0;
}
