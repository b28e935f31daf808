/* SPDX-License-Identifier: MIT */
#include "base/tempfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

int
tempfile_open(const char *dir, struct err *err)
{
	int fd = open(dir, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	char path[PATH_MAX];

	if (fd >= 0)
		return fd;
	/* Some file systems have no O_TMPFILE. */
	snprintf(path, sizeof path, "%s/.weft-spill-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		err_set(err, ERR_SYSTEM, "cannot create a temporary file in %s",
			dir);
	else
		unlink(path);
	return fd;
}

void
tempfile_init(struct tempfile *t, const char *dir)
{
	*t = (struct tempfile){ .dir = dir, .fd = -1 };
}

void
tempfile_fini(struct tempfile *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

bool
tempfile_make(struct tempfile *t)
{
	if (t->err.kind == ERR_NONE && t->fd < 0)
		t->fd = tempfile_open(t->dir, &t->err);
	return t->err.kind == ERR_NONE;
}

bool
tempfile_append(struct tempfile *t, const void *bytes, size_t n)
{
	const char *at = bytes;

	if (!tempfile_make(t))
		return false;
	while (n > 0) {
		ssize_t done = pwrite(t->fd, at, n, t->size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return err_set(&t->err, ERR_SYSTEM,
				"cannot write a temporary file in %s", t->dir);
		at += done;
		n -= (size_t)done;
		t->size += done;
	}
	return true;
}

bool
tempfile_read(struct tempfile *t, void *to, size_t n, int64_t at)
{
	int64_t got;

	if (t->err.kind != ERR_NONE)
		return false;
	got = file_pread(t->fd, to, n, at);
	if (got == (int64_t)n)
		return true;
	if (got >= 0)
		errno = EIO; /* another process truncated the file */
	return err_set(&t->err, ERR_SYSTEM,
		"cannot read a temporary file in %s", t->dir);
}
