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

#include <stdbool.h>

struct arena;
struct err;
struct relate_given;
struct relate_input;

/* Returns the path of an argument NAME=PATH. */
const char *input_path(const char *argument);

/* Returns n names. Those that the user gave stay; all others differ. */
const char **input_names(struct arena *a, const char *const *arguments, int n);

/* Returns the input of that name, or -1. */
int input_names_find(const struct relate_input *in, int n, const char *name);

/* Returns all names, with commas. */
const char *input_names_list(
	struct arena *a, const struct relate_input *in, int n);

/* Reads an option --relate "B=A+1.5s" with the names of two of nin inputs.
 * Returns false with err. */
bool input_names_relate(struct arena *a, const struct relate_input *in, int nin,
	const char *text, struct relate_given *to, struct err *err);

#endif
