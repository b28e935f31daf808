/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/leftover.h"
#include "base/team.h"
#include "base/vec.h"
#include "cli/trace/parts_send.h"
#include "export/sink.h"

#define WORK ".weft-pieces-" /* and the PID of the first process */
#define TRIES 100
#define MOST_HEADER ((size_t)1 << 30) /* bytes */

/* Takes the lock of a job's directory, which the first process has until it
 * ends, however it ends. Returns its descriptor, or -1: another process has
 * it. */
static int
lock(const char *work, int how)
{
	int fd = open(work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, how) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Removes what jobs left that were killed. */
static void
remove_left(struct arena *a, const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		const char *work;
		int fd;

		if (strncmp(e->d_name, WORK, sizeof WORK - 1) != 0)
			continue;
		work = arena_printf(a, "%s/%s", dir, e->d_name);
		fd = lock(work, LOCK_EX | LOCK_NB);
		if (fd < 0)
			continue;
		file_remove_tree(work);
		close(fd);
	}
	if (d != NULL)
		closedir(d);
}

/* Makes the directory of the job and locks it. Another job that finds it before
 * it is locked takes it for one that was left, and removes it. */
static bool
make_work(struct parts_files *f, struct err *err)
{
	struct stat st;
	bool is_gone = true;

	for (int i = 0; is_gone && i < TRIES; i++) {
		if (!file_mkdir(f->work, err))
			return false;
		f->lock = lock(f->work, LOCK_EX);
		/* Not all file systems have locks. */
		is_gone = f->lock >= 0 && fstat(f->lock, &st) == 0 &&
			st.st_nlink == 0;
		if (is_gone)
			close(f->lock);
	}
	return !is_gone ||
		err_set(err, ERR_SYSTEM, "cannot create %s", f->work);
}

bool
parts_files_begin(struct parts_files *f, struct err *err)
{
	int64_t pid = getpid();
	bool ok = true;

	team_bcast(f->team, 0, &pid, sizeof pid);
	f->work = arena_printf(
		f->arena, "%s/" WORK "%lld", f->dir, (long long)pid);
	f->first = arena_printf(f->arena, "%s/0", f->work);
	f->own = arena_printf(f->arena, "%s/%d", f->work, f->team->rank);
	f->common = arena_printf(f->arena, "%s/common", f->work);
	if (f->team->rank == 0) {
		ok = file_mkdir(f->dir, err);
		remove_left(f->arena, f->dir);
		f->left = leftover_add_tree(f->work);
		ok = ok && make_work(f, err) && file_mkdir(f->first, err) &&
			file_mkdir(f->common, err);
	}
	team_barrier(f->team);
	if (f->team->rank == 0)
		return ok;
	if (access(f->first, F_OK) != 0)
		return err_set(err, ERR_INPUT,
			"does not see %s, which another process has made: the "
			"output must be on a file system of all machines",
			f->work);
	return file_mkdir(f->own, err);
}

/* Returns the entry of a file; makes it if there is none. */
static struct parts_file *
named(struct parts_files *f, const char *name)
{
	struct parts_file *to;

	for (int i = 0; i < f->all.n; i++)
		if (strcmp(f->all.at[i]->name, name) == 0)
			return f->all.at[i];
	to = ARENA_NEW(f->arena, struct parts_file);
	to->name = arena_strdup(f->arena, name);
	to->fd = -1;
	VEC_PUSH(&f->all, f->arena, to);
	return to;
}

void
parts_files_opened(struct parts_files *f, struct outfile *file)
{
	struct parts_file *to = named(f, file_name(file->path));

	to->own = file;
	outfile_hold(file, true);
}

void
parts_files_gone(struct parts_files *f, const char *path)
{
	VEC_PUSH(&f->gone, f->arena,
		arena_strdup(f->arena, path + strlen(f->own)));
}

void
parts_files_put(struct parts_files *f, struct parts_bytes *to)
{
	int n = 0;

	for (int i = 0; i < f->all.n; i++) {
		struct parts_file *file = f->all.at[i];

		file->held = file->own == NULL ? 0 : outfile_held(file->own);
		n += file->held > 0;
	}
	parts_put_i64(to, n);
	for (int i = 0; i < f->all.n; i++) {
		const struct parts_file *file = f->all.at[i];

		if (file->held == 0)
			continue;
		parts_put_text(to, file->name);
		parts_put_i64(to, file->own->flushed);
		parts_put_i64(to, (int64_t)file->held);
	}
}

void
parts_files_take(struct parts_files *f, int rank, const char **at)
{
	for (int64_t n = parts_take_i64(at); n > 0; n--) {
		struct parts_file *file = named(f, parts_take_text(at));
		int64_t header = parts_take_i64(at);

		if (file->end == 0)
			file->header = file->end = header;
		if (rank == f->team->rank)
			file->place = file->end;
		file->end += parts_take_i64(at);
	}
}

/* Opens the file of all processes. */
static bool
open_common(struct parts_files *f, struct parts_file *file, struct err *err)
{
	const char *path =
		arena_printf(f->arena, "%s/%s", f->common, file->name);

	if (file->fd < 0)
		file->fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (file->fd >= 0)
		return true;
	return err_set(err, ERR_SYSTEM, "cannot create %s", path);
}

bool
parts_files_place(struct parts_files *f, struct err *err)
{
	for (int i = 0; i < f->all.n; i++) {
		struct parts_file *file = f->all.at[i];

		if (file->held == 0)
			continue;
		if (!open_common(f, file, err))
			return false;
		outfile_place(file->own, file->fd, file->place);
		if (file->own->err.kind != ERR_NONE) {
			*err = file->own->err;
			return false;
		}
	}
	return true;
}

bool
parts_files_done(struct parts_files *f, struct err *err)
{
	bool ok = true;

	for (int i = 0; i < f->all.n; i++) {
		struct parts_file *file = f->all.at[i];

		if (file->own != NULL)
			outfile_hold(file->own, false);
		if (file->fd >= 0 && close(file->fd) != 0 && ok)
			ok = err_set(err, ERR_SYSTEM, "cannot write %s/%s",
				f->common, file->name);
		file->fd = -1;
	}
	return ok;
}

/* Writes the header in front of the lines of all processes, and puts the file
 * in the place of that of the first process, which has only the header. Returns
 * 0 if the header has another length than before, -1 after a failure. */
static int
join_one(struct parts_files *f, struct parts_file *file, struct err *err)
{
	const char *own = arena_printf(f->arena, "%s/%s", f->first, file->name);
	const char *common =
		arena_printf(f->arena, "%s/%s", f->common, file->name);
	size_t size;
	const char *header = file_read(f->arena, own, MOST_HEADER, &size, err);
	bool ok = header != NULL;

	if (ok && (int64_t)size != file->header)
		return 0;
	ok = ok && open_common(f, file, err) &&
		(pwrite(file->fd, header, size, 0) == (ssize_t)size ||
			err_set(err, ERR_SYSTEM, "cannot write %s", common));
	if (file->fd >= 0 && close(file->fd) != 0 && ok)
		ok = err_set(err, ERR_SYSTEM, "cannot write %s", common);
	file->fd = -1;
	/* ext4 writes a file to the disk at once that takes another's place. */
	if (ok && (unlink(own) != 0 || rename(common, own) != 0))
		ok = err_set(err, ERR_SYSTEM, "cannot create %s", own);
	return ok ? 1 : -1;
}

bool
parts_files_join(struct parts_files *f, bool *header_moved, struct err *err)
{
	*header_moved = false;
	for (int i = 0; i < f->all.n && f->team->rank == 0; i++) {
		int done = f->all.at[i]->end == 0
			? 1
			: join_one(f, f->all.at[i], err);

		if (done < 0)
			return err->kind == ERR_NONE
				? err_set(err, ERR_INPUT, "%s cannot be read",
					  f->all.at[i]->name)
				: false;
		*header_moved = *header_moved || done == 0;
	}
	return true;
}

/* Moves the files of a directory, and of those in it, to their names. */
static bool
rename_all(struct arena *a, const char *from, const char *to, struct err *err)
{
	DIR *d = opendir(from);
	const struct dirent *e;
	bool ok;

	if (d == NULL)
		return err_set(err, ERR_SYSTEM, "cannot read %s", from);
	ok = file_mkdir(to, err);
	while (ok && (errno = 0, e = readdir(d)) != NULL) {
		const char *old = arena_printf(a, "%s/%s", from, e->d_name);
		const char *new = arena_printf(a, "%s/%s", to, e->d_name);

		if (file_is_dots(e->d_name))
			continue;
		if (file_is_dir(old))
			ok = rename_all(a, old, new, err);
		else if (!keep_check(new, err))
			ok = false;
		else if (rename(old, new) != 0)
			ok = err_set(err, ERR_SYSTEM, "cannot create %s", new);
	}
	if (ok && errno != 0)
		ok = err_set(err, ERR_SYSTEM, "cannot read %s", from);
	closedir(d);
	return ok;
}

bool
parts_files_end(struct parts_files *f, bool good, struct err *err)
{
	bool ok = true;

	team_barrier(f->team);
	if (f->team->rank != 0)
		return true;
	if (good)
		ok = rename_all(f->arena, f->first, f->dir, err);
	for (int i = 0; i < f->gone.n && good && ok; i++) {
		const char *path =
			arena_printf(f->arena, "%s%s", f->dir, f->gone.at[i]);

		if (keep_check(path, &(struct err){ 0 }))
			(void)unlink(path);
	}
	file_remove_tree(f->work);
	leftover_drop(f->left);
	if (f->lock >= 0)
		close(f->lock);
	f->lock = -1;
	return ok;
}
