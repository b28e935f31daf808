/* SPDX-License-Identifier: MIT */
/*
 * mem.h - what `weft mem` does, an action a function.
 */
#ifndef WEFT_CLI_MEM_H
#define WEFT_CLI_MEM_H

#include <stdint.h>

#include "cli/cmd.h"
#include "cli/table.h"

struct arena;

struct mem_options {
	int format;        /* enum table_format */
	int64_t min_bytes; /* of variables; -1: not said */
};

/* Prints the samples of a file of `perf record`, as perf script would. */
enum exit_code mem_dump_perf(struct arena *a, const char *path);

/* Prints the static variables of an ELF file. */
enum exit_code mem_bounds(
	struct arena *a, const char *path, const struct mem_options *o);

#endif
