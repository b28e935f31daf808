/* SPDX-License-Identifier: MIT */
#include "cli/run/execs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/vec.h"
#include "cli/run/measure.h"

/* Programs that are named; bytes of the file that are read. */
enum { NAMED = 4, MOST = 64 << 20 };

static const char *
file_in(struct arena *a, const char *folder)
{
	return arena_printf(a, "%s/execs", folder);
}

void
execs_begin(struct arena *a, const char *folder)
{
	const char *file = file_in(a, folder);
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0)
		return;
	close(fd);
	setenv("WEFT_EXECS", file, 1);
}

/* The lines of the file, each once. */
struct lines {
	struct intern text;
	VEC(int)
	times; /* by number: how often, without the execs that
	        * failed */
};

static void
read_lines(struct lines *to, struct arena *a, char *text)
{
	char *line = text;

	intern_init(&to->text, a);
	for (char *end; line != NULL && (end = strchr(line, '\n')) != NULL;
		line = end + 1) {
		int has_failed = line[0] == '!';
		uint32_t n;

		*end = '\0';
		n = intern_add(&to->text, line + has_failed);
		if ((int)n == to->times.n)
			VEC_PUSH(&to->times, a, 0);
		to->times.at[n] += has_failed ? -1 : 1;
	}
}

/* Returns true if the text was not seen before. */
static bool
is_new(struct intern *seen, const char *text)
{
	uint32_t before = seen->n;

	return intern_add(seen, text) == before;
}

/* Returns why the program of a line cannot be recorded, or NULL. Valgrind's
 * tools are linked statically, but load the libraries of their program. */
static const char *
reason(struct arena *a, const char *line)
{
	const char *why = strstr(line, "/valgrind/") == NULL
		? measure_hindrance(a, line + 1)
		: NULL;

	if (why == NULL && line[0] == '-')
		why = "was started without LD_PRELOAD";
	return why == NULL ? NULL
			   : arena_printf(a, "%s %s", file_name(line + 1), why);
}

const char *
execs_end(struct arena *a, const char *folder)
{
	const char *file = file_in(a, folder), *list = NULL, *why;
	struct lines lines = { 0 };
	struct err err = { 0 };
	struct intern seen;
	size_t size, n = 0;

	read_lines(&lines, a, file_read(a, file, MOST, &size, &err));
	unlink(file);
	intern_init(&seen, a);
	for (int i = 0; i < lines.times.n; i++) {
		why = lines.times.at[i] > 0
			? reason(a, intern_name(&lines.text, (uint32_t)i))
			: NULL;
		if (why == NULL || !is_new(&seen, why) || ++n > NAMED)
			continue;
		list = list == NULL ? why
				    : arena_printf(a, "%s; %s", list, why);
	}
	return n <= NAMED
		? list
		: arena_printf(a, "%s; and %zu more", list, n - NAMED);
}
