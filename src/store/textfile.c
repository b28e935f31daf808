/* SPDX-License-Identifier: MIT */
#include "store/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

#define READ_BYTES ((size_t)256 << 10)
#define RECORD_MAX ((size_t)1 << 31) /* a text of 2^30 bytes, all quoted */

static bool
open_file(struct textfile *f, const char *path, int flags, struct err *err)
{
	struct stat st;

	*f = (struct textfile){ .path = path };
	f->fd = open(path, flags | O_CLOEXEC, 0666);
	if (f->fd < 0)
		return err_set(err, ERR_SYSTEM, "cannot open %s", path);
	if (fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode)) {
		f->size = st.st_size;
		textfile_make_room(f, READ_BYTES);
		return true;
	}
	textfile_close(f);
	return err_set(err, ERR_INPUT, "%s is not a regular file", path);
}

bool
textfile_open_read(struct textfile *f, const char *path, struct err *err)
{
	return open_file(f, path, O_RDONLY | O_NONBLOCK, err);
}

bool
textfile_open_write(struct textfile *f, const char *path, struct err *err)
{
	return open_file(f, path, O_RDWR | O_CREAT | O_NONBLOCK, err);
}

void
textfile_close(struct textfile *f)
{
	if (f->fd >= 0)
		close(f->fd);
	mem_free(f->buf);
	*f = (struct textfile){ .fd = -1 };
}

void
textfile_make_room(struct textfile *f, size_t n)
{
	f->room = 2 * f->end + n + 1;
	f->buf = mem_resize(f->buf, f->room, 1);
}

void
textfile_quote(struct textfile *f, quote_fn *quote, const char *text, size_t n)
{
	const char *at = text;

	textfile_put(f, "\"", 1);
	while (at < text + n) {
		char *to = textfile_room(f, QUOTE_ROOM);
		char *end = quote(to, f->buf + f->room, &at, text + n);

		f->end += (size_t)(end - to);
	}
	textfile_put(f, "\"", 1);
}

/* 15 digits suffice for most numbers that people write, 17 for all. */
void
textfile_real(struct textfile *f, double value)
{
	char text[32];

	snprintf(text, sizeof text, "%.15g", value);
	if (strtod(text, NULL) != value)
		snprintf(text, sizeof text, "%.17g", value);
	textfile_puts(f, text);
}

void
textfile_value(struct textfile *f, enum store_type type,
	const struct store_value *v, textfile_text *put_text)
{
	if (type == STORE_TEXT || type == STORE_NAME)
		put_text(f, v->text, v->size);
	else if (type == STORE_INT)
		textfile_i64(f, v->i);
	else if (type == STORE_UINT)
		textfile_u64(f, v->u);
	else if (type == STORE_REAL)
		textfile_real(f, v->real);
	else
		textfile_puts(f, v->flag ? "true" : "false");
}

bool
textfile_commit(struct textfile *f, struct err *err)
{
	int64_t at = f->size;

	for (size_t done = 0; done < f->end;) {
		ssize_t n = pwrite(f->fd, f->buf + done, f->end - done,
			at + (int64_t)done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			err_set(err, ERR_SYSTEM, "cannot write %s", f->path);
			f->end = 0;
			if (ftruncate(f->fd, at) != 0)
				err_in(err, "and its end is damaged");
			return false;
		}
		done += (size_t)n;
	}
	f->size = at + (int64_t)f->end;
	f->end = 0;
	return true;
}

bool
textfile_cut(struct textfile *f, int64_t size, struct err *err)
{
	if (ftruncate(f->fd, size) != 0)
		return err_set(err, ERR_SYSTEM, "cannot write %s", f->path);
	f->size = size;
	f->begin = f->end = 0;
	return true;
}

void
textfile_seek(struct textfile *f, int64_t offset)
{
	f->at = offset;
	f->begin = f->end = 0;
}

bool
textfile_more(struct textfile *f, struct err *err)
{
	size_t n = f->end - f->begin;
	int64_t got;

	if (n >= RECORD_MAX)
		return err_set(err, ERR_LIMIT,
			"%s: byte %lld: a record of more than 2^31 bytes",
			f->path, (long long)textfile_tell(f));
	if (f->begin > 0 && n > 0)
		memmove(f->buf, f->buf + f->begin, n);
	f->begin = 0;
	f->end = n;
	if (f->room - n < READ_BYTES)
		textfile_make_room(f, READ_BYTES);
	got = file_pread(f->fd, f->buf + n, f->room - n, f->at);
	if (got < 0)
		return err_set(err, ERR_SYSTEM, "cannot read %s", f->path);
	f->end += (size_t)got;
	f->at += got;
	return got > 0;
}
