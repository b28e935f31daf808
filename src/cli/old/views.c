/* SPDX-License-Identifier: MIT */
#include "cli/old/views.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/copy.h"

#define LEVELS 8 /* of directories; ovni's views lie in two */

bool
old_views_exist(struct arena *a, const char *trace)
{
	const char *cfg = arena_printf(a, "%s/cfg", trace);

	if (!file_is_dir(cfg))
		return false;
	log_warning("%s exists: its views are kept, and only those that it "
		    "lacks are added",
		cfg);
	return true;
}

/* Copies the regular files below a directory, up to `levels` deep. */
static bool
copy_tree(struct arena *a, const char *from, const char *to, int levels,
	struct err *err)
{
	DIR *dir = opendir(from);
	const struct dirent *entry;
	bool ok = true;

	if (dir == NULL)
		return err_set(err, ERR_SYSTEM, "OVNI_CONFIG_DIR: %s", from);
	while (ok && (entry = readdir(dir)) != NULL) {
		const char *path, *copy;

		if (entry->d_name[0] == '.')
			continue;
		path = arena_printf(a, "%s/%s", from, entry->d_name);
		copy = arena_printf(a, "%s/%s", to, entry->d_name);
		if (file_is_dir(path))
			ok = levels == 1 ||
				copy_tree(a, path, copy, levels - 1, err);
		else if (file_is_regular(path))
			ok = copy_file(a, path, copy, err);
	}
	closedir(dir);
	return ok;
}

bool
old_views_copy(struct arena *a, const char *trace, struct err *err)
{
	const char *from = getenv("OVNI_CONFIG_DIR");

	if (from == NULL || from[0] == '\0')
		return true;
	return copy_tree(
		a, from, arena_printf(a, "%s/cfg", trace), LEVELS, err);
}
