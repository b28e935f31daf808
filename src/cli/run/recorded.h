/* SPDX-License-Identifier: MIT */
/*
 * recorded.h - salvages and counts what a program has recorded.
 */
#ifndef WEFT_CLI_RUN_RECORDED_H
#define WEFT_CLI_RUN_RECORDED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

struct recorded {
	int processes, threads;
	int streams;  /* streams of CTF, which belong to no thread */
	int cut;      /* threads or streams that did not end regularly */
	int running;  /* how many of `cut` have a program that still runs */
	int confined; /* threads that entered seccomp */
	int stopped;  /* how many of `cut` stopped recording while their process
	               * still ran */
	uint64_t events, lost;
	int most_threads;    /* number of threads of the process with the most
	                      * threads */
	uint64_t most_bytes; /* number of bytes of the process that wrote the
	                      * most */
	uint64_t bytes;      /* bytes of all streams */
	uint64_t salvaged;   /* the part salvaged from ring buffers of dead
	                      * processes */
};

/*
 * Moves data of killed processes into the directory (ring buffers, streams in
 * OVNI_TMPDIR), and adds the counts to *to. A directory without a trace adds
 * nothing. Returns false and sets err if something could not be moved;
 * everything present is counted all the same.
 */
bool recorded_take(const char *folder, struct recorded *to, struct err *err);

/* Reports what was recorded. full: a directory on a full disk, or NULL.
 * has_warned: a warning of the recorder stands above. */
void recorded_say(struct arena *a, const struct recorded *r, const char *full,
	bool has_warned);

#endif
