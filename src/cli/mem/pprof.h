/* SPDX-License-Identifier: MIT */
/*
 * pprof.h - a memory profile as a file for pprof.
 *
 * A sample is a call path that allocated (its blocks and bytes, and those that
 * were live at the end), or one that accessed memory (samples and latency of
 * the event; the label "variable" is what it touched).
 */
#ifndef WEFT_CLI_MEM_PPROF_H
#define WEFT_CLI_MEM_PPROF_H

#include "cli/mem/mem.h"

/* Writes the profile. Returns false and sets err on failure. */
bool mem_pprof(const struct mem_report *r, const char *path, struct err *err);

#endif
