/* SPDX-License-Identifier: MIT */
/*
 * alias.h - names by which the user knows paths of temporary directories.
 *
 *	alias_add("/tmp/weft-x1", "fib.tar.zst");
 *	alias_text(text, sizeof text)
 *	    "/tmp/weft-x1/a/b.obs: cut" becomes "fib.tar.zst:a/b.obs: cut"
 *
 * Messages ask for all texts at once; readers and writers of files keep the
 * real paths. There is one list for the process; any thread may use it.
 */
#ifndef WEFT_BASE_ALIAS_H
#define WEFT_BASE_ALIAS_H

#include <stddef.h>

struct arena;

/* From now on shows a directory, or a file, by this name; paths below it as
 * "NAME:PATH", as users name files of archives. The name may itself be, or lie
 * in, what has an alias. */
void alias_add(const char *path, const char *name);

/* Replaces paths in a text, which stays within `room` bytes. */
void alias_text(char *text, size_t room);

/* Returns the text with its paths replaced; the text itself if there are none,
 * and NULL for NULL. */
const char *alias_of(struct arena *a, const char *text);

#endif
