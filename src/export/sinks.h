/* SPDX-License-Identifier: MIT */
/*
 * sinks.h - the formats of this build, and a sink that feeds several formats.
 *
 * To add a format, add a directory with a const struct sink_ops (sink.h is the
 * contract), one line in sinks.c and one in meson.build. --format, help and the
 * table tests then include it.
 */
#ifndef WEFT_EXPORT_SINKS_H
#define WEFT_EXPORT_SINKS_H

#include "export/sink.h"

/* Every format, in the order in which help lists them; ends with NULL. */
extern const struct sink_ops *const sinks[];

/* Returns true if every name of the list is a format; else err lists the
 * formats. */
bool sinks_known(struct arena *a, const char *names, struct err *err);

/* Returns true if any format of the list needs the identity of the trace, which
 * takes some time to compute. All names in the list must be formats. */
bool sinks_keep_identity(const char *names);

/*
 * Creates the directory `dir` and opens every format of a comma-separated list
 * ("prv,csv") to write into it. Returns one sink that passes every call on to
 * all of them; closing this sink closes all of them and reports the first
 * failure. Returns NULL with err for an unknown name (err lists the formats) or
 * a format that fails to open; the formats that are already open are closed.
 */
struct sink *sinks_open(struct arena *a, const char *names, const char *dir,
	const struct sink_setup *setup, struct err *err);

#endif
