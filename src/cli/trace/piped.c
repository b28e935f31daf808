/* SPDX-License-Identifier: MIT */
#include "cli/trace/piped.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "archive/archive.h"
#include "base/alias.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/log.h"
#include "base/tempdir.h"
#include "cli/trace/record_trace.h"
#include "export/infile.h"

#define CHUNK (256 << 10)

/* Reads until the buffer is full, or the input ends. */
static ssize_t
fill(char *buffer)
{
	size_t n = 0;

	while (n < CHUNK) {
		ssize_t got = read(STDIN_FILENO, buffer + n, CHUNK - n);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

static bool
is_by_hand(const char *head, size_t n)
{
	static const char paraver[] = "#Paraver";

	return memchr(head, '\0', n) == NULL &&
		(n < sizeof paraver - 1 ||
			memcmp(head, paraver, sizeof paraver - 1) != 0);
}

/* Copies n bytes of the buffer and the rest of standard input. */
static bool
copy(struct arena *a, const char *path, char *buffer, ssize_t n,
	struct err *err)
{
	struct outfile out;

	if (!outfile_open(&out, a, path, CHUNK, err))
		return false;
	for (; n > 0 && out.err.kind == ERR_NONE; n = fill(buffer))
		outfile_write(&out, buffer, (size_t)n);
	if (n >= 0)
		return outfile_close(&out, err);
	err_set(err, ERR_SYSTEM, "cannot read");
	outfile_discard(&out);
	return false;
}

const char *
piped_open(struct arena *a)
{
	struct err err = { 0 };
	const char *dir, *path = NULL;
	char *buffer;
	ssize_t n;

	if (isatty(STDIN_FILENO)) {
		log_error("standard input is a terminal: send a trace to it");
		return NULL;
	}
	dir = tempdir_make(a, &err);
	if (dir == NULL) {
		log_error("%s", err.text);
		return NULL;
	}
	buffer = mem_resize(NULL, CHUNK, 1);
	n = fill(buffer);
	if (n == 0) {
		log_error("standard input is empty");
	} else {
		path = arena_printf(a, "%s/input%s", dir,
			n > 0 && is_by_hand(buffer, (size_t)n) ? ".tt" : "");
		alias_add(path, "standard input");
		if (!copy(a, path, buffer, n, &err)) {
			log_error("standard input: %s (TMPDIR names another "
				  "directory)",
				err.text);
			path = NULL;
		}
	}
	mem_free(buffer);
	return path;
}

static bool
is_compressed(const char *path)
{
	static const uint8_t gzip[] = { 0x1f, 0x8b },
			     zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	uint8_t head[4] = { 0 };
	int fd;

	if (!file_is_regular(path))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		(void)file_pread(fd, head, sizeof head, 0);
		close(fd);
	}
	return memcmp(head, gzip, sizeof gzip) == 0 ||
		memcmp(head, zstd, sizeof zstd) == 0;
}

static void
warn(const char *text)
{
	log_warning("%s", text);
}

/* Readers of PATH look for files beside it, such as the labels of Paraver. */
static void
link_beside(struct arena *a, const char *path, const char *to)
{
	static const char *const ends[] = { ".pcf", ".row" };
	const char *dot = strrchr(to, '.'), *of = strrchr(path, '.');
	char real[PATH_MAX];

	for (int i = 0; dot != NULL && strcmp(dot, ".prv") == 0 && i < 2; i++)
		if (realpath(arena_printf(a, "%.*s%s",
				     (int)(of - path) - (int)strlen(dot), path,
				     ends[i]),
			    real) != NULL)
			(void)!symlink(real,
				arena_printf(a, "%.*s%s", (int)(dot - to), to,
					ends[i]));
}

/* Does the same as piped_inflate() for files of xz and bzip2, which libarchive
 * reads. */
static const char *
unsqueeze(struct arena *a, const char *path, int64_t max_bytes)
{
	const struct archive_options options = { .warning = warn };
	struct err err = { 0 };
	const char *dir = tempdir_make(a, &err), *name = file_name(path);
	const char *dot = strrchr(name, '.'), *to = NULL;

	if (dir != NULL) {
		to = arena_printf(a, "%s/%.*s", dir,
			dot == NULL || dot == name ? 5 : (int)(dot - name),
			dot == NULL || dot == name ? "input" : name);
		alias_add(to, path);
	}
	if (to != NULL &&
		archive_inflate(path, to, archive_limit(path, dir, max_bytes),
			&options, &err)) {
		link_beside(a, path, to);
		return to;
	}
	log_error("%s: %s", path, err.text);
	return NULL;
}

/* Copies what the file holds. Returns false with err. */
static bool
inflate_into(struct outfile *out, struct infile *in, struct archive_limit most,
	struct err *err)
{
	uint64_t n = 0;

	do {
		size_t got = (size_t)(in->end - in->at);

		n += got;
		if (n > (uint64_t)most.bytes) {
			outfile_discard(out);
			return err_set(err, ERR_LIMIT,
				"unpacks to more than %lld bytes (%s)",
				(long long)most.bytes, most.what);
		}
		outfile_write(out, in->at, got);
		in->at = in->end;
	} while (out->err.kind == ERR_NONE && infile_fill(in));
	if (in->trouble != NULL)
		log_warning("%s: what is before it is read", in->trouble);
	return outfile_close(out, err);
}

/* Returns the file's name without its extension; one without an extension came
 * through a pipe. */
static const char *
bare_name(struct arena *a, const char *path, const struct infile *in)
{
	const char *name = file_name(path), *dot = strrchr(name, '.');

	if (dot == NULL || dot == name)
		return is_by_hand(in->at, (size_t)(in->end - in->at))
			? "input.tt"
			: "input";
	return arena_strndup(a, name, (size_t)(dot - name));
}

const char *
piped_inflate(struct arena *a, const char *path, int64_t max_bytes)
{
	struct err err = { 0 };
	const char *dir, *to = NULL;
	struct outfile out;
	struct infile in;
	bool ok = false;

	if (archive_is_squeezed(path))
		return unsqueeze(a, path, max_bytes);
	if (!is_compressed(path) || record_trace_format(path) != NULL)
		return path;
	dir = tempdir_make(a, &err);
	if (dir != NULL && infile_open(&in, path, CHUNK, &err)) {
		infile_fill(&in);
		to = arena_printf(a, "%s/%s", dir, bare_name(a, path, &in));
		alias_add(to, path);
		ok = outfile_open(&out, a, to, CHUNK, &err) &&
			inflate_into(&out, &in,
				archive_limit(path, dir, max_bytes), &err);
		infile_close(&in);
	}
	if (!ok)
		log_error("%s: %s", path, err.text);
	return ok ? to : NULL;
}
