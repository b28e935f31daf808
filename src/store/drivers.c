/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/module.h"
#include "store/builtin.h"
#include "store/driver.h"

static const struct store_driver *const builtin[] = {
	&store_csv,
	&store_json,
};

static const struct store_driver *added;

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

const struct store_client store_clients[] = {
	{ "sqlite", "libsqlite3-dev" },
	{ "mariadb", "libmariadb-dev" },
	{ "mongodb", "libmongoc-dev" },
	{ 0 },
};

static const char *
package_of(const char *kind)
{
	const struct store_client *c = store_clients;

	while (c->kind != NULL && strcmp(c->kind, kind) != 0)
		c++;
	return c->package;
}

static bool
is_built(const char *kind)
{
	for (const char *const *k = store_kinds; *k != NULL; k++)
		if (strcmp(*k, kind) == 0)
			return true;
	return false;
}

/*
 * While it is loaded, libmongoc makes a file in shared memory, named by the
 * number of the process, which a killed program leaves there; the next program
 * of that number then gets a warning on standard error. Nothing of ours reads
 * it. The variable tells the library to make none.
 */
static void *
open_module(const char *path)
{
	static const char no_file[] = "MONGOC_DISABLE_SHM";
	bool is_ours = getenv(no_file) == NULL;
	void *module;

	if (is_ours)
		setenv(no_file, "1", 1);
	module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	if (is_ours)
		unsetenv(no_file);
	return module;
}

static const struct store_driver *
load_driver(const char *kind, struct err *err)
{
	const struct store_driver *driver = NULL;
	char path[MODULE_PATH], name[64];
	void *module;

	snprintf(name, sizeof name, "weft-store-%s", kind);
	if (!module_find(path, name, "store", "WEFT_STORE_DIR")) {
		err_set(err, ERR_INPUT,
			"the driver weft-store-%s.so is not installed", kind);
		return NULL;
	}
	module = open_module(path);
	if (module != NULL)
		driver = dlsym(module, STORE_DRIVER_SYMBOL);
	if (driver == NULL)
		err_set(err, ERR_INPUT, "%s", dlerror());
	else if (driver->layout == STORE_DRIVER_LAYOUT)
		return driver;
	else
		err_set(err, ERR_INPUT, "%s is of another version of weft",
			path);
	return NULL;
}

void
store_driver_add(const struct store_driver *driver)
{
	added = driver;
}

const struct store_driver *
store_driver_find(const char *kind, struct err *err)
{
	for (size_t i = 0; i < sizeof builtin / sizeof builtin[0]; i++)
		if (strcmp(builtin[i]->name, kind) == 0)
			return builtin[i];
	if (added != NULL && strcmp(added->name, kind) == 0)
		return added;
	if (is_built(kind))
		return load_driver(kind, err);
	if (package_of(kind) == NULL)
		err_set(err, ERR_INPUT, "this build has no driver for %s",
			kind);
	else
		err_set(err, ERR_INPUT,
			"this build has no driver for %s: install %s, and "
			"build again",
			kind, package_of(kind));
	return NULL;
}
