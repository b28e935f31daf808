/* SPDX-License-Identifier: MIT */
/*
 * claim.h - the temporary file of an index while it is built: locked by its
 * builder, so that the next one can tell and remove what killed builders left.
 *
 * The lock ends with the process, whatever ends it. Names and process ids tell
 * less: ids are used again, and other hosts may share the directory.
 */
#ifndef WEFT_EXPORT_INDEX_CLAIM_H
#define WEFT_EXPORT_INDEX_CLAIM_H

#include "base/file.h"

/* Removes temporary files of `path` that nobody has locked, then opens f as
 * outfile_open() does, and locks its file. *lock is to be closed after
 * outfile_close(), which closes the file before it gives it its name; or -1. */
bool claim_open(struct outfile *f, int *lock, struct arena *a, const char *path,
	size_t room, struct err *err);

#endif
