/* SPDX-License-Identifier: MIT */
/*
 * sort.h - brings the unsorted regions of a stream into clock order.
 *
 * A producer that learns of events late (for example from the kernel's buffer)
 * writes them between two markers, OU[ and OU]. At each OU], the events from
 * the position where the region belongs up to the marker are sorted by clock,
 * stably, including the markers. That position is found by walking back from
 * OU[ over events later than the region's earliest event, at most look_back
 * events before OU].
 *
 * The stream is copied, and each region is sorted in the copy: memory holds 16
 * bytes per event of look-back, and the bytes of one region while it is sorted.
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
	struct findings *findings; /* about empty regions and damage;
	                            * borrowed */
};

struct obs_sort_result {
	uint64_t events;
	uint64_t regions, empty_regions;
	uint64_t moved;     /* events that changed their position */
	uint64_t backwards; /* clocks below the previous one: in the input of
	                     * a check, in the output of a sort */
	int64_t back_at;    /* byte offset of the first such clock, or -1 */
	uint64_t from, to;  /* the two clocks there, ns */
	int64_t damage_at;  /* byte offset of the damage where the events
	                     * end, or -1 */
	int64_t size_bytes; /* size of the input */
	bool not_a_stream;  /* the call failed because `in` is not a stream */
};

/*
 * Copies the stream `in` to a file `out`, sorted; `out` appears only when
 * everything is written. A damaged stream is copied up to the damage, with a
 * finding. Returns false with err if `in` is not a stream, the look-back is
 * exceeded, or writing fails; an older `out` is then untouched.
 */
bool obs_sort_stream(const char *in, const char *out,
	const struct obs_sort_options *options, struct obs_sort_result *result,
	struct err *err);

/*
 * Sorts a stream in place, by renaming a finished copy over it, with the same
 * mode; a stream that is in order stays untouched. A damaged stream is refused,
 * because the copy would lack the rest of it.
 */
bool obs_sort_in_place(const char *path, const struct obs_sort_options *options,
	struct obs_sort_result *result, struct err *err);

/* Checks whether the stream is in order, and where it is not; writes
 * nothing. */
bool obs_sort_check(const char *path, struct findings *fs,
	struct obs_sort_result *result, struct err *err);

#endif
