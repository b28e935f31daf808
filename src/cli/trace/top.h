/* SPDX-License-Identifier: MIT */
/* top.h - the part of `weft top` that ovnitop uses. */
#ifndef WEFT_CLI_TRACE_TOP_H
#define WEFT_CLI_TRACE_TOP_H

#include "cli/cmd.h"

/* Counts the events of all streams below the path, without any clock table or
 * clock offset, and prints them as ovnitop does. */
enum exit_code top_as_ovnitop(const char *path);

#endif
