/* SPDX-License-Identifier: MIT */
#include "cli/run/unsaid_page.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/core/unsaid.h"

/* Makes the file. All of it is written: where the disk is full, a process that
 * wrote into a hole of the file would be killed. */
static bool
make(const char *file)
{
	static const struct unsaid none;
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	bool ok;

	if (fd < 0)
		return false;
	ok = write(fd, &none, sizeof none) == (ssize_t)sizeof none;
	close(fd);
	if (!ok)
		unlink(file);
	return ok;
}

void
unsaid_begin(struct arena *a, const char *folder)
{
	const char *file = arena_printf(a, "%s/unsaid", folder);

	setenv("WEFT_UNSAID", make(file) ? file : "none", 1);
}

/* Returns the line without the words that weft run says itself. */
static const char *
without(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 ? line + n : line;
}

/* A process that was killed meanwhile leaves zeros between the lines. */
static void
take(struct arena *a, const struct unsaid *u, struct unsaid_lines *to)
{
	size_t n;

	for (size_t at = 0; at < sizeof u->text; at += n + 1) {
		n = 0;
		while (at + n < sizeof u->text && u->text[at + n] != '\n' &&
			u->text[at + n] != '\0')
			n++;
		if (n > 0)
			VEC_PUSH(&to->line, a,
				without(without(arena_printf(a, "%.*s", (int)n,
							u->text + at),
						"WARN: "),
					"weft: "));
	}
}

void
unsaid_end(struct arena *a, const char *folder, struct unsaid_lines *to)
{
	const char *file = arena_printf(a, "%s/unsaid", folder);
	struct unsaid u;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read(fd, &u, sizeof u) == (ssize_t)sizeof u)
		take(a, &u, to);
	close(fd);
	unlink(file);
}
