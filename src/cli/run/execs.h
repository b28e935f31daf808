/* SPDX-License-Identifier: MIT */
/*
 * execs.h - programs that the program of weft run executed, and that could not
 * load the library of the collectors.
 */
#ifndef WEFT_CLI_RUN_EXECS_H
#define WEFT_CLI_RUN_EXECS_H

#include <stdbool.h>

struct arena;

/* Lets the library write a line of each program into a file of the directory
 * (src/inproc/collect/tell.h). */
void execs_begin(struct arena *a, const char *folder);

/* Removes the file. Returns a list of the programs that could not be recorded,
 * and why, as "busybox is linked statically; ...", or NULL. */
const char *execs_end(struct arena *a, const char *folder);

#endif
