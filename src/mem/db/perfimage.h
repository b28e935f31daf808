/* SPDX-License-Identifier: MIT */
/*
 * perfimage.h - a file of `perf record` as program images, so that it is
 * reported as our own measurements are.
 *
 * Records are followed in order of time: what a process has mapped then says
 * what a sample's address is, a variable of a module, the stack, a mapping. An
 * exec makes a new image, a fork one with all that the parent had. What a
 * recording cannot tell is who allocated a block: heaps and anonymous mappings
 * stay whole.
 */
#ifndef WEFT_MEM_DB_PERFIMAGE_H
#define WEFT_MEM_DB_PERFIMAGE_H

#include "base/err.h"
#include "mem/db/image.h"

/* Tells each image that has samples; the receiver ends it. False with err: the
 * file cannot be read at all. Damage goes to the findings. */
bool perfimage_load(struct arena *a, const char *path,
	struct mem_findings *findings,
	void (*each)(void *arg, const struct image *i), void *arg,
	struct err *err);

#endif
