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
 * The path of NAME.so: in the directory that the environment names by
 * `variable` and nowhere else, if it does; else in "weft" beside the library
 * that this code is in, or in the library directory that belongs to that of the
 * program, or in src/`built` of a build, or where it was to be installed.
 * False: it is not there.
 */
bool module_find(char path[MODULE_PATH], const char *name, const char *built,
	const char *variable);

#endif
