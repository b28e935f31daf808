/* SPDX-License-Identifier: MIT */
/*
 * perfimage.h - turns a file of `perf record` into program images, which are
 * reported like measurements of weft.
 *
 * Records are read in time order, so the mappings of a process at that time
 * show what a sample's address belongs to: a variable of a module, the stack, a
 * mapping. An exec makes a new image; a fork makes one with all mappings of the
 * parent. perf does not record allocations: heaps and anonymous mappings are
 * one variable each.
 */
#ifndef WEFT_MEM_DB_PERFIMAGE_H
#define WEFT_MEM_DB_PERFIMAGE_H

#include "base/err.h"
#include "mem/db/image.h"

/* Passes each image that has samples to `each`, which then owns the image and
 * calls image_fini(). Returns false and sets err if the file cannot be read at
 * all. Damage is added to the findings. */
bool perfimage_load(struct arena *a, const char *path,
	struct mem_findings *findings,
	void (*each)(void *arg, const struct image *i), void *arg,
	struct err *err);

#endif
