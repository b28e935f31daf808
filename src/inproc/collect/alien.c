/* SPDX-License-Identifier: MIT */
#include "inproc/collect/alien.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "inproc/code/foreign.h"
#include "inproc/code/peek.h"
#include "inproc/core/os.h"

/* The caller may be a handler on a small stack of its own: longer names than
 * this are not looked at, and of files only what is wanted is read. */
enum { NAME = 512, SCRIPT = 128 };

/* Returns why the program in the file cannot load this library, or NULL. */
static const char *
why(int fd)
{
	char name[FOREIGN_NAME];
	Elf64_Ehdr h;
	Elf64_Phdr p;
	ssize_t n;

	if (pread(fd, &h, sizeof h, 0) != (ssize_t)sizeof h ||
		!foreign_is_elf(&h))
		return NULL;
	if (foreign_head(&h) != NULL)
		return foreign_head(&h);
	for (unsigned i = 0; i < h.e_phnum; i++) {
		if (pread(fd, &p, sizeof p,
			    (off_t)(h.e_phoff + i * sizeof p)) !=
			(ssize_t)sizeof p)
			return NULL;
		if (p.p_type != PT_INTERP)
			continue;
		n = pread(fd, name, sizeof name - 1, (off_t)p.p_offset);
		name[n < 0 ? 0 : n] = '\0';
		return foreign_loader(name);
	}
	return NULL;
}

/* Copies the path of a script's interpreter. Returns false if it is no script.
 */
static bool
find_interpreter(int fd, char to[SCRIPT])
{
	ssize_t n = pread(fd, to, SCRIPT - 1, 0);
	size_t skip;

	to[n < 0 ? 0 : n] = '\0';
	if (to[0] != '#' || to[1] != '!')
		return false;
	skip = 2 + strspn(to + 2, " \t");
	n = (ssize_t)strcspn(to + skip, " \t\n");
	memmove(to, to + skip, (size_t)n);
	to[n] = '\0';
	return true;
}

static int
open_file(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool
is_foreign(const char *path)
{
	int fd = open_file(path);
	bool is = fd >= 0 && why(fd) != NULL;
	char interpreter[SCRIPT];

	if (fd >= 0 && !is && find_interpreter(fd, interpreter)) {
		close(fd);
		fd = open_file(interpreter);
		is = fd >= 0 && why(fd) != NULL;
	}
	if (fd >= 0)
		close(fd);
	return is;
}

/* Copies the path of the program of this name that execvp() finds. */
static bool
search(char to[NAME], const char *name)
{
	const char *list = getenv("PATH");
	size_t n, bytes = strlen(name) + 1;

	for (; list != NULL && *list != '\0'; list += n + (list[n] == ':')) {
		n = strcspn(list, ":");
		if (n + bytes + 1 > NAME)
			continue;
		memcpy(to, list, n);
		to[n] = '/';
		memcpy(to + n + (n > 0), name, bytes);
		if (access(to, X_OK) == 0)
			return true;
	}
	return false;
}

static bool __attribute__((noinline)) is_foreign_name(const char *name)
{
	char path[NAME];

	return search(path, name) && is_foreign(path);
}

bool
alien_is(const char *program)
{
	char path[NAME];
	int error = errno;
	bool is = false;
	size_t n =
		program == NULL ? 0 : code_peek(path, program, sizeof path - 1);

	path[n] = '\0';
	if (strchr(path, '/') != NULL)
		is = is_foreign(program); /* the path may be longer */
	else if (n > 0 && strlen(path) < n)
		is = is_foreign_name(path);
	errno = error;
	return is;
}
