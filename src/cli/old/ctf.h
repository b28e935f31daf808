/* SPDX-License-Identifier: MIT */
/*
 * ctf.h - ctf2prv, the converter that Nanos6 calls at the end of a run.
 */
#ifndef WEFT_CLI_OLD_CTF_H
#define WEFT_CLI_OLD_CTF_H

/* Runs the tool with its options, environment and exit codes. */
int old_ctf(int argc, char *argv[]);

#endif
