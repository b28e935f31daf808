/* SPDX-License-Identifier: MIT */
/*
 * trace.h - what is known about a trace before its first event: streams,
 * event classes, and the system that was traced (nodes, CPUs, processes,
 * threads), as the metadata declares it.
 *
 * A reader fills the tables with the trace_add functions, which hold each
 * statement against what other files said and turn contradictions into
 * findings; trace_check() does the rules that need the whole. Tables keep the
 * order of declaration (streams: byte order of their paths); the emulator
 * sorts. The rules are those of the ovni trace format, version 3.
 */
#ifndef WEFT_TRACE_TRACE_H
#define WEFT_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"
#include "trace/finding.h"

#define TRACE_NONE (-1)

/* A time that nothing in the trace says. */
#define TRACE_UNKNOWN INT64_MIN

/* Of CTF of runtimes: the struct in which events that are of no CPU say their
 * thread, as "tid". */
#define TRACE_CTF_THREAD "unbounded"

struct ring;

/* Events that the recorder had no room for. */
struct trace_lost {
	int64_t from, to; /* clocks of the first and last, ns */
	int64_t count;    /* > 0; 0: as many as `packets` held */
	int64_t packet;   /* of CTF: the one that says so, a byte */
	int64_t packets;  /* of CTF: whole ones that are missing; else 0 */
	bool is_limited;  /* WEFT_MAX_MB refused them, nothing else */
};

#define TRACE_WHEN_MAX 64

/* When that was, into text: "between 0 ns and 5 ns" of a trace whose first
 * event has the clock start, or "before the first event". Returns text. */
const char *trace_lost_when(const struct trace_lost *l, int64_t start,
	char text[static TRACE_WHEN_MAX]);

/* What the traced side says of itself: "tracer_name" is "lttng-ust". */
struct trace_env {
	const char *name;
	const char *text; /* NULL: a number */
	int64_t number;
};

/* Streams with one metadata: the user's or the kernel's events of a rank. */
struct trace_part {
	const char *name; /* its folder below the trace: "0/ctf/user" */
	const char *path;
	int node, process; /* indexes; process TRACE_NONE: of several */
	/* An earlier part that tells of the same: what a rotation or a
	 * snapshot wrote goes on there. NULL: there is none. */
	const struct trace_part *same;
	VEC(struct trace_env) env;
};

struct stream {
	bool ended;       /* its last event was returned, and another asked */
	const char *file; /* path as opened */
	const char *meta; /* path of its metadata; NULL: the same file */
	const char *name; /* path below the trace, without the file's name */
	int thread;       /* index, or TRACE_NONE: events of nobody known */
	bool by_name;     /* its metadata cannot be read: its folder's name
	                   * says which thread this is */
	const struct ring *ring; /* holds its end; NULL: the file does */
	int64_t about; /* time that its first event gets, as its own is months
	                * from those of its node's other streams; 0: its own */
	VEC(struct trace_lost) lost;
	int64_t overwritten; /* bytes that a flight recorder did not keep */
	bool cut;            /* its end is inferred, says who repaired it */
	bool by_weft;        /* its recorder was ours */
	bool switches;       /* seen from outside: the kernel's */
	/* Of CTF: */
	const struct trace_part *part; /* NULL: the trace has no parts */
	int64_t clock_offset; /* ns, added to the clock of its events */
	int64_t kind;         /* the id of its stream class in the metadata */
	int64_t cpu;          /* "cpu_id" of its first packet, or TRACE_NONE */
	bool by_thread; /* its events name their thread: it is of no CPU */
	bool no_clock;  /* its events have no time: it is 0 */
	bool has_vtid;  /* of a CPU: its events say which thread ran there, in
	                 * the context "vtid" that users add */
};

/* What the clocks of a machine were at one instant, ns. */
struct trace_snap {
	int64_t monotonic, realtime, raw;
	int64_t width; /* that passed while they were read */
};

/* The machine stood still, and CLOCK_MONOTONIC with it. */
struct trace_suspended {
	int64_t from, to; /* clocks before and after, ns */
	int64_t ns;       /* how long */
};

struct trace_cpu {
	int64_t index;    /* 0..n-1 in the node, as events name it */
	int64_t phyid;    /* the number the kernel gives it */
	const char *file; /* who said so; that of the trace itself: nobody */
};

/* A set of CPUs with its processes; ovni says loom. */
struct trace_node {
	const char *name;     /* "host.17" */
	const char *host;     /* name up to the first dot */
	int64_t clock_offset; /* ns, added to every clock of the node */
	const char *boot;     /* id of the machine's boot, or NULL */
	int64_t timens;       /* shift of its CLOCK_MONOTONIC, ns */
	VEC(struct trace_cpu) cpus;
};

struct trace_process {
	int node;
	int64_t pid;                  /* != 0 */
	int64_t app_id;               /* > 0; 0 while no thread said it */
	int64_t rank, nranks;         /* rank TRACE_NONE: no MPI */
	const char *file;             /* a stream of it, for messages */
	VEC(struct trace_snap) snaps; /* in order of time */
	VEC(struct trace_suspended) suspended;
};

struct trace_thread {
	int process;
	int64_t tid;
	int stream;
	bool finished; /* the writer ended it in an orderly way */
};

/* "this thread's events follow version X of model M" */
struct trace_require {
	int thread;
	const char *model, *version;
	const char *file; /* that of the trace itself: no thread said it */
};

struct trace_mark_label {
	int64_t value;
	const char *text;
};

/* A user's own states: mark type 0..99. */
struct trace_mark {
	int64_t type;
	const char *title;
	bool stack;    /* pushed and popped; else set */
	bool inferred; /* no file declares it: the first that could */
	const char *file;
	VEC(struct trace_mark_label) labels;
};

struct trace {
	struct arena *arena;       /* borrowed; everything below lives there */
	struct findings *findings; /* borrowed */
	const char *path;          /* as the user gave it */
	const char *format;        /* "ovni v3", "text" */
	const char *unit;          /* of event times: "ns" */
	bool rows_grow;            /* threads may appear during the run */
	bool by_line;              /* event.offset counts lines */
	bool by_cpu; /* streams are of CPUs; events tell who runs there */
	VEC(struct stream) streams;
	VEC(const struct trace_part *) parts;
	VEC(struct event_class) classes;
	VEC(struct trace_node) nodes;
	VEC(struct trace_process) processes;
	VEC(struct trace_thread) threads;
	const char *lib; /* "1.14.0 commit x": of the first stream; or NULL */
	VEC(struct trace_require) requires;
	VEC(struct trace_mark) marks;
	int64_t start;   /* time of the first event, ns; TRACE_UNKNOWN: it is
	                  * not known before it is read */
	uint64_t nlost;  /* intervals of lost events, of all streams so far */
	uint64_t nended; /* streams whose `ended` is set, and 1 if damaged */
	bool damaged;    /* events were left out so far */
	/* Of the first event, time 0, ns; TRACE_UNKNOWN: nothing says it. */
	int64_t start_realtime;  /* since 1970, by the wall clock then */
	int64_t start_monotonic; /* by its machine's CLOCK_MONOTONIC */
	int ncpus;               /* of all nodes */
	struct map ids;          /* of threads, CPUs and labels: see trace.c */
};

/* The value of that name in the environment, or NULL. */
const struct trace_env *trace_env(
	const struct trace_part *part, const char *name);

void trace_init(struct trace *t, struct arena *a, struct findings *fs);
void trace_fini(struct trace *t);

/* Index of the node of that name, added if it is new. */
int trace_add_node(struct trace *t, const char *name);

/*
 * A CPU of a node. Said again with the same index: fine. The other rules are
 * findings of the file, and the CPU is left out.
 */
void trace_add_cpu(struct trace *t, int node, int64_t index, int64_t phyid,
	const char *file);

/* Index of the process, added if it is new; file as in trace_process. */
int trace_add_process(struct trace *t, int node, int64_t pid, const char *file);

/* What one thread says of its process; it must agree with the others. */
void trace_set_app(
	struct trace *t, int process, int64_t app_id, const char *file);
void trace_set_rank(struct trace *t, int process, int64_t rank, int64_t nranks,
	const char *file);

/*
 * Index of a new thread of the process with the stream, or TRACE_NONE and a
 * finding when the process already has that tid.
 */
int trace_add_thread(struct trace *t, int process, int64_t tid, int stream);

void trace_add_require(struct trace *t, int thread, const char *model,
	const char *version, const char *file);

/*
 * A mark type, or what another thread says of one already known: title and
 * kind must agree. NULL with a finding when they do not.
 */
struct trace_mark *trace_add_mark(struct trace *t, int64_t type,
	const char *title, bool stack, const char *file);
void trace_add_mark_label(struct trace *t, struct trace_mark *m, int64_t value,
	const char *text, const char *file);

/* Adds an interval to those of the stream, which is later than they are. Also
 * while events are read, before the first event behind it. */
void trace_add_lost(struct trace *t, int stream, struct trace_lost lost);

/* Marks the stream as ended; fine to call twice. */
void trace_end_stream(struct trace *t, int stream);

/* Says that events were left out before the next one of the stream at hand, as
 * they are damaged; fine to call twice. */
void trace_note_damage(struct trace *t);

/* True if the thread says of any model that it requires it. */
bool trace_has_requires(const struct trace *t, int thread);

/*
 * True if a writer that was killed left no CPUs of its node, or no models of
 * its thread: then the events must tell which there are, and which marks. In
 * all other traces the metadata is right, and an event that contradicts it is
 * damaged.
 */
bool trace_lacks_tables(const struct trace *t);

/*
 * CPUs 0..top of a node, and those beyond that it has: the ones that are
 * declared first, then what is missing, with numbers of the kernel that are
 * free. A node has one CPU at least. *n receives how many there are; from the
 * arena.
 */
struct trace_cpu *trace_fill_cpus(
	struct arena *a, const struct trace_node *node, int64_t top, int *n);

/* Index of a new event class. The name is borrowed. */
uint32_t trace_add_class(struct trace *t, struct event_class class);

/*
 * Index of the last field of that name, or -1: of those of the event itself
 * and of its contexts, which come before.
 */
int trace_class_field(const struct event_class *class, const char *name);

/*
 * The rules across files: CPU indexes are 0..n-1, every process has an
 * application id, ranks are complete within a node. Call once, when all is
 * declared. Findings only; the trace stays usable.
 */
void trace_check(struct trace *t);

#endif
