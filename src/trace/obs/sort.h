/* SPDX-License-Identifier: MIT */
/*
 * sort.h - brings the unsorted regions of a stream into clock order.
 *
 * A producer that learns of events late (from the kernel's buffer, say) writes
 * them between two markers, OU[ and OU]. At each OU] the events from the place
 * where the region belongs up to the marker are sorted by clock, stably; the
 * markers take part. That place is found by walking back from OU[ over events
 * later than the region's earliest, and may lie look_back events before OU].
 *
 * The stream is copied, and each region sorted in the copy: memory is 16 bytes
 * an event of look-back, and the bytes of one region while it is sorted.
 */
#ifndef WEFT_TRACE_OBS_SORT_H
#define WEFT_TRACE_OBS_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct arena;
struct findings;

#define OBS_SORT_LOOK_BACK 1000000

struct obs_sort_options {
	int64_t look_back;         /* events, >= 1 */
	struct findings *findings; /* empty regions, damage; borrowed */
};

struct obs_sort_result {
	uint64_t events;
	uint64_t regions, empty_regions;
	uint64_t moved;     /* events that changed their place */
	uint64_t backwards; /* clocks less than the one before, in the input
	                     * of a check, in the output of a sort */
	int64_t back_at;    /* byte of the first of them, or -1 */
	uint64_t from, to;  /* the two clocks there, ns */
	int64_t damage_at;  /* byte where the events end too early, or -1 */
	int64_t size_bytes; /* of the input */
	bool not_a_stream;  /* it failed because of what `in` is */
};

/*
 * Copies the stream `in` to a file `out`, sorted; `out` appears when all is
 * written. A damaged stream is copied up to the damage, with a finding. False
 * with err: no stream, the look-back is exceeded, or nothing can be written;
 * an older `out` is then untouched.
 */
bool obs_sort_stream(const char *in, const char *out,
	const struct obs_sort_options *options, struct obs_sort_result *result,
	struct err *err);

/*
 * The same onto the stream itself, by renaming a finished copy over it, with
 * the same mode; a stream that is in order stays untouched. A damaged stream is
 * refused, because a copy would lose its rest.
 */
bool obs_sort_in_place(const char *path, const struct obs_sort_options *options,
	struct obs_sort_result *result, struct err *err);

/* Only reads: is the stream in order, and where not? */
bool obs_sort_check(const char *path, struct findings *fs,
	struct obs_sort_result *result, struct err *err);

#endif
