/* SPDX-License-Identifier: MIT */
#include "inproc/core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "inproc/core/hush.h"

bool
weft_rt_text_grow(void **at, size_t *room, bool is_mapped, size_t want)
{
	size_t size = *room < 4096 ? 4096 : *room;
	void *to;

	while (size < want)
		size *= 2;
	to = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (to == MAP_FAILED)
		return false;
	if (*room > 0)
		memcpy(to, *at, *room);
	if (is_mapped)
		munmap(*at, *room);
	*at = to;
	*room = size;
	return true;
}

void
weft_rt_text_put(struct text *o, const char *text, size_t n)
{
	void *at = o->at;

	if (!o->failed && o->n + n + 1 > o->room) {
		o->failed = !weft_rt_text_grow(
			&at, &o->room, o->is_mapped, o->n + n + 1);
		o->is_mapped = o->is_mapped || !o->failed;
		o->at = at;
	}
	if (o->failed)
		return;
	memcpy(o->at + o->n, text, n);
	o->n += n;
	o->at[o->n] = '\0';
}

void
weft_rt_text_puts(struct text *o, const char *text)
{
	weft_rt_text_put(o, text, strlen(text));
}

void
weft_rt_text_printf(struct text *o, const char *format, ...)
{
	char text[1024];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (n > 0)
		weft_rt_text_put(o, text,
			n < (int)sizeof(text) ? (size_t)n : sizeof(text) - 1);
}

void
weft_rt_text_free(struct text *text)
{
	if (text->is_mapped)
		munmap(text->at, text->room);
}

bool
weft_rt_text_write(int fd, const char *text, size_t n)
{
	struct hush limit;
	int error = 0;

	weft_rt_hush(&limit, SIGXFSZ);
	while (n > 0 && error == 0) {
		ssize_t w = write(fd, text, n);

		if (w > 0) {
			text += w;
			n -= (size_t)w;
		} else if (w == 0 || errno != EINTR) {
			error = w == 0 ? ENOSPC : errno;
		}
	}
	weft_rt_unhush(&limit);
	errno = error;
	return error == 0;
}

static bool
write_file(const char *path, const char *text, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int error;

	if (fd < 0)
		return false;
	error = weft_rt_text_write(fd, text, n) ? 0 : errno;
	close(fd);
	errno = error;
	return error == 0;
}

/* Puts a file in the place of another. If there is one, both are exchanged:
 * when rename() replaces a file, ext4 writes the new one to the disk at once,
 * which takes milliseconds. */
static bool
replace(const char *temp, const char *path)
{
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, path, RENAME_EXCHANGE) != 0)
		return rename(temp, path) == 0;
	unlink(temp);
	return true;
}

static bool
save(const char *text, size_t n, const char *path, char *temp, bool is_new)
{
	int error;

	snprintf(temp, strlen(path) + sizeof(".new"), "%s.new", path);
	if (write_file(temp, text, n) &&
		(is_new ? rename(temp, path) == 0 : replace(temp, path)))
		return true;
	error = errno;
	unlink(temp);
	errno = error;
	return false;
}

bool
weft_rt_text_save(const char *text, size_t n, const char *path, char *temp)
{
	return save(text, n, path, temp, false);
}

bool
weft_rt_text_save_new(const char *text, size_t n, const char *path, char *temp)
{
	return save(text, n, path, temp, true);
}

/* Returns true if the program has limited its files to fewer bytes: the kernel
 * would write a part of them. Sets errno then. */
static bool
is_beyond_limit(size_t n)
{
	struct rlimit most;

	if (getrlimit(RLIMIT_FSIZE, &most) != 0 || n <= most.rlim_cur)
		return false;
	errno = EFBIG;
	return true;
}

bool
weft_rt_text_overwrite(const char *text, size_t n, const char *path)
{
	int fd, error;
	bool ok;

	if (is_beyond_limit(n))
		return false;
	fd = open(path, O_WRONLY | O_CLOEXEC);
	ok = fd >= 0 && weft_rt_hush_write(fd, text, n, 0);
	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return ok;
}
