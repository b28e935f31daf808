/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "trace/ctf/ctf.h"
#include "trace/obs/obs.h"
#include "trace/perf/perf.h"
#include "trace/source.h"
#include "trace/text/text.h"

const struct source_ops *const sources[] = {
	&source_ctf, /* before ovni, which accepts any directory */
	&source_ovni,
	&source_perf,
	&source_text,
	NULL,
};

/* Returns true if the path is a directory that can be listed and is empty. */
static bool
is_empty_dir(const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *d;
	bool empty = true;

	if (dir == NULL)
		return false;
	while (empty && (d = readdir(dir)) != NULL)
		empty = file_is_dots(d->d_name);
	closedir(dir);
	return empty;
}

bool
sources_check_path(const char *path, struct err *err)
{
	if (!file_check(path, err))
		return err_in(err, "%s", path);
	if (is_empty_dir(path))
		return err_set(err, ERR_INPUT,
			"%s: the directory is empty; name the one that the "
			"traced "
			"program wrote",
			path);
	return true;
}

/* Sets err, with the formats that would be recognised. */
static void
no_format(const char *path, const char *also, struct err *err)
{
	char list[400] = "";
	size_t n = 0;

	if (file_is_empty(path)) {
		err_set(err, ERR_FORMAT, "%s: the file is empty", path);
		return;
	}
	for (int i = 0; sources[i] != NULL && n < sizeof list; i++)
		n += (size_t)snprintf(list + n, sizeof list - n, "%s%s (%s)",
			i == 0 ? "" : ", ", sources[i]->name, sources[i]->help);
	err_set(err, ERR_FORMAT,
		"%s: no readable trace here; known formats: %s%s%s", path, list,
		also != NULL ? ", " : "", also != NULL ? also : "");
}

struct source *
sources_open(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err)
{
	if (!sources_check_path(path, err))
		return NULL;
	for (int i = 0; sources[i] != NULL; i++)
		if (sources[i]->recognise(path))
			return sources[i]->open(a, path, options, fs, err);
	no_format(path, options->also, err);
	return NULL;
}
