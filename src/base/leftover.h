/* SPDX-License-Identifier: MIT */
/*
 * leftover.h - the temporary files that exist now, for a signal handler that
 * ends the process.
 *
 * There is one list for the process, because a signal handler can reach only
 * global data. Any thread may add and drop.
 */
#ifndef WEFT_BASE_LEFTOVER_H
#define WEFT_BASE_LEFTOVER_H

#include <stdbool.h>

/* Adds a file, or a directory that will be empty when the files added after it
 * are removed. Returns its number for leftover_drop(); or -1 if the list is
 * full: then a signal does not remove the file. */
int leftover_add(const char *path);

/* Does the same for a directory that a signal removes with all that it
 * holds. */
int leftover_add_tree(const char *path);

/* Makes a directory as mkdtemp() does and adds it, with all that it will hold
 * if is_tree. Signals of this thread wait until the directory is on the list.
 * Sets *number as leftover_add() returns it. Returns false with errno, and -1
 * as the number, if the directory cannot be made. */
bool leftover_mkdtemp(char *path, bool is_tree, int *number);

/* Takes a file off the list because it has its final name or was removed. -1
 * does nothing. */
void leftover_drop(int number);

/* Removes all files on the list, the last one first. May be called in a signal
 * handler. */
void leftovers_remove(void);

#endif
