/* SPDX-License-Identifier: MIT */
/*
 * model.h - a model: tables of rows that describe the events of a runtime.
 *
 * A model defines which events exist, which channel of the thread each changes
 * and what the values are called. Emulation, labels, the list of events and the
 * tests over all models read these rows. docs/dev/add-a-model.md shows how to
 * write a model.
 *
 *	channels: the states of a thread (and its CPU)
 *	spans:    pairs of events that push a value and pop it
 *	sets:     events that set a value
 *	events:   all others: with arguments, handled by a function, or ignored
 *	points:   values that an event shows for 1 ns
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

/* Bits of a thread's `active`. */
#define ACTIVE_RUNNING 1
#define ACTIVE_ACTIVE 2 /* Running, Cooling or Warming */
#define ACTIVE_ALIVE 4  /* neither Unknown nor Dead */

/* The state in which a thread must be so that its row shows the channel; in
 * other states the row shows nothing. */
enum track {
	TRACK_NONE = 0, /* always */
	TRACK_RUNNING = ACTIVE_RUNNING,
	TRACK_ACTIVE = ACTIVE_ACTIVE,
	TRACK_ALIVE = ACTIVE_ALIVE,
};

enum chan_kind {
	CHAN_SINGLE,
	CHAN_STACK,
};

/* The kinds of owners of a channel. */
enum chan_owner {
	CHAN_OF_THREAD,
	CHAN_OF_CPU,     /* shown in the CPU's row, always */
	CHAN_OF_PROCESS, /* shown in a timeline with a row per process */
	CHAN_OF_SYSTEM,  /* shown in a timeline with one row */
};

/* Whether a value is written although it equals the value of the row's last
 * record. The first value is always written. */
enum emission {
	SKIPDUP,     /* no */
	SKIPDUPNULL, /* unless it is VALUE_NONE */
	EMITDUP,     /* yes */
};

/*
 * A channel: a state that each owner has. A thread's channel is shown in the
 * thread's row according to `thread`, and in the row of the CPU on which it is
 * the only Running thread. If the only thread of a CPU does not show the
 * channel, the CPU's row shows an error (view.h).
 */
struct chan_def {
	const char *key;         /* "subsystem": for options and tests */
	const char *title;       /* "Nanos6 subsystem": for people */
	const char *none;        /* label of VALUE_NONE, or NULL */
	enum meaning means;      /* meaning of labels without their own */
	enum meaning none_means; /* meaning of `none` */
	int64_t number;          /* Paraver type */
	const char *unit;        /* unit of quantities, or NULL */
	enum chan_kind kind;
	enum type_kind shows; /* states, quantities, punctual values or ids */
	enum chan_owner of;
	enum track thread; /* TRACK_NONE for other owners */
	bool layered;      /* as in struct type */
	enum emission emission;
	bool dup;         /* the channel's current value may be set or pushed
	                   * again */
	bool plain;       /* the title is complete; else "of the RUNNING
	                   * thread" or such is appended */
	bool fresh;       /* a value that began in the past begins no earlier
	                   * than the thread's previous event */
	bool punctual;    /* the channel shows only punctual values (struct
	                   * punctual_def); the ovni tools have no such
	                   * channels, so in strict mode it has no type */
	int64_t repeat;   /* a value that may be pushed on itself; 0: none */
	int64_t start;    /* value before the first event; 0: no value */
	int64_t idle;     /* a CPU's value while no thread runs; 0: no value */
	int64_t disabled; /* a thread's value while its channel is not shown; 0:
	                   * no value */
	bool off;         /* disabled at the start, until an event enables it */
	bool cpu_active;  /* the CPU's row shows its only active thread
	                   * instead of its only running thread */
	bool before;      /* as in struct type */
	bool away;        /* while a thread's channel has a value, the thread
	                   * is out of the CPU (NEED_ON_CPU) */
};

/*
 * Events with two names: `in` pushes a value, `out` pops it. An event may be in
 * several rows; then all of them apply. In an event's name, '|' separates
 * alternative names, '?' stands for any letter.
 *
 * says: the sentence for `in`, which starts with "begins" or "enters"; the
 * sentence for `out` has "ceases" or "leaves" instead.
 */
struct span_def {
	const char *in, *out; /* event names */
	int chan;
	int64_t value;
	enum meaning means; /* MEANS_UNSAID: the meaning of the channel applies,
	                     * here and in the other tables */
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

/* A plainer sentence than `says` in the row of the event: the ovni tools fix
 * the words of `says`. */
struct plain_def {
	const char *event;
	const char *says;
};

struct label_def {
	int chan;
	int64_t value;
	enum meaning means;
	const char *label;
};

/*
 * A punctual value: an event of `events` shows it for 1 ns, and then the
 * channel's own value returns. Ignored when the ovni tools are imitated, which
 * have no such rows.
 */
struct punctual_def {
	const char *event;
	int chan;
	int64_t value;
	enum meaning means;
	const char *label;
};

/* What a general model row does with the value. */
enum row_action {
	ROW_PUSH,
	ROW_POP,
	ROW_SET,
	ROW_REPLACE, /* replaces the top of a stack */
	ROW_ADD,     /* adds to a single channel, in which nothing counts as
	              * 0 */
	ROW_SUB,
	ROW_SHOW,  /* sets, and writes a record even if the value is the same */
	ROW_POINT, /* shown for 1 ns */
	ROW_ENABLE,
	ROW_DISABLE, /* changes are shown when the channel is enabled again */
	ROW_IGNORE,
};

/* Whose channel a general model row changes. */
enum row_owner {
	OWNER_THREAD,  /* the thread that sent the event */
	OWNER_RUNNING, /* the thread that runs on the sender's CPU */
	OWNER_TID,     /* a thread of the node, by an argument */
	OWNER_CPU,     /* the CPU of the thread that sent the event */
	OWNER_PROCESS, /* the sender's process */
	OWNER_SYSTEM,
};

/* How an argument gives the time from which a value holds. */
enum row_since {
	SINCE_NOW,  /* no argument: from the event on */
	SINCE_TIME, /* a time, by the clock that stamps the events */
	SINCE_AGO,  /* a number of ns before the event */
};

/* A model row in its general form, as model files have it (model_file.h). */
struct model_row {
	const char *signature;
	enum row_action action;
	enum row_owner owner;
	int chan;
	int arg;       /* index of the argument with the value; -1: `value` */
	int owner_arg; /* OWNER_TID: index of the argument with the tid */
	enum row_since since;
	int since_arg;
	int until_arg; /* end of a ROW_POINT with `since`: index of its
	                * argument; 0: the event */
	int64_t value;
	enum meaning means;
	const char *label; /* label of `value`, or NULL */
	const char *says;  /* NULL: made up from the row */
};

/*
 * A view of several channels at once (struct panel in sink.h), one for each
 * class of rows that has them all. A name is the key of a channel of the model,
 * or MODEL.KEY of any row type; the name of the struct of counters stands for
 * all counters of the trace.
 */
struct panel_def {
	const char *key, *title;
	const char *const *names; /* NULL ends */
};

typedef void event_fn(struct emu *emu, const struct event *ev);

/* Returns the sender of an event in a stream that belongs to no thread, or
 * NULL. */
typedef struct thread *sender_fn(struct emu *emu, const struct event *ev);

enum payload {
	PAYLOAD_ALL,   /* at least the size of the arguments */
	PAYLOAD_EXACT, /* exactly the size of the arguments */
	PAYLOAD_FIRST, /* at least the size of the first argument */
	PAYLOAD_ANY,   /* any size */
	/* Like PAYLOAD_ALL. The call changes only values in rows of CPUs, or
	 * names of rows; it is skipped if nobody reads them. */
	PAYLOAD_SHOWS,
};

/*
 * An event that is not in the tables above. Its signature is the name, '+' if
 * it must be a jumbo, and the arguments: "6Yc+(u32 typeid, str label)". A '?'
 * in the name stands for any letter.
 *
 * `says` is the event in words, as ovnidump prints it where ovni has the event:
 *	%name       the argument, a number in decimal
 *	%{name}     the same, if a letter follows
 *	%#llx{name} as printf: flags, a width of at most two digits, and one of
 *	            d i u x X o, or s for a string; the size is the argument's
 *	%%          a per cent sign
 * A table test checks each sentence against its signature (describe_check()).
 */
struct event_def {
	const char *signature;
	const char *says;
	event_fn *call; /* NULL: the event is accepted and changes nothing */
	enum payload payload;
};

/* A change that the emulator may infer if the event of the change is
 * missing. */
enum infer {
	INFER_BEGIN,  /* a thread starts: (cpu, tid) */
	INFER_PAUSE,  /* ... is paused */
	INFER_RESUME, /* ... resumes */
	INFER_MOVE,   /* ... moves to another CPU: (cpu, tid) */
	INFER_END,    /* ... ends */
	INFER_LEAVE,  /* ... leaves a state that would stay open after its
	               * end */
	INFER_TYPE,   /* a task type is created: (id, label) */
	INFER_TASK,   /* a task is created: (id, type) */
	INFER_BODIES, /* a parallel task is created: (id, type) */
};

/*
 * The event of `events`, by its name, that makes a change which can be
 * inferred. A repaired trace gets that event (mend.h), with these arguments
 * first and zeros for any others. A model that has tasks needs INFER_TYPE and
 * INFER_TASK.
 */
struct infer_def {
	enum infer what;
	const char *event;
};

#define TASK_NO_CHAN (-1)

/* How the tasks of a model are shown in its channels (task.h). */
struct task_def {
	int id, type, section;  /* channels; TASK_NO_CHAN as section: none */
	int rank, app, body_id; /* channels of the process's rank and
	                         * application id, and of the body's id */
	int64_t body;           /* value pushed on section while a body runs */
	int64_t task_for; /* value pushed while a thread helps with a task-for;
	                   * 0: none */
	bool nests;       /* a body may start on top of a Running one */
	bool again;       /* a body that has ended may run again */
	bool bodies;      /* events name the body, and tasks may be parallel */
	bool stacks;      /* id and type are stacks: each task is pushed */
	bool no_zero;     /* no task has id 0; else such a task cannot run */
};

/* The channels in which threads show their tasks, if the model handles tasks by
 * itself. */
struct task_chans {
	int id, type;
};

#define BREAKDOWN_NO_IDLE (-1)

/* A timeline of how many CPUs do what (breakdown.h). The value of a CPU is its
 * idle state, if that is not `progressing`; else the type of its task, while
 * subsystem is `body`; else its subsystem. */
struct breakdown_def {
	int type, subsystem;       /* channels */
	int idle;                  /* or BREAKDOWN_NO_IDLE: the value is the
	                            * type, or else the subsystem */
	int64_t body, progressing; /* values of subsystem and idle */
	int64_t unknown;           /* value without a subsystem */
	int64_t number;            /* Paraver type */
	const char *title;
	const char *asks; /* the runtime, if each thread must say that it can
	                   * be part of a breakdown; or NULL */
};

/* The state in which a thread must be to send events of the model; bits that
 * may be combined. */
enum need {
	NEED_NOTHING = 0,
	NEED_RUNNING = ACTIVE_RUNNING,
	NEED_ACTIVE = ACTIVE_ACTIVE,
	NEED_ALIVE = ACTIVE_ALIVE,
	NEED_ON_CPU = 8, /* no channel with `away` has a value */
};

/* A function that a model calls at a certain time. */
typedef void hook_fn(struct emu *emu);

struct model {
	char id;            /* first letter of its events */
	const char *prefix; /* common prefix of the event names, which the
	                     * tables omit; NULL: none */
	const char *name, *version;
	const char *old_version; /* version that the imitated ovni tools know;
	                          * NULL: `version` */
	bool is_new;             /* the ovni tools do not have the model */
	const char *brief;       /* one line: what it instruments */
	unsigned need;           /* enum need */
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
	const struct punctual_def *points;
	int npoints;
	const struct plain_def *plains;
	int nplains;
	const struct model_row *rows;
	int nrows;
	const struct panel_def *panels;
	int npanels;
	int64_t hwc_from;        /* first Paraver type of the hardware counters
	                          * that threads declare (hwc.h); 0: none */
	const char *counters_in; /* name of the struct with counters
	                          * (counter.h), or NULL */
	int64_t counters_from;   /* first Paraver type of unknown counters */
	sender_fn *sender;       /* or NULL */
	const struct task_def *tasks;  /* NULL: no tasks */
	const struct task_chans *told; /* set instead of `tasks`; or NULL */
	const struct breakdown_def *breakdown; /* NULL: no breakdown */
	/* Each may be NULL. A function that several models share is called
	 * once. */
	hook_fn *start; /* called when all rows and types are declared,
	                 * before the first event */
	/* Called for a thread (emu->thread) whose last events are missing; for
	 * each model, with a binding of that model. */
	hook_fn *cut;
	hook_fn *end;  /* called after the last event, or when the emulation
	                * is to stop */
	hook_fn *fini; /* frees memory outside the arena */
};

/* Sets the table and its size, for use in a struct model. */
#define MODEL_ROWS(table) \
	.table = (table), .n##table = (int)(sizeof(table) / sizeof(table)[0])

/* Every model of this build, in the order of their letters; NULL ends. */
extern const struct model *const models[];

/* Returns the model of that name, or NULL. */
const struct model *model_find(const char *name);

/*
 * Walks all labels of a model, of all channels: start with *pos = 0, and stop
 * when the function returns false. A label without a meaning gets the meaning
 * of its channel.
 */
bool model_next_label(const struct model *m, int *pos, struct label_def *out);

/*
 * Returns the label of a channel's value, from spans, sets and labels, or NULL.
 */
const char *model_label(const struct model *m, int chan, int64_t value);

/* Writes the sentence for the event that ends a span, from the sentence for the
 * event that begins it. Returns the buffer `to`. */
const char *model_span_end(const char *says, char *to, int room);

/* Returns what an event does in plain words: the model's plainer sentence, or
 * `says`, with "ends ..." for "ceases ...". */
const char *model_plain(const struct model *m, const char *event,
	const char *says, char *to, int room);

#endif
