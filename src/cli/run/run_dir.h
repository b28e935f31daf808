/* SPDX-License-Identifier: MIT */
/*
 * run_dir.h - makes the directory into which `weft run` records.
 */
#ifndef WEFT_CLI_RUN_RUN_DIR_H
#define WEFT_CLI_RUN_RUN_DIR_H

struct arena;
struct err;

/* Makes the directory *output, which must not exist or be empty. If it is NULL,
 * makes PROGRAM-N.weft with the lowest free number N, and sets it. Returns the
 * absolute path, or NULL with err. */
const char *run_dir_make(struct arena *a, const char **output,
	const char *program, struct err *err);

#endif
