/* SPDX-License-Identifier: MIT */
/*
 * mem.h - what `weft mem` does, an action a function.
 */
#ifndef WEFT_CLI_MEM_H
#define WEFT_CLI_MEM_H

#include "cli/cmd.h"

struct arena;

/* Prints the samples of a file of `perf record`, as perf script would. */
enum exit_code mem_dump_perf(struct arena *a, const char *path);

#endif
