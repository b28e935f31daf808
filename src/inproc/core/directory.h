/* SPDX-License-Identifier: MIT */
/*
 * directory.h - creates directories, and lists names in a directory without
 * readdir(), which allocates: signal handlers list directories, too.
 *
 *	weft_rt_folder_open(&f, path);
 *	while ((name = weft_rt_folder_next(&f)) != NULL)
 *		...
 */
#ifndef WEFT_INPROC_CORE_DIRECTORY_H
#define WEFT_INPROC_CORE_DIRECTORY_H

#include <stdbool.h>
#include <sys/types.h>

struct directory {
	int fd; /* -1: not open, or all names were returned */
	ssize_t at, n;
	_Alignas(8) char buffer[4096];
};

/* Begins the list. A directory that cannot be read has no names. */
void weft_rt_folder_open(struct directory *f, const char *path);

/* Returns the next name, valid until the next call; NULL after the last, and
 * closes the directory. */
const char *weft_rt_folder_next(struct directory *f);

/* Make a directory and its parents, or only the parents. Return false with
 * errno. */
bool weft_rt_folder_make(const char *path);
bool weft_rt_folder_above(const char *path);

#endif
