/* SPDX-License-Identifier: MIT */
/*
 * claim.h - the temporary file of an index while it is built: locked by its
 * builder, so that the next builder recognises and removes the files that
 * killed builders left.
 *
 * The lock ends when the process ends, in whatever way. Names and process ids
 * tell less: ids are used again, and other hosts may share the directory.
 */
#ifndef WEFT_EXPORT_INDEX_CLAIM_H
#define WEFT_EXPORT_INDEX_CLAIM_H

#include "base/file.h"

/* Removes temporary files of `path` that nobody has locked, then opens f as
 * outfile_open() does, and locks its file. Sets *lock to a descriptor, or -1,
 * which the caller closes after outfile_close(): that function closes the file
 * before renaming it. */
bool claim_open(struct outfile *f, int *lock, struct arena *a, const char *path,
	size_t room, struct err *err);

#endif
