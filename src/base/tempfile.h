/* SPDX-License-Identifier: MIT */
/*
 * tempfile.h - a file without a name, gone with the process however that ends.
 */
#ifndef WEFT_BASE_TEMPFILE_H
#define WEFT_BASE_TEMPFILE_H

#include "base/err.h"

struct arena;

/* Opens an empty file in a folder, to be read and written. The caller closes
 * the file descriptor. -1 with err. */
int tempfile_open(struct arena *a, const char *dir, struct err *err);

#endif
