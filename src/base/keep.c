/* SPDX-License-Identifier: MIT */
#include "base/keep.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"

struct file {
	dev_t device;
	ino_t inode;
};

/* Paths wait until somebody asks about a file that exists: most commands never
 * do, and a trace may have many files. */
static struct {
	pthread_mutex_t lock;
	char **path;
	int npaths, paths_room;
	struct file *file;
	int nfiles, files_room;
	bool all;          /* see keep_existing() */
	char refused[400]; /* name that no output may get, but one wanted */
} keep = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
keep_add(const char *path)
{
	size_t size = strlen(path) + 1;
	char *copy = mem_resize(NULL, size, 1);

	memcpy(copy, path, size);
	pthread_mutex_lock(&keep.lock);
	if (keep.npaths == keep.paths_room) {
		keep.paths_room = 2 * keep.paths_room + 16;
		keep.path = mem_resize(
			keep.path, (size_t)keep.paths_room, sizeof *keep.path);
	}
	keep.path[keep.npaths++] = copy;
	pthread_mutex_unlock(&keep.lock);
}

static void
add_file(const struct stat *st)
{
	if (keep.nfiles == keep.files_room) {
		keep.files_room = 2 * keep.files_room + 16;
		keep.file = mem_resize(
			keep.file, (size_t)keep.files_room, sizeof *keep.file);
	}
	keep.file[keep.nfiles++] = (struct file){ st->st_dev, st->st_ino };
}

/* Finds out which files the paths are. */
static void
look_at_paths(void)
{
	struct stat st;

	while (keep.npaths > 0) {
		char *path = keep.path[--keep.npaths];

		if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
			add_file(&st);
		mem_free(path);
	}
}

/* Returns true if the file is one of the input. */
static bool
is_kept(const struct stat *st)
{
	bool kept = false;

	pthread_mutex_lock(&keep.lock);
	look_at_paths();
	for (int i = 0; i < keep.nfiles && !kept; i++)
		kept = keep.file[i].device == st->st_dev &&
			keep.file[i].inode == st->st_ino;
	pthread_mutex_unlock(&keep.lock);
	return kept;
}

void
keep_existing(void)
{
	pthread_mutex_lock(&keep.lock);
	keep.all = true;
	pthread_mutex_unlock(&keep.lock);
}

/* Returns false if no output may get the name. The first such name stays the
 * reason. */
static bool
is_allowed(const char *path, bool *all)
{
	struct stat st;
	bool is_there = stat(path, &st) == 0 && S_ISREG(st.st_mode), allowed;
	bool kept = is_there && is_kept(&st);

	pthread_mutex_lock(&keep.lock);
	if (kept && keep.refused[0] == '\0')
		snprintf(keep.refused, sizeof keep.refused, "%s", path);
	*all = is_there && keep.all;
	allowed = keep.refused[0] == '\0';
	pthread_mutex_unlock(&keep.lock);
	return allowed;
}

bool
keep_check(const char *path, struct err *err)
{
	bool all;

	if (!is_allowed(path, &all))
		return err_set(err, ERR_USAGE,
			"%s is the input or a part of it; name another file",
			keep.refused);
	return !all ||
		err_set(err, ERR_INPUT,
			"%.400s, which was there before, stays as it was",
			path);
}
