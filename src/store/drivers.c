/* SPDX-License-Identifier: MIT */
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
	{ "sqlite", "libsqlite3-dev", "libsqlite3-0" },
	{ "mariadb", "libmariadb-dev", "libmariadb3" },
	{ "mongodb", "libmongoc-dev", "libmongoc-1.0-0" },
	{ 0 },
};

static const struct store_client *
client_of(const char *kind)
{
	const struct store_client *c = store_clients;

	while (c->kind != NULL && strcmp(c->kind, kind) != 0)
		c++;
	return c;
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
 * Loads a module. libmongoc creates a file in shared memory, named after the
 * PID, which a killed program leaves behind; the next program with that PID
 * then prints a warning. The variable prevents this file, which weft does not
 * use.
 */
static void *
load_symbol(const char *path, const char *package, struct err *err)
{
	static const char no_file[] = "MONGOC_DISABLE_SHM";
	bool is_ours = getenv(no_file) == NULL;
	void *found;

	if (is_ours)
		setenv(no_file, "1", 1);
	found = module_load(path, STORE_DRIVER_SYMBOL, package, err);
	if (is_ours)
		unsetenv(no_file);
	return found;
}

static const struct store_driver *
load_driver(const char *kind, struct err *err)
{
	const struct store_driver *driver;
	char path[MODULE_PATH], name[64];

	snprintf(name, sizeof name, "weft-store-%s", kind);
	if (!module_find(path, name, "store", "WEFT_STORE_DIR")) {
		err_set(err, ERR_INPUT,
			"the driver weft-store-%s.so is not installed", kind);
		return NULL;
	}
	driver = load_symbol(path, client_of(kind)->library, err);
	if (driver == NULL || driver->layout == STORE_DRIVER_LAYOUT)
		return driver;
	err_set(err, ERR_INPUT, "%s is of another version of weft", path);
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
	if (client_of(kind)->package == NULL)
		err_set(err, ERR_INPUT, "this build has no driver for %s",
			kind);
	else
		err_set(err, ERR_INPUT,
			"this build has no driver for %s: install %s and "
			"build again",
			kind, client_of(kind)->package);
	return NULL;
}
