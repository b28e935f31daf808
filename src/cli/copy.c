/* SPDX-License-Identifier: MIT */
#include "cli/copy.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

#define PIECE (64u << 10)

static const char *
without_slashes(struct arena *a, const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	return arena_strndup(a, path, n);
}

const char *
copy_root(struct arena *a, const char *trace)
{
	trace = without_slashes(a, trace);
	return (strncmp(file_name(trace), "stream.", 7) == 0 ||
		       strcmp(file_name(trace), "metadata") == 0) &&
			file_is_regular(trace)
		? file_parent(a, trace)
		: trace;
}

/* Returns the trace in a directory that `weft run` made, whose name has the
 * suffix; or NULL. */
static const char *
find_inner(struct arena *a, const char *root, const char *suffix)
{
	static const char *const names[] = { "ovni", "ctf", "threads" };
	size_t n = strlen(root), m = strlen(suffix);

	if (n <= m || strcmp(root + n - m, suffix) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *inner = arena_printf(a, "%s/%s", root, names[i]);

		if (file_is_dir(inner))
			return inner;
	}
	return NULL;
}

/* Names of outputs are derived from X.weft/ovni, so none is X.weft.weft. */
static const char *
inner_trace(struct arena *a, const char *root, const char *suffix)
{
	size_t n = strlen(root), m = strlen(suffix);
	const char *inner = find_inner(a, root, suffix);

	if (inner != NULL || n <= m || strcmp(root + n - m, suffix) != 0)
		return inner != NULL ? inner : root;
	return arena_printf(a, "%.*s-out", (int)(n - m), root);
}

const char *
copy_inputs(struct arena *a, const char *trace)
{
	const char *inner = find_inner(a, without_slashes(a, trace), ".weft");

	return inner != NULL ? inner : trace;
}

/* Returns a path that ends with a name: "." is replaced by the path of the
 * directory. */
static const char *
with_name(struct arena *a, const char *path)
{
	const char *name = file_name(path);
	char real[PATH_MAX];

	return (*name == '\0' || file_is_dots(name)) &&
			realpath(path, real) != NULL
		? arena_strdup(a, real)
		: path;
}

const char *
copy_title(struct arena *a, const char *trace)
{
	const char *path = with_name(a, without_slashes(a, trace));
	const char *name = file_name(path);
	const char *parent = file_name(file_parent(a, path));
	bool made = find_inner(a, path, ".weft") != NULL;
	size_t n;

	if (strcmp(name, "ovni") == 0 && strchr(path, '/') != NULL &&
		*parent != '\0' && *parent != '.') {
		name = parent;
		made = true;
	}
	n = strlen(name);
	if (made && n > 5 && strcmp(name + n - 5, ".weft") == 0)
		n -= 5;
	return n == 0 ? path : arena_strndup(a, name, n);
}

/* Returns the path from which names of outputs are derived. */
static const char *
named_root(struct arena *a, const char *trace, const char *suffix)
{
	return inner_trace(a, with_name(a, copy_root(a, trace)), suffix);
}

const char *
copy_beside(struct arena *a, const char *trace, const char *suffix)
{
	return arena_printf(a, "%s%s", named_root(a, trace, suffix), suffix);
}

const char *
copy_folder(struct arena *a, const char *trace, const char *suffix)
{
	const char *root = named_root(a, trace, suffix);

	if (access(file_parent(a, root), W_OK) != 0)
		root = file_name(root);
	return arena_printf(a, "%s%s", root, suffix);
}

bool
copy_lies_in(const char *path, const char *folder)
{
	char real[PATH_MAX], root[PATH_MAX], part[PATH_MAX];
	size_t n = strlen(path);

	if (realpath(folder, root) == NULL || n >= sizeof part)
		return false;
	memcpy(part, path, n + 1);
	while (realpath(part, real) == NULL) {
		char *slash = strrchr(part, '/');

		if (slash == NULL)
			memcpy(part, ".", 2);
		else
			slash[slash == part] = '\0';
	}
	n = strlen(root);
	return strncmp(real, root, n) == 0 &&
		(real[n] == '\0' || real[n] == '/');
}

/* Returns true if the directory would lie among the streams of a trace, where
 * readers of the trace would find it. */
static bool
lies_among_streams(const char *folder)
{
	static const char *const above[] = { "loom.*", "proc.*", "ctf" };
	struct arena scratch = { 0 };
	char real[PATH_MAX];
	bool known = realpath(file_parent(&scratch, folder), real) != NULL;
	bool among = false;

	for (size_t i = 0; known && i < sizeof above / sizeof *above; i++)
		among |= fnmatch(above[i], file_name(real), 0) == 0;
	arena_fini(&scratch);
	return among;
}

bool
copy_is_part(struct arena *a, const char *trace)
{
	static const char *const parts[] = { "loom.*", "proc.*", "thread.*" };
	const char *root = copy_root(a, trace);
	char real[PATH_MAX];
	bool part = false;

	if (realpath(root, real) == NULL)
		return false;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		part |= fnmatch(parts[i], file_name(real), 0) == 0;
	return part;
}

static bool
is_empty(const char *folder, struct err *err)
{
	DIR *dir = opendir(folder);
	const struct dirent *d;
	bool empty = true;

	if (dir == NULL)
		return err_set(
			err, ERR_SYSTEM, "cannot read directory %s", folder);
	while (empty && (d = readdir(dir)) != NULL)
		empty = file_is_dots(d->d_name);
	closedir(dir);
	return empty ||
		err_set(err, ERR_INPUT,
			"%s is not empty: choose a new directory with -o",
			folder);
}

bool
copy_begin(const char *trace, const char *folder, struct err *err)
{
	struct err why = { 0 };

	if (copy_lies_in(folder, trace))
		return err_set(err, ERR_INPUT,
			"%s lies in the trace: choose another directory with "
			"-o",
			folder);
	if (lies_among_streams(folder))
		return err_set(err, ERR_INPUT,
			"%s lies inside another trace and would be read as "
			"part of it: choose another directory with -o",
			folder);
	if (!file_mkdir(folder, &why))
		return err_set(err, ERR_INPUT, "%s; -o DIR writes elsewhere",
			why.text);
	return is_empty(folder, err);
}

bool
copy_parents(struct arena *a, const char *path, struct err *err)
{
	return file_mkdir(file_parent(a, path), err);
}

static void
pour(int from, struct outfile *to)
{
	char piece[PIECE];
	int64_t got, at = 0;

	while ((got = file_pread(from, piece, sizeof piece, at)) > 0) {
		outfile_write(to, piece, (size_t)got);
		at += got;
	}
	if (got < 0)
		err_set(&to->err, ERR_SYSTEM, "cannot read the rest");
}

bool
copy_file(struct arena *a, const char *from, const char *to, struct err *err)
{
	struct outfile out;
	int fd;

	if (!copy_parents(a, to, err))
		return false;
	fd = open(from, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_set(err, ERR_SYSTEM, "cannot open %s", from);
	if (outfile_open(&out, a, to, PIECE, err)) {
		pour(fd, &out);
		outfile_close(&out, err);
	}
	close(fd);
	return err->kind == ERR_NONE || err_in(err, "%s", from);
}

void
copy_undo(struct arena *a, const char *folder, const char *relative)
{
	char *path = arena_printf(a, "%s/%s", folder, relative);
	size_t least = strlen(folder);
	char *slash;

	unlink(path);
	while ((slash = strrchr(path, '/')) != NULL &&
		(size_t)(slash - path) > least) {
		*slash = '\0';
		if (rmdir(path) != 0)
			return;
	}
}
