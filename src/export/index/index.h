/* SPDX-License-Identifier: MIT */
/*
 * index.h - opens a timeline.widx and returns its metadata.
 *
 * The index is a packed copy of every record of a trace, with running sums, so
 * that a question costs the same for any window of time. This header has the
 * metadata: rows, types, labels, panels, groups, findings. Questions about
 * records are in query.h, pictures of records in tile.h.
 *
 *	struct index *ix = index_open(&arena, "t.weft/timeline.widx", &err);
 *	struct index_query q = { .ix = ix, .budget = 200000000 };
 *	uint32_t series = index_series(ix, row, type, 0);
 *	if (!index_at(&q, series, time, &interval)) ... index_query_text(&q)
 *	index_close(ix);
 *
 * Rows and types keep the ids that they had in the sink. A series holds the
 * records of one row and type. A stack type has further series, one for each
 * depth ("lane"): lane 0 has the top, lane d >= 1 the value at depth d.
 *
 * Each value of a type has a class from 0 to 255; the values of a class share a
 * colour. Each of the first 240 values that appear has its own class; later
 * values, and all values of a TYPE_ID, share the classes 240 to 254 by a hash;
 * VALUE_NONE has class 255.
 *
 * A struct index never changes: any number of threads may read it, each with a
 * struct index_query of its own. The file is not trusted: another process may
 * truncate it while it is open, or may have forged it.
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
	INDEX_HASHED = 240,     /* values share the classes from this one on */
	INDEX_CLASS_NONE = 255, /* class of VALUE_NONE */
	INDEX_CLASSES = 256,
};

/* Key of the type that the index adds; no other format has it: how exact the
 * clock of each node is. */
#define INDEX_CLOCK_ERROR "weft.clock_error"

/* Returns the class of VALUE_NONE, or of a value that shares its class with
 * other values. */
uint8_t index_hash_class(int64_t value);

struct index_label {
	int64_t value;
	const char *text;
	enum meaning means;
	struct rgb dark, light; /* colours for a black and a white ground */
	int class;              /* class of the value; -1: the value never
	                         * appears */
};

struct index_type {
	struct type type; /* as the sink received it; id is the index in this
	                   * array */
	int nlabels;
	const struct index_label *label; /* sorted by value */
	int nvalues; /* number of values that have a class of their own */
	const int64_t *value; /* by class: value[0..nvalues-1] */
	bool hashed; /* some values have classes from INDEX_HASHED on */
	int lanes; /* number of the deepest lane that has a series; 0: no stack
	            */
	uint64_t nrecords;
	uint32_t nseries; /* series of lane 0 */
};

struct index_row {
	struct row row; /* as the sink received it, with its last name */
	struct row_identity identity; /* row.identity points here, or is NULL */
	uint32_t order;               /* position among the rows of its class */
};

/* Rows of one class that are shown as one. */
struct index_group {
	enum index_group_kind {
		INDEX_GROUP_ALL,     /* all rows of the class */
		INDEX_GROUP_NODE,    /* rows on one node */
		INDEX_GROUP_PROCESS, /* rows of one process */
		INDEX_GROUP_ROW,     /* rows below `row` */
		INDEX_GROUP_BAND,    /* 64 successive rows of a large group */
	} kind;
	uint32_t parent; /* number of the group that contains this one; parents
	                  * have lower numbers; INDEX_NONE: none */
	uint32_t row;    /* parent of an INDEX_GROUP_ROW; else ROW_NONE */
	const char *class;
	const char *name;
	uint32_t n; /* number of rows, which ascend */
	const uint32_t *rows;
};

struct index_meta {
	const char *unit; /* "ns" or "ps" */
	const char *title;
	const char *version;    /* version of Weft that wrote the index */
	const char *identity;   /* JSON, see identity.h; "": unknown */
	int64_t end;            /* end of the trace: columns stop here */
	int64_t start_realtime; /* as in struct sink_setup */
	int64_t start_monotonic, clock_error;
	uint8_t generation[16]; /* random bytes, different in each file */
	uint64_t bytes;         /* bytes of the file */
	uint64_t nrecords, nseries, nchunks, nlinks;
	uint64_t too_deep; /* stack entries deeper than INDEX_LANES, which have
	                    * no lane */
	uint32_t ntypes, nrows, ngroups, npanels, nfindings, ngaps, nkinds;
	const struct index_type *type;
	const struct index_row *row;
	const struct index_group *group;
	const struct panel *panel;
	/* Sorted by time; first the findings without a time. */
	const struct sink_finding *finding;
	const struct gap *gap; /* sorted by `from` */
	const struct link_kind *kind;
};

/*
 * Opens the file and checks its header and its sections; chunks of records are
 * checked when they are first read. Memory comes from the arena and lives as
 * long as the index. Returns NULL with err.
 */
struct index *index_open(struct arena *a, const char *path, struct err *err);

/* Closes the index; no query may be running. NULL is allowed. */
void index_close(struct index *ix);

/* Returns the metadata, which lives as long as the index. */
const struct index_meta *index_meta(const struct index *ix);

/* Returns the series of a row, type and lane, or INDEX_NONE if it has no
 * record. The arguments may be any numbers. */
uint32_t index_series(
	const struct index *ix, uint32_t row, uint32_t type, uint32_t lane);

/* Finds the row, type and lane of a series. Returns false if the series does
 * not exist. */
bool index_series_of(const struct index *ix, uint32_t series, uint32_t *row,
	uint32_t *type, uint32_t *lane);
uint64_t index_series_records(const struct index *ix, uint32_t series);

/* Returns the label of a value, or NULL if it has none (the label of
 * VALUE_NONE is type.none). */
const struct index_label *index_label(
	const struct index_type *type, int64_t value);

/* Returns the class of a value; -1 if the value never appears. */
int index_class(const struct index_type *type, int64_t value);

/* Returns false if the file was cut: answers may then lack series. May be
 * called by any thread at any time. */
bool index_is_whole(const struct index *ix);

/* Copies the sums that the index keeps of its whole trace
 * (export/stat/kept.h). Returns no bytes if there are none, or the file was
 * cut. */
struct sink_bytes index_totals(const struct index *ix, struct arena *a);

/* Sets how many bytes of files this process may have mapped before it gives
 * pages of indexes back to the kernel; at first 192 MiB. They are counted now
 * and then: some tens of MiB more may be mapped for a short time. May be called
 * by any thread at any time. */
void index_limit_pages(size_t bytes);

/* Gives pages of the file back to the kernel, which reads them again when they
 * are needed. May be called by any thread at any time. */
void index_forget_pages(const struct index *ix);

#endif
