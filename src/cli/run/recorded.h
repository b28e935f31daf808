/* SPDX-License-Identifier: MIT */
/*
 * recorded.h - what a program has left behind: salvaged, then counted.
 */
#ifndef WEFT_CLI_RUN_RECORDED_H
#define WEFT_CLI_RUN_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

struct recorded {
	int processes, threads;
	int streams; /* if these are not threads: of CTF */
	int cut;     /* of either that did not end in an orderly way */
	int running; /* ... because they still run */
	int stopped; /* ... though their process did not die at once */
	uint64_t events, lost;
	int most_threads;    /* of the process that has most of them */
	uint64_t most_bytes; /* of the process that wrote most */
	uint64_t bytes;      /* of the streams */
	uint64_t salvaged;   /* of them, from rings of dead processes */
};

/*
 * Brings home what a death left elsewhere (rings, streams in OVNI_TMPDIR), and
 * counts, in addition. A folder without a trace has nothing of all. False with
 * err if something could not be moved; what there is is counted all the same.
 */
bool recorded_take(const char *folder, struct recorded *to, struct err *err);

/* Says what was recorded. full: the folder of a disk without room, or NULL. */
void recorded_say(struct arena *a, const struct recorded *r, const char *full);

#endif
