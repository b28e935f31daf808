/* SPDX-License-Identifier: MIT */
/* top.h - what ovnitop takes of `weft top`. */
#ifndef WEFT_CLI_TRACE_TOP_H
#define WEFT_CLI_TRACE_TOP_H

#include "cli/cmd.h"

/* Counts the events of all streams below the path, whatever their tables and
 * clocks are, and prints what ovnitop does. */
enum exit_code top_as_ovnitop(const char *path);

#endif
