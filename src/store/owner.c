/* SPDX-License-Identifier: MIT */
#include "store/owner.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

/* Returns the path of the lock, the same for every name of the file. */
static const char *
lock_path(struct arena *a, const char *path)
{
	char real[PATH_MAX];
	char *name = arena_strdup(a, realpath(path, real) ? real : path);

	for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; n--)
		name[n - 1] = '\0';
	return arena_printf(a, "%s.lock", name);
}

/* Returns true if the open file still has that name: the former holder may just
 * have removed it. */
static bool
is_current(int fd, const char *path)
{
	struct stat ours, there;

	return fstat(fd, &ours) == 0 && stat(path, &there) == 0 &&
		ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

static bool
refuse(int fd, const char *path, struct err *err)
{
	char pid[16] = "";

	(void)!pread(fd, pid, sizeof pid - 1, 0);
	pid[strspn(pid, "0123456789")] = '\0';
	close(fd);
	return err_set(err, ERR_INPUT,
		"another program is writing to it (process %s holds %s): wait "
		"until it ends, or use another name",
		*pid != '\0' ? pid : "?", path);
}

static void
write_pid(int fd)
{
	char pid[16];
	int n = snprintf(pid, sizeof pid, "%d\n", (int)getpid());

	if (ftruncate(fd, 0) == 0)
		(void)!pwrite(fd, pid, (size_t)n, 0);
}

bool
owner_take(struct owner *o, struct arena *a, const char *path, struct err *err)
{
	*o = (struct owner){ .fd = -1, .path = lock_path(a, path) };
	for (;;) {
		int fd = open(o->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

		if (fd < 0)
			return true; /* no lock file: then no other process
			              * can create a store there */
		if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
			return refuse(fd, o->path, err);
		if (is_current(fd, o->path)) {
			write_pid(fd);
			o->fd = fd;
			return true;
		}
		close(fd);
	}
}

void
owner_leave(struct owner *o)
{
	if (o->fd < 0)
		return;
	unlink(o->path);
	close(o->fd);
	o->fd = -1;
}
