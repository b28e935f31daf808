/* SPDX-License-Identifier: MIT */
/*
 * ctf2prv.h - ctf2prv, the converter that Nanos6 calls at the end of a run.
 */
#ifndef WEFT_CLI_OLD_CTF2PRV_H
#define WEFT_CLI_OLD_CTF2PRV_H

/* Runs the tool with its options, environment and exit codes. */
int old_ctf(int argc, char *argv[]);

#endif
