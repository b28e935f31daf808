/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inproc/collect/tell.h"

#include "inproc/code/peek.h"
#include "inproc/collect/wait.h"
#include "inproc/core/os.h"

/* Where the lines go; empty: nowhere. Set at load. */
static char file[PATH_MAX];

enum { LINE = 1024, VARIABLES = 100000 };

void
tell_load(void)
{
	const char *name = getenv("WEFT_EXECS");

	if (name != NULL && strlen(name) < sizeof file)
		memcpy(file, name, strlen(name) + 1);
}

/* Copies a string of the program, which may be cut. Returns its length, 0 if it
 * cannot be read. */
static size_t
copy(char *to, const char *from, size_t room)
{
	size_t n = from == NULL ? 0 : code_peek(to, from, room - 1);

	to[n] = '\0';
	return strlen(to);
}

const char *
tell_name(char to[TELL_NAME], const char *path)
{
	return copy(to, path, TELL_NAME) > 0 ? to : NULL;
}

/* Returns true if programs with this environment load the library. */
static bool
has_preload(char *const *env)
{
	static const char key[] = "LD_PRELOAD=";
	char text[sizeof key], *at;

	for (size_t i = 0; i < VARIABLES; i++) {
		if (code_peek(&at, env + i, sizeof at) < sizeof at ||
			at == NULL)
			return false;
		if (copy(text, at, sizeof text) == sizeof key - 1 &&
			strcmp(text, key) == 0)
			return strstr(at, "libweft-collect.so") != NULL;
	}
	return false;
}

/* Copies the path of a program; one that is not absolute gets the directory
 * before it, a mere name is searched for by weft run. Returns the length, 0:
 * there is no such program. */
static size_t
copy_path(char *to, const char *path, size_t room)
{
	size_t n = copy(to, path, room), in = 0;
	struct stat st;

	if (strchr(to, '/') == NULL)
		return n;
	if (stat(to, &st) != 0 || !S_ISREG(st.st_mode) || access(to, X_OK) != 0)
		return 0;
	if (to[0] == '/')
		return n;
	if (n + 2 >= room || syscall(SYS_getcwd, to, room - n - 2) <= 0 ||
		to[0] != '/')
		return 0;
	in = strlen(to);
	to[in++] = '/';
	return in + copy(to + in, path, room - in);
}

/* Returns true if a write may raise SIGXFSZ. */
static bool
is_limited(void)
{
	struct rlimit64 limit;

	return syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, NULL, &limit) == 0 &&
		limit.rlim_cur != RLIM64_INFINITY;
}

void
tell_exec(const char *path, char *const *env, bool has_failed)
{
	int error = errno, fd = -1;
	char line[LINE] = "!", *sign = has_failed ? line + 1 : line;
	size_t n = file[0] == '\0' || is_limited()
		? 0
		: copy_path(sign + 1, path, sizeof line - 3);

	if (n > 0)
		fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (fd >= 0) {
		sign[0] = has_preload(env) ? '+' : '-';
		sign[n + 1] = '\n';
		/* a line that is missing is a program that is not named */
		(void)!write(fd, line, (size_t)(sign - line) + n + 2);
		close(fd);
	}
	errno = error;
}
