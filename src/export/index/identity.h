/* SPDX-License-Identifier: MIT */
/*
 * identity.h - from which files an index was made, and how.
 *
 * Whoever makes an index (weft emu, weft view) asks for this text first and
 * gives it to the sink (sink_setup.identity); whoever opens it asks whether a
 * trace still has it. JSON:
 *
 *	{"options": "--errors null", "files": [{"path": "loom.a/stream.obs",
 *	"size": "123", "mtime_ns": "456", "xxh3": "hex of 64 KiB at both
 *ends"}]}
 */
#ifndef WEFT_EXPORT_INDEX_IDENTITY_H
#define WEFT_EXPORT_INDEX_IDENTITY_H

#include <stdbool.h>

#include "export/index/index.h"

/* That of a file or of all files in a directory. options: what else shapes the
 * records. NULL if it cannot be read. */
const char *index_identity(
	struct arena *a, const char *path, const char *options);

/* NULL if the index is of this trace as it is now, and of this version of Weft;
 * else why not: "input changed (stream.obs)", "other options". */
const char *index_stale(struct arena *a, const struct index *ix,
	const char *path, const char *options);

#endif
