/* SPDX-License-Identifier: MIT */
/*
 * input_names.h - short names of several inputs, for rows and messages.
 *
 * An argument is PATH or NAME=PATH. Without a name, the input has the shortest
 * end of its path that no other input has, without what all traces are called:
 * "fib" for fib.weft/ovni.
 */
#ifndef WEFT_CLI_TRACE_INPUT_NAMES_H
#define WEFT_CLI_TRACE_INPUT_NAMES_H

struct arena;
struct relate_input;

/* Returns the path of an argument NAME=PATH. */
const char *input_path(const char *argument);

/* Returns n names, which differ. */
const char **input_names(struct arena *a, const char *const *arguments, int n);

/* Returns the input of that name, or -1. */
int input_names_find(const struct relate_input *in, int n, const char *name);

/* Returns all names, with commas. */
const char *input_names_list(
	struct arena *a, const struct relate_input *in, int n);

#endif
