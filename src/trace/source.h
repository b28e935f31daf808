/* SPDX-License-Identifier: MIT */
/*
 * source.h - an open trace: its tables, and its events in time order.
 *
 *	struct source *s = sources_open(&arena, path, &options, &fs, &err);
 *	while ((st = source_next(s, &ev)) == SOURCE_EVENT)
 *		use(&s->trace, &ev);
 *	source_close(s);
 *
 * Damaged bytes become a finding, and only the damaged region is skipped. Event
 * classes may be added to the table while events are read, always before the
 * first event of that class is returned.
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
	/* Returns events with equal clocks in the order of the ovni tools (the
	 * order of a binary heap) instead of stream order. */
	bool heap_order;
	/* Treats all streams below the path as one trace, at any depth, and
	 * accepts a trace without events, as the ovni tools do. */
	bool merge_all;
	/* Returns the clocks of the streams as times: without offsets, and
	 * unchanged where they go back. Metadata about threads and CPUs may be
	 * wrong. Needs heap_order or unmerged. */
	bool raw_clocks;
	/* Allows events of different streams to come in any order, which is
	 * faster in some formats. */
	bool unmerged;
	/* Reads a trace of CTF that was written from one of another format as
	 * CTF: with names and contexts of its own. */
	bool as_stored;
	/* Directory of outputs, whose seek file (seek.h) is used, and written
	 * when the trace was read completely; NULL: neither. */
	const char *seek;
	/* Formats that the caller would recognise itself, for the message that
	 * no format fits: "prv (what it is)"; or NULL. */
	const char *also;
};

enum source_status {
	SOURCE_EVENT, /* ev is set */
	SOURCE_END,   /* no more events */
	SOURCE_WAIT,  /* a live stream has no event yet: no later event is
	               * before ev->time; ask again */
};

/* What source_ops.salvage did; several calls add up. */
struct salvage {
	int streams;    /* streams whose ring was emptied */
	int running;    /* streams whose ring is in use */
	uint64_t bytes; /* bytes moved */
};

struct source;

/* A stream before its first event is requested. */
struct source_stream {
	bool any;             /* it has an event */
	int64_t time, offset; /* of its first event, as in struct event */
	uint64_t size;        /* bytes */
};

/* One trace format. */
struct source_ops {
	const char *name; /* "ovni" */
	const char *help; /* one line: what it reads */
	/* Extensions of its files with the dot, with blanks between them; NULL:
	 * a directory. */
	const char *extensions;
	/* Returns true if the path looks like this format. Reads as little as
	 * possible. */
	bool (*recognise)(const char *path);
	/* Fills the tables. Returns NULL with err if no event can be read. */
	struct source *(*open)(struct arena *a, const char *path,
		const struct source_options *options, struct findings *fs,
		struct err *err);
	enum source_status (*next)(struct source *s, struct event *ev);
	/* Stores the bytes read so far and the total, for a progress bar. */
	void (*progress)(
		const struct source *s, uint64_t *done, uint64_t *total);
	/*
	 * Skips events that are known to be earlier than `time` (ns, as in
	 * struct event). Called before the first event is requested. Earlier
	 * events may still come. NULL: not supported.
	 */
	void (*seek)(struct source *s, int64_t time);
	/*
	 * For parts of a trace, before the first event is requested: tells of
	 * each stream what is known; leaves out the events of all streams
	 * without keep[i], as if another reader had them. NULL: not supported.
	 */
	void (*streams)(const struct source *s, struct source_stream *to);
	void (*keep)(struct source *s, const bool *keep);
	/*
	 * Moves the contents of rings that killed processes left into the
	 * trace's files, and removes these rings; rings of processes that still
	 * run are left alone. For the recorder's own directory: a reader never
	 * writes. Returns false with err at the first write that fails; that
	 * ring stays. NULL: the format has no rings.
	 */
	bool (*salvage)(
		struct source *s, struct salvage *result, struct err *err);
	void (*close)(struct source *s);
};

/* The base of a source, which is the first member of its struct. */
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

/* Allows the source to skip events before `time` (ns, as in struct event). Call
 * it before source_next(). */
static inline void
source_seek(struct source *s, int64_t time)
{
	if (s->ops->seek != NULL)
		s->ops->seek(s, time);
}

static inline void
source_close(struct source *s)
{
	s->ops->close(s);
}

/* Every format of this build; ends with NULL. */
extern const struct source_ops *const sources[];

/* Returns false with err if the path does not exist or may not be read. */
bool sources_check_path(const char *path, struct err *err);

/*
 * Recognises the format of the trace at path and opens it. Returns NULL with
 * err: the path does not exist or cannot be read, no format fits, or no event
 * can be read.
 */
struct source *sources_open(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err);

#endif
