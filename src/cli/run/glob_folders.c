/* SPDX-License-Identifier: MIT */
#include "cli/run/glob_folders.h"

#include <string.h>

#include "base/arena.h"

bool
glob_folders(
	struct arena *a, const char *folder, const char *pattern, glob_t *found)
{
	char *path =
		ARENA_ARRAY(a, char, 2 * strlen(folder) + strlen(pattern) + 1);
	size_t n = 0;

	for (const char *c = folder; *c != '\0'; c++) {
		if (strchr("*?[\\", *c) != NULL)
			path[n++] = '\\';
		path[n++] = *c;
	}
	memcpy(path + n, pattern, strlen(pattern) + 1);
	return glob(path, GLOB_ONLYDIR, NULL, found) == 0;
}
