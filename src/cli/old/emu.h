/* SPDX-License-Identifier: MIT */
/*
 * emu.h - ovniemu: emulates a trace and writes into the trace's directory.
 */
#ifndef WEFT_CLI_OLD_EMU_H
#define WEFT_CLI_OLD_EMU_H

/* Runs the tool. Returns its exit code, 0 or 1. */
int old_emu(int argc, char *argv[]);

#endif
