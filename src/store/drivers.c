/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/builtin.h"
#include "store/driver.h"

static const struct store_driver *const builtin[] = {
	&store_csv,
	&store_json,
};

const char *const store_kinds[] = {
#ifdef STORE_SQLITE
	"sqlite",
#endif
#ifdef STORE_MARIADB
	"mariadb",
#endif
#ifdef STORE_MONGODB
	"mongodb",
#endif
	"csv",
	"json",
	NULL,
};

static bool
is_built(const char *kind)
{
	for (const char *const *k = store_kinds; *k != NULL; k++)
		if (strcmp(*k, kind) == 0)
			return true;
	return false;
}

/* The folder of the program or library that this code is in. */
static bool
own_folder(char folder[PATH_MAX])
{
	struct link_map *map = NULL;
	const char *file = "/proc/self/exe";
	Dl_info info;
	char *slash;

	if (dladdr1((const void *)store_kinds, &info, (void **)&map,
		    RTLD_DL_LINKMAP) == 0)
		return false;
	if (map->l_name[0] != '\0') /* a program has no name there */
		file = map->l_name;
	if (realpath(file, folder) == NULL)
		return false;
	slash = strrchr(folder, '/');
	*slash = '\0';
	return true;
}

static void *
load(const char *folder, const char *below, const char *kind)
{
	char path[2 * PATH_MAX];

	snprintf(path, sizeof path, "%s/%s/weft-store-%s.so", folder, below,
		kind);
	return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

/*
 * Beside the library, in the library folder that belongs to the program's, in
 * the build folder, where they were to be installed.
 */
static void *
find_module(const char *kind)
{
	const char *dir = getenv("WEFT_STORE_DIR");
	char folder[PATH_MAX];
	void *module = NULL;

	if (dir != NULL)
		return load(dir, ".", kind);
	if (own_folder(folder)) {
		static const char *const below[] = { "weft",
			"../" STORE_LIBDIR "/weft", "src/store", "../store" };

		for (size_t i = 0; i < 4 && module == NULL; i++)
			module = load(folder, below[i], kind);
	}
	return module != NULL ? module
			      : load(STORE_PREFIX, STORE_LIBDIR "/weft", kind);
}

static const struct store_driver *
load_driver(const char *kind, struct err *err)
{
	void *module = find_module(kind);
	const struct store_driver *driver;

	if (module == NULL) {
		err_set(err, ERR_INPUT, "the driver for %s: %s", kind,
			dlerror());
		return NULL;
	}
	driver = dlsym(module, STORE_DRIVER_SYMBOL);
	if (driver == NULL || driver->layout != STORE_DRIVER_LAYOUT) {
		err_set(err, ERR_INPUT,
			"the driver for %s is of another version of weft",
			kind);
		return NULL;
	}
	return driver;
}

const struct store_driver *
store_driver_find(const char *kind, struct err *err)
{
	for (size_t i = 0; i < sizeof builtin / sizeof builtin[0]; i++)
		if (strcmp(builtin[i]->name, kind) == 0)
			return builtin[i];
	if (is_built(kind))
		return load_driver(kind, err);
	err_set(err, ERR_INPUT, "this build has no driver for %s", kind);
	return NULL;
}
