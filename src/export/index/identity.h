/* SPDX-License-Identifier: MIT */
/*
 * identity.h - describes the files and the options that an index was made from.
 *
 * A command that makes an index (weft emu, weft view) asks for this text first
 * and gives it to the sink (sink_setup.identity). A command that opens an index
 * asks whether the trace still has the same identity. The text is JSON:
 *
 *	{"options": "--errors null", "files": [{"path": "loom.a/stream.obs",
 *	"size": "123", "mtime_ns": "456", "xxh3": "hash of both ends"}]}
 */
#ifndef WEFT_EXPORT_INDEX_IDENTITY_H
#define WEFT_EXPORT_INDEX_IDENTITY_H

#include <stdbool.h>

#include "export/index/index.h"

/* Returns the identity of a file, or of all files in a directory; NULL if they
 * cannot be read. options: further settings that shape the records. */
const char *index_identity(
	struct arena *a, const char *path, const char *options);

/* Returns NULL if the index fits the trace as it is now, and this version of
 * Weft; otherwise the reason: "input changed (stream.obs)", "other options". */
const char *index_stale(struct arena *a, const struct index *ix,
	const char *path, const char *options);

#endif
