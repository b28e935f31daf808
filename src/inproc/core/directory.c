/* SPDX-License-Identifier: MIT */
#include "inproc/core/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inproc/core/unsaid.h"

void
weft_rt_folder_open(struct directory *f, const char *path)
{
	f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	f->at = f->n = 0;
}

const char *
weft_rt_folder_next(struct directory *f)
{
	const struct dirent64 *e;

	if (f->fd < 0)
		return NULL;
	if (f->at == f->n) {
		f->n = getdents64(f->fd, f->buffer, sizeof(f->buffer));
		f->at = 0;
		if (f->n <= 0) {
			close(f->fd);
			f->fd = -1;
			return NULL;
		}
	}
	e = (const void *)(f->buffer + f->at);
	f->at += e->d_reclen;
	return e->d_name;
}

/* Tries to make the direct parent first, because the grandparent usually
 * exists. */
__attribute__((noinline)) bool
weft_rt_folder_above(const char *path)
{
	char part[PATH_MAX + 64], *at;
	size_t n = strlen(path);
	bool ok;

	if (n >= sizeof(part) || weft_rt_unsaid_is_elsewhere()) {
		errno = n >= sizeof(part) ? ENAMETOOLONG : ENOENT;
		return false;
	}
	memcpy(part, path, n + 1);
	at = strrchr(part, '/');
	if (!at || at == part)
		return true;
	*at = '\0';
	ok = mkdir(part, 0755) == 0 || errno == EEXIST;
	for (char *c = part + 1; !ok && c < at; c++) {
		if (*c != '/')
			continue;
		*c = '\0';
		if (mkdir(part, 0755) != 0 && errno != EEXIST)
			return false;
		*c = '/';
	}
	return ok || mkdir(part, 0755) == 0 || errno == EEXIST;
}

bool
weft_rt_folder_make(const char *path)
{
	if (mkdir(path, 0755) == 0 || errno == EEXIST)
		return true;
	return weft_rt_folder_above(path) &&
		(mkdir(path, 0755) == 0 || errno == EEXIST);
}
