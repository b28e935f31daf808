/* SPDX-License-Identifier: MIT */
/*
 * tools.h - ovnidump, ovnitop, ovnisort and ovniver, by their old options.
 */
#ifndef WEFT_CLI_OLD_TOOLS_H
#define WEFT_CLI_OLD_TOOLS_H

/* Whole tools: 0 or 1; ovnidump ends with 255 when it can read nothing. */
int old_dump(int argc, char *argv[]);
int old_top(int argc, char *argv[]);
int old_sort(int argc, char *argv[]);
int old_version(int argc, char *argv[]);

#endif
