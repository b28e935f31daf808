/* SPDX-License-Identifier: MIT */
/*
 * code_names.h - the names at addresses of the programs that were traced, from
 * the symbols and the debug information of their files.
 *
 * A file that is missing, or was built again since, has no names.
 */
#ifndef WEFT_CLI_TRACE_CODE_NAMES_H
#define WEFT_CLI_TRACE_CODE_NAMES_H

#include "emu/code_names.h"

struct arena;

/* Returns the names, in the arena; files are opened when they are needed. */
struct code_names *code_names_open(struct arena *a);

/* Closes the files; names may be NULL. */
void code_names_close(struct code_names *names);

#endif
