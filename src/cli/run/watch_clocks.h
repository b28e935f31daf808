/* SPDX-License-Identifier: MIT */
/*
 * watch_clocks.h - what relates the times of a record of where threads ran to
 * other traces, as the recorder writes it: the boot of the machine, and what
 * its clocks showed at some moments.
 */
#ifndef WEFT_CLI_RUN_WATCH_CLOCKS_H
#define WEFT_CLI_RUN_WATCH_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct doc;

/* What the clocks showed at one moment, ns. */
struct watch_snap {
	int64_t monotonic, realtime, raw;
	int64_t width; /* all were read within this time */
};

/* Reads the clocks. */
struct watch_snap watch_snap(void);

/* Writes the key "clocks" with n snapshots. by_kernel: the kernel took the
 * times of events, which knows nothing of time namespaces. */
void watch_put_clocks(
	struct doc *d, const struct watch_snap *snap, int n, bool by_kernel);

#endif
