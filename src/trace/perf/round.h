/* SPDX-License-Identifier: MIT */
/*
 * round.h - puts records of perf in the order of their times.
 *
 * perf reads the rings of all CPUs in rounds. All records that it reads in a
 * round are later than those of the round before the last one; so when a round
 * ends, all records up to the latest time of the round before it can be passed
 * on.
 */
#ifndef WEFT_TRACE_PERF_ROUND_H
#define WEFT_TRACE_PERF_ROUND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_entry {
	uint64_t time;   /* 0: the record has none */
	uint64_t offset; /* in the file */
	size_t at;       /* of its bytes */
	uint32_t size, event;
};

struct perf_round {
	uint8_t *bytes; /* owned: records */
	size_t n, cap;
	struct perf_entry *entry; /* owned */
	size_t nentries, room;
	size_t next, ready; /* entries next..ready can be passed on */
	uint64_t latest;    /* of all records so far */
	uint64_t limit;     /* `latest` at the end of the last round */
};

/* Adds a record. */
void perf_round_add(struct perf_round *r, const void *record, uint32_t size,
	struct perf_entry entry);

/* Returns the next record, or NULL if more have to be read first. */
const struct perf_entry *perf_round_next(struct perf_round *r);

/* Ends a round, or all of them. Call it when perf_round_next() returned
 * NULL. */
void perf_round_end(struct perf_round *r, bool all);

/* Returns true if the records take so much memory that some must be passed on;
 * perf_round_force() passes on the earlier half of them. */
bool perf_round_is_full(const struct perf_round *r);
void perf_round_force(struct perf_round *r);

void perf_round_fini(struct perf_round *r);

#endif
