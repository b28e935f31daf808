/* SPDX-License-Identifier: MIT */
#include "base/module.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"

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

/* Returns true if the file of that size contains all its segments. */
static bool
has_segments(int fd, uint64_t size)
{
	ElfW(Ehdr) file;
	ElfW(Phdr) segment;

	if (pread(fd, &file, sizeof file, 0) != (ssize_t)sizeof file ||
		memcmp(file.e_ident, ELFMAG, SELFMAG) != 0)
		return false;
	for (unsigned i = 0; i < file.e_phnum; i++) {
		uint64_t at = file.e_phoff + i * sizeof segment;

		if (pread(fd, &segment, sizeof segment, (off_t)at) !=
				(ssize_t)sizeof segment ||
			segment.p_offset > size ||
			segment.p_filesz > size - segment.p_offset)
			return false;
	}
	return true;
}

bool
module_is_whole(const char *path, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	bool is_whole;

	if (fd < 0 || fstat(fd, &st) != 0) {
		err_set(err, ERR_SYSTEM, "%s", path);
		if (fd >= 0)
			close(fd);
		return false;
	}
	is_whole = has_segments(fd, (uint64_t)st.st_size);
	close(fd);
	if (!is_whole)
		err_set(err, ERR_INPUT, "%s is damaged: install weft again",
			path);
	return is_whole;
}

void *
module_load(const char *path, const char *symbol, const char *package,
	struct err *err)
{
	void *module, *found;

	if (!module_is_whole(path, err))
		return NULL;
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (module == NULL) {
		const char *why = dlerror();

		/* The loader's message begins with the file at fault. If that
		 * is not the module, it is a library that the module needs. */
		if (strncmp(why, path, strlen(path)) == 0)
			err_set(err, ERR_INPUT, "%s", why);
		else
			err_set(err, ERR_INPUT, "%s: install %s", why, package);
		return NULL;
	}
	found = dlsym(module, symbol);
	if (found == NULL)
		err_set(err, ERR_INPUT, "%s is of another version of weft",
			path);
	return found;
}
