/* SPDX-License-Identifier: MIT */
/*
 * driver.h - what the module weft-archive.so does: it alone is linked to
 * libarchive, and is loaded when an archive is read.
 */
#ifndef WEFT_ARCHIVE_DRIVER_H
#define WEFT_ARCHIVE_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "archive/limit.h"
#include "base/err.h"

#define ARCHIVE_DRIVER_LAYOUT \
	3 /* increase it with any change of this header \
	   */

/* What unpacking may use. */
struct archive_limits {
	struct archive_limit most; /* of all files together */
	int64_t entries;           /* files and directories */
};

/* What was found. */
struct archive_result {
	int64_t bytes, entries;
	int64_t refused; /* entries that were left out: links, devices, names
	                  * that lead outside */
	char first[256]; /* the name of the first of them */
	bool cut;        /* the archive ends too early, or is damaged; what
	                  * came before is unpacked */
	char why[256];   /* how libarchive says so */
};

struct archive_driver {
	uint32_t layout;
	/* Returns true if the file is an archive: a tar or zip file, also
	 * compressed. */
	bool (*is_archive)(const char *path);
	/* Unpacks the regular files and directories of an archive below the
	 * directory `to`. Returns false with err at a limit, if the archive is
	 * encrypted, and if a file cannot be written. */
	bool (*unpack)(const char *path, const char *to,
		const struct archive_limits *limits,
		struct archive_result *result, struct err *err);
	/* Decompresses a file, of xz or bzip2, that is no archive into the file
	 * `to`, which must not exist. Returns false with err, as unpack(). */
	bool (*inflate)(const char *path, const char *to,
		const struct archive_limits *limits,
		struct archive_result *result, struct err *err);
};

/* The symbol that the module exports. */
#define ARCHIVE_DRIVER_SYMBOL "weft_archive_driver"
extern const struct archive_driver weft_archive_driver
	__attribute__((visibility("default")));

#endif
