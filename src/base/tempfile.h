/* SPDX-License-Identifier: MIT */
/*
 * tempfile.h - an unnamed file for data that does not fit in memory. It
 * disappears when the process ends, however that happens.
 */
#ifndef WEFT_BASE_TEMPFILE_H
#define WEFT_BASE_TEMPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Creates an empty file in a directory, open for reading and writing. Returns
 * its file descriptor, which the caller closes, or -1 with err. */
int tempfile_open(const char *dir, struct err *err);

struct tempfile {
	const char *dir; /* borrowed */
	int fd;          /* -1: not created yet */
	int64_t size;
	struct err err; /* the first failure; later calls do nothing */
};

void tempfile_init(struct tempfile *t, const char *dir);
void tempfile_fini(struct tempfile *t);

/* Creates the file unless it exists. Returns false with t->err. */
bool tempfile_make(struct tempfile *t);

/* Appends n bytes; creates the file first. Returns false with t->err. */
bool tempfile_append(struct tempfile *t, const void *bytes, size_t n);

/* Reads n bytes written earlier at offset `at`. Returns false with t->err. */
bool tempfile_read(struct tempfile *t, void *to, size_t n, int64_t at);

#endif
