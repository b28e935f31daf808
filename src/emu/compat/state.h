/* SPDX-License-Identifier: MIT */
/*
 * state.h - the state of both converters: threads with stacks of sections and
 * of tasks, which thread runs on which CPU, and rows.
 */
#ifndef WEFT_EMU_COMPAT_STATE_H
#define WEFT_EMU_COMPAT_STATE_H

#include "base/map.h"
#include "base/pool.h"
#include "base/vec.h"
#include "emu/bind.h"
#include "emu/compat/kind.h"
#include "trace/source.h"

#define COMPAT_CLASS "trace" /* class of all rows, and name of the file */

/* What an event does besides changing sections and counts. */
enum compat_verb {
	VERB_NONE,
	VERB_CREATE,
	VERB_RESUME,
	VERB_SUSPEND,
	VERB_SHUTDOWN,
	VERB_EXTERNAL_CREATE,
	VERB_EXTERNAL_RESUME,
	VERB_EXTERNAL_SUSPEND,
	VERB_EXTERNAL_SHUTDOWN,
	VERB_LABEL,
	VERB_SOURCE,
	VERB_TASK_CREATE,
	VERB_TASK_FOR,
	VERB_START,
	VERB_BLOCK,
	VERB_UNBLOCK,
	VERB_END,
	VERB_CLIENT,
	VERB_ASSIGN,
	VERB_DEBUG_REGISTER,
	VERB_DEBUG_ENTER,
	VERB_DEBUG_TRANSITION,
	VERB_DEBUG_EXIT,
	VERB_KERNEL,
};

struct compat_task {
	uint32_t id;
	bool running;
};

struct compat_thread {
	int64_t tid, index; /* index: number in the order of creation */
	uint32_t row;       /* row of an external thread */
	bool busy, created, blocked;
	VEC(int64_t) sections;
	VEC(struct compat_task) tasks;
};

/* A rank. */
struct compat_rank {
	const struct trace_part *part;
	uint32_t process;  /* row of the rank; merge only */
	VEC(int64_t) cpus; /* sorted */
	uint32_t first_row, leader_row, nexternal;
	int64_t last_cpu, nthreads, nblocked;
	struct map threads;  /* tid -> struct compat_thread */
	struct map types;    /* task -> type */
	struct map many;     /* types whose tasks run on several threads */
	struct map assigned; /* task -> struct assigned */
	int64_t *count;      /* by channel of the model */
	bool begun;
};

struct compat_stream {
	struct compat_rank *rank;
	bool external;
	uint32_t row; /* row of its CPU */
	struct compat_thread *current;
};

/* An event class. */
struct compat_class {
	const struct binding *bound;
	const struct binding *call; /* binding of the verb */
	enum compat_verb verb;
	int first_counter, ncounters; /* indexes of fields */
};

struct compat {
	struct arena *arena;
	struct source *source;
	struct sink *sink;
	enum compat_kind kind;
	VEC(struct compat_rank *) ranks;
	struct compat_stream *streams;
	VEC(struct compat_class *) classes;
	struct map counters; /* counter number -> type + 1 */
	struct pool pool;    /* memory for struct assigned */
	struct kernel *kernel;
	uint32_t kernel_type; /* type of the first kernel channel */
	uint32_t nrows, ntypes;

	/* The current event. */
	const struct event *event;
	const struct compat_class *class;
	struct compat_stream *stream;
	struct compat_thread *thread; /* or NULL */
	uint32_t row;
	int64_t time;
};

/* Declares channels and labels of a model. Returns the type of channel 0; the
 * others follow it. */
uint32_t compat_declare(struct compat *c, const struct model *m);

/* Declares a row and returns its id. */
uint32_t compat_add_row(struct compat *c, uint32_t parent, const char *name);

/* Finds ranks and rows and declares them. Returns false with err. */
bool compat_open(struct compat *c, struct err *err);
void compat_close(struct compat *c);

/* Sets the current event, its thread and its row. Returns false if the sender
 * is unknown. */
bool compat_place(struct compat *c, const struct event *ev);

/* Returns the class of an event. */
const struct compat_class *compat_class(struct compat *c, uint32_t class);

/* Returns the thread of that tid; creates it if it is new. */
struct compat_thread *compat_thread(
	struct compat *c, struct compat_rank *rank, int64_t tid);

/* Writes a record of the current event's row; 0 is nothing. */
void compat_put(struct compat *c, int64_t time, uint32_t type, int64_t value);

/* Returns argument i of the verb's event. */
int64_t compat_arg(const struct compat *c, int i);

/* Converts a clock of the file to the time of the output. */
int64_t compat_time(const struct compat *c, int64_t clock);

/* Handle events of the kernel; Python only. */
void compat_kernel_open(struct compat *c);
void compat_kernel_event(struct compat *c);
void compat_kernel_close(struct compat *c);

#endif
