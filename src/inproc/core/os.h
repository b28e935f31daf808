/* SPDX-License-Identifier: MIT */
/*
 * os.h - system calls that no program can replace.
 *
 * A program may define functions of the C library itself: to see or change the
 * calls of its libraries, or because something of its own is called `read` or
 * `close`. The loader then gives these functions to all libraries, but the
 * recorder's files are not the program's. The build includes this file in each
 * source file of the recorder: a call of `read` there enters the kernel.
 */
#ifndef WEFT_INPROC_CORE_OS_H
#define WEFT_INPROC_CORE_OS_H

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "perf/kernel_clock.h"

static inline ssize_t
os_read(int fd, void *to, size_t n)
{
	return (ssize_t)syscall(SYS_read, fd, to, n);
}

static inline ssize_t
os_write(int fd, const void *from, size_t n)
{
	return (ssize_t)syscall(SYS_write, fd, from, n);
}

static inline ssize_t
os_pread(int fd, void *to, size_t n, off_t at)
{
	return (ssize_t)syscall(SYS_pread64, fd, to, n, at);
}

static inline ssize_t
os_pwrite(int fd, const void *from, size_t n, off_t at)
{
	return (ssize_t)syscall(SYS_pwrite64, fd, from, n, at);
}

/* The kernel takes the offset as two halves, of which a processor of 64 bits
 * has all in the first. */
static inline ssize_t
os_pwritev(int fd, const struct iovec *part, int n, off_t at)
{
	return (ssize_t)syscall(SYS_pwritev, fd, part, n, at, 0L);
}

static inline int
os_fcntl(int fd, int op, void *arg)
{
	return (int)syscall(SYS_fcntl, fd, op, arg);
}

/* The mode follows if the file may be created. */
static inline int
os_openat(int folder, const char *path, int flags, ...)
{
	unsigned mode = 0;
	va_list ap;

	va_start(ap, flags);
	if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE)
		mode = va_arg(ap, unsigned);
	va_end(ap);
	return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static inline int
os_close(int fd)
{
	return (int)syscall(SYS_close, fd);
}

static inline off_t
os_lseek(int fd, off_t to, int from)
{
	return (off_t)syscall(SYS_lseek, fd, to, from);
}

static inline int
os_ftruncate(int fd, off_t size)
{
	return (int)syscall(SYS_ftruncate, fd, size);
}

static inline int
os_fstat(int fd, struct stat *to)
{
	return (int)syscall(SYS_fstat, fd, to);
}

static inline int
os_stat(const char *path, struct stat *to)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, to, 0);
}

static inline int
os_access(const char *path, int mode)
{
	return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

static inline int
os_mkdir(const char *path, mode_t mode)
{
	return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

static inline int
os_unlinkat(int folder, const char *path, int flags)
{
	return (int)syscall(SYS_unlinkat, folder, path, flags);
}

static inline int
os_renameat2(int folder, const char *from, int to_folder, const char *to,
	unsigned flags)
{
	return (int)syscall(SYS_renameat2, folder, from, to_folder, to, flags);
}

static inline int
os_rename(const char *from, const char *to)
{
	return os_renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

static inline int
os_kill(pid_t pid, int sig)
{
	return (int)syscall(SYS_kill, pid, sig);
}

static inline int
os_nanosleep(const struct timespec *t, struct timespec *left)
{
	return (int)syscall(SYS_nanosleep, t, left);
}

/* A member of a struct that has such a name is called in parentheses. */
#define read(fd, to, n) os_read(fd, to, n)
#define write(fd, from, n) os_write(fd, from, n)
#define pread(fd, to, n, at) os_pread(fd, to, n, at)
#define pwrite(fd, from, n, at) os_pwrite(fd, from, n, at)
#define pwritev(fd, part, n, at) os_pwritev(fd, part, n, at)
#define fcntl(fd, op, arg) os_fcntl(fd, op, arg)
#define open(...) os_openat(AT_FDCWD, __VA_ARGS__)
#define openat(...) os_openat(__VA_ARGS__)
#define close(fd) os_close(fd)
#define lseek(fd, to, from) os_lseek(fd, to, from)
#define ftruncate(fd, size) os_ftruncate(fd, size)
#define fstat(fd, to) os_fstat(fd, to)
#define stat(path, to) os_stat(path, to)
#define access(path, mode) os_access(path, mode)
#define mkdir(path, mode) os_mkdir(path, mode)
#define rmdir(path) os_unlinkat(AT_FDCWD, path, AT_REMOVEDIR)
#define unlink(path) os_unlinkat(AT_FDCWD, path, 0)
#define unlinkat(folder, path, flags) os_unlinkat(folder, path, flags)
#define rename(from, to) os_rename(from, to)
#define renameat2(folder, from, to_folder, to, flags) \
	os_renameat2(folder, from, to_folder, to, flags)
#define kill(pid, sig) os_kill(pid, sig)
#define nanosleep(t, left) os_nanosleep(t, left)
#define clock_gettime(id, t) weft_kernel_clock(id, t)

#endif
