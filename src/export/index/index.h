/* SPDX-License-Identifier: MIT */
/*
 * index.h - opens a timeline.widx, and says what it is about.
 *
 * The index holds every record of a trace again, packed, with running sums, so
 * that a question about any window of time costs the same. This header has
 * what is known at once: rows, types, labels, panels, groups, findings. What is
 * asked of records is in query.h, a picture of them in tile.h.
 *
 *	struct index *ix = index_open(&arena, "t.weft/timeline.widx", &err);
 *	struct index_query q = { .ix = ix, .budget = 200000000 };
 *	uint32_t series = index_series(ix, row, type, 0);
 *	if (!index_at(&q, series, time, &interval)) ... index_query_text(&q)
 *	index_close(ix);
 *
 * A row and a type have the ids that they had in the sink. A series is a row
 * looked at through a type; of a stack type there is one more a depth ("lane"):
 * lane 0 has the top, lane d >= 1 the value at depth d.
 *
 * Of each type, values have classes of 0 to 255: what one colour shows. The
 * first 240 values that appear have one each; later ones, and all values of a
 * TYPE_ID, share 240 to 254 by a hash; nothing (VALUE_NONE) is 255.
 *
 * A struct index does not change: any number of threads may read it, each with
 * a struct index_query of its own. Nothing in the file is trusted: it may be
 * cut while it is open, or made by somebody else.
 */
#ifndef WEFT_EXPORT_INDEX_INDEX_H
#define WEFT_EXPORT_INDEX_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "export/palette.h"
#include "export/sink.h"

struct arena;
struct index;

#define INDEX_FILE "timeline.widx" /* beside the other outputs of a trace */

#define INDEX_NONE UINT32_MAX /* no series, no group */
#define INDEX_LANES 64        /* depths of a stack that have lanes */

enum {
	INDEX_HASHED = 240,     /* from here on values share a class */
	INDEX_CLASS_NONE = 255, /* of VALUE_NONE */
	INDEX_CLASSES = 256,
};

/* The class of a value that has none of its own, or of VALUE_NONE. */
uint8_t index_hash_class(int64_t value);

struct index_label {
	int64_t value;
	const char *text;
	enum meaning means;
	struct rgb dark, light; /* colours for a black and a white ground */
	int class;              /* of the value; -1: it never appears */
};

struct index_type {
	struct type type; /* as the sink was told; id is its place here */
	int nlabels;
	const struct index_label *label; /* by value, upwards */
	int nvalues;                     /* that have a class of their own */
	const int64_t *value;            /* by class: value[0..nvalues-1] */
	bool hashed; /* some values have classes from INDEX_HASHED on */
	int lanes;   /* deepest lane that has a series; 0: no stack */
	uint64_t nrecords;
	uint32_t nseries; /* of lane 0 */
};

struct index_row {
	struct row row; /* as the sink was told, with its last name */
	struct row_identity identity; /* row.identity points here, or is NULL */
	uint32_t order;               /* among the rows of its class */
};

/* Rows of one class that are looked at as one. */
struct index_group {
	enum index_group_kind {
		INDEX_GROUP_ALL,     /* of the class */
		INDEX_GROUP_NODE,    /* on one node */
		INDEX_GROUP_PROCESS, /* of one process */
		INDEX_GROUP_ROW,     /* below `row` */
		INDEX_GROUP_BAND,    /* 64 in a row of a large group */
	} kind;
	uint32_t parent; /* group, that comes before; or INDEX_NONE */
	uint32_t row;    /* of INDEX_GROUP_ROW; else ROW_NONE */
	const char *class;
	const char *name;
	uint32_t n; /* rows, upwards */
	const uint32_t *rows;
};

struct index_meta {
	const char *unit; /* "ns" or "ps" */
	const char *title;
	const char *version;    /* of Weft that wrote it */
	const char *identity;   /* JSON, see identity.h; "": unknown */
	int64_t end;            /* of the trace: columns stop here */
	int64_t start_realtime; /* as in struct sink_setup */
	int64_t start_monotonic;
	uint8_t generation[16]; /* random: another one for each file */
	uint64_t bytes;         /* of the file */
	uint64_t nrecords, nseries, nchunks, nlinks;
	uint64_t too_deep; /* entries below INDEX_LANES, that have no lane */
	uint32_t ntypes, nrows, ngroups, npanels, nfindings, ngaps, nkinds;
	const struct index_type *type;
	const struct index_row *row;
	const struct index_group *group;
	const struct panel *panel;
	const struct sink_finding *finding; /* by time; those of none first */
	const struct gap *gap;              /* by `from` */
	const struct link_kind *kind;
};

/*
 * Opens the file: checks its header and all that is not chunks of records,
 * which are checked when they are first read. What the arena gets belongs to
 * the index. NULL with err.
 */
struct index *index_open(struct arena *a, const char *path, struct err *err);

/* Ends all use of it: no query may run. NULL is fine. */
void index_close(struct index *ix);

/* What is in it; lives as long as the index. */
const struct index_meta *index_meta(const struct index *ix);

/* A series, or INDEX_NONE: there is no record of it. Any numbers will do. */
uint32_t index_series(
	const struct index *ix, uint32_t row, uint32_t type, uint32_t lane);

/* What a series is of; false: there is no such series. */
bool index_series_of(const struct index *ix, uint32_t series, uint32_t *row,
	uint32_t *type, uint32_t *lane);
uint64_t index_series_records(const struct index *ix, uint32_t series);

/* The label of a value, or NULL: then it has none (VALUE_NONE: type.none). */
const struct index_label *index_label(
	const struct index_type *type, int64_t value);

/* The class that a value of a type has; -1: it never appears. */
int index_class(const struct index_type *type, int64_t value);

/* False: the file was cut, and what is asked of it may be answered as if it had
 * fewer series. Any thread, any time. */
bool index_is_whole(const struct index *ix);

/* Gives pages of the file back to the kernel: they are read again as needed.
 * Any thread, any time. */
void index_forget_pages(const struct index *ix);

#endif
