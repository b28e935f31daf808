/* SPDX-License-Identifier: MIT */
/*
 * labels.h - the files beside a .prv: .pcf with names of types and values, .row
 * with names of rows.
 */
#ifndef WEFT_EXPORT_PRV_IN_LABELS_H
#define WEFT_EXPORT_PRV_IN_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"

struct arena;

struct prv_in_label {
	int64_t value;
	const char *text;
};

/* Labels that several types may share. */
struct prv_in_labels {
	VEC(struct prv_in_label) at;
};

struct prv_in_type {
	int64_t number;
	const char *title;
	const struct prv_in_labels *labels;
};

struct prv_in_pcf {
	VEC(struct prv_in_type) types;
	struct map by_number;        /* index in `types` + 1 */
	struct prv_in_labels states; /* of the section STATES */
};

/* What the levels of a .row file name. */
enum prv_in_level {
	PRV_IN_APPL,
	PRV_IN_TASK,
	PRV_IN_THREAD,
	PRV_IN_NODE,
	PRV_IN_CPU,
	PRV_IN_LEVELS,
};

struct prv_in_names {
	VEC(const char *) level[PRV_IN_LEVELS];
};

/* Read a file. Lines that make no sense are left out; bytes that are not UTF-8
 * are taken as Latin-1. Return false with err, which does not name the file,
 * if it cannot be read. */
bool prv_in_pcf_read(struct prv_in_pcf *p, struct arena *a, const char *path,
	struct err *err);
bool prv_in_names_read(struct prv_in_names *n, struct arena *a,
	const char *path, struct err *err);

void prv_in_pcf_fini(struct prv_in_pcf *p);

/* Returns the name at that index, or NULL if the file has none. */
const char *prv_in_name(
	const struct prv_in_names *n, enum prv_in_level level, uint64_t index);

#endif
