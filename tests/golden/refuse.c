/* SPDX-License-Identifier: MIT */
/* Loaded before the C library: files whose path has the words REFUSE_IN and
 * REFUSE cannot be opened, and directories whose path ends in REFUSE_DIR cannot
 * be read. */
/* Else open() is another name of open64(). */
#undef _FILE_OFFSET_BITS

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

typedef int open_fn(const char *path, int flags, ...);
typedef int mkostemp_fn(char *path, int flags);
typedef DIR *opendir_fn(const char *path);

static bool
is_refused(const char *path)
{
	const char *in = getenv("REFUSE_IN"), *word = getenv("REFUSE");

	return in != NULL && word != NULL && strstr(path, in) != NULL &&
		strstr(path, word) != NULL;
}

static int
open_as(const char *name, const char *path, int flags, mode_t mode)
{
	open_fn *real = __extension__(open_fn *) dlsym(RTLD_NEXT, name);

	if (!is_refused(path))
		return real(path, flags, mode);
	errno = EACCES;
	return -1;
}

static int
mkostemp_as(const char *name, char *path, int flags)
{
	mkostemp_fn *real = __extension__(mkostemp_fn *) dlsym(RTLD_NEXT, name);

	if (!is_refused(path))
		return real(path, flags);
	errno = EACCES;
	return -1;
}

#define OPEN(name) \
	int name(const char *path, int flags, ...); \
	int name(const char *path, int flags, ...) \
	{ \
		va_list list; \
		mode_t mode; \
\
		va_start(list, flags); \
		mode = va_arg(list, mode_t); \
		va_end(list); \
		return open_as(#name, path, flags, mode); \
	}
#define MKOSTEMP(name) \
	int name(char *path, int flags); \
	int name(char *path, int flags) \
	{ \
		return mkostemp_as(#name, path, flags); \
	}

OPEN(open)
OPEN(open64)
MKOSTEMP(mkostemp)
MKOSTEMP(mkostemp64)

DIR *
opendir(const char *path)
{
	opendir_fn *real =
		__extension__(opendir_fn *) dlsym(RTLD_NEXT, "opendir");
	const char *end = getenv("REFUSE_DIR");
	size_t n = strlen(path), m = end == NULL ? 0 : strlen(end);

	if (m == 0 || n < m || strcmp(path + n - m, end) != 0)
		return real(path);
	errno = EIO;
	return NULL;
}
