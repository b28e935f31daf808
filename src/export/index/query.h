/* SPDX-License-Identifier: MIT */
/*
 * query.h - what an index is asked about records.
 *
 * All times are in the unit of the trace, windows are [from, to). The value of
 * a series at t is that of its last record with time <= t, VALUE_NONE before
 * the first one, and outside of [0, end) there is nothing. An interval lasts
 * from a record to the next one of its series, also if that repeats the value.
 * Of several records at one time all but the last have no length: they count
 * as changes. All answers are exact.
 *
 * Each function is false if it could not answer; q->state says why, and the
 * query is of no more use. What is given back lies in the arena of the caller.
 */
#ifndef WEFT_EXPORT_INDEX_QUERY_H
#define WEFT_EXPORT_INDEX_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "export/index/index.h"

enum index_state {
	INDEX_OK,
	INDEX_DAMAGED, /* bytes of this series are wrong; others may be good */
	INDEX_GONE,    /* the file was cut: close the index, answer 410 */
	INDEX_BUDGET,  /* more records to walk than the budget has */
	INDEX_STOPPED, /* a callback returned false */
};

/* One at a time a thread. {.ix, .budget} begins; the rest is set here. */
struct index_query {
	const struct index *ix;
	int64_t budget; /* records that may still be walked */
	enum index_state state;
	uint64_t damaged_at; /* byte of the file, if INDEX_DAMAGED */
	/* Of the last group: 0, or the columns were too dear, and each has the
	 * sums of the time around it, 2^coarse as long as the largest power of
	 * two that divides the width; `from` and `to` say which. */
	int coarse;
	/* Intervals that one group may cost before that; 0: 8 million. */
	uint64_t group_budget;
};

/* A sentence for people about q->state. */
const char *index_query_text(const struct index_query *q);

struct index_interval {
	int64_t from, to; /* whole: to is the next record's time, or the end */
	int64_t value;
	uint64_t number; /* of its record in the series, from 0; before the
	                  * first record: UINT64_MAX */
};

/* The interval at t, clamped to [0, end). Before the first record: from 0, no
 * value. Of several records at t the last. */
bool index_at(struct index_query *q, uint32_t series, int64_t t,
	struct index_interval *out);

/* What lanes 1.. of a row show at t, bottom first; value[0..depth-1]. Ends at
 * the first lane that shows nothing. */
bool index_stack(struct index_query *q, uint32_t row, uint32_t type, int64_t t,
	int64_t value[INDEX_LANES], int *depth);

/*
 * The first interval that begins after t, or the last that begins before t
 * (forward: false). Only of that value, if it is not NULL. out->number is
 * UINT64_MAX if there is none.
 */
bool index_step(struct index_query *q, uint32_t series, int64_t t, bool forward,
	const int64_t *value, struct index_interval *out);

/* Calls fn for all intervals that overlap or lie in [from, to), in order, also
 * those without length; what is before the first record too, if that is not at
 * `from` or earlier. fn: false ends it. */
bool index_intervals(struct index_query *q, uint32_t series, int64_t from,
	int64_t to, bool (*fn)(void *arg, const struct index_interval *iv),
	void *arg);

/* Number of records with from <= time < to. */
bool index_changes(struct index_query *q, uint32_t series, int64_t from,
	int64_t to, uint64_t *out);

struct index_time {
	int64_t value;
	int64_t time;       /* 0: it is there, but without length */
	uint64_t intervals; /* that begin in the window, or reach into it */
};

struct index_window {
	int64_t from, to;
	bool count; /* intervals too, which costs a walk over all records */
};

struct index_times {
	struct index_time *at;
	int n;
};

/* Time of each value in a window, by value upwards (VALUE_NONE first). The
 * times add up to the window's length inside the trace. Values without length
 * are there only if intervals are counted, else these are 0. */
bool index_by_value(struct index_query *q, struct arena *a, uint32_t series,
	struct index_window window, struct index_times *out);

/* n columns of one width, the first of which begins at `from`. */
struct index_range {
	int64_t from, width;
	int n;
};

/* What a series shows in a column. */
struct index_share {
	int64_t time; /* of points: their number */
	uint8_t class;
};

struct index_column {
	int64_t from, to; /* clipped to the trace; from >= to: outside */
	uint64_t changes; /* records with from <= time < to */
	int nshares;      /* with time > 0, by class, with that of nothing */
	const struct index_share *share;
};

/* Time of each class in each column; (*out)[0..n-1]. Of points: how many of
 * each class begin there, and none of nothing. Of numbers: changes only. */
bool index_columns(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_column **out);

/* The same of all rows of a group that have such a series, summed; rows without
 * one count as nothing. */
bool index_group_columns(struct index_query *q, struct arena *a, uint32_t group,
	uint32_t type, struct index_range range, struct index_column **out);

__extension__ typedef __int128 index_wide;

/* Values as quantities, in a window: of numbers, and of ids. */
struct index_extent {
	bool some;        /* a value other than nothing is there */
	int64_t min, max; /* of all that are there, also without length */
	int64_t last;     /* at the end of the window; or VALUE_NONE */
	int64_t longest;  /* length of the longest single interval with a value,
	                   * clipped; the first of several; or 0 */
	int64_t longest_value;
	uint64_t changes;
	/* Of numbers: sum of value x time, the time with a value, and their
	 * quotient, rounded half to even; VALUE_NONE if the time is 0. */
	index_wide sum;
	int64_t time;
	int64_t mean;
};

bool index_extents(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_extent **out);

struct index_point_window {
	uint64_t n;          /* points in it */
	int64_t first, last; /* times, if n > 0 */
};

bool index_points(struct index_query *q, uint32_t series, int64_t from,
	int64_t to, struct index_point_window *out);

/* Which links a question is about. */
struct index_links {
	int64_t from, to;    /* those that touch the window */
	const uint8_t *rows; /* by row, not 0: both ends are to be of these;
	                      * NULL: all are */
	int most;            /* so many of the longest are given back */
};

struct index_link_result {
	uint64_t starting, ending, touching; /* in the window, in all */
	struct link *link; /* longest first; equal ones by from_time */
	int n;
};

bool index_links(struct index_query *q, struct arena *a,
	const struct index_links *which, struct index_link_result *out);

#endif
