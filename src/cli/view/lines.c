/* SPDX-License-Identifier: MIT */
/* Answers the server's questions for events with the lines of weft dump. */
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/document.h"
#include "cli/view/view.h"

#define SELF "/proc/self/exe"
#define TIME_TEXT 24
#define ARGUMENTS 256
#define LINE 4096

extern char **environ;

/* The command line of weft dump; *n arguments so far. */
struct line {
	char *at[ARGUMENTS];
	int n;
};

static void
add(struct line *l, const char *option, const char *value)
{
	if (value == NULL)
		return;
	l->at[l->n++] = (char *)(uintptr_t)option;
	l->at[l->n++] = (char *)(uintptr_t)value;
}

/* Adds an input: of an archive, what view_stat() unpacks as well. */
static void
add_path(struct line *l, const struct view_trace *t, const char *path)
{
	const char *unpacked = pipeline_unpacked(&t->options, path);

	if (l->n + 1 < ARGUMENTS)
		l->at[l->n++] =
			(char *)(uintptr_t)(unpacked != NULL ? unpacked : path);
}

/* Starts the command with its standard output in a pipe, which is returned;
 * NULL: it cannot be started. */
static FILE *
start(struct line *l, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	int fd[2];
	bool ok;

	if (pipe2(fd, O_CLOEXEC) != 0)
		return NULL;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, fd[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
	ok = posix_spawn(pid, SELF, &files, NULL, l->at, environ) == 0;
	posix_spawn_file_actions_destroy(&files);
	close(fd[1]);
	if (ok)
		return fdopen(fd[0], "re");
	close(fd[0]);
	return NULL;
}

/* Returns true if there are more lines than `most`. */
static bool
put_lines(FILE *from, int most, struct doc *to)
{
	char text[LINE];
	bool begins = true;

	/* The rest of a line that has no room is left out. */
	for (int n = 0; fgets(text, sizeof text, from) != NULL;) {
		size_t length = strcspn(text, "\n");

		if (begins && n++ == most)
			return true;
		if (begins)
			doc_text(to, NULL, text, length);
		begins = text[length] == '\n';
	}
	return false;
}

bool
view_dump(void *arg, const struct serve_dump *what, struct doc *to,
	struct err *err)
{
	const struct view_trace *t = arg;
	char from[TIME_TEXT], until[TIME_TEXT], tid[TIME_TEXT];
	struct line l = { .at = { "weft", "dump" }, .n = 2 };
	char beside[] = "--side-by-side";
	char no_seek[] = "--no-seek", ends_options[] = "--";
	FILE *lines;
	pid_t pid;
	bool more;

	snprintf(from, sizeof from, "%" PRId64, what->from);
	snprintf(until, sizeof until, "%" PRId64, what->to + 1);
	snprintf(tid, sizeof tid, "%" PRId64, what->tid);
	add(&l, "--from", from);
	add(&l, "--to", until);
	add(&l, "--thread", tid);
	add(&l, "--clocks", t->options.clock_table);
	add(&l, "--model", t->options.model_files);
	if (t->no_file || t->options.no_seek)
		l.at[l.n++] = no_seek;
	for (int i = 0; i < CMD_TEXTS && t->options.relate[i] != NULL; i++)
		add(&l, "--relate", t->options.relate[i]);
	if (t->options.beside)
		l.at[l.n++] = beside;
	l.at[l.n++] = ends_options;
	if (t->options.npaths < 2)
		add_path(&l, t, t->path);
	for (int i = 0; i < t->options.npaths; i++)
		add_path(&l, t, t->options.paths[i]);
	lines = start(&l, &pid);
	if (lines == NULL)
		return err_set(err, ERR_SYSTEM, "weft dump");
	more = put_lines(lines, what->most, to);
	/* weft dump ends when nobody reads its lines any more. */
	fclose(lines);
	if (what->more != NULL)
		*what->more = more;
	waitpid(pid, NULL, 0);
	return true;
}
