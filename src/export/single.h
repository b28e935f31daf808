/* SPDX-License-Identifier: MIT */
/*
 * single.h - the output of a format that writes one file.
 */
#ifndef WEFT_EXPORT_SINGLE_H
#define WEFT_EXPORT_SINGLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct arena;
struct outfile;
struct sink_setup;

/* Opens setup->file, or the file `name` in `dir` if that is NULL; as
 * outfile_open(). */
bool single_open(struct outfile *f, struct arena *a, const char *dir,
	const char *name, const struct sink_setup *setup, struct err *err);

/* Returns the path of another file of the same output: "x-links.csv.gz" for
 * "x.csv.gz", extension ".csv" and part "links"; "x.pcf" for extension ".prv",
 * part NULL and other ".pcf", which is not compressed. other NULL: the same
 * extension, and compressed as the file. */
const char *single_beside(struct arena *a, const char *path,
	const char *extension, const char *part, const char *other);

/* Returns the value of the option `key`, which ends with '=': "1" for "os=" if
 * the options have "os=1". NULL: the option is not given. */
const char *single_option(const struct sink_setup *setup, const char *key);

#endif
