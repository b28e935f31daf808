/* SPDX-License-Identifier: MIT */
/*
 * smallfile.h - reads a small file of the kernel as text, with one read(). Safe
 * in signal handlers; may change errno.
 */
#ifndef WEFT_PERF_SMALLFILE_H
#define WEFT_PERF_SMALLFILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

/* Reads the first size - 1 bytes and appends a NUL. Returns false, with text
 * "", if the file cannot be read or is empty. */
static inline bool
smallfile_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	return n > 0;
}

#endif
