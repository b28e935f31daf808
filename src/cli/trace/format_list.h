/* SPDX-License-Identifier: MIT */
/* format_list.h - the lists of all formats that `weft convert` prints. */
#ifndef WEFT_CLI_TRACE_FORMAT_LIST_H
#define WEFT_CLI_TRACE_FORMAT_LIST_H

#include <stdbool.h>

#include "cli/cmd.h"

struct arena;

/* Prints all formats, as a table or as JSON with what each has no place for. */
enum exit_code format_list_print(struct arena *a, bool json);

/* Prints the end of the help: the formats that can be written, and their
 * options. */
void format_list_help(void);

#endif
