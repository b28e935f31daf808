/* SPDX-License-Identifier: MIT */
#include "export/index/claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

#define TRIES 100

/* Returns true if the name is that of a temporary file of `file`:
 * FILE.tmp-NUMBER. */
static bool
is_temporary(const char *name, const char *file)
{
	static const char middle[] = ".tmp-";
	size_t n = strlen(file), digits;

	if (strncmp(name, file, n) != 0 ||
		strncmp(name + n, middle, sizeof middle - 1) != 0)
		return false;
	name += n + sizeof middle - 1;
	digits = strspn(name, "0123456789");
	return digits > 0 && name[digits] == '\0';
}

/* Removes a file unless its builder lives. */
static void
remove_dead(int dir, const char *name)
{
	int fd = openat(dir, name,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(dir, name, 0);
	close(fd);
}

static void
remove_all_dead(struct arena *a, const char *path)
{
	DIR *dir = opendir(file_parent(a, path));
	const struct dirent *e;

	if (dir == NULL)
		return;
	while ((e = readdir(dir)) != NULL)
		if (is_temporary(e->d_name, file_name(path)))
			remove_dead(dirfd(dir), e->d_name);
	closedir(dir);
}

/* Locks the file. Returns false if another builder removed the file before it
 * was locked, because it looked like that of a dead builder. */
static bool
claim(const struct outfile *f)
{
	struct stat st;

	/* Where there are no locks, nobody removes anything either. */
	if (flock(f->fd, LOCK_EX | LOCK_NB) != 0)
		return errno != EWOULDBLOCK;
	return fstat(f->fd, &st) != 0 || st.st_nlink > 0;
}

bool
claim_open(struct outfile *f, int *lock, struct arena *a, const char *path,
	size_t room, struct err *err)
{
	*lock = -1;
	remove_all_dead(a, path);
	for (int i = 0; i < TRIES; i++) {
		if (!outfile_open(f, a, path, room, err))
			return false;
		if (f->tmp == NULL)
			return true;
		if (claim(f)) {
			*lock = fcntl(f->fd, F_DUPFD_CLOEXEC, 0);
			return true;
		}
		outfile_discard(f);
	}
	return err_set(err, ERR_SYSTEM, "cannot create %s", path);
}
