/* SPDX-License-Identifier: MIT */
/*
 * tempfile.h - a file without a name, gone with the process however that ends;
 * what memory cannot hold is appended and read again.
 */
#ifndef WEFT_BASE_TEMPFILE_H
#define WEFT_BASE_TEMPFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Opens an empty file in a folder, to be read and written. The caller closes
 * the file descriptor. -1 with err. */
int tempfile_open(const char *dir, struct err *err);

struct tempfile {
	const char *dir; /* borrowed */
	int fd;          /* -1: not made yet */
	int64_t size;
	struct err err; /* the first; nothing is done behind it */
};

void tempfile_init(struct tempfile *t, const char *dir);
void tempfile_fini(struct tempfile *t);

/* Makes the file if there is none. False with t->err. */
bool tempfile_make(struct tempfile *t);

/* Writes n bytes at the end, and makes the file first. False with t->err. */
bool tempfile_append(struct tempfile *t, const void *bytes, size_t n);

/* Reads n bytes that were written at an offset. False with t->err. */
bool tempfile_read(struct tempfile *t, void *to, size_t n, int64_t at);

#endif
