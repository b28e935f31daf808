/* SPDX-License-Identifier: MIT */
#include "cli/run/run_dir.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"

static bool
is_empty(const char *folder)
{
	DIR *d = opendir(folder);
	int n = 0;

	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
		n++;
	if (d)
		closedir(d);
	return d && n == 2; /* "." and ".." only */
}

/* Creates the directory with the lowest free number. */
static bool
make_numbered(struct arena *a, const char **output, const char *program,
	struct err *err)
{
	for (int n = 1; n < INT_MAX; n++) {
		const char *path =
			arena_printf(a, "%s-%d.weft", file_name(program), n);

		if (mkdir(path, 0777) == 0) {
			*output = path;
			return true;
		}
		if (errno != EEXIST)
			return err_set(err, ERR_SYSTEM,
				"cannot create directory %s", path);
	}
	return err_set(err, ERR_LIMIT, "too many traces here: use -o");
}

const char *
run_dir_make(struct arena *a, const char **output, const char *program,
	struct err *err)
{
	char path[PATH_MAX];

	if (*output == NULL) {
		if (!make_numbered(a, output, program, err))
			return NULL;
	} else if (access(*output, F_OK) == 0 && !is_empty(*output)) {
		err_set(err, ERR_INPUT,
			"%s exists and is not an empty directory: choose a new "
			"directory with -o, or remove this one",
			*output);
		return NULL;
	} else if (!file_mkdir(*output, err)) {
		return NULL;
	}
	if (realpath(*output, path) == NULL) {
		err_set(err, ERR_SYSTEM, "cannot find %s", *output);
		return NULL;
	}
	return arena_strdup(a, path);
}
