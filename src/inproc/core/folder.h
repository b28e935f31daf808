/* SPDX-License-Identifier: MIT */
/*
 * folder.h - making folders, and a walk through the names in one without
 * readdir(), which allocates: handlers of signals walk, too.
 *
 *	weft_rt_folder_open(&f, path);
 *	while ((name = weft_rt_folder_next(&f)) != NULL)
 *		...
 */
#ifndef WEFT_INPROC_CORE_FOLDER_H
#define WEFT_INPROC_CORE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

struct folder {
	int fd; /* -1: none, or all names were told */
	ssize_t at, n;
	_Alignas(8) char buffer[4096];
};

/* One that cannot be read has no names. */
void weft_rt_folder_open(struct folder *f, const char *path);

/* The next name; it holds until the next call. NULL: there is none, and the
 * folder is closed. */
const char *weft_rt_folder_next(struct folder *f);

/* Makes a folder and those above it, or only those; false with errno. */
bool weft_rt_folder_make(const char *path);
bool weft_rt_folder_above(const char *path);

#endif
