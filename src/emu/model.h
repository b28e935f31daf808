/* SPDX-License-Identifier: MIT */
/*
 * model.h - what a model is: rows, and nothing else.
 *
 * A model says which events exist, which channel of the thread each changes
 * and what the values are called. Emulation, labels, the list of events, the
 * tests over all models: everything reads these rows. docs/dev/add-a-model.md
 * shows how to write one.
 *
 *	channels: what is known about a thread (and its CPU) at any time
 *	spans:    a pair of events, one pushes a value and one pops it
 *	sets:     an event that sets a value
 *	events:   all others: with arguments, handled by a function, or ignored
 *	labels:   names of values that no row above has
 *	panels:   views that lay several channels over one another
 */
#ifndef WEFT_EMU_MODEL_H
#define WEFT_EMU_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "export/sink.h"

struct emu;
struct event;
struct thread;

/* Bits of what a thread is. */
#define ACTIVE_RUNNING 1
#define ACTIVE_ACTIVE 2 /* Running, Cooling or Warming */

/* When a row shows its channel; else it shows nothing. The bit that is asked
 * for. */
enum track {
	TRACK_NONE = 0, /* always */
	TRACK_RUNNING = ACTIVE_RUNNING,
	TRACK_ACTIVE = ACTIVE_ACTIVE,
};

enum chan_kind {
	CHAN_SINGLE,
	CHAN_STACK,
};

/* What has the channel: one each, with its value. */
enum chan_owner {
	CHAN_OF_THREAD,
	CHAN_OF_CPU,     /* in the row of the CPU, always shown */
	CHAN_OF_PROCESS, /* in timelines of their own: one for each, */
	CHAN_OF_SYSTEM,  /* one for all */
};

/* Whether a value that was looked at again is written when it is the last
 * one written. The first is always written. */
enum emission {
	SKIPDUP,     /* no */
	SKIPDUPNULL, /* only if it is not nothing */
	EMITDUP,     /* yes */
};

/*
 * A channel that every thread has, if `of` says no other owner. A thread's is
 * shown in the thread's row as `thread` says, and in the row of the CPU whose
 * one Running thread it is. A CPU whose thread does not show the channel itself
 * shows an error (view.h).
 */
struct chan_def {
	const char *key;         /* "subsystem": for options and tests */
	const char *title;       /* "Nanos6 subsystem": for people */
	const char *none;        /* label of nothing, or NULL */
	enum meaning means;      /* of labels that say no other */
	enum meaning none_means; /* of nothing */
	int64_t number;          /* Paraver type */
	const char *unit;        /* of quantities, or NULL */
	enum chan_kind kind;
	enum type_kind shows; /* states, quantities, points or ids */
	enum chan_owner of;
	enum track thread; /* TRACK_NONE for other owners */
	bool layered;      /* as struct type has it */
	enum emission emission;
	bool dup;         /* the value that it has may be written again */
	bool plain;       /* the title stands alone, without "of the ..." */
	bool fresh;       /* what rows tell of the past began after the event
	                   * that its thread sent before */
	bool punctual;    /* of points alone: not for the old names */
	int64_t repeat;   /* this value may be pushed on itself; 0: none may */
	int64_t start;    /* value before the first event; 0: nothing */
	int64_t idle;     /* a CPU's value while no thread runs; 0: nothing */
	int64_t disabled; /* a thread's while it is not shown; 0: nothing */
	bool off;         /* disabled until an event enables it */
	bool cpu_active;  /* a CPU shows its one active thread, and not the
	                   * one that runs */
};

/*
 * An event may stand in several rows: it does what each of them says. Where
 * a row names an event, '|' stands between names of one meaning, '?' for any
 * letter.
 *
 * says: the sentence of the event that begins it, "begins ..." or "enters
 * ..."; the one that ends it says "ceases ..." or "leaves ...". */
struct span_def {
	const char *in, *out; /* event names */
	int chan;
	int64_t value;
	enum meaning means; /* MEANS_UNSAID: as the channel; so everywhere */
	const char *label;
	const char *says;
};

struct set_def {
	const char *event;
	int chan;
	int64_t value;
	enum meaning means;
	const char *label;
	const char *says;
};

struct label_def {
	int chan;
	int64_t value;
	enum meaning means;
	const char *label;
};

/*
 * What an event of `events` shows for a moment: the value for 1 ns, then again
 * what was there. Not for the old names, which do not know such rows.
 */
struct point_def {
	const char *event;
	int chan;
	int64_t value;
	enum meaning means;
	const char *label;
};

/* What a general row does with the value. */
enum row_action {
	ROW_PUSH,
	ROW_POP,
	ROW_SET,
	ROW_REPLACE, /* the top of a stack becomes the value */
	ROW_ADD,     /* to what a single channel holds; nothing counts as 0 */
	ROW_SUB,
	ROW_SHOW,  /* as set, and written even if it is the same */
	ROW_POINT, /* shown for 1 ns */
	ROW_ENABLE,
	ROW_DISABLE, /* what happens meanwhile shows when it is enabled */
	ROW_IGNORE,
};

/* Whose channel a general row changes. */
enum row_owner {
	OWNER_THREAD,  /* that sent the event */
	OWNER_RUNNING, /* the one that runs on the sender's CPU */
	OWNER_TID,     /* of the node, by an argument */
	OWNER_CPU,     /* the CPU of the thread that sent the event */
	OWNER_PROCESS, /* that of the sender */
	OWNER_SYSTEM,
};

/* How an argument tells since when a value holds. */
enum row_since {
	SINCE_NOW,  /* none does: from the event on */
	SINCE_TIME, /* it is a time, by the clock that stamps the event */
	SINCE_AGO,  /* it is a number of ns before the event */
};

/* A row in its general form, for models from a file (model_file.h). */
struct row_def {
	const char *signature;
	enum row_action action;
	enum row_owner owner;
	int chan;
	int arg;       /* that holds the value; -1: the constant below */
	int owner_arg; /* OWNER_TID: that holds the tid */
	enum row_since since;
	int since_arg;
	int until_arg; /* of a point with since: its end; 0: the event */
	int64_t value;
	enum meaning means;
	const char *label; /* of the constant, or NULL */
	const char *says;  /* NULL: what follows from the row */
};

/*
 * A view of several channels at once (struct panel in sink.h), one for each
 * class of rows that has them all. A name is the key of a channel of the model,
 * or MODEL.KEY of any row type; the name of the struct of counters stands for
 * all counters that the trace has.
 */
struct panel_def {
	const char *key, *title;
	const char *const *names; /* NULL ends */
};

typedef void event_fn(struct emu *emu, const struct event *ev);

/* Who sent an event of a stream that is no thread's, or NULL. */
typedef struct thread *sender_fn(struct emu *emu, const struct event *ev);

enum payload {
	PAYLOAD_ALL,   /* at least what the arguments need */
	PAYLOAD_EXACT, /* and not a byte more */
	PAYLOAD_FIRST, /* at least the first argument */
	PAYLOAD_ANY,   /* none is needed */
	/* As all; and the call changes what rows of CPUs show, or names rows,
	 * and nothing else: it is left out where nobody looks at them. */
	PAYLOAD_SHOWS,
};

/*
 * An event of its own. Its signature is the name, '+' if it must be a jumbo,
 * and the arguments: "6Yc+(u32 typeid, str label)". A '?' in the name stands
 * for any letter.
 *
 * `says` is the event in words, for people and as the original prints it:
 *	%name       the argument, a number in decimal
 *	%{name}     the same, where a letter follows
 *	%#llx{name} by printf's rules: flags, a width of two digits, and one of
 *	            d i u x X o, or s for a string; the size is the argument's
 *	%%          a per cent sign
 * A table test holds each against its signature (describe_check()).
 */
struct event_def {
	const char *signature;
	const char *says;
	event_fn *call; /* NULL: accepted, and changes nothing */
	enum payload payload;
};

/* What the emulator may infer where the event that says it is missing. */
enum infer {
	INFER_BEGIN,  /* a thread runs: (cpu, tid) */
	INFER_PAUSE,  /* ... is paused */
	INFER_RESUME, /* ... goes on */
	INFER_MOVE,   /* ... is on another CPU: (cpu, tid) */
	INFER_END,    /* ... ends */
	INFER_LEAVE,  /* ... leaves what would stay open behind its end */
	INFER_TYPE,   /* there is a task type: (id, label) */
	INFER_TASK,   /* there is a task: (id, type) */
};

/*
 * The event of `events` that says it, by its name; a repaired trace gets it
 * (mend.h), with these arguments first and zeros for any others. A model that
 * has tasks has the last two.
 */
struct infer_def {
	enum infer what;
	const char *event;
};

/* How the tasks of a model show in its channels (task.h). */
struct task_def {
	int id, type, rank, section; /* channels */
	int64_t body;     /* value pushed on section while a body runs */
	int64_t task_for; /* and while a thread helps with one; 0: none */
	bool may_pause;
	bool nests; /* a body may start over one that is Running */
};

/* The channels by which threads tell of their tasks, handled elsewhere. */
struct task_chans {
	int id, type;
};

/* A timeline of how many CPUs do what (breakdown.h): a CPU's idle state if it
 * is not `progressing`, the type of its task while subsystem is `body`, else
 * its subsystem. */
struct breakdown_def {
	int type, subsystem, idle; /* channels */
	int64_t body, progressing; /* values of subsystem and idle */
	int64_t unknown;           /* while there is no subsystem */
	int64_t number;            /* Paraver type */
	const char *title;
};

/* Events come from threads that have this bit. */
enum need {
	NEED_NOTHING = 0,
	NEED_RUNNING = ACTIVE_RUNNING,
	NEED_ACTIVE = ACTIVE_ACTIVE,
};

/* What a model does besides its rows. */
typedef void hook_fn(struct emu *emu);

struct model {
	char id;            /* first letter of its events */
	const char *prefix; /* of their names, left out in the rows; or NULL */
	const char *name, *version;
	const char *old_version; /* that the ovni tools know; NULL: the same */
	const char *brief;       /* what it instruments, in a line */
	enum need need;
	const struct chan_def *chans;
	int nchans;
	const struct span_def *spans;
	int nspans;
	const struct set_def *sets;
	int nsets;
	const struct event_def *events;
	int nevents;
	const struct infer_def *infers;
	int ninfers;
	const struct label_def *labels;
	int nlabels;
	const struct point_def *points;
	int npoints;
	const struct row_def *rows;
	int nrows;
	const struct panel_def *panels;
	int npanels;
	const char *counters_in; /* the struct of counters (counter.h), or NULL
	                          */
	int64_t counters_from;   /* numbers of those that have none */
	sender_fn *sender;       /* or NULL */
	const struct task_def *tasks;          /* NULL: it has none */
	const struct task_chans *told;         /* or these, or NULL */
	const struct breakdown_def *breakdown; /* NULL: it has none */
	/* Each may be NULL; one that several models have is called once. */
	hook_fn *start; /* all rows and types are told, no event was read */
	/* The events of emu->thread end here, though not all of them are
	 * there. Called of each, with the model's binding. */
	hook_fn *cut;
	hook_fn *end;  /* no more events come, or the run is to end */
	hook_fn *fini; /* frees what lives in no arena */
};

/* The rows of a model and their number, to end a struct model with. */
#define MODEL_ROWS(table) \
	.table = (table), .n##table = (int)(sizeof(table) / sizeof(table)[0])

/* Every model of this build, in the order of their letters; NULL ends. */
extern const struct model *const models[];

/* The model of that name, or NULL. */
const struct model *model_find(const char *name);

/*
 * Walks all labels of a model, of all channels: start with *pos = 0, stop at
 * false. A label without a meaning of its own has that of its channel.
 */
bool model_next_label(const struct model *m, int *pos, struct label_def *out);

/*
 * The label of a value of a channel, from spans, sets and labels, or NULL.
 */
const char *model_label(const struct model *m, int chan, int64_t value);

/* What the event that ends a span says, from what its beginning says. */
const char *model_span_end(const char *says, char *to, int room);

#endif
