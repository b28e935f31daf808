/* SPDX-License-Identifier: MIT */
/*
 * trace.h - what is known about a trace before its first event: streams, event
 * classes, and the system that was traced (nodes, CPUs, processes, threads), as
 * the metadata declares it.
 *
 * A reader fills the tables with the trace_add functions, which compare each
 * statement with those of other files and turn contradictions into findings;
 * trace_check() checks the rules that need all tables. Tables keep the order of
 * declaration (streams: byte order of their paths); the emulator sorts. The
 * rules are those of the ovni trace format, version 3.
 */
#ifndef WEFT_TRACE_TRACE_H
#define WEFT_TRACE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "trace/align/clock_line.h"
#include "trace/event.h"
#include "trace/finding.h"

#define TRACE_NONE (-1)

/* Payload (u32) of OHp in a stream of the kernel's switches, if the thread
 * could go on: the kernel gave its CPU to another one. */
#define TRACE_PREEMPTED 1

/* A time that the trace does not have. */
#define TRACE_UNKNOWN INT64_MIN

/* In CTF traces of runtimes: the struct that names, as "tid", the thread of an
 * event that belongs to no CPU. */
#define TRACE_CTF_THREAD "unbounded"

struct ring_tail;

/* Events that were lost because the recorder had no room. */
struct trace_lost {
	int64_t from, to; /* clocks of the first and last lost event, ns */
	int64_t count;    /* > 0; 0: not known, only `packets` is */
	int64_t packet;   /* CTF: byte offset of the packet that reports the
	                   * loss */
	int64_t packets;  /* CTF: number of packets that are missing; else 0 */
	bool is_limited;  /* WEFT_MAX_MB was the only reason */
};

#define TRACE_WHEN_MAX 64

/* Writes the time of the loss: "between 0 ns and 5 ns", counted from `start`,
 * the clock of the trace's first event; or "before the first event". Returns
 * text. */
const char *trace_lost_when(const struct trace_lost *l, int64_t start,
	char text[static TRACE_WHEN_MAX]);

/* A value of the environment in CTF metadata: "tracer_name" is "lttng-ust". */
struct trace_env {
	const char *name;
	const char *text; /* NULL: a number */
	int64_t number;
};

/* Streams with common metadata: the user's or the kernel's events of a rank. */
struct trace_part {
	const char *name; /* its directory below the trace: "0/ctf/user" */
	const char *path;
	int node, process; /* indexes; process TRACE_NONE: several */
	/* An earlier part of the same recording, which a rotation or a snapshot
	 * continues here; or NULL. */
	const struct trace_part *same;
	const uint8_t *uuid; /* 16 bytes; NULL: none */
	VEC(struct trace_env) env;
};

struct stream {
	bool ended;       /* its last event was returned, and the next one
	                   * requested */
	const char *file; /* path as opened */
	const char *meta; /* path of its metadata; NULL: the same file */
	const char *name; /* path below the trace, without the file name */
	int thread;       /* index, or TRACE_NONE: the thread is not known */
	bool by_name;     /* its metadata cannot be read: the thread is known
	                   * only from the name of its directory */
	const struct ring_tail *ring; /* ring that holds the end of the stream;
	                               * NULL: none */
	int64_t about; /* time for its first event if the event's own clock is
	                * months from the clocks of the node's other streams;
	                * else 0 */
	VEC(struct trace_lost) lost;
	int64_t overwritten; /* bytes that a flight recorder has overwritten */
	bool cut;            /* a repair has inferred its end */
	bool by_weft;        /* written by our recorder */
	bool switches;       /* written by the kernel: switches of threads */
	/* For CTF only: */
	const struct trace_part *part; /* NULL: the trace has no parts */
	int64_t clock_offset;   /* ns, added to the clock of its events */
	const char *clock;      /* name of that clock; or NULL */
	const char *clock_uuid; /* LTTng: the id of the machine's boot; or
	                         * NULL */
	bool is_unread;   /* its file has no packet that can be read: what the
	                   * packets say is not known */
	int64_t kind;     /* the id of its stream class in the metadata */
	int64_t instance; /* its number in the headers of its packets, or
	                   * TRACE_NONE */
	int follows; /* 1 + index of the stream whose file this one continues,
	              * after a rotation; 0: none */
	int64_t cpu; /* "cpu_id" of its first packet, or TRACE_NONE */
	bool by_thread; /* events name their thread: the stream is not of a
	                 * CPU */
	bool no_clock;  /* events have no clock: their times are 0 */
	bool has_vtid;  /* stream of a CPU whose events name their thread, in
	                 * the context "vtid" that users add */
};

/* The clocks of a machine at one instant, ns. */
struct trace_snap {
	int64_t monotonic, realtime, raw;
	int64_t width; /* time that passed while the clocks were read */
};

/* The machine was suspended, and CLOCK_MONOTONIC stood still. */
struct trace_suspended {
	int64_t from, to; /* clocks before and after, ns */
	int64_t ns;       /* duration */
};

struct trace_cpu {
	int64_t index;    /* 0..n-1 in the node, as events name it */
	int64_t phyid;    /* the number the kernel gives it */
	const char *file; /* the file that declares it; the path of the trace if
	                   * it is inferred */
};

/* A set of CPUs with its processes; ovni says loom. */
struct trace_node {
	const char *name;       /* "host.17" */
	const char *host;       /* name up to the first dot */
	int64_t clock_offset;   /* ns, added to every clock of the node if its
	                         * line has at most one point */
	struct clock_line line; /* correction of the node's clock; empty: not
	                         * known */
	const char *clock_how;  /* how the line was found: "probe"...; NULL: the
	                         * node is the reference, or has no line */
	const char *boot;       /* id of the boot of the machine, or NULL */
	int64_t timens; /* offset of CLOCK_MONOTONIC in the time namespace */
	int64_t ahead;  /* ns by which the trace's times are ahead of the
	                 * node's CLOCK_MONOTONIC, apart from the correction;
	                 * CTF counts from 1970 */
	VEC(struct trace_cpu) cpus;
};

struct trace_process {
	int node;
	int64_t pid;                  /* != 0 */
	int64_t app_id;               /* > 0; 0: no thread has stated it yet */
	int64_t rank, nranks;         /* rank TRACE_NONE: no MPI */
	const char *file;             /* one of its streams, for messages */
	VEC(struct trace_snap) snaps; /* in order of time */
	VEC(struct trace_suspended) suspended;
};

/* Whether metadata says something. */
enum trace_said {
	TRACE_UNSAID,
	TRACE_SAID_NO,
	TRACE_SAID_YES,
};

struct trace_thread {
	int process;
	int64_t tid;
	int stream;
	bool finished;     /* its metadata says that the stream is complete */
	bool replaced;     /* the process went on as another program (exec) */
	const char *image; /* ... as this one; or NULL */
	bool confined;     /* its recording ends where it entered seccomp */
	enum trace_said can_breakdown; /* its metadata says that nosv tells
	                                * all that a breakdown needs */
};

#define TRACE_COUNTERS_MAX 100

/* The hardware counters whose values the events of a model carry; the order of
 * the names is the order of the values. */
struct trace_counters {
	const char *model;
	int thread;
	const char *file; /* file that declares them */
	const char *const *name;
	int n;
	const char *wrong; /* why the declaration is of no use, or NULL */
	bool inferred;     /* its last names are those of another thread */
};

/* A thread's events follow version X of model M. */
struct trace_require {
	int thread;
	const char *model, *version;
	const char *file; /* file that requires it; the path of the trace:
	                   * inferred */
};

struct trace_mark_label {
	int64_t value;
	const char *text;
};

/* States defined by the user: mark type 0..99. */
struct trace_mark {
	int64_t type;
	const char *title;
	bool stack;    /* values are pushed and popped; false: set */
	bool inferred; /* no file declares it */
	const char *file;
	VEC(struct trace_mark_label) labels;
	/* Of several traces (several.h) as one: the mark is that of the streams
	 * `stream` to stream_end - 1. stream_end 0: of all. */
	int stream, stream_end;
};

struct trace {
	struct arena *arena;       /* borrowed; everything below lives there */
	struct findings *findings; /* borrowed */
	const char *path;          /* as the user gave it */
	const char *format;        /* "ovni v3", "text" */
	const char *unit;          /* unit of event times: "ns" */
	bool rows_grow;            /* threads may appear while events are
	                            * read */
	bool by_line;              /* event.offset counts lines */
	bool by_monotonic; /* times follow from CLOCK_MONOTONIC of the nodes,
	                    * with clock_time() and `ahead` */
	const char *reference; /* the boot, or else host, whose clock the times
	                        * were corrected to; NULL: no correction */
	int64_t clock_error;   /* ns: as in struct sink_setup */
	int64_t since_1970;    /* ns between the times and CLOCK_REALTIME, for
	                        * readers that know no time of the first event;
	                        * TRACE_UNKNOWN: not known */
	bool by_cpu; /* streams belong to CPUs; events say which thread runs */
	bool whole_system; /* the kernel's switches name every thread, as
	                    * LTTng's do */
	VEC(struct stream) streams;
	VEC(const struct trace_part *) parts;
	VEC(struct event_class) classes;
	VEC(struct trace_node) nodes;
	VEC(struct trace_process) processes;
	VEC(struct trace_thread) threads;
	const char *lib; /* "1.14.0 commit x": version of the first stream's
	                  * library; or NULL */
	VEC(struct trace_require) requires;
	VEC(struct trace_mark) marks;
	VEC(struct trace_counters) counters;
	int64_t start;     /* time of the first event, ns; TRACE_UNKNOWN: not
	                    * known before that event is read */
	uint64_t nlost;    /* number of intervals of lost events of all streams
	                    * so far */
	uint64_t nsamples; /* perf: samples so far */
	uint64_t nended;   /* number of streams with `ended` set, plus 1 if
	                    * damaged */
	bool damaged;      /* damaged events were left out so far */
	/* Clocks at the first event (time 0), ns; TRACE_UNKNOWN: not known. */
	int64_t start_realtime;  /* ns since 1970 */
	int64_t start_monotonic; /* CLOCK_MONOTONIC of its machine */
	int ncpus;               /* CPUs of all nodes */
	struct map ids;          /* indexes of threads, CPUs and labels: see
	                          * trace.c */
};

/* Returns the value of that name in the environment, or NULL. */
const struct trace_env *trace_env(
	const struct trace_part *part, const char *name);

void trace_init(struct trace *t, struct arena *a, struct findings *fs);
void trace_fini(struct trace *t);

/* Returns the index of the node of that name; adds it if it is new. */
int trace_add_node(struct trace *t, const char *name);

/*
 * Adds a CPU of a node. Declaring it again with the same index is fine.
 * Violations of other rules become findings of the file, and the CPU is left
 * out.
 */
void trace_add_cpu(struct trace *t, int node, int64_t index, int64_t phyid,
	const char *file);

/* Returns the index of the process; adds it if it is new. file: a stream of it,
 * for messages. */
int trace_add_process(struct trace *t, int node, int64_t pid, const char *file);

/* Set a fact about the process that one thread states; the other threads must
 * agree. */
void trace_set_app(
	struct trace *t, int process, int64_t app_id, const char *file);
void trace_set_rank(struct trace *t, int process, int64_t rank, int64_t nranks,
	const char *file);

/*
 * Adds a thread of the process with its stream and returns its index. Returns
 * TRACE_NONE with a finding if the process already has that tid.
 */
int trace_add_thread(struct trace *t, int process, int64_t tid, int stream);

void trace_add_require(struct trace *t, int thread, const char *model,
	const char *version, const char *file);

/*
 * Adds a mark type, or checks that title and kind agree with an earlier
 * declaration. Returns NULL with a finding if they do not.
 */
struct trace_mark *trace_add_mark(struct trace *t, int64_t type,
	const char *title, bool stack, const char *file);
void trace_add_mark_label(struct trace *t, struct trace_mark *m, int64_t value,
	const char *text, const char *file);

/* Adds an interval of lost events, later than all earlier ones of the stream.
 * May be called while events are read, before the first event after the gap. */
void trace_add_lost(struct trace *t, int stream, struct trace_lost lost);

/* Marks the stream as ended; may be called twice. */
void trace_end_stream(struct trace *t, int stream);

/* Records that damaged events were left out before the next event; may be
 * called twice. */
void trace_note_damage(struct trace *t);

/* Returns true if the thread requires any model. */
bool trace_has_requires(const struct trace *t, int thread);

/*
 * Returns true if a killed writer left a node without CPUs, or a thread
 * without models or with the core model only: these, and the marks, must then
 * be inferred from the events. In all other traces the metadata is right, and
 * an event that contradicts it is damaged.
 */
bool trace_lacks_tables(const struct trace *t);

/*
 * Returns the CPUs 0..top of a node, and any further CPUs that it has: first
 * the declared CPUs, then the missing ones with unused kernel numbers; at least
 * one CPU. Sets *n to their number. The array is in the arena.
 */
struct trace_cpu *trace_fill_cpus(
	struct arena *a, const struct trace_node *node, int64_t top, int *n);

/* Returns the index of a thread's node; TRACE_NONE for TRACE_NONE. */
static inline int
trace_node_index(const struct trace *t, int thread)
{
	return thread == TRACE_NONE
		? TRACE_NONE
		: t->processes.at[t->threads.at[thread].process].node;
}

/* Returns the node of a thread; NULL for TRACE_NONE. */
const struct trace_node *trace_node_of(const struct trace *t, int thread);

/* Adds an event class and returns its index. The name is borrowed. */
uint32_t trace_add_class(struct trace *t, struct event_class class);

/*
 * Returns the index of the last field of that name, or -1. Searches the fields
 * of the event itself and those of its contexts, which come first.
 */
int trace_class_field(const struct event_class *class, const char *name);

/*
 * Checks the rules across files: CPU indexes are 0..n-1, every process has an
 * application id, ranks are complete within a node. Call it once, when
 * everything is declared. Adds findings only; the trace stays usable.
 */
void trace_check(struct trace *t);

#endif
