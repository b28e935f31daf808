/* SPDX-License-Identifier: MIT */
/*
 * io.c - reads, writes, opens and other calls for descriptors and paths.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "inproc/collect/call.h"

/* NOLINTBEGIN(bugprone-macro-parentheses,readability-function-size) - the
 * arguments are types, and lists of parameters */

/* open() has a third argument if it may create the file. */
static mode_t
mode_of(int flags, va_list list)
{
	return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE
		? va_arg(list, mode_t)
		: 0;
}

/* A function whose first parameter is the descriptor. */
#define FD(result, name, version, kind, params, args) \
	CALL(IO, result, name, version, kind, fd_waits(fd), fd_number(fd), \
		params, args)
#define FD_TIME(result, name, version, kind, params, args) \
	TIMED(result, name, version, kind, fd_number(fd), params, args)
#define PATH(result, name, version, kind, params, args) \
	TIMED(result, name, version, kind, fd_path_number(path), params, args)

/* clang-format off */
FD(ssize_t, read, "2.2.5", CALL_READ, (int fd, void *to, size_t n), (fd, to, n))
FD(ssize_t, readv, "2.2.5", CALL_READ,
	(int fd, const struct iovec *v, int n), (fd, v, n))
FD(ssize_t, write, "2.2.5", CALL_WRITE,
	(int fd, const void *from, size_t n), (fd, from, n))
FD(ssize_t, writev, "2.2.5", CALL_WRITE,
	(int fd, const struct iovec *v, int n), (fd, v, n))
FD(ssize_t, __read_chk, "2.4", CALL_READ,
	(int fd, void *to, size_t n, size_t room), (fd, to, n, room))
FD(int, eventfd_read, "2.7", CALL_READ, (int fd, eventfd_t *to), (fd, to))
FD(int, eventfd_write, "2.7", CALL_WRITE, (int fd, eventfd_t n), (fd, n))
FD_TIME(ssize_t, pread, "2.2.5", CALL_READ,
	(int fd, void *to, size_t n, off_t at), (fd, to, n, at))
FD_TIME(ssize_t, pread64, "2.2.5", CALL_READ,
	(int fd, void *to, size_t n, off64_t at), (fd, to, n, at))
FD_TIME(ssize_t, __pread_chk, "2.4", CALL_READ,
	(int fd, void *to, size_t n, off_t at, size_t room),
	(fd, to, n, at, room))
FD_TIME(ssize_t, __pread64_chk, "2.4", CALL_READ,
	(int fd, void *to, size_t n, off64_t at, size_t room),
	(fd, to, n, at, room))
FD_TIME(ssize_t, preadv, "2.10", CALL_READ,
	(int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at))
FD_TIME(ssize_t, preadv64, "2.10", CALL_READ,
	(int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
FD_TIME(ssize_t, pwrite, "2.2.5", CALL_WRITE,
	(int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
FD_TIME(ssize_t, pwrite64, "2.2.5", CALL_WRITE,
	(int fd, const void *from, size_t n, off64_t at), (fd, from, n, at))
FD_TIME(ssize_t, pwritev, "2.10", CALL_WRITE,
	(int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at))
FD_TIME(ssize_t, pwritev64, "2.10", CALL_WRITE,
	(int fd, const struct iovec *v, int n, off64_t at), (fd, v, n, at))
FD(ssize_t, preadv2, "2.26", CALL_READ,
	(int fd, const struct iovec *v, int n, off_t at, int flags),
	(fd, v, n, at, flags))
FD(ssize_t, preadv64v2, "2.26", CALL_READ,
	(int fd, const struct iovec *v, int n, off64_t at, int flags),
	(fd, v, n, at, flags))
FD(ssize_t, pwritev2, "2.26", CALL_WRITE,
	(int fd, const struct iovec *v, int n, off_t at, int flags),
	(fd, v, n, at, flags))
FD(ssize_t, pwritev64v2, "2.26", CALL_WRITE,
	(int fd, const struct iovec *v, int n, off64_t at, int flags),
	(fd, v, n, at, flags))

FD_TIME(int, fsync, "2.2.5", CALL_SYNC, (int fd), (fd))
FD_TIME(int, fdatasync, "2.2.5", CALL_SYNC, (int fd), (fd))
FD_TIME(int, syncfs, "2.14", CALL_SYNC, (int fd), (fd))
FD_TIME(int, sync_file_range, "2.6", CALL_SYNC,
	(int fd, off64_t at, off64_t n, unsigned flags), (fd, at, n, flags))
TIMED(int, msync, "2.2.5", CALL_SYNC, 0, (void *at, size_t n, int flags),
	(at, n, flags))

FD_TIME(int, ftruncate, "2.2.5", CALL_OTHER, (int fd, off_t n), (fd, n))
FD_TIME(int, ftruncate64, "2.2.5", CALL_OTHER, (int fd, off64_t n), (fd, n))
FD_TIME(int, fallocate, "2.10", CALL_OTHER,
	(int fd, int mode, off_t at, off_t n), (fd, mode, at, n))
FD_TIME(int, fallocate64, "2.10", CALL_OTHER,
	(int fd, int mode, off64_t at, off64_t n), (fd, mode, at, n))
FD_TIME(int, posix_fallocate, "2.2.5", CALL_OTHER,
	(int fd, off_t at, off_t n), (fd, at, n))
FD_TIME(int, posix_fallocate64, "2.2.5", CALL_OTHER,
	(int fd, off64_t at, off64_t n), (fd, at, n))
CALL(IO, ssize_t, copy_file_range, "2.27", CALL_OTHER, fd_waits(fd),
	fd_number(to),
	(int fd, off64_t *at, int to, off64_t *to_at, size_t n, unsigned flags),
	(fd, at, to, to_at, n, flags))
CALL(IO, ssize_t, sendfile, "2.2.5", CALL_WRITE, fd_waits(fd), fd_number(fd),
	(int fd, int from, off_t *at, size_t n), (fd, from, at, n))
CALL(IO, ssize_t, sendfile64, "2.3", CALL_WRITE, fd_waits(fd), fd_number(fd),
	(int fd, int from, off64_t *at, size_t n), (fd, from, at, n))
CALL(IO, ssize_t, splice, "2.5", CALL_OTHER, fd_waits(fd) || fd_waits(to),
	fd_number(fd),
	(int fd, off64_t *at, int to, off64_t *to_at, size_t n, unsigned flags),
	(fd, at, to, to_at, n, flags))

CALL(IO, int, flock, "2.2.5", CALL_FILE_LOCK,
	(op & LOCK_NB) == 0 && op != LOCK_UN, fd_number(fd), (int fd, int op),
	(fd, op))
CALL(IO, int, lockf, "2.2.5", CALL_FILE_LOCK, op == F_LOCK, fd_number(fd),
	(int fd, int op, off_t n), (fd, op, n))
CALL(IO, int, lockf64, "2.2.5", CALL_FILE_LOCK, op == F_LOCK, fd_number(fd),
	(int fd, int op, off64_t n), (fd, op, n))

PATH(int, creat, "2.2.5", CALL_OPEN, (const char *path, mode_t mode),
	(path, mode))
PATH(int, creat64, "2.2.5", CALL_OPEN, (const char *path, mode_t mode),
	(path, mode))
PATH(int, __open_2, "2.7", CALL_OPEN, (const char *path, int flags),
	(path, flags))
PATH(int, __open64_2, "2.7", CALL_OPEN, (const char *path, int flags),
	(path, flags))
PATH(int, __openat_2, "2.7", CALL_OPEN, (int dir, const char *path, int flags),
	(dir, path, flags))
PATH(int, __openat64_2, "2.7", CALL_OPEN,
	(int dir, const char *path, int flags), (dir, path, flags))
PATH(int, rename, "2.2.5", CALL_OTHER, (const char *path, const char *to),
	(path, to))
PATH(int, renameat, "2.4", CALL_OTHER,
	(int dir, const char *path, int dir2, const char *to),
	(dir, path, dir2, to))
PATH(int, unlink, "2.2.5", CALL_OTHER, (const char *path), (path))
PATH(int, unlinkat, "2.4", CALL_OTHER, (int dir, const char *path, int flags),
	(dir, path, flags))
PATH(int, mkdir, "2.2.5", CALL_OTHER, (const char *path, mode_t mode),
	(path, mode))
PATH(int, rmdir, "2.2.5", CALL_OTHER, (const char *path), (path))
PATH(int, stat, "2.33", CALL_OTHER, (const char *path, struct stat *to),
	(path, to))
PATH(int, lstat, "2.33", CALL_OTHER, (const char *path, struct stat *to),
	(path, to))
PATH(int, stat64, "2.33", CALL_OTHER, (const char *path, struct stat64 *to),
	(path, to))
PATH(int, lstat64, "2.33", CALL_OTHER, (const char *path, struct stat64 *to),
	(path, to))
PATH(int, fstatat, "2.33", CALL_OTHER,
	(int dir, const char *path, struct stat *to, int flags),
	(dir, path, to, flags))
PATH(int, fstatat64, "2.33", CALL_OTHER,
	(int dir, const char *path, struct stat64 *to, int flags),
	(dir, path, to, flags))
TIMED_PTR(DIR *, opendir, "2.2.5", CALL_OPEN, fd_path_number(path),
	(const char *path), (path))
TIMED_PTR(struct dirent *, readdir, "2.2.5", CALL_READ,
	fd_number(dirfd(dir)), (DIR *dir), (dir))
TIMED_PTR(struct dirent64 *, readdir64, "2.2.5", CALL_READ,
	fd_number(dirfd(dir)), (DIR *dir), (dir))
/* clang-format on */

#define OPENS(name, version, params, args) \
	WRAPPER int wrap_##name params; \
	static int(*real_##name) params; \
	REAL_ENTRY(name, version); \
	ONE_VERSION(name, version); \
	int wrap_##name params \
	{ \
		const void *caller = CALLER; \
		struct call_time start; \
		va_list list; \
		mode_t mode; \
		int r; \
\
		va_start(list, flags); \
		mode = mode_of(flags, list); \
		va_end(list); \
		if (!collect_does(IO)) \
			return REAL_OF(name) args; \
		start = call_time(); \
		r = REAL_OF(name) args; \
		if (call_was_long(start, CALL_OPEN, caller) && \
			call_is_told(start, CALL_OPEN, caller)) \
			call_was(CALL_OPEN, fd_path_number(path), \
				INT_RESULT(r), caller); \
		return r; \
	}

OPENS(open, "2.2.5", (const char *path, int flags, ...), (path, flags, mode))
OPENS(open64, "2.2.5", (const char *path, int flags, ...), (path, flags, mode))
OPENS(openat, "2.4", (int dir, const char *path, int flags, ...),
	(dir, path, flags, mode))
OPENS(openat64, "2.4", (int dir, const char *path, int flags, ...),
	(dir, path, flags, mode))

/* A function after which descriptors are other files, or none. */
#define ENDS(result, name, version, first, last, params, args) \
	WRAPPER result wrap_##name params; \
	static result(*real_##name) params; \
	REAL_ENTRY(name, version); \
	ONE_VERSION(name, version); \
	result wrap_##name params \
	{ \
		if (collect_does(IO)) \
			fd_forget(first, last); \
		return REAL_OF(name) args; \
	}

ENDS(int, dup2, "2.2.5", (unsigned)to, (unsigned)to, (int fd, int to), (fd, to))
ENDS(int, dup3, "2.9", (unsigned)to, (unsigned)to, (int fd, int to, int flags),
	(fd, to, flags))
ENDS(int, close_range, "2.34", first, last,
	(unsigned first, unsigned last, int flags), (first, last, flags))

/* -1 of a stream without a descriptor is a number beyond all. */
ENDS(int, pclose, "2.2.5", (unsigned)fd_of_stream(f), (unsigned)fd_of_stream(f),
	(FILE * f), (f))
ENDS(FILE *, freopen, "2.2.5", (unsigned)fd_of_stream(f),
	(unsigned)fd_of_stream(f),
	(const char *path, const char *mode, FILE *f), (path, mode, f))
ENDS(FILE *, freopen64, "2.2.5", (unsigned)fd_of_stream(f),
	(unsigned)fd_of_stream(f),
	(const char *path, const char *mode, FILE *f), (path, mode, f))

WRAPPER void wrap_closefrom(int first);
static void (*real_closefrom)(int);
REAL_ENTRY(closefrom, "2.34");
ONE_VERSION(closefrom, "2.34");

void
wrap_closefrom(int first)
{
	if (collect_does(IO) && first >= 0)
		fd_forget((unsigned)first, FD_MAX);
	REAL_OF(closefrom)(first);
}

/* The number is asked for before the descriptor is gone, but only of files that
 * are known already: most closes are quick. */
#define CLOSES(type, name, version, fd_of) \
	WRAPPER int wrap_##name(type it); \
	static int (*real_##name)(type it); \
	REAL_ENTRY(name, version); \
	ONE_VERSION(name, version); \
	int wrap_##name(type it) \
	{ \
		const void *caller = CALLER; \
		struct call_time start; \
		uint32_t number; \
		int r; \
\
		if (!collect_does(IO)) \
			return REAL_OF(name)(it); \
		number = fd_end(fd_of); \
		start = call_time(); \
		r = REAL_OF(name)(it); \
		if (call_was_long(start, CALL_CLOSE, caller) && \
			call_is_told(start, CALL_CLOSE, caller)) \
			call_was(CALL_CLOSE, number, INT_RESULT(r), caller); \
		return r; \
	}

static uint32_t
fd_end(int fd)
{
	uint32_t known = 0;

	if ((unsigned)fd < FD_MAX) {
		known = __atomic_load_n(&fd_table[fd], __ATOMIC_RELAXED);
		if (known != 0)
			fd_forget((unsigned)fd, (unsigned)fd);
	}
	return known >> 2;
}

CLOSES(int, close, "2.2.5", it)
CLOSES(DIR *, closedir, "2.2.5", it == NULL ? -1 : dirfd(it))
CLOSES(FILE *, fclose, "2.2.5", fd_of_stream(it))

/* fcntl() sets locks, and whether a descriptor blocks; its last argument is a
 * pointer or a number. */
#define CONTROLS(name, version) \
	WRAPPER int wrap_##name(int fd, int op, ...); \
	static int (*real_##name)(int fd, int op, ...); \
	REAL_ENTRY(name, version); \
	ONE_VERSION(name, version); \
	int wrap_##name(int fd, int op, ...) \
	{ \
		struct waiting w; \
		va_list list; \
		void *arg; \
		int r; \
\
		va_start(list, op); \
		arg = va_arg(list, void *); \
		va_end(list); \
		if (!collect_does(IO) || \
			(op != F_SETLKW && op != F_OFD_SETLKW)) { \
			if (op == F_SETFL && collect_does(IO)) \
				fd_forget((unsigned)fd, (unsigned)fd); \
			return REAL_OF(name)(fd, op, arg); \
		} \
		call_begin(&w, CALL_FILE_LOCK, fd_number(fd), CALLER, FRAME); \
		pthread_cleanup_push(call_cut, &w); \
		r = REAL_OF(name)(fd, op, arg); \
		pthread_cleanup_pop(0); \
		call_end(&w, INT_RESULT(r)); \
		return r; \
	}

CONTROLS(fcntl, "2.2.5")
CONTROLS(fcntl64, "2.28")

/* ioctl() sets whether a descriptor blocks, too. */
WRAPPER int wrap_ioctl(int fd, unsigned long op, ...);
static int (*real_ioctl)(int fd, unsigned long op, ...);
REAL_ENTRY(ioctl, "2.2.5");
ONE_VERSION(ioctl, "2.2.5");

int
wrap_ioctl(int fd, unsigned long op, ...)
{
	va_list list;
	void *arg;
	int r;

	va_start(list, op);
	arg = va_arg(list, void *);
	va_end(list);
	r = REAL_OF(ioctl)(fd, op, arg);
	if (op == FIONBIO && collect_does(IO))
		fd_forget((unsigned)fd, (unsigned)fd);
	return r;
}

/* NOLINTEND(bugprone-macro-parentheses,readability-function-size) */
