/* SPDX-License-Identifier: MIT */
/*
 * sinks.h - the formats of this build, and one sink that feeds several.
 *
 * To add a format: one folder with a const struct sink_ops, one line in
 * sinks.c and one in the build file. --format, help and the table tests follow.
 */
#ifndef WEFT_EXPORT_SINKS_H
#define WEFT_EXPORT_SINKS_H

#include "export/sink.h"

/* Every format, in the order in which help lists them; ends with NULL. */
extern const struct sink_ops *const sinks[];

/* True if every name of the list is a format; else err says which exist. */
bool sinks_known(struct arena *a, const char *names, struct err *err);

/*
 * Opens every format of a comma-separated list ("prv,csv") to write into the
 * folder dir, which is created. One sink that passes every call on to all of
 * them: close closes all and reports the first failure. NULL with err: an
 * unknown name (with the names that exist), or a format that does not open
 * (those already open are closed).
 */
struct sink *sinks_open(struct arena *a, const char *names, const char *dir,
	const struct sink_setup *setup, struct err *err);

#endif
