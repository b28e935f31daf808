/* SPDX-License-Identifier: MIT */
/*
 * source.h - one trace being read: its tables, then its events in time order.
 *
 *	struct source *s = sources_open(&arena, path, &options, &fs, &err);
 *	while ((st = source_next(s, &ev)) == SOURCE_EVENT)
 *		use(&s->trace, &ev);
 *	source_close(s);
 *
 * A reader sorts nothing away: what is wrong with the bytes becomes a finding
 * and costs the damaged region. Event classes may be added to the table while
 * events are read, always before the first event of that class is returned.
 */
#ifndef WEFT_TRACE_SOURCE_H
#define WEFT_TRACE_SOURCE_H

#include "base/err.h"
#include "trace/event.h"
#include "trace/trace.h"

struct arena;

struct source_options {
	/* Table of clock offsets between hosts; NULL: clock-offsets.txt of the
	 * trace, if it has one. */
	const char *clock_table;
	/* Events with equal clocks come in the order of the ovni tools, that
	 * of a binary heap, instead of stream order. */
	bool heap_order;
	/* All streams below the path are one trace, however deep they lie, and
	 * they may have no event, as the ovni tools have it. */
	bool merge_all;
	/* Times are the clocks of the streams: without offsets, and as they
	 * are where they go back. What streams say of threads and CPUs may
	 * be wrong. Needs heap_order or unmerged. */
	bool raw_clocks;
	/* Events of different streams may come in any order: faster, where it
	 * is possible. */
	bool unmerged;
	/* The folder of outputs, which may have a seek file (seek.h), or get
	 * one when the trace was read whole; NULL: none is read or written. */
	const char *seek;
};

enum source_status {
	SOURCE_EVENT, /* ev is set */
	SOURCE_END,   /* there is nothing more */
	SOURCE_WAIT,  /* live streams: silent up to ev->time, ask again */
};

/* What source_ops.salvage did; adds up. */
struct salvage {
	int streams;    /* whose ring was emptied */
	int running;    /* whose ring is in use */
	uint64_t bytes; /* moved */
};

struct source;

/* One trace format. */
struct source_ops {
	const char *name; /* "ovni" */
	const char *help; /* what it reads, in a line */
	/* True if the path looks like this format. Reads as little as it can.
	 */
	bool (*recognise)(const char *path);
	/* Fills the tables. NULL with err when no event could be read. */
	struct source *(*open)(struct arena *a, const char *path,
		const struct source_options *options, struct findings *fs,
		struct err *err);
	enum source_status (*next)(struct source *s, struct event *ev);
	/* Bytes read so far and in all, for a progress bar. */
	void (*progress)(
		const struct source *s, uint64_t *done, uint64_t *total);
	/*
	 * Leaves out what is known to be earlier than the time, in ns as
	 * events have it, before the first event was asked for. Some may
	 * still come. NULL: it cannot.
	 */
	void (*seek)(struct source *s, int64_t time);
	/* Bytes of the files of streams that were read, or of what helped with
	 * that. NULL: all. */
	uint64_t (*read_bytes)(const struct source *s);
	/*
	 * Makes the trace independent of the rings that a death left behind:
	 * what they hold goes to the files, and they are removed; those of
	 * who still runs are left alone. For the recorder's own folder: a
	 * reader never writes. False with err at the first thing that cannot
	 * be written; its ring stays. NULL: there are no rings.
	 */
	bool (*salvage)(
		struct source *s, struct salvage *result, struct err *err);
	void (*close)(struct source *s);
};

/* Readers embed this first. */
struct source {
	const struct source_ops *ops;
	struct trace trace;
};

static inline enum source_status
source_next(struct source *s, struct event *ev)
{
	return s->ops->next(s, ev);
}

static inline void
source_progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	s->ops->progress(s, done, total);
}

/* Some events before the time, in ns as events have it, need not be returned.
 * Call it before source_next(). */
static inline void
source_seek(struct source *s, int64_t time)
{
	if (s->ops->seek != NULL)
		s->ops->seek(s, time);
}

/* Bytes of streams that were read so far: what a window costs. */
uint64_t source_read_bytes(const struct source *s);

static inline void
source_close(struct source *s)
{
	s->ops->close(s);
}

/* Every format of this build; ends with NULL. */
extern const struct source_ops *const sources[];

/* False with err if there is nothing at the path, or it may not be read. */
bool sources_check_path(const char *path, struct err *err);

/*
 * Recognises the format of the trace at path and opens it. NULL with err: the
 * path is missing or unreadable, no format fits, or no event can be read.
 */
struct source *sources_open(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err);

#endif
