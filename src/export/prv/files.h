/* SPDX-License-Identifier: MIT */
/*
 * files.h - the names of the files of a timeline: .prv, .pcf and .row.
 */
#ifndef WEFT_EXPORT_PRV_FILES_H
#define WEFT_EXPORT_PRV_FILES_H

#include <stdbool.h>

#include "base/err.h"

struct arena;
struct sink_setup;

/* Where an output lies. All are borrowed. */
struct prv_files {
	struct arena *arena;
	const char *dir;
	const struct sink_setup *setup;
};

/* Returns the path of one of the files of a class: in the directory, or, if the
 * user named the file, beside it, with the class; without the class if the
 * output has only this timeline (`alone`). */
const char *prv_files_path(const struct prv_files *f, const char *class,
	const char *extension, bool alone);

/* Returns true if the class, which may come from a file that the user did not
 * write, can be in a name, and no file that it may get is one of the input
 * (base/keep.h). Else returns false with err. */
bool prv_files_check(
	const struct prv_files *f, const char *class, struct err *err);

/* Returns true if no file that the class now gets must be kept. */
bool prv_files_are_free(const struct prv_files *f, const char *class,
	bool alone, struct err *err);

/* Removes the files that an earlier output of the class has. */
void prv_files_remove(const struct prv_files *f, const char *class);

#endif
