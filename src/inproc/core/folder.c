/* SPDX-License-Identifier: MIT */
#include "inproc/core/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

void
weft_rt_folder_open(struct folder *f, const char *path)
{
	f->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
	f->at = f->n = 0;
}

const char *
weft_rt_folder_next(struct folder *f)
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
