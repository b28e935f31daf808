/* SPDX-License-Identifier: MIT */
/*
 * exec.c - programs that replace themselves: their trace ends there.
 *
 * The C library calls execve() directly, so each of its functions has a
 * wrapper. Children that only execute another program (vfork, posix_spawn)
 * record nothing and change nothing. weft run is told of each program.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <wordexp.h>

#include "inproc/code/peek.h"
#include "inproc/collect/call.h"
#include "inproc/collect/confine.h"
#include "inproc/collect/tell.h"

/* Counts arguments up to the final NULL, which it includes. */
static size_t
count(const char *first, va_list ap)
{
	size_t n = 1;

	for (const char *a = first; a != NULL; a = va_arg(ap, const char *))
		n++;
	return n;
}

/* A program that a confined thread executes must not load this library, nor one
 * that cannot. The thread may have no call that gets memory. */
#define PASSES(path, env) \
	do { \
		size_t room = confine_room(path, env); \
\
		if (room > 0) \
			(env) = confine_env(__builtin_alloca(room), env); \
	} while (0)

/* Returns true if call_keep() is to follow when the exec has failed. name: room
 * for the program's, as long as that lasts. */
static bool
begin_exec(char name[TELL_NAME], const char *path, char *const *env)
{
	if (path == NULL)
		return call_replace("an open file");
	tell_exec(path, env, false);
	return call_replace(tell_name(name, path));
}

/* Called when an exec has returned. ends: as begin_exec() said. */
static void
end_exec(const char *path, char *const *env, bool ends)
{
	if (path != NULL)
		tell_exec(path, env, true);
	if (ends)
		call_keep();
}

/* Returns the path if it names the program. */
static const char *
path_in(int folder, const char *path)
{
	char first = '\0';

	if (folder != AT_FDCWD && code_peek(&first, path, 1) == 1 &&
		first != '/')
		return NULL;
	return path;
}

/* NOLINTBEGIN(bugprone-macro-parentheses) - the arguments are types, and lists
 * of parameters */

/* path: of the program; NULL: an open file. An exec that returns has failed. */
#define EXEC(name, version, path, params, args) \
	CALL_REAL(int, name, version, params); \
	int wrap_##name params \
	{ \
		char of[TELL_NAME], *const *given = env; \
		bool tells = collect_has != 0 && collect_is_free(), \
		     ends = tells && begin_exec(of, path, env), returns; \
		int r; \
\
		PASSES(path, env); \
		returns = confine_returns(); \
		r = REAL_OF(name) args; \
		if (returns) \
			confine_borrower(); \
		if (tells) \
			end_exec(path, given, ends); \
		return r; \
	}

/* clang-format off */
EXEC(execve, "2.2.5", path,
	(const char *path, char *const argv[], char *const env[]),
	(path, argv, env))
EXEC(execvpe, "2.11", file,
	(const char *file, char *const argv[], char *const env[]),
	(file, argv, env))
EXEC(execveat, "2.34", path_in(folder, path),
	(int folder, const char *path, char *const argv[], char *const env[],
		int flags), (folder, path, argv, env, flags))
EXEC(fexecve, "2.2.5", NULL,
	(int fd, char *const argv[], char *const env[]), (fd, argv, env))
/* clang-format on */

/* A function that makes a child which executes the program. */
#define SPAWNS(name) \
	CALL_REAL(int, name, "2.15", \
		(pid_t * pid, const char *path, \
			const posix_spawn_file_actions_t *actions, \
			const posix_spawnattr_t *attributes, \
			char *const argv[], char *const env[])); \
	int wrap_##name(pid_t *pid, const char *path, \
		const posix_spawn_file_actions_t *actions, \
		const posix_spawnattr_t *attributes, char *const argv[], \
		char *const env[]) \
	{ \
		char *const *given = env; \
		bool tells = collect_has != 0 && collect_is_free(); \
		int r; \
\
		if (tells) \
			tell_exec(path, env, false); \
		PASSES(path, env); \
		r = REAL_OF(name)(pid, path, actions, attributes, argv, env); \
		if (r != 0 && tells) \
			tell_exec(path, given, true); \
		return r; \
	}

SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)

/* A function without an environment calls the one that has it. */
#define EXEC_OWN(name, instead) \
	WRAPPER int wrap_##name(const char *file, char *const argv[]); \
	ONE_VERSION(name, "2.2.5"); \
	int wrap_##name(const char *file, char *const argv[]) \
	{ \
		/* from here on the caller is this library */ \
		(void)collect_is_free(); \
		return wrap_##instead(file, argv, environ); \
	}

EXEC_OWN(execv, execve)
EXEC_OWN(execvp, execvpe)

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

/* A function that starts a program with the environment of this process. */
#define STARTS(result, name, version, params, args) \
	CALL_REAL(result, name, version, params); \
	result wrap_##name params \
	{ \
		result r; \
\
		if (!confine_environ()) \
			return REAL_OF(name) args; \
		pthread_cleanup_push(confine_environ_back, NULL); \
		r = REAL_OF(name) args; \
		pthread_cleanup_pop(1); \
		return r; \
	}

STARTS(int, system, "2.2.5", (const char *command), (command))
STARTS(FILE *, popen, "2.2.5", (const char *command, const char *type),
	(command, type))
STARTS(int, wordexp, "2.2.5", (const char *words, wordexp_t *to, int flags),
	(words, to, flags))

/* NOLINTEND(bugprone-macro-parentheses) */
