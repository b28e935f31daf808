/* SPDX-License-Identifier: MIT */
/*
 * sink.h - the interface between producers of timelines and output formats.
 *
 * A producer (the emulator, a simulator's tasks, memory samples) calls a sink
 * with rows, types and labels, and then with records in time order. Paraver
 * files, CSV, statistics, a filter and a fan-out to several sinks all implement
 * the same calls, so a producer knows one pointer and no format:
 *
 *	sink_row(s, &(struct row){ .id = 0, .name = "TH 1.7", ... });
 *	sink_type(s, &(struct type){ .id = 0, .number = 37, ... });
 *	sink_label(s, 0, 19, "Worker: Looking for work", MEANS_SEARCH);
 *	sink_state(s, &(struct record){ .time = 10, .value = 19 });
 *	sink_advance(s, 20);
 *	ok = sink_close(s, &err);
 *
 * Time: all times of all calls are in the unit of the setup and not negative; 0
 * is the first event of the trace, or the start of the simulation. The last
 * sink_advance() before close sets the end of the timeline; each row keeps its
 * last value until then. A filter in front of the sink does not shift times, so
 * the first record may come late.
 *
 * Order: a row or type comes before its first record; labels, panels, new names
 * and findings come at any time before close. Times never go back, except
 * towards order.c, which a producer that writes in the past puts in front.
 *
 * Failure: a sink that fails keeps the cause, ignores later calls, and reports
 * it once from close; callers never check in between.
 *
 * Threads: there is one call at a time, but not always from the same thread.
 *
 * To add a format, implement struct sink_ops below (only open, state and close
 * are required) and list it in sinks.c. A sink copies all strings and structs
 * that it needs after the call.
 */
#ifndef WEFT_EXPORT_SINK_H
#define WEFT_EXPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/severity.h"
#include "export/meaning.h"

struct arena;
struct compress_options;
struct outfile;

/* The value of a row that holds nothing: before its first record, after a pop
 * of the last stack entry, while it is hidden. PRV writes 0. */
#define VALUE_NONE INT64_MIN

#define ROW_NONE UINT32_MAX /* no parent; a link from nowhere */

/*
 * The value of a row that is not known because events were lost. Its label has
 * MEANS_LOST; types of numbers have VALUE_NONE instead. The number is near the
 * largest one that Paraver's label files hold, so that it does not clash with
 * an id, rank or hash of a label.
 */
#define VALUE_LOST INT64_C(2147483645)

#define CLOCK_UNKNOWN (-1) /* a clock at time 0 that is not known */

struct sink_bytes {
	const void *at;
	size_t n;
};

/*
 * For an output that several processes write in pieces, each with the records
 * of some intervals of time. Each process opens the sink, gives it the same
 * rows and types, and closes it. A sink must not keep what an earlier record
 * said, and writes a record's line at once: not for PRV with `join`.
 */
struct sink_pieces {
	void *arg;
	/* Sets all flags that are set in any of the processes, which call it in
	 * the same order. */
	void (*any)(void *arg, bool *flags, size_t n);
	/* Called for each file of lines that is opened. The first line is a
	 * header, which is the same in all processes until the sink is closed;
	 * the others are those of the process (outfile_hold()). */
	void (*opened)(void *arg, struct outfile *file);
};

/* A node's clock is wrong by at most `error` ns from `time` on, until the next
 * one; -1: it is not known by how much. */
struct sink_clock_error {
	int64_t time, error;
};
struct sink_clock {
	const char *node;
	const struct sink_clock_error *at;
	int n;
};

/* The arguments of open. Borrowed: valid until the sink is closed. Members
 * marked PRV concern the prv sink alone. */
struct sink_setup {
	const char *unit;  /* unit of all times: "ns" or "ps" */
	bool rows_grow;    /* rows may appear after the first record. If false,
	                    * they are unlikely, but a sink must accept
	                    * them */
	bool join;         /* PRV: write all values of one time and row on
	                    * one line */
	const char *title; /* the path of the trace as the user gave it, or
	                    * NULL */
	/* Clocks at time 0: CLOCK_REALTIME (ns since 1970) and CLOCK_MONOTONIC
	 * (ns) of the machine, or CLOCK_UNKNOWN. */
	int64_t start_realtime, start_monotonic;
	/* The path to write, instead of a name of the sink's own in `dir`; "-"
	 * is standard output, for sinks with `streams`. NULL: a file in `dir`.
	 * Sinks that write several files derive their names from it. */
	const char *file;
	/* How the file is compressed; NULL: not. Sinks without `packs` ignore
	 * it. */
	const struct compress_options *compress;
	const char *const *options; /* "key=value" settings of the format;
	                             * NULL ends; or NULL */
	/* By how much, in ns, times of two nodes may be wrong to each other
	 * where their clocks were measured: the order of events that are closer
	 * is not known. 0: not known, or there is one node. */
	int64_t clock_error;
	/* The index: the clocks of all nodes; none if they were not measured.
	 */
	const struct sink_clock *clocks;
	int nclocks;
	/* JSON: the files of the trace, and the options that shape the records
	 * (export/index/identity.h). NULL: the caller gives none. */
	const char *identity;
	/* The index: sums of the whole trace (export/stat/kept.h), set before
	 * the sink is closed; no bytes: there are none. NULL: there are none.
	 */
	const struct sink_bytes *totals;
	/* What the sink does for an output that several processes write in
	 * pieces; NULL: the output is whole. */
	const struct sink_pieces *pieces;
	bool no_cfg;   /* PRV: write no views (cfg/) */
	bool original; /* PRV: write rows, labels and colours as the original
	                * tools do */
	bool ps_as_ns; /* PRV: write times in ps as if they were ns */
	bool whole_ns; /* CSV, SQLite: write times in ps as ns, rounded down */
	/* PRV: called at close for each .prv file that is complete; or NULL. */
	void (*made)(void *arg, const char *path);
	void *arg; /* argument of made() */
	/* Called at close for a file that the output may have, and lacks, so
	 * that one of an earlier output can be removed. NULL: the sink removes
	 * it. */
	void (*gone)(void *arg, const char *path);
	void *gone_arg;
};

/* The row identity: which thread or CPU of the machine the row stands for.
 * Numbers are -1 if they are not known or do not apply. */
struct row_identity {
	const char *node; /* host name, or NULL */
	int64_t pid, tid, cpu;
};

/*
 * A line of a timeline: a thread, a CPU, a component. Rows of one class make
 * one timeline (one .prv file, CLASS.prv) in the order of their ids. A class is
 * any string that is a valid file name; the classes in use are
 *
 *	thread, cpu       threads and CPUs of the traced program
 *	process, system   counters of a process, or of all nodes
 *	MODEL-breakdown   the sorted values of all CPUs; a row stands for no
 *                    particular CPU
 *	component         components of a simulator, and
 *	location          their parents, which have no records
 *	trace             all rows of the imitated ctf2prv
 */
struct row {
	uint32_t id;       /* 0, 1, 2... in the order of the calls */
	uint32_t parent;   /* id of an earlier row, or ROW_NONE */
	const char *class; /* see above */
	const char *name;  /* "TH 1.4242"; "": a row that is not shown, which
	                    * PRV writes as thread -1 and does not list */
	const struct row_identity *identity; /* or NULL */
};

/* The nature of a type's values. */
enum type_kind {
	TYPE_STATE,  /* labelled states, coloured by value */
	TYPE_NUMBER, /* quantities, coloured by size */
	TYPE_POINT,  /* punctual: a value lasts 1 ns, then the previous one
	              * returns */
	TYPE_ID,     /* numbers of things (thread, CPU, rank, task), which
	              * cannot be compared */
};

/* An aspect of the rows of a class that has a value at any time: "Nanos6
 * subsystem". */
struct type {
	uint32_t id;       /* 0, 1, 2... in the order of the calls */
	const char *class; /* class of the rows; see struct row */
	const char *key;   /* "nanos6.subsystem": for options and columns */
	const char *title; /* "Nanos6 subsystem of the ACTIVE thread"; NULL:
	                    * not named in label files */
	const char *none;  /* label of VALUE_NONE, or NULL */
	int64_t number;    /* Paraver's event type, of 32 bits */
	enum type_kind kind;
	bool stack;   /* its records carry stacks */
	bool sampled; /* records are samples: a stack lasts as long as its
	               * weight says, and times mean nothing else */
	bool layered; /* PRV: old views stack its values on those of
	               * other types (export/prv/layers.h) */
	bool before;  /* a record's value holds for the time before the
	               * record */
	/* Unit of quantities: "B", "Hz", "1"; NULL: not known. */
	const char *unit;
	enum meaning none_means; /* meaning of `none` */
	/* Of several traces, by number: the trace has the type. Rows of the
	 * others (sink_origin()) have no records of it. NULL: all have it.
	 * Valid until the sink is closed. */
	const bool *inputs;
};

/* The row has this value of this type from `time` until its next record of the
 * type, or the end. */
struct record {
	int64_t time;       /* >= 0, in the unit of the setup */
	uint32_t row, type; /* ids of the row and of the type */
	uint32_t depth;     /* entries on the stack; 0 for types without
	                     * stacks */
	int64_t value;      /* or VALUE_NONE */
	/* All entries of the stack, bottom first, borrowed for the call. NULL
	 * if the type has no stack, and while the row does not show it: when
	 * its thread is hidden (VALUE_NONE) or events were lost (VALUE_LOST);
	 * depth may be above 0 then. A push or pop that leaves the top value as
	 * it was may come without a record. */
	const int64_t *stack;
};

/* An arrow from one row to another. from_time <= to_time. */
struct link {
	int64_t from_time, to_time;
	uint32_t from_row, to_row;
	int64_t kind;  /* number of a link_kind; Paraver's tag */
	int64_t id;    /* id of the thing sent: a task, a message, a lock */
	int64_t bytes; /* bytes sent; 0: none, or not known */
};

/* What a kind of links means. The sender is the row `from_row`. */
enum link_meaning {
	LINK_OTHER,
	LINK_MESSAGE, /* data was sent to the receiver */
	LINK_WAKEUP,  /* the sender woke the receiver */
	LINK_UNLOCK,  /* the sender released a lock that the receiver waited
	               * for */
	LINK_CREATE,  /* the sender created the receiver, or its task */
	LINK_READY,   /* the sender made a task of the receiver ready */
	LINK_HOLD,    /* the sender has a lock that the receiver waits for
	               * until its end */
	LINK_MEANINGS
};

struct link_kind {
	int64_t kind;     /* as in struct link */
	const char *name; /* "scheduler: task served", for people */
	enum link_meaning meaning;
};

/*
 * Events of a row were lost between `from` and `to`. The producer also ends all
 * states of the row: types of states and ids have VALUE_LOST from `from` on,
 * numbers VALUE_NONE, until a later event sets a new value, at `to` or later.
 * So a sink may ignore gaps.
 */
struct gap {
	int64_t from, to; /* from <= to, in the unit of the setup */
	uint32_t row;
	uint64_t events; /* number of lost events; 0: not known */
	const char *why; /* "the buffer was full"; or NULL */
};

/* A message about the trace: an error, an oddity, or something inferred. */
struct sink_finding {
	enum severity severity;
	int64_t time;     /* time that the finding is about, or VALUE_NONE */
	uint32_t row;     /* or ROW_NONE */
	const char *text; /* one line, for people */
};

/* How often the format could not express something; reported after close. */
struct loss {
	const char *what; /* "links to rows of another class" */
	uint64_t count;
	bool is_declared; /* counts rows, types or labels, not records */
};

/*
 * A view of several types of a class, laid over one another: where several
 * types have a value, the largest value is shown. So types whose values have
 * higher numbers are on top, and every value keeps its label.
 */
struct panel {
	const char *class;     /* class of all the types */
	const char *key;       /* "nanos6.status": for files and options */
	const char *title;     /* for people */
	const uint32_t *types; /* ids of earlier types */
	int ntypes;
	bool apart; /* draw the types beside one another: quantities that
	             * cannot be compared */
};

struct sink;

/* One output format. Members may be NULL, except open, state and close. */
struct sink_ops {
	const char *name;    /* name for --format */
	const char *help;    /* one line for help: what the format writes */
	bool keeps_identity; /* the format reads sink_setup.identity */
	/* The format shows how often something was seen, so records of types
	 * that are `sampled` are welcome. */
	bool takes_samples;
	/* Extensions of its files with the dot, with blanks between them:
	 * ".prv"; NULL: files of the format are not told by their names. */
	const char *extensions;
	bool streams; /* can write to a pipe: sink_setup.file may be "-" */
	bool packs;   /* obeys sink_setup.compress */
	bool is_text; /* its files are text, which may go to a terminal */
	/* Lines "  key=value   help" of sink_setup.options, for the help; or
	 * NULL. */
	const char *options;
	/* Size in bytes from which on viewers of the format get slow; 0: they
	 * do not. */
	int64_t heavy;
	/* All that `loss` may tell, as struct loss has it; NULL ends. NULL: the
	 * format loses nothing. */
	const char *const *losses;
	/* Opens the output, in the directory `dir`. Returns NULL with err. */
	struct sink *(*open)(struct arena *a, const char *dir,
		const struct sink_setup *setup, struct err *err);
	void (*row)(struct sink *s, const struct row *row);
	void (*type)(struct sink *s, const struct type *type);
	void (*label)(struct sink *s, uint32_t type, int64_t value,
		const char *text, enum meaning meaning);
	void (*state)(struct sink *s, const struct record *r);
	void (*link)(struct sink *s, const struct link *l);
	/* No later call carries an earlier time. The last call tells the end of
	 * the timeline. */
	void (*advance)(struct sink *s, int64_t time);
	/* Calls fn for each kind of loss. The counts are final after close; may
	 * be called until the arena is freed. */
	void (*loss)(struct sink *s,
		void (*fn)(void *arg, const struct loss *loss), void *arg);
	/* Finishes the output and frees everything but the arena. Returns false
	 * with err if anything failed since open. */
	bool (*close)(struct sink *s, struct err *err);
	/* Declares a view of several types. */
	void (*panel)(struct sink *s, const struct panel *panel);
	/* Gives the row another name, for its whole timeline. */
	void (*rename)(struct sink *s, uint32_t row, const char *name);
	/* Tells which of several traces has the row, from 0. */
	void (*origin)(struct sink *s, uint32_t row, int input);
	/* Declares a kind of links, before its first link. */
	void (*link_kind)(struct sink *s, const struct link_kind *kind);
	/* Called in the order of `from`, before the records of that time. */
	void (*gap)(struct sink *s, const struct gap *gap);
	/* Called in any order of times. */
	void (*finding)(struct sink *s, const struct sink_finding *f);
};

/* The base of a sink, which is the first member of its struct. */
struct sink {
	const struct sink_ops *ops;
	/* Set by the open function of a sink that reads record.stack. Else
	 * record.stack may be NULL although the row has a stack: sinks that
	 * keep records for another thread, or for later, need not copy it
	 * then. */
	bool takes_stacks;
};

/* The calls of a producer. Strings and structs are borrowed for the call. */
static inline void
sink_row(struct sink *s, const struct row *row)
{
	if (s->ops->row != NULL)
		s->ops->row(s, row);
}

static inline void
sink_type(struct sink *s, const struct type *type)
{
	if (s->ops->type != NULL)
		s->ops->type(s, type);
}

static inline void
sink_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	if (s->ops->label != NULL)
		s->ops->label(s, type, value, text, meaning);
}

/* Every sink implements state. */
static inline void
sink_state(struct sink *s, const struct record *r)
{
	s->ops->state(s, r);
}

static inline void
sink_link(struct sink *s, const struct link *l)
{
	if (s->ops->link != NULL)
		s->ops->link(s, l);
}

static inline void
sink_advance(struct sink *s, int64_t time)
{
	if (s->ops->advance != NULL)
		s->ops->advance(s, time);
}

static inline void
sink_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	if (s->ops->loss != NULL)
		s->ops->loss(s, fn, arg);
}

static inline void
sink_panel(struct sink *s, const struct panel *panel)
{
	if (s->ops->panel != NULL)
		s->ops->panel(s, panel);
}

static inline void
sink_rename(struct sink *s, uint32_t row, const char *name)
{
	if (s->ops->rename != NULL)
		s->ops->rename(s, row, name);
}

static inline void
sink_origin(struct sink *s, uint32_t row, int input)
{
	if (s->ops->origin != NULL)
		s->ops->origin(s, row, input);
}

static inline void
sink_link_kind(struct sink *s, const struct link_kind *kind)
{
	if (s->ops->link_kind != NULL)
		s->ops->link_kind(s, kind);
}

static inline void
sink_gap(struct sink *s, const struct gap *gap)
{
	if (s->ops->gap != NULL)
		s->ops->gap(s, gap);
}

static inline void
sink_finding(struct sink *s, const struct sink_finding *f)
{
	if (s->ops->finding != NULL)
		s->ops->finding(s, f);
}

/* Calls fn for each of the counts that is not 0; counts[i] is that of
 * losses[i], which are the sink_ops.losses. For the implementations of loss. */
static inline void
sink_tell_losses(const char *const *losses, const uint64_t *counts,
	void (*fn)(void *arg, const struct loss *loss), void *arg)
{
	for (int i = 0; losses[i] != NULL; i++)
		if (counts[i] > 0)
			fn(arg,
				&(struct loss){ .what = losses[i],
					.count = counts[i] });
}

/* Finishes the output. Returns false with err, once, if anything failed since
 * open. */
static inline bool
sink_close(struct sink *s, struct err *err)
{
	return s->ops->close(s, err);
}

#endif
