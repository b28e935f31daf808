/* SPDX-License-Identifier: MIT */
/*
 * emu.h - ovniemu: emulates a trace into the folder of the trace.
 */
#ifndef WEFT_CLI_OLD_EMU_H
#define WEFT_CLI_OLD_EMU_H

/* The whole tool: 0 or 1. */
int old_emu(int argc, char *argv[]);

#endif
