/* SPDX-License-Identifier: MIT */
#include "base/tempfile.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"

int
tempfile_open(struct arena *a, const char *dir, struct err *err)
{
	int fd = open(dir, O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	char *path;

	if (fd >= 0)
		return fd;
	/* Some file systems have no O_TMPFILE. */
	path = arena_printf(a, "%s/.weft-spill-XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		err_set(err, ERR_SYSTEM, "cannot create a temporary file in %s",
			dir);
	else
		unlink(path);
	return fd;
}
