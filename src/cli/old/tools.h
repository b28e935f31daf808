/* SPDX-License-Identifier: MIT */
/*
 * tools.h - ovnidump, ovnitop, ovnisort and ovniver with their old options.
 */
#ifndef WEFT_CLI_OLD_TOOLS_H
#define WEFT_CLI_OLD_TOOLS_H

/* Run the tools. Return 0 or 1; ovnidump returns 255 if it can read nothing. */
int old_dump(int argc, char *argv[]);
int old_top(int argc, char *argv[]);
int old_sort(int argc, char *argv[]);
int old_version(int argc, char *argv[]);

#endif
