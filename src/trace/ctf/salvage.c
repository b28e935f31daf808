/* SPDX-License-Identifier: MIT */
#include "trace/ctf/salvage.h"

#include <fcntl.h>
#include <unistd.h>

#include "inproc/ctf/wire.h"
#include "trace/ctf/stream.h"
#include "trace/ctf/tail.h"
#include "trace/source.h"

/* Writes the tail after the file's last whole packet. A short write means a
 * full disk. */
static bool
append(const struct ctf_stream *s)
{
	const struct ctf_tail *t = s->tail;
	int fd = open(s->file, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && ftruncate(fd, t->begin) == 0;

	if (ok && t->n > 0)
		ok = pwrite(fd, t->at, t->n, t->begin) == (ssize_t)t->n;
	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	return ok;
}

bool
ctf_salvage(const struct ctf_stream *s, struct salvage *result, struct err *err)
{
	const struct ctf_tail *t = s->tail;

	if (t->live) {
		result->running++;
		return true;
	}
	if (!append(s))
		return err_set(err, ERR_SYSTEM, "cannot append to %s", s->file);
	unlink(t->mark);
	unlink(t->ring);
	result->streams++;
	result->bytes += t->bytes;
	return true;
}
