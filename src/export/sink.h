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
 *	sink_label(s, 0, 19, "Worker: Looking for work");
 *	sink_state(s, &(struct record){ .time = 10, .value = 19 });
 *	sink_advance(s, 20);
 *	ok = sink_close(s, &err);
 *
 * Rows and types may appear at any time before their first record, labels and
 * panels at any time before close. Times never go back, except towards order.c,
 * which stands in front when a producer writes in the past. A sink that fails
 * keeps the cause, ignores later calls, and reports it once from close: callers
 * never check in between. Calls come one at a time, not always from one thread.
 */
#ifndef WEFT_EXPORT_SINK_H
#define WEFT_EXPORT_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct arena;

/* The value of a channel that holds nothing. PRV writes it as 0. */
#define VALUE_NONE INT64_MIN

#define ROW_NONE UINT32_MAX /* no parent; a link from nowhere */

/* What a sink is told when it opens. Borrowed for the life of the sink. */
struct sink_setup {
	const char *unit;  /* of all times: "ns" or "ps" */
	bool rows_grow;    /* rows may appear after the first record */
	bool join;         /* PRV: values of one time and row on one line */
	const char *title; /* of the trace, for people */
	bool no_cfg;       /* PRV: no files of views, cfg/ */
	/* PRV: the levels NODE and CPU of .row; none: one node, "hostname", as
	 * the tools of ovni write. */
	const char *const *node, *const *cpu;
	int nnodes, ncpus;
	/* PRV: called at close with each .prv that is whole; or NULL. */
	void (*made)(void *arg, const char *path);
	void *arg;
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
};

enum type_kind {
	TYPE_STATE,  /* values are labelled states: colour by code */
	TYPE_NUMBER, /* values are quantities or ids: colour by gradient */
	TYPE_POINT,  /* punctual: states of 1 ns */
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
};

/* From `time` on, this row has this value. */
struct record {
	int64_t time;         /* >= 0, in the unit of the setup */
	uint32_t row, type;   /* ids */
	uint32_t depth;       /* stack channels: entries now; else 0 */
	int64_t value;        /* or VALUE_NONE */
	const int64_t *stack; /* the whole stack, bottom first, borrowed for
	                       * the call; NULL if there is none */
};

/* Something went from one row to another. from_time <= to_time. */
struct link {
	int64_t from_time, to_time;
	uint32_t from_row, to_row;
	int64_t kind; /* Paraver's tag */
	int64_t id;   /* size or id of what went over */
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
	const char *name; /* what --to takes */
	const char *help; /* one line: what it writes */
	/* A sink that writes into folder `dir`; NULL with err. */
	struct sink *(*open)(struct arena *a, const char *dir,
		const struct sink_setup *setup, struct err *err);
	void (*row)(struct sink *s, const struct row *row);
	void (*type)(struct sink *s, const struct type *type);
	void (*label)(
		struct sink *s, uint32_t type, int64_t value, const char *text);
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
};

/* Back ends embed this first. */
struct sink {
	const struct sink_ops *ops;
	bool takes_stacks; /* false: record.stack may be NULL although there is
	                    * one, which saves who keeps records a copy */
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
sink_label(struct sink *s, uint32_t type, int64_t value, const char *text)
{
	if (s->ops->label != NULL)
		s->ops->label(s, type, value, text);
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

/* False with err, once, if anything failed since open. */
static inline bool
sink_close(struct sink *s, struct err *err)
{
	return s->ops->close(s, err);
}

#endif
