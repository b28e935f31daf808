/* SPDX-License-Identifier: MIT */
/*
 * exec.c - programs that replace themselves: their trace ends there.
 *
 * The C library calls execve() directly, so each of its functions has a
 * wrapper. Children that only execute another program (vfork, posix_spawn)
 * record nothing and change nothing.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "inproc/collect/call.h"

/* Counts arguments up to the final NULL, which it includes. */
static size_t
count(const char *first, va_list ap)
{
	size_t n = 1;

	for (const char *a = first; a != NULL; a = va_arg(ap, const char *))
		n++;
	return n;
}

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* path: how the program is called. An exec that returns has failed. */
#define EXEC(name, version, path, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		bool ends = collect_has != 0 && collect_is_free() && \
			call_replace(path); \
		int r = REAL_OF(name) args; \
\
		if (ends) \
			call_keep(); \
		return r; \
	}

/* clang-format off */
EXEC(execve, "2.2.5", path,
	(const char *path, char *const argv[], char *const env[]),
	(path, argv, env))
EXEC(execv, "2.2.5", path, (const char *path, char *const argv[]), (path, argv))
EXEC(execvp, "2.2.5", file, (const char *file, char *const argv[]), (file, argv))
EXEC(execvpe, "2.11", file,
	(const char *file, char *const argv[], char *const env[]),
	(file, argv, env))
EXEC(execveat, "2.34", path != NULL && *path == '\0' ? "an open file" : path,
	(int folder, const char *path, char *const argv[], char *const env[],
		int flags), (folder, path, argv, env, flags))
EXEC(fexecve, "2.2.5", "an open file",
	(int fd, char *const argv[], char *const env[]), (fd, argv, env))
/* clang-format on */

/* A function with a list of arguments calls the one with an array. The
 * environment stands behind the list. */
#define EXEC_LIST(name, has_env, instead) \
	WRAPPER int wrap_##name(const char *file, const char *first, ...); \
	ONE_VERSION(name, "2.2.5"); \
	int wrap_##name(const char *file, const char *first, ...) \
	{ \
		va_list ap; \
		char **argv, *const *env; \
		size_t n; \
\
		/* from here on the caller is this library */ \
		(void)collect_is_free(); \
		va_start(ap, first); \
		n = count(first, ap); \
		va_end(ap); \
		argv = __builtin_alloca(n * sizeof *argv); \
		argv[0] = (char *)(uintptr_t)first; \
		va_start(ap, first); \
		for (size_t i = 1; i < n; i++) \
			argv[i] = va_arg(ap, char *); \
		env = has_env ? va_arg(ap, char *const *) : environ; \
		va_end(ap); \
		return wrap_##instead(file, argv, env); \
	}

EXEC_LIST(execl, false, execve)
EXEC_LIST(execle, true, execve)
EXEC_LIST(execlp, false, execvpe)

/* NOLINTEND(bugprone-macro-parentheses) */
