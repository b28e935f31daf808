/* SPDX-License-Identifier: MIT */
/*
 * dir.h - a directory for the files of one test case, removed at its end.
 */
#ifndef WEFT_TEST_EXPORT_DIR_H
#define WEFT_TEST_EXPORT_DIR_H

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

/* Makes a new, empty directory. */
static inline const char *
dir_make(struct arena *a)
{
	const char *tmp = getenv("TMPDIR");
	char *path = arena_printf(
		a, "%s/weft-export-XXXXXX", tmp != NULL ? tmp : "/tmp");

	return mkdtemp(path);
}

/* Removes the directory and all below it. Returns the number of files in it. */
static inline int
dir_remove(struct arena *a, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int n = 0;

	while (d != NULL && (e = readdir(d)) != NULL) {
		const char *path = arena_printf(a, "%s/%s", dir, e->d_name);

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (unlink(path) == 0)
			n++;
		else if (errno == EISDIR)
			dir_remove(a, path);
	}
	if (d != NULL)
		closedir(d);
	rmdir(dir);
	return n;
}

/* Returns the text of a file, or "(missing)". */
static inline const char *
dir_text(struct arena *a, const char *dir, const char *name)
{
	struct err err = { 0 };
	size_t size;
	char *text = file_read(a, arena_printf(a, "%s/%s", dir, name),
		(size_t)1 << 30, &size, &err);

	return text != NULL ? text : "(missing)";
}

/* Returns how many file descriptors this process has open. */
static inline int
dir_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	closedir(d);
	return n;
}

#endif
