/* SPDX-License-Identifier: MIT */
/*
 * tempdir.h - a temporary directory that is removed with all in it when this
 * process ends, however it ends.
 *
 * A second process waits for that end and removes the directory, so neither
 * SIGKILL nor a crash leaves it behind. Call it before the process starts
 * threads.
 */
#ifndef WEFT_BASE_TEMPDIR_H
#define WEFT_BASE_TEMPDIR_H

#include "base/err.h"

struct arena;

/* Makes a directory below TMPDIR, else /tmp. Returns its path, or NULL with
 * err. */
char *tempdir_make(struct arena *a, struct err *err);

#endif
