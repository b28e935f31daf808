/* SPDX-License-Identifier: MIT */
/*
 * module.h - finds the shared objects that are loaded only when they are
 * needed.
 */
#ifndef WEFT_BASE_MODULE_H
#define WEFT_BASE_MODULE_H

#include <limits.h>
#include <stdbool.h>

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

#endif
