/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/leftover.h"

static void
fail(struct outfile *f, const char *verb)
{
	err_set(&f->err, ERR_SYSTEM, "cannot %s %s", verb, f->path);
}

static bool
is_special(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
		!S_ISDIR(st.st_mode);
}

/* Never opens a temporary name that exists: it may be a link made by somebody
 * else. */
static int
open_new(const char *path)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
	int fd = open(path, flags, 0666);

	if (fd >= 0 || errno != EEXIST)
		return fd;
	/* The file was left by a killed process that had the same pid. */
	if (unlink(path) != 0)
		return -1;
	return open(path, flags, 0666);
}

static int
open_target(struct outfile *f, struct arena *a)
{
	if (is_special(f->path))
		return open(f->path,
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
			0666);
	if (file_is_dir(f->path)) {
		errno = EISDIR;
		return -1;
	}
	f->tmp = arena_printf(a, "%s.tmp-%ld", f->path, (long)getpid());
	f->leftover = leftover_add(f->tmp);
	return open_new(f->tmp);
}

static void
make_buffer(struct outfile *f, size_t room)
{
	f->buf = mem_resize(NULL, room, 1);
	f->at = f->buf;
	f->end = f->buf + room;
}

bool
outfile_open(struct outfile *f, struct arena *a, const char *path, size_t room,
	struct err *err)
{
	BUG_ON(room == 0);
	*f = (struct outfile){ .path = arena_strdup(a, path), .leftover = -1 };
	f->fd = keep_check(path, &f->err) ? open_target(f, a) : -1;
	if (f->fd < 0) {
		leftover_drop(f->leftover);
		fail(f, "create"); /* unless it must be kept */
		if (err->kind == ERR_NONE)
			*err = f->err;
		return false;
	}
	make_buffer(f, room);
	return true;
}

bool
outfile_open_over(struct outfile *f, struct arena *a, const char *path,
	size_t room, struct err *err)
{
	BUG_ON(room == 0);
	*f = (struct outfile){ .path = arena_strdup(a, path),
		.leftover = -1,
		.fd = -1,
		.late = a };
	if (!keep_check(path, &f->err)) {
		if (err->kind == ERR_NONE)
			*err = f->err;
		return false;
	}
	make_buffer(f, room);
	return true;
}

/* Opens the file under its temporary name, when its bytes do not stay in the
 * buffer. */
static void
open_late(struct outfile *f)
{
	f->fd = open_target(f, f->late);
	f->late = NULL;
	if (f->fd < 0)
		fail(f, "create");
}

bool
outfile_open_stdout(
	struct outfile *f, struct arena *a, size_t room, struct err *err)
{
	BUG_ON(room == 0);
	*f = (struct outfile){ .path = arena_strdup(a, "standard output"),
		.leftover = -1 };
	f->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (f->fd < 0) {
		fail(f, "write to");
		return err_set(err, ERR_SYSTEM, "cannot write to %s", f->path);
	}
	make_buffer(f, room);
	return true;
}

/* Writes to a file at an offset; -1: at the end. */
static void
put_to(struct outfile *f, int fd, const char *data, size_t n, int64_t offset)
{
	while (n > 0 && f->err.kind == ERR_NONE) {
		ssize_t done = offset < 0 ? write(fd, data, n)
					  : pwrite(fd, data, n, offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			fail(f, "write");
			return;
		}
		data += done;
		n -= (size_t)done;
		if (offset >= 0)
			offset += done;
	}
}

static void
put(struct outfile *f, const char *data, size_t n, int64_t offset)
{
	put_to(f, f->fd, data, n, offset);
}

/* Makes the buffer twice as large. */
static void
grow(struct outfile *f)
{
	size_t n = (size_t)(f->at - f->buf);
	size_t room = 2 * (size_t)(f->end - f->buf);

	f->buf = mem_resize(f->buf, room, 1);
	f->at = f->buf + n;
	f->end = f->buf + room;
}

void
outfile_flush(struct outfile *f)
{
	size_t n = (size_t)(f->at - f->buf);

	BUG_ON(f->buf == NULL);
	if (f->late != NULL)
		open_late(f);
	if (f->is_held) {
		grow(f);
		return;
	}
	if (f->pack == NULL)
		put(f, f->buf, n, -1);
	else if (f->err.kind == ERR_NONE &&
		!f->pack->ops->put(f->pack, f->fd, f->buf, n, &f->err))
		err_in(&f->err, "%s", f->path);
	/* Done even after a failure: offsets advance, and the buffer has
	 * room. */
	f->flushed += (int64_t)n;
	f->at = f->buf;
}

void
outfile_hold(struct outfile *f, bool hold)
{
	BUG_ON(f->pack != NULL);
	f->is_held = hold;
}

size_t
outfile_held(struct outfile *f)
{
	size_t n = (size_t)(f->at - f->buf);
	const char *end = n == 0 ? NULL : memchr(f->buf, '\n', n);

	if (f->flushed > 0 || end == NULL)
		return f->flushed > 0 ? n : 0;
	f->flushed = end + 1 - f->buf;
	put(f, f->buf, (size_t)f->flushed, -1);
	n -= (size_t)f->flushed;
	memmove(f->buf, end + 1, n);
	f->at = f->buf + n;
	return n;
}

void
outfile_place(struct outfile *f, int fd, int64_t offset)
{
	put_to(f, fd, f->buf, (size_t)(f->at - f->buf), offset);
	f->at = f->buf;
}

void
outfile_pack(struct outfile *f, struct outfile_pack *pack)
{
	outfile_flush(f);
	BUG_ON(f->pack != NULL);
	f->pack = pack;
}

/* Ends the compressor; without `rest` it only frees its memory. */
static void
end_pack(struct outfile *f, bool rest)
{
	struct err unsaid = { 0 };
	struct outfile_pack *pack = f->pack;
	bool ok = f->err.kind == ERR_NONE;

	f->pack = NULL;
	if (pack == NULL)
		return;
	if (!pack->ops->end(
		    pack, rest && ok ? f->fd : -1, ok ? &f->err : &unsaid))
		err_in(&f->err, "%s", f->path);
}

void
outfile_unpack(struct outfile *f)
{
	if (f->pack == NULL)
		return;
	outfile_flush(f);
	end_pack(f, true);
	f->flushed = lseek(f->fd, 0, SEEK_CUR);
	if (f->flushed < 0) {
		f->flushed = 0;
		if (f->err.kind == ERR_NONE)
			fail(f, "write");
	}
}

void
outfile_write(struct outfile *f, const void *data, size_t n)
{
	const char *from = data;

	while (n > 0) {
		size_t part = (size_t)(f->end - f->at);

		if (part > n)
			part = n;
		memcpy(f->at, from, part);
		f->at += part;
		from += part;
		n -= part;
		if (f->at == f->end)
			outfile_flush(f);
	}
}

void
outfile_puts(struct outfile *f, const char *s)
{
	outfile_write(f, s, strlen(s));
}

void
outfile_printf(struct outfile *f, const char *fmt, ...)
{
	size_t room = (size_t)(f->end - f->at);
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(f->at, room, fmt, ap);
	va_end(ap);
	if (n < 0) {
		fail(f, "write");
	} else if ((size_t)n < room) {
		f->at += n;
	} else {
		char *text = mem_resize(NULL, (size_t)n + 1, 1);

		vsnprintf(text, (size_t)n + 1, fmt, again);
		outfile_write(f, text, (size_t)n);
		mem_free(text);
	}
	va_end(again);
}

void
outfile_patch(struct outfile *f, int64_t offset, const void *data, size_t n)
{
	const char *from = data;
	size_t out = 0;

	BUG_ON(f->pack != NULL);
	if (f->err.kind != ERR_NONE)
		return; /* what a compressor lost is in no offset */
	BUG_ON(offset < 0 || (int64_t)n > outfile_tell(f) - offset);
	if (offset < f->flushed) {
		out = (size_t)(f->flushed - offset);
		if (out > n)
			out = n;
		put(f, from, out, offset);
	}
	if (out < n)
		memcpy(f->buf + (offset + (int64_t)out - f->flushed),
			from + out, n - out);
}

/* Fills the buffer with the bytes of the file that lie before `end`, as many as
 * fit, but none before `from`. Returns their number, 0 after a failure. */
static size_t
read_back(struct outfile *f, int64_t from, int64_t end)
{
	size_t n = (size_t)(f->end - f->buf);
	ssize_t done;

	if ((int64_t)n > end - from)
		n = (size_t)(end - from);
	done = pread(f->fd, f->buf, n, end - (int64_t)n);
	if (done >= 0 && (size_t)done == n)
		return n;
	if (done >= 0)
		errno = ESPIPE;
	fail(f, "read");
	return 0;
}

void
outfile_insert(struct outfile *f, int64_t offset, size_t n)
{
	int64_t end;

	outfile_flush(f);
	BUG_ON(f->pack != NULL);
	if (f->err.kind != ERR_NONE)
		return;
	BUG_ON(offset < 0 || offset > f->flushed);
	end = f->flushed;
	while (end > offset && f->err.kind == ERR_NONE) {
		size_t part = read_back(f, offset, end);

		end -= (int64_t)part;
		put(f, f->buf, part, end + (int64_t)n);
	}
	f->flushed += (int64_t)n;
	if (f->err.kind == ERR_NONE && lseek(f->fd, (off_t)n, SEEK_CUR) < 0)
		fail(f, "write");
}

static void
release(struct outfile *f)
{
	leftover_drop(f->leftover);
	mem_free(f->buf);
	f->buf = f->at = f->end = NULL;
	f->fd = -1;
}

/* Writes the buffer over the file that is there by one write within a page.
 * Returns false if that is not possible. */
static bool
put_over(struct outfile *f)
{
	size_t n = (size_t)(f->at - f->buf);
	int fd = n > OVER_MAX ? -1 : open(f->path, O_WRONLY | O_CLOEXEC);
	struct stat st;
	bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size <= (off_t)n;

	if (ok)
		put_to(f, fd, f->buf, n, 0);
	if (fd >= 0 && close(fd) != 0 && errno != EINTR && ok)
		fail(f, "write");
	return ok;
}

bool
outfile_close(struct outfile *f, struct err *err)
{
	if (f->buf != NULL && f->late != NULL && put_over(f))
		release(f);
	if (f->buf != NULL) {
		f->is_held = false;
		outfile_flush(f);
		end_pack(f, true);
		if (f->fd >= 0 && close(f->fd) != 0 && errno != EINTR)
			fail(f, "write");
		if (f->tmp != NULL && f->err.kind == ERR_NONE &&
			keep_check(f->path, &f->err) &&
			rename(f->tmp, f->path) != 0)
			fail(f, "create");
		if (f->tmp != NULL && f->err.kind != ERR_NONE)
			unlink(f->tmp);
		release(f);
	}
	if (f->err.kind == ERR_NONE)
		return true;
	if (err->kind == ERR_NONE)
		*err = f->err;
	return false;
}

void
outfile_discard(struct outfile *f)
{
	if (f->buf == NULL)
		return;
	end_pack(f, false);
	if (f->fd >= 0)
		close(f->fd);
	if (f->tmp != NULL)
		unlink(f->tmp);
	release(f);
}
