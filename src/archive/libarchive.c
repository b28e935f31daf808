/* SPDX-License-Identifier: MIT */
/*
 * The module for libarchive. Names are checked here, and once more by
 * libarchive: files are made below the directory by a path of our own, never
 * through a link.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/driver.h"
#include "base/arena.h"

#define BLOCK (64 << 10)
#define NAME_LENGTH 4096

/* raw: any file is an archive of a single file; an empty one has no entry. */
static struct archive *
open_archive(const char *path, bool raw)
{
	struct archive *a = archive_read_new();

	if (a == NULL)
		return NULL;
	if (raw) {
		archive_read_support_format_raw(a);
		archive_read_support_format_empty(a);
	} else {
		archive_read_support_format_tar(a);
		archive_read_support_format_zip(a);
	}
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_bzip2(a);
	if (archive_read_open_filename(a, path, BLOCK) == ARCHIVE_OK)
		return a;
	archive_read_free(a);
	return NULL;
}

static bool
is_archive(const char *path)
{
	struct archive *a = open_archive(path, false);
	struct archive_entry *e;
	bool is;

	if (a == NULL)
		return false;
	is = archive_read_next_header(a, &e) == ARCHIVE_OK;
	archive_read_free(a);
	return is;
}

/* Returns true if the name leads to a place below the directory. */
static bool
is_inside(const char *name)
{
	if (name == NULL || *name == '\0' || *name == '/' ||
		strlen(name) > NAME_LENGTH)
		return false;
	while (*name != '\0') {
		size_t n = strcspn(name, "/");

		if (n == 2 && strncmp(name, "..", 2) == 0)
			return false;
		name += n + (name[n] == '/');
	}
	return true;
}

static void
refuse(struct archive_result *r, const char *name)
{
	if (r->refused++ == 0)
		snprintf(r->first, sizeof r->first, "%s",
			name != NULL ? name : "(no name)");
}

/* Makes the directories of a path below `to`, which has `skip` bytes. Each is
 * made or is a directory already: a link would be neither. */
static bool
make_parents(char *path, size_t skip, bool all)
{
	struct stat st;

	for (char *slash = strchr(path + skip + 1, '/');;) {
		if (slash == NULL && !all)
			return true;
		if (slash != NULL)
			*slash = '\0';
		if (mkdir(path, 0700) != 0 &&
			(errno != EEXIST || lstat(path, &st) != 0 ||
				!S_ISDIR(st.st_mode)))
			return false;
		if (slash == NULL)
			return true;
		*slash = '/';
		slash = strchr(slash + 1, '/');
	}
}

/* Writes a block of a file. Holes stay holes. */
static bool
put_block(int fd, const char *at, size_t n, int64_t offset)
{
	while (n > 0) {
		ssize_t done = pwrite(fd, at, n, offset);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		n -= (size_t)done;
		offset += done;
	}
	return true;
}

static void
note_damage(struct archive *a, struct archive_result *r)
{
	const char *why = archive_error_string(a);

	r->cut = true;
	snprintf(r->why, sizeof r->why, "%s", why != NULL ? why : "damaged");
}

/* Copies the contents of an entry. */
static bool
copy_file(struct archive *a, int fd, const char *path,
	const struct archive_limits *limits, struct archive_result *r,
	struct err *err)
{
	const void *block;
	size_t n;
	la_int64_t offset;
	int status;

	while ((status = archive_read_data_block(a, &block, &n, &offset)) ==
		ARCHIVE_OK) {
		if (offset < 0 || offset > limits->most.bytes ||
			(int64_t)n > limits->most.bytes - r->bytes)
			return err_set(err, ERR_LIMIT,
				"unpacks to more than %lld bytes (%s)",
				(long long)limits->most.bytes,
				limits->most.what);
		r->bytes += (int64_t)n;
		if (!put_block(fd, block, n, offset))
			return err_set(
				err, ERR_SYSTEM, "cannot write %s", path);
	}
	if (status != ARCHIVE_EOF)
		note_damage(a, r);
	return true;
}

/* Makes a new file with the contents of an entry. */
static bool
make_file(struct archive *a, const char *path,
	const struct archive_limits *limits, struct archive_result *r,
	struct err *err)
{
	int fd;
	bool ok;

	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		0600);
	if (fd < 0)
		return err_set(err, ERR_SYSTEM, "cannot create %s", path);
	ok = copy_file(a, fd, path, limits, r, err);
	if (close(fd) != 0 && ok)
		ok = err_set(err, ERR_SYSTEM, "cannot write %s", path);
	return ok;
}

static bool
unpack_file(struct archive *a, char *path, size_t skip,
	const struct archive_limits *limits, struct archive_result *r,
	struct err *err)
{
	if (!make_parents(path, skip, false))
		return err_set(err, ERR_SYSTEM, "cannot create %s", path);
	/* The later one of two entries of a name counts, as in tar. */
	unlink(path);
	return make_file(a, path, limits, r, err);
}

static bool
unpack_entry(struct archive *a, struct archive_entry *e, const char *to,
	const struct archive_limits *limits, struct archive_result *r,
	struct err *err)
{
	const char *name = archive_entry_pathname(e);
	mode_t type = archive_entry_filetype(e);
	struct arena arena = { 0 };
	char *path;
	bool ok = true;

	if (archive_entry_is_encrypted(e))
		return err_set(err, ERR_INPUT, "is encrypted");
	if (!is_inside(name) || archive_entry_hardlink(e) != NULL ||
		(type != AE_IFREG && type != AE_IFDIR)) {
		refuse(r, name);
		return true;
	}
	path = arena_printf(&arena, "%s/%s", to, name);
	if (type == AE_IFREG)
		ok = unpack_file(a, path, strlen(to), limits, r, err);
	else if (!make_parents(path, strlen(to), true))
		ok = err_set(err, ERR_SYSTEM, "cannot create %s", path);
	arena_fini(&arena);
	return ok;
}

static bool
unpack(const char *path, const char *to, const struct archive_limits *limits,
	struct archive_result *r, struct err *err)
{
	struct archive *a = open_archive(path, false);
	struct archive_entry *e;
	int status = ARCHIVE_OK;
	bool ok = true;

	*r = (struct archive_result){ 0 };
	if (a == NULL)
		return err_set(err, ERR_SYSTEM, "cannot be opened");
	while (ok && !r->cut &&
		(status = archive_read_next_header(a, &e)) != ARCHIVE_EOF) {
		if (status < ARCHIVE_WARN) {
			note_damage(a, r);
			break;
		}
		if (++r->entries > limits->entries)
			ok = err_set(err, ERR_LIMIT, "has more than %lld files",
				(long long)limits->entries);
		else
			ok = unpack_entry(a, e, to, limits, r, err);
	}
	archive_read_free(a);
	return ok;
}

static bool
inflate(const char *path, const char *to, const struct archive_limits *limits,
	struct archive_result *r, struct err *err)
{
	struct archive *a = open_archive(path, true);
	struct archive_entry *e;
	int status;
	bool ok;

	*r = (struct archive_result){ 0 };
	if (a == NULL)
		return err_set(err, ERR_INPUT,
			"is cut or damaged: not even its begin can be "
			"decompressed");
	status = archive_read_next_header(a, &e);
	ok = status == ARCHIVE_OK ||
		err_set(err, ERR_INPUT, "%s",
			status == ARCHIVE_EOF ? "is empty"
					      : archive_error_string(a));
	ok = ok && make_file(a, to, limits, r, err);
	archive_read_free(a);
	return ok;
}

const struct archive_driver weft_archive_driver = {
	.layout = ARCHIVE_DRIVER_LAYOUT,
	.is_archive = is_archive,
	.unpack = unpack,
	.inflate = inflate,
};
