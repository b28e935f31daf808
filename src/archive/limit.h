/* SPDX-License-Identifier: MIT */
/* limit.h - to how many bytes a file may unpack. */
#ifndef WEFT_ARCHIVE_LIMIT_H
#define WEFT_ARCHIVE_LIMIT_H

#include <stdint.h>

struct archive_limit {
	int64_t bytes;
	const char *what; /* which limit that is, for messages */
};

#endif
