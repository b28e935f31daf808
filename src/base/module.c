/* SPDX-License-Identifier: MIT */
#include "base/module.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Finds the directory of the program or library that contains this code. */
static bool
own_folder(char folder[PATH_MAX])
{
	static const char here;
	struct link_map *map = NULL;
	const char *file = "/proc/self/exe";
	Dl_info info;
	char *slash;

	if (dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
		return false;
	if (map->l_name[0] !=
		'\0') /* the list has no name for the program itself */
		file = map->l_name;
	if (realpath(file, folder) == NULL)
		return false;
	slash = strrchr(folder, '/');
	*slash = '\0';
	return true;
}

/* Writes the path of the module below a directory if the file exists. */
static bool
find_below(char path[MODULE_PATH], const char *folder, const char *below,
	const char *name)
{
	snprintf(path, MODULE_PATH, "%s/%s/%s.so", folder, below, name);
	return access(path, F_OK) == 0;
}

bool
module_find(char path[MODULE_PATH], const char *name, const char *built,
	const char *variable)
{
	char src[PATH_MAX], beside[PATH_MAX];
	const char *const below[] = { "weft", "../" MODULE_LIBDIR "/weft", src,
		beside };
	const char *dir = getenv(variable);
	char folder[PATH_MAX];

	snprintf(src, sizeof src, "src/%s", built);
	snprintf(beside, sizeof beside, "../%s", built);
	if (dir != NULL)
		return find_below(path, dir, ".", name);
	for (size_t i = 0; i < 4 && own_folder(folder); i++)
		if (find_below(path, folder, below[i], name))
			return true;
	return find_below(path, MODULE_PREFIX, MODULE_LIBDIR "/weft", name);
}
