/* SPDX-License-Identifier: MIT */
/*
 * recorded.h - what a program has left behind: salvaged, then counted.
 */
#ifndef WEFT_CLI_RECORDED_H
#define WEFT_CLI_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct recorded {
	int processes, threads;
	int streams; /* if these are not threads: of CTF */
	int cut;     /* of either that did not end in an orderly way */
	int running; /* ... because they still run */
	uint64_t events, lost;
	uint64_t bytes;    /* of the streams */
	uint64_t salvaged; /* of them, from rings of dead processes */
};

/*
 * Brings home what a death left elsewhere (rings, streams in OVNI_TMPDIR), and
 * counts. A folder without a trace has nothing of all. False with err if
 * something could not be moved; what there is is counted all the same.
 */
bool recorded_take(const char *folder, struct recorded *to, struct err *err);

#endif
