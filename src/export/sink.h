/* SPDX-License-Identifier: MIT */
/*
 * sink.h - the second waist: what every timeline is made of.
 *
 * A producer (the emulator, a simulator's tasks, memory samples) tells a sink
 * about rows, types, labels, and then records in time order. Paraver, CSV,
 * statistics, a filter or a fan-out to several sinks all stand behind the same
 * calls, so a producer knows one pointer and no format:
 *
 *	sink_row(s, &(struct row){ .id = 0, .name = "TH 1.7", ... });
 *	sink_type(s, &(struct type){ .id = 0, .number = 37, ... });
 *	sink_label(s, 0, 19, "Worker: Looking for work", MEANS_SEARCH);
 *	sink_state(s, &(struct record){ .time = 10, .value = 19 });
 *	sink_advance(s, 20);
 *	ok = sink_close(s, &err);
 *
 * Rows and types may appear at any time before their first record, labels,
 * panels, names and findings at any time before close. Times never go back,
 * except towards order.c, which stands in front when a producer writes in the
 * past. A sink that fails
 * keeps the cause, ignores later calls, and reports it once from close: callers
 * never check in between. Calls come one at a time, not always from one thread.
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

/* The value of a channel that holds nothing. PRV writes it as 0. */
#define VALUE_NONE INT64_MIN

#define ROW_NONE UINT32_MAX /* no parent; a link from nowhere */

/* A value that is not known because events were lost. Its label has
 * MEANS_LOST; types of numbers have VALUE_NONE then. It is at the top of what
 * Paraver's label files hold, so that it meets no id, rank or hash of a label.
 */
#define VALUE_LOST INT64_C(2147483645)

#define CLOCK_UNKNOWN (-1) /* no time of day, no clock of the machine */

/* What a sink is told when it opens. Borrowed for the life of the sink. */
struct sink_setup {
	const char *unit;  /* of all times: "ns" or "ps" */
	bool rows_grow;    /* rows may appear after the first record */
	bool join;         /* PRV: values of one time and row on one line */
	const char *title; /* of the trace, for people */
	/* The clocks of the machine at time 0 of the trace, in ns since 1970
	 * and since the machine started; or CLOCK_UNKNOWN. */
	int64_t start_realtime, start_monotonic;
	/* The one file to write instead of the sink's own names in the folder;
	 * "-" is standard output. NULL: the sink's own. */
	const char *file;
	const char *const *options; /* "key=value" for the sink; NULL ends */
	/* How far the clock of a row may be from that of the first node at a
	 * time, in ns; CLOCK_UNKNOWN. NULL: there is one node. */
	int64_t (*clock_bar)(void *arg, uint32_t row, int64_t time);
	void *clock_arg;
	/* JSON: the files that the trace is read from, and what else shapes the
	 * records (export/index/identity.h). NULL: nobody asked. */
	const char *identity;
	bool no_cfg;   /* PRV: no files of views, cfg/ */
	bool original; /* PRV: places, labels and colours as the tools wrote
	                * them that had the format first */
	bool ps_as_ns; /* PRV: times in ps are written as if they were ns */
	/* PRV: called at close with each .prv that is whole; or NULL. */
	void (*made)(void *arg, const char *path);
	void *arg;
};

/* What a row stands for on the machine; -1: not known, or of no one. */
struct place {
	const char *node; /* its host, or NULL */
	int64_t pid, tid, cpu;
};

/*
 * A thing that has states: a thread, a CPU, a component, a lane. Rows of one
 * class make one timeline (one .prv file), in the order of their ids.
 */
struct row {
	uint32_t id;       /* 0, 1, 2... in the order of the calls */
	uint32_t parent;   /* a row that came before, or ROW_NONE */
	const char *class; /* "thread", "cpu", "nanos6-breakdown"... */
	const char *name;  /* "TH 1.4242"; "": of nothing there is, which PRV
	                    * writes as thread -1, and does not list */
	const struct place *place; /* or NULL */
};

enum type_kind {
	TYPE_STATE,  /* values are labelled states: colour by code */
	TYPE_NUMBER, /* values are quantities: colour by gradient */
	TYPE_POINT,  /* punctual: states of 1 ns */
	TYPE_ID,     /* values name things (thread, CPU, rank, task), and do
	              * not compare */
};

/* A question about the rows of a class: "which subsystem is it in?" */
struct type {
	uint32_t id;       /* 0, 1, 2... in the order of the calls */
	const char *class; /* rows that it is a question about */
	const char *key;   /* "nanos6.subsystem": for options and columns */
	const char *title; /* "Nanos6 subsystem of the ACTIVE thread"; NULL:
	                    * not named in label files */
	const char *none;  /* label of VALUE_NONE, or NULL */
	int64_t number;    /* Paraver's event type, up to 6400102 */
	enum type_kind kind;
	bool stack;       /* its records have stacks */
	bool layered;     /* PRV: old views stack its values on those of
	                   * others (export/prv/layers.h) */
	const char *unit; /* of quantities: "B", "Hz", "1"; NULL: not known */
	enum meaning none_means; /* of the label of VALUE_NONE */
};

/* From `time` on, this row has this value. */
struct record {
	int64_t time;       /* >= 0, in the unit of the setup */
	uint32_t row, type; /* ids */
	uint32_t depth;     /* stack channels: entries now; else 0 */
	int64_t value;      /* or VALUE_NONE */
	/* The whole stack, bottom first, borrowed for the call. NULL if there
	 * is none, and of a row that does not show it now: a hidden thread
	 * (VALUE_NONE), lost events (VALUE_LOST); depth may be above 0 then.
	 * A stack whose top is the same after a push or pop may be told by no
	 * record: those are of values. */
	const int64_t *stack;
};

/* Something went from one row to another. from_time <= to_time. */
struct link {
	int64_t from_time, to_time;
	uint32_t from_row, to_row;
	int64_t kind;  /* of link_kind; Paraver's tag */
	int64_t id;    /* of what went over */
	int64_t bytes; /* that went over; 0: none, or not known */
};

/* What links of a number mean. */
enum link_meaning {
	LINK_OTHER,
	LINK_MESSAGE, /* data went from one to the other */
	LINK_WAKEUP,  /* one made the other go on */
	LINK_UNLOCK,  /* one let go of a lock that the other waited for */
	LINK_CREATE,  /* one made the other, or its task */
	LINK_READY,   /* one made a task of the other ready */
};

struct link_kind {
	int64_t kind;     /* as links have it */
	const char *name; /* "scheduler: task served", for people */
	enum link_meaning meaning;
};

/*
 * Events of a row were lost: the first at `from`, the last at `to`. The
 * producer ends all states of the row there: types of states and ids have
 * VALUE_LOST from `from` on, numbers VALUE_NONE, until something is known
 * again, `to` at the earliest.
 */
struct gap {
	int64_t from, to; /* from <= to, in the unit of the setup */
	uint32_t row;
	uint64_t events; /* that were lost; 0: not known how many */
	const char *why; /* "the buffer was full"; or NULL */
};

/* Something wrong, odd or inferred about the trace. */
struct sink_finding {
	enum severity severity;
	int64_t time;     /* or VALUE_NONE: of no time */
	uint32_t row;     /* or ROW_NONE */
	const char *text; /* one line, for people */
};

/* What had no home in this format, counted: said at the end of a run. */
struct loss {
	const char *what; /* "links to rows of another class" */
	uint64_t count;
};

/*
 * A view that lays several types of a class over one another: where more than
 * one has a value, the largest is shown. So types whose values are numbered
 * higher lie on top, and every value keeps its label.
 */
struct panel {
	const char *class;     /* of all the types */
	const char *key;       /* "nanos6.status": for files and options */
	const char *title;     /* for people */
	const uint32_t *types; /* ids of types that came before */
	int ntypes;
	bool apart; /* beside one another: quantities that do not compare */
};

struct sink;

/* One output format. Members that are NULL are not called. */
struct sink_ops {
	const char *name; /* what --format takes */
	const char *help; /* one line: what it writes */
	/* A sink that writes into folder `dir`; NULL with err. */
	struct sink *(*open)(struct arena *a, const char *dir,
		const struct sink_setup *setup, struct err *err);
	void (*row)(struct sink *s, const struct row *row);
	void (*type)(struct sink *s, const struct type *type);
	void (*label)(struct sink *s, uint32_t type, int64_t value,
		const char *text, enum meaning meaning);
	void (*state)(struct sink *s, const struct record *r);
	void (*link)(struct sink *s, const struct link *l);
	/* Nothing earlier than this will follow; the last call is the end. */
	void (*advance)(struct sink *s, int64_t time);
	/* Calls fn for each kind of loss. The counts are final after close;
	 * allowed until the arena goes. */
	void (*loss)(struct sink *s,
		void (*fn)(void *arg, const struct loss *loss), void *arg);
	/* Finishes the output and frees what the sink owns. */
	bool (*close)(struct sink *s, struct err *err);
	/* A view of several types; any time before close. */
	void (*panel)(struct sink *s, const struct panel *panel);
	/* The row has another name from now on; the last one counts. */
	void (*rename)(struct sink *s, uint32_t row, const char *name);
	/* Before the first link of the kind. */
	void (*link_kind)(struct sink *s, const struct link_kind *kind);
	/* In the order of `from`, before the records of that time. */
	void (*gap)(struct sink *s, const struct gap *gap);
	/* In any order of times. */
	void (*finding)(struct sink *s, const struct sink_finding *f);
};

/* Back ends embed this first. */
struct sink {
	const struct sink_ops *ops;
	/* A sink that reads record.stack sets this when it opens. Else the
	 * stack may be NULL although there is one: who keeps records for
	 * another thread, or in order of time, saves the copy. */
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

/* Every sink has this one. */
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

/* False with err, once, if anything failed since open. */
static inline bool
sink_close(struct sink *s, struct err *err)
{
	return s->ops->close(s, err);
}

#endif
