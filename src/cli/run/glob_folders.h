/* SPDX-License-Identifier: MIT */
/* glob_folders.h - finds directories in one whose name may contain any
 * bytes. */
#ifndef WEFT_CLI_RUN_GLOB_FOLDERS_H
#define WEFT_CLI_RUN_GLOB_FOLDERS_H

#include <glob.h>
#include <stdbool.h>

struct arena;

/* Finds the directories that match a pattern, such as "/loom.*", below the
 * folder. Returns false if there is none, else the caller frees them by
 * globfree(). */
bool glob_folders(struct arena *a, const char *folder, const char *pattern,
	glob_t *found);

#endif
