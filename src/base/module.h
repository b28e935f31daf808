/* SPDX-License-Identifier: MIT */
/*
 * module.h - finds and loads the shared objects that are loaded only when they
 * are needed.
 */
#ifndef WEFT_BASE_MODULE_H
#define WEFT_BASE_MODULE_H

#include <limits.h>
#include <stdbool.h>

struct err;

#define MODULE_PATH (2 * PATH_MAX)

/*
 * Finds NAME.so and writes its path. If the environment variable `variable` is
 * set, searches only the directory that it names. Otherwise searches, in this
 * order: "weft" beside the library that contains this code, the library
 * directory of the program's installation, src/`built` of a build, and the
 * configured install directory. Returns false if the file does not exist.
 */
bool module_find(char path[MODULE_PATH], const char *name, const char *built,
	const char *variable);

/*
 * Returns true if the file can be read and no segment is missing at its end.
 * Else returns false and sets *err. dlopen() of a file without its end kills
 * the program with SIGBUS.
 */
bool module_is_whole(const char *path, struct err *err);

/*
 * Loads a module for good and returns the address of its symbol. Returns NULL
 * and sets *err if the file is unreadable or damaged, if it is of another
 * version of weft, or if a library is missing: then the text names the package
 * to install.
 */
void *module_load(const char *path, const char *symbol, const char *package,
	struct err *err);

#endif
