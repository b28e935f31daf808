/* SPDX-License-Identifier: MIT */
/*
 * query.h - answers questions about the records of an index.
 *
 * Times are in the unit of the trace; windows are [from, to). The value of a
 * series at t is that of its last record with time <= t, or VALUE_NONE before
 * its first record. Nothing exists outside of [0, end). An interval lasts from
 * a record to the next record of its series, even if both have the same value.
 * Of several records at one time only the last has a length; the others count
 * as changes. All answers are exact.
 *
 * Each function returns false if it cannot answer; q->state is then the reason,
 * and the query must not be used again. Results lie in the caller's arena.
 */
#ifndef WEFT_EXPORT_INDEX_QUERY_H
#define WEFT_EXPORT_INDEX_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "export/index/index.h"

enum index_state {
	INDEX_OK,
	INDEX_DAMAGED, /* this series is damaged; others may be fine */
	INDEX_GONE,    /* the file was truncated: close the index, answer 410 */
	INDEX_BUDGET,  /* the budget is used up */
	INDEX_STOPPED, /* a callback returned false */
};

struct sums;

/* A query, for one thread at a time. The caller sets ix and budget; the
 * functions set the other fields. */
struct index_query {
	const struct index *ix;
	int64_t budget; /* records that may still be walked */
	enum index_state state;
	uint64_t damaged_at; /* byte offset in the file, if INDEX_DAMAGED */
	/* Set for the last group: 0, or n if columns of the requested width
	 * would have cost too much. Then each column has the sums of the block
	 * of time that contains its start, from `from` to `to`: 2^n times the
	 * largest power of two that divides the width, which is at least the
	 * width. */
	int coarse;
	/* Intervals that one group may cost before coarse is used; 0: any
	 * number. */
	uint64_t group_budget;
	/* Memory that successive questions about columns share: then the
	 * columns of an answer stay until the next question. NULL: each takes
	 * its own. */
	struct sums *sums;
	uint64_t page; /* the page of the sums of groups that was read last */
};

/* Returns a sentence for users about q->state. */
const char *index_query_text(const struct index_query *q);

struct index_interval {
	int64_t from, to; /* not clipped: `to` is the time of the next record,
	                   * or the end */
	int64_t value;
	uint64_t number; /* number of its record in the series, from 0; before
	                  * the first record: UINT64_MAX */
};

/* Finds the interval at t, which is clamped to [0, end). Before the first
 * record this is an interval from 0 without a value. Of several records at t
 * the last one counts. */
bool index_at(struct index_query *q, uint32_t series, int64_t t,
	struct index_interval *out);

/* Finds the values of lanes 1.. of a row at t, bottom first, in
 * value[0..depth-1]. Stops at the first lane without a value. */
bool index_stack(struct index_query *q, uint32_t row, uint32_t type, int64_t t,
	int64_t value[INDEX_LANES], int *depth);

/* Which intervals index_step() looks for. */
struct index_sought {
	const int64_t *value; /* NULL: any */
	int64_t least, most;  /* length, both included; 0, INT64_MAX: any */
};

/*
 * Finds the first interval that begins after t, or with forward false the last
 * one that begins before t. sought NULL: any interval counts. out->number is
 * UINT64_MAX if there is none.
 */
bool index_step(struct index_query *q, uint32_t series, int64_t t, bool forward,
	const struct index_sought *sought, struct index_interval *out);

/* Calls fn for all intervals that overlap or lie in [from, to), in order, also
 * intervals without length. The time before the first record is an interval,
 * too, unless that record is at `from` or earlier. fn returns false to stop. */
bool index_intervals(struct index_query *q, uint32_t series, int64_t from,
	int64_t to, bool (*fn)(void *arg, const struct index_interval *iv),
	void *arg);

struct index_time {
	int64_t value;
	int64_t time;       /* 0: the value occurs, but without length */
	uint64_t intervals; /* number of intervals that begin in the window or
	                     * reach into it */
};

struct index_window {
	int64_t from, to;
	bool count; /* count intervals, too: this walks over all records */
};

struct index_times {
	struct index_time *at;
	int n;
};

/* Sums the time of each value in a window, sorted by value (VALUE_NONE first).
 * The times add up to the length of the window inside the trace. Only with
 * `count` are intervals counted and values without length listed. */
bool index_by_value(struct index_query *q, struct arena *a, uint32_t series,
	struct index_window window, struct index_times *out);

/* The intervals of a value in the whole trace. */
struct index_length {
	int64_t value;
	uint64_t count;
	int64_t min, max; /* the shortest and the longest one */
};

/* Finds the lengths of the intervals of each value in [0, end), as
 * index_intervals() would list them, without reading records. *n is 0 if the
 * index does not keep them: the series is short, or values share classes. */
bool index_lengths(struct index_query *q, struct arena *a, uint32_t series,
	const struct index_length **out, int *n);

/* n columns of equal width; the first begins at `from`. */
struct index_range {
	int64_t from, width;
	int n;
};

/* The share of a class in a column. */
struct index_share {
	int64_t time; /* for punctual values: how many there are */
	uint8_t class;
	uint8_t zero[7];
};

struct index_column {
	int64_t from, to; /* clipped to the trace; from >= to: outside */
	uint64_t changes; /* records with from <= time < to */
	int nshares;      /* classes with time > 0, VALUE_NONE too, sorted */
	const struct index_share *share;
};

/* Sums the time of each class in each column; (*out)[0..n-1]. For punctual
 * values: counts the values of each class that begin in the column. For
 * numbers: sets `changes` only. */
bool index_columns(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_column **out);

/* Does the same as index_columns(), summed over the rows of a group. Rows
 * without such a series count as VALUE_NONE. */
bool index_group_columns(struct index_query *q, struct arena *a, uint32_t group,
	uint32_t type, struct index_range range, struct index_column **out);

/* Sets *dear if index_group_columns() would answer such columns in blocks of
 * time: see index_query.coarse. Reads no records. */
bool index_group_is_dear(struct index_query *q, uint32_t group, uint32_t type,
	struct index_range range, bool *dear);

__extension__ typedef __int128 index_wide;

/* Summarises the numbers or ids that a row shows in a window. */
struct index_extent {
	bool some;        /* the window has a value other than VALUE_NONE */
	int64_t min, max; /* smallest and largest of all values, even those
	                   * without length */
	int64_t last;     /* value at the end of the window; or VALUE_NONE */
	int64_t longest;  /* length of the longest interval with a value,
	                   * clipped; or 0 */
	int64_t longest_value;
	uint64_t changes;
	/* For numbers: the sum of value x time, the time with a value, and
	 * their quotient, rounded half to even; VALUE_NONE if the time is 0. */
	index_wide sum;
	int64_t time;
	int64_t mean;
};

bool index_extents(struct index_query *q, struct arena *a, uint32_t series,
	struct index_range range, struct index_extent **out);

/* Selects the links of a question. */
struct index_links {
	int64_t from, to;    /* links that touch the window */
	const uint8_t *rows; /* by row: both ends must be in rows with a value
	                      * other than 0; NULL: all rows */
	int most;            /* how many of the longest links to return */
	/* Unless it is INDEX_LINK_BOTH: only this end must be in the rows, and
	 * it must be in the window. */
	enum { INDEX_LINK_BOTH, INDEX_LINK_FROM, INDEX_LINK_TO } end;
};

struct index_link_result {
	/* How many links begin in the window, end in it, and overlap it. */
	uint64_t starting, ending, touching;
	/* Sorted by length, longest first, then by from_time. */
	struct link *link;
	int n;
};

bool index_links(struct index_query *q, struct arena *a,
	const struct index_links *which, struct index_link_result *out);

#endif
