/* SPDX-License-Identifier: MIT */
#include "inproc/collect/alien.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/code/foreign.h"
#include "inproc/code/peek.h"
#include "inproc/core/os.h"

/* Reads the beginning of a file. Returns the number of bytes, 0: none. */
static size_t
read_file(char to[FOREIGN_BYTES], const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n;

	if (fd < 0)
		return 0;
	n = read(fd, to, FOREIGN_BYTES - 1);
	close(fd);
	to[n < 0 ? 0 : n] = '\0';
	return n < 0 ? 0 : (size_t)n;
}

/* Sets the path to that of the program in the next directory of the list, which
 * has its name at `name`. */
static const char *
next_place(char path[PATH_MAX], const char *list, const char *name)
{
	size_t n = strcspn(list, ":"), bytes = strlen(name) + 1;

	if (n + bytes + 1 <= PATH_MAX) {
		memcpy(path, list, n);
		path[n] = '/';
		memcpy(path + n + (n > 0), name, bytes);
	} else {
		path[0] = '\0';
	}
	return list + n + (list[n] == ':');
}

/* Replaces a mere name by the program's path, or by "". */
static void
search(char path[PATH_MAX])
{
	const char *list = getenv("PATH");
	char name[NAME_MAX + 1];
	size_t n = strlen(path);

	if (n < sizeof name)
		memcpy(name, path, n + 1);
	else
		list = NULL;
	while (list != NULL && *list != '\0') {
		list = next_place(path, list, name);
		if (access(path, X_OK) == 0)
			return;
	}
	path[0] = '\0';
}

bool
alien_is(const char *program)
{
	char path[PATH_MAX], text[FOREIGN_BYTES];
	int error = errno;
	const char *at;
	size_t n =
		program == NULL ? 0 : code_peek(path, program, sizeof path - 1);

	path[n] = '\0';
	if (path[0] != '\0' && strchr(path, '/') == NULL)
		search(path);
	n = path[0] == '\0' ? 0 : read_file(text, path);
	if (n > 2 && text[0] == '#' && text[1] == '!') {
		at = text + 2 + strspn(text + 2, " \t");
		n = strcspn(at, " \t\n");
		memcpy(path, at, n < sizeof path ? n : 0);
		path[n < sizeof path ? n : 0] = '\0';
		n = read_file(text, path);
	}
	errno = error;
	return foreign_why(text, n) != NULL;
}
