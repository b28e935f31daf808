/* SPDX-License-Identifier: MIT */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/vec.h"

const char *
file_parent(struct arena *a, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return ".";
	return slash == path ? "/"
			     : arena_strndup(a, path, (size_t)(slash - path));
}

const char *
file_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

bool
file_is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

bool
file_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool
file_is_regular(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool
file_is_empty(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
}

bool
file_check(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return err_set(
			err, ERR_SYSTEM, "cannot be found, check the path");
	return access(path, S_ISDIR(st.st_mode) ? R_OK | X_OK : R_OK) == 0 ||
		err_set(err, ERR_SYSTEM,
			"cannot be read, check its permissions");
}

/* A mount point or a read-only parent makes mkdir() fail for a directory that
 * exists; this is no error. */
static bool
make_one(const char *path)
{
	int number;

	if (mkdir(path, 0777) == 0)
		return true;
	number = errno;
	if (file_is_dir(path))
		return true;
	errno = number == EEXIST ? ENOTDIR : number;
	return false;
}

bool
file_mkdir(const char *path, struct err *err)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n == 0 || n >= sizeof part) {
		errno = n == 0 ? ENOENT : ENAMETOOLONG;
		return err_set(
			err, ERR_SYSTEM, "cannot create directory %s", path);
	}
	/* mostly only the last directory is missing, or none */
	if (mkdir(path, 0777) == 0 || file_is_dir(path))
		return true;
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (!make_one(part))
			return err_set(err, ERR_SYSTEM,
				"cannot create directory %s", part);
	}
	return true;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	remove(path);
	return 0;
}

void
file_remove_tree(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

int64_t
file_pread(int fd, void *to, size_t n, int64_t offset)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(fd, (char *)to + done, n - done,
			offset + (int64_t)done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return (int64_t)done;
}

static char *
read_open(struct arena *a, int fd, size_t max, size_t *size, struct err *err)
{
	struct stat st;
	int64_t got;
	char *text;

	if (fstat(fd, &st) != 0) {
		err_set(err, ERR_SYSTEM, "cannot read");
		return NULL;
	}
	if (!S_ISREG(st.st_mode)) {
		err_set(err, ERR_INPUT, "not a regular file");
		return NULL;
	}
	if ((uint64_t)st.st_size > max) {
		err_set(err, ERR_LIMIT, "larger than %zu bytes", max);
		return NULL;
	}
	text = arena_alloc(a, (size_t)st.st_size + 1);
	got = file_pread(fd, text, (size_t)st.st_size, 0);
	if (got < 0) {
		err_set(err, ERR_SYSTEM, "cannot read");
		return NULL;
	}
	*size = (size_t)got; /* less if the file shrank meanwhile */
	return text;
}

char *
file_read(struct arena *a, const char *path, size_t max, size_t *size,
	struct err *err)
{
	/* Without O_NONBLOCK, open() of a pipe without a writer would wait. */
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	char *text;

	if (fd < 0 && errno == ENXIO) { /* a socket */
		err_set(err, ERR_INPUT, "not a regular file");
		return NULL;
	}
	if (fd < 0) {
		int number = errno;

		if (file_check(path, err)) {
			errno = number;
			err_set(err, ERR_SYSTEM, "cannot open");
		}
		return NULL;
	}
	text = read_open(a, fd, max, size, err);
	close(fd);
	return text;
}

struct directory {
	const char *path;
	int level; /* levels below the root */
};

/*
 * The walk keeps a list of directories to read and only one of them open, so
 * that depth costs neither stack nor file descriptors.
 */
struct walk {
	const struct file_visitor *visitor; /* borrowed */
	struct arena scratch;               /* paths of directories */
	struct arena *arena;                /* paths of files */
	const char *name;
	VEC(struct directory) folders; /* still to read */
	VEC(const char *) found;
};

/* Returns DT_DIR, DT_REG, DT_LNK or another type; calls fstatat() only if the
 * directory entry does not state the type. */
static unsigned char
type_of(int fd, const struct dirent *d)
{
	struct stat st;

	if (d->d_type != DT_UNKNOWN)
		return d->d_type;
	if (fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return DT_UNKNOWN;
	return (unsigned char)IFTODT(st.st_mode);
}

static void
visit(struct walk *w, int fd, struct directory in, const struct dirent *d)
{
	const char *slash = in.path[strlen(in.path) - 1] == '/' ? "" : "/";
	int levels = w->visitor->levels;
	const char *path;
	unsigned char type;
	struct stat st;

	if (file_is_dots(d->d_name))
		return;
	path = arena_printf(&w->scratch, "%s%s%s", in.path, slash, d->d_name);
	type = type_of(fd, d);
	if (type == DT_DIR && (levels == 0 || in.level < levels))
		VEC_PUSH(&w->folders, &w->scratch,
			((struct directory){ path, in.level + 1 }));
	if (strcmp(d->d_name, w->name) != 0 &&
		(w->visitor->also == NULL ||
			strcmp(d->d_name, w->visitor->also) != 0))
		return;
	path = arena_strdup(w->arena, path);
	if (type == DT_REG ||
		(type == DT_LNK && fstatat(fd, d->d_name, &st, 0) == 0 &&
			S_ISREG(st.st_mode)))
		VEC_PUSH(&w->found, w->arena, path);
	else if (w->visitor->unreadable != NULL)
		w->visitor->unreadable(
			w->visitor->arg, path, "not a regular file");
}

/* Visits the entries of a directory. Returns false with errno. */
static bool
read_folder(struct walk *w, struct directory folder)
{
	DIR *dir = opendir(folder.path);
	struct dirent *d;
	int number;

	if (dir == NULL)
		return false;
	for (errno = 0; (d = readdir(dir)) != NULL; errno = 0)
		visit(w, dirfd(dir), folder, d);
	number = errno;
	closedir(dir);
	errno = number;
	return number == 0;
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Drops slashes at the end: "dir//" must give the same paths as "dir". */
static char *
without_slashes(struct arena *a, const char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		n--;
	return arena_strndup(a, path, n);
}

bool
file_find(struct arena *a, const char *root, const char *name,
	const struct file_visitor *visitor, struct err *err)
{
	struct walk w = { .arena = a, .name = name, .visitor = visitor };
	size_t skip;

	root = without_slashes(&w.scratch, root);
	skip = strlen(root) + (strcmp(root, "/") != 0);
	if (!read_folder(&w, (struct directory){ root, 0 })) {
		err_set(err, ERR_SYSTEM, "cannot read directory %s", root);
		arena_fini(&w.scratch);
		return false;
	}
	while (w.folders.n > 0) {
		struct directory folder = w.folders.at[--w.folders.n];

		if (!read_folder(&w, folder) && visitor->unreadable != NULL)
			visitor->unreadable(
				visitor->arg, folder.path, strerror(errno));
	}
	arena_fini(&w.scratch);
	/* All paths begin with root, so they sort like the relative paths. */
	if (w.found.n > 0)
		qsort(w.found.at, (size_t)w.found.n, sizeof *w.found.at,
			by_bytes);
	for (int i = 0; i < w.found.n; i++)
		visitor->file(
			visitor->arg, w.found.at[i], w.found.at[i] + skip);
	return true;
}

static void
note(void *arg, const char *path, const char *relative)
{
	(void)path;
	(void)relative;
	*(bool *)arg = true;
}

bool
file_any(struct arena *a, const char *root, const char *name, const char *also,
	int levels)
{
	bool found = false;
	const struct file_visitor visitor = {
		.file = note, .also = also, .arg = &found, .levels = levels
	};

	return file_find(a, root, name, &visitor, &(struct err){ 0 }) && found;
}
