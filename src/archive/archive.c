/* SPDX-License-Identifier: MIT */
#include "archive/archive.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "archive/driver.h"
#include "base/alias.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/module.h"
#include "base/tempdir.h"

#define ENTRIES 1000000
#define MAX_BYTES (INT64_C(64) << 30)
/* A trace does not compress better than this; a bomb does. */
#define RATIO 1000
#define RATIO_FREE (INT64_C(64) << 20)

static const struct archive_driver *
find_driver(struct err *err)
{
	static const struct archive_driver *driver;
	char path[MODULE_PATH];

	if (driver != NULL)
		return driver;
	if (!module_find(path, "weft-archive", "archive", "WEFT_STORE_DIR")) {
		err_set(err, ERR_INPUT,
			"weft-archive.so, which reads archives, is not "
			"installed");
		return NULL;
	}
	driver = module_load(path, ARCHIVE_DRIVER_SYMBOL, "libarchive13", err);
	if (driver != NULL && driver->layout != ARCHIVE_DRIVER_LAYOUT) {
		err_set(err, ERR_INPUT, "%s is of another version of weft",
			path);
		driver = NULL;
	}
	return driver;
}

/* How a compressed file, or an archive, begins. */
static const struct magic {
	const char *bytes;
	int n, offset;
	bool squeezed; /* by a compressor that only libarchive knows */
} magic[] = {
	{ "\x1f\x8b", 2, 0, false },         /* gzip */
	{ "\x28\xb5\x2f\xfd", 4, 0, false }, /* zstd */
	{ "\xfd\x37zXZ", 5, 0, true },       /* xz */
	{ "BZh", 3, 0, true },               /* bzip2 */
	{ "PK\3\4", 4, 0, false },           /* zip */
	{ "ustar", 5, 257, false },          /* tar */
};

/* Returns how the file begins, or NULL if it is no archive. */
static const struct magic *
magic_of(const char *path)
{
	char head[512] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const struct magic *found = NULL;

	if (fd < 0)
		return NULL;
	if (file_pread(fd, head, sizeof head, 0) < 0)
		head[0] = '\0';
	close(fd);
	for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++)
		if (memcmp(head + magic[i].offset, magic[i].bytes,
			    (size_t)magic[i].n) == 0)
			found = &magic[i];
	return found;
}

/* Splits "x.tar:in/it" if the whole is no file; *inside is "" otherwise. */
static const char *
split(struct arena *a, const char *name, const char **inside)
{
	struct stat st;
	const char *colon = strchr(name, ':');

	*inside = "";
	if (stat(name, &st) == 0)
		return name;
	for (; colon != NULL; colon = strchr(colon + 1, ':')) {
		const char *path =
			arena_strndup(a, name, (size_t)(colon - name));

		if (file_is_regular(path)) {
			*inside = colon + 1;
			return path;
		}
	}
	return name;
}

bool
archive_is(struct arena *a, const char *name)
{
	const char *inside, *path = split(a, name, &inside);
	const struct archive_driver *driver;

	if (!file_is_regular(path) || magic_of(path) == NULL)
		return false;
	driver = find_driver(&(struct err){ 0 });
	return driver != NULL && driver->is_archive(path);
}

const char *
archive_file(struct arena *a, const char *name)
{
	const char *inside;

	return split(a, name, &inside);
}

struct archive_limit
archive_limit(const char *path, const char *dir, int64_t max)
{
	struct archive_limit most = { max > 0 ? max : MAX_BYTES,
		"--max-unpack" };
	struct statvfs fs;
	struct stat st;

	if (stat(path, &st) == 0 &&
		st.st_size < (most.bytes - RATIO_FREE) / RATIO)
		most = (struct archive_limit){ RATIO * (int64_t)st.st_size +
				RATIO_FREE,
			"a thousand times its size and 64 MB" };
	if (statvfs(dir, &fs) == 0 &&
		fs.f_bavail < (uint64_t)most.bytes / fs.f_frsize * 2)
		most = (struct archive_limit){ (int64_t)(fs.f_bavail / 2 *
						       fs.f_frsize),
			"half the room of TMPDIR" };
	return most;
}

/* Returns the only entry of a directory, or NULL. */
static const char *
only_entry(struct arena *a, const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	const char *name = NULL;
	int n = 0;

	while (d != NULL && (e = readdir(d)) != NULL && n < 2) {
		if (file_is_dots(e->d_name) ||
			strcmp(e->d_name, ARCHIVE_ABOUT) == 0)
			continue;
		name = arena_strdup(a, e->d_name);
		n++;
	}
	if (d != NULL)
		closedir(d);
	return n == 1 ? arena_printf(a, "%s/%s", dir, name) : NULL;
}

/* Returns the only file, or the only directory at the top. Readers search
 * deeper themselves. */
static const char *
find_trace(struct arena *a, const char *dir)
{
	const char *next = only_entry(a, dir);

	if (next == NULL)
		return dir;
	if (!file_is_dir(next))
		return next;
	dir = next;
	next = only_entry(a, dir);
	return next != NULL && file_is_regular(next) ? next : dir;
}

static void
say_cut(const char *name, const struct archive_options *o,
	const struct archive_result *r)
{
	struct arena a = { 0 };

	if (r->cut)
		o->warning(arena_printf(&a,
			"%s: the archive is cut or damaged (%s); what comes "
			"before is used",
			name, r->why));
	arena_fini(&a);
}

static void
say(struct arena *a, const char *name, const struct archive_options *o,
	const struct archive_result *r)
{
	if (r->refused > 0)
		o->warning(arena_printf(a,
			"%s: %lld entries are left out, which are links or "
			"devices, or lead outside: %s",
			name, (long long)r->refused, r->first));
	say_cut(name, o, r);
}

const char *
archive_open(struct arena *a, const char *name,
	const struct archive_options *options, const char **top, bool *named,
	struct err *err)
{
	const char *inside, *path = split(a, name, &inside), *found;
	const struct archive_driver *driver = find_driver(err);
	struct archive_limits limits;
	struct archive_result result;
	const char *dir = driver != NULL ? tempdir_make(a, err) : NULL;

	if (dir == NULL)
		return NULL;
	limits = (struct archive_limits){ .most = archive_limit(path, dir,
						  options->max_bytes),
		.entries = ENTRIES };
	if (!driver->unpack(path, dir, &limits, &result, err)) {
		err_in(err, "%s", path);
		return NULL;
	}
	*top = dir;
	*named = *inside != '\0';
	alias_add(dir, path);
	say(a, path, options, &result);
	if (!*named)
		return find_trace(a, dir);
	found = arena_printf(a, "%s/%s", dir, inside);
	if (strstr(inside, "..") == NULL &&
		(file_is_dir(found) || file_is_regular(found)))
		return found;
	err_set(err, ERR_INPUT, "%s has no %s", path, inside);
	return NULL;
}

bool
archive_is_squeezed(const char *path)
{
	const struct magic *is = file_is_regular(path) ? magic_of(path) : NULL;

	return is != NULL && is->squeezed;
}

bool
archive_inflate(const char *path, const char *to, struct archive_limit most,
	const struct archive_options *options, struct err *err)
{
	const struct archive_driver *driver = find_driver(err);
	const struct archive_limits limits = { .most = most, .entries = 1 };
	struct archive_result result;

	if (driver == NULL || !driver->inflate(path, to, &limits, &result, err))
		return false;
	say_cut(path, options, &result);
	return true;
}
