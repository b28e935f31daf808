/* SPDX-License-Identifier: MIT */
/*
 * keep.h - the files that no output may replace: those that the command reads.
 *
 * outfile_open() and outfile_close() (file.h) ask; who writes a file in another
 * way asks, too. Files are told by device and inode, so another path to one of
 * them is refused as well. There is one list for the process. Any thread may
 * add and ask.
 */
#ifndef WEFT_BASE_KEEP_H
#define WEFT_BASE_KEEP_H

#include <stdbool.h>

#include "base/err.h"

/* Adds a file. If there is no regular file of that name, nothing is added. */
void keep_add(const char *path);

/* From now on all files that exist are kept: the command was interrupted, and
 * what it has is only a part. */
void keep_existing(void);

/* Returns true if an output may get this name. Otherwise returns false with
 * err: ERR_USAGE, or ERR_INPUT after keep_existing(). After ERR_USAGE no name
 * is given to any output, for the same reason: a command that is refused leaves
 * nothing. */
bool keep_check(const char *path, struct err *err);

#endif
