/* SPDX-License-Identifier: MIT */
/*
 * world.h - a small trace to emulate: events that a test queues, and a sink
 * that keeps what comes out.
 *
 *	world_open(&w, 2);                        two threads, TH 1.1 and 1.2
 *	world_event(&w, 0, 0, "OHx", "iil", 0, 0, 0);
 *	world_event(&w, 10, 0, "6W[", "");
 *	world_run(&w);
 *	CHECK_STR(world_history(&w, "TH 1.1", "nanos6.subsystem"), "0:- 10:19");
 *	world_close(&w);
 *
 * One node with CPUs 0 and 1, one process (pid 100, application 1, rank 4).
 */
#ifndef WEFT_TEST_WORLD_H
#define WEFT_TEST_WORLD_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "emu/emu.h"
#include "export/sink.h"
#include "trace/source.h"

struct world_record {
	struct record r;
	const char *stack; /* "1,2": bottom first; "" if there is none */
};

struct world_label {
	uint32_t type;
	int64_t value;
	const char *text;
};

/* A sink that keeps everything. */
struct world_sink {
	struct sink sink; /* first */
	struct arena *arena;
	VEC(struct row) rows;
	VEC(struct type) types;
	VEC(struct world_label) labels;
	VEC(struct world_record) records;
	int64_t end; /* time of the last advance */
};

/* A source that yields the queued events. */
struct world_source {
	struct source source; /* first */
	VEC(struct event) queue;
	int at;
};

struct world {
	struct arena arena;
	struct findings findings;
	struct world_source from;
	struct world_sink to;
	struct emu *emu;
	char text[4096];
};

static inline void
world_row(struct sink *s, const struct row *row)
{
	struct world_sink *to = (struct world_sink *)s;

	VEC_PUSH(&to->rows, to->arena, *row);
}

static inline void
world_type(struct sink *s, const struct type *type)
{
	struct world_sink *to = (struct world_sink *)s;

	VEC_PUSH(&to->types, to->arena, *type);
}

static inline void
world_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct world_sink *to = (struct world_sink *)s;

	(void)meaning;
	VEC_PUSH(&to->labels, to->arena,
		((struct world_label){
			type, value, arena_strdup(to->arena, text) }));
}

static inline void
world_state(struct sink *s, const struct record *r)
{
	struct world_sink *to = (struct world_sink *)s;
	const char *stack = "";

	for (uint32_t i = 0; r->stack != NULL && i < r->depth; i++)
		stack = arena_printf(to->arena, "%s%s%" PRId64, stack,
			i == 0 ? "" : ",", r->stack[i]);
	VEC_PUSH(&to->records, to->arena, ((struct world_record){ *r, stack }));
}

static inline void
world_advance(struct sink *s, int64_t time)
{
	((struct world_sink *)s)->end = time;
}

static inline void
world_progress(const struct source *s, uint64_t *done, uint64_t *total)
{
	(void)s;
	*done = *total = 0;
}

static inline enum source_status
world_next(struct source *s, struct event *ev)
{
	struct world_source *from = (struct world_source *)s;

	if (from->at == from->queue.n)
		return SOURCE_END;
	*ev = from->queue.at[from->at++];
	return SOURCE_EVENT;
}

/* Adds a thread with its own stream. */
static inline void
world_thread(struct world *w, int process, int64_t tid)
{
	struct trace *t = &w->from.source.trace;
	int stream = t->streams.n;

	VEC_PUSH(&t->streams, &w->arena,
		((struct stream){
			.file = arena_printf(&w->arena, "stream%d", stream),
			.thread = TRACE_NONE }));
	t->streams.at[stream].thread =
		trace_add_thread(t, process, tid, stream);
	t->threads.at[t->threads.n - 1].finished = true;
	trace_add_require(t, t->streams.at[stream].thread, "nanos6", "1.0.0",
		t->streams.at[stream].file);
}

/* Makes the default trace with this many threads, tids from 1 on. */
static inline void
world_open(struct world *w, int nthreads)
{
	static const struct source_ops source_ops = {
		.name = "test", .next = world_next, .progress = world_progress
	};
	static const struct sink_ops sink_ops = { .name = "test",
		.row = world_row,
		.type = world_type,
		.label = world_label,
		.state = world_state,
		.advance = world_advance };
	struct trace *t = &w->from.source.trace;
	int node, process;

	*w = (struct world){ .from.source.ops = &source_ops,
		.to.sink.ops = &sink_ops,
		.to.arena = &w->arena };
	findings_init(&w->findings, &w->arena, 100);
	trace_init(t, &w->arena, &w->findings);
	node = trace_add_node(t, "node");
	trace_add_cpu(t, node, 0, 0, "meta");
	trace_add_cpu(t, node, 1, 1, "meta");
	process = trace_add_process(t, node, 100, "meta");
	trace_set_app(t, process, 1, "meta");
	trace_set_rank(t, process, 4, 8, "meta");
	for (int i = 0; i < nthreads; i++)
		world_thread(w, process, i + 1);
}

static inline uint32_t
world_class(struct world *w, const char *name, bool jumbo)
{
	struct trace *t = &w->from.source.trace;

	for (int i = 0; i < t->classes.n; i++)
		if (strcmp(t->classes.at[i].name, name) == 0 &&
			t->classes.at[i].jumbo == jumbo)
			return (uint32_t)i;
	return trace_add_class(
		t, (struct event_class){ .name = name, .jumbo = jumbo });
}

/* Writes the bytes of a payload. Returns their end. */
static inline uint8_t *
world_pack(uint8_t *to, const char *form, va_list args)
{
	for (; *form != '\0'; form++) {
		const char *text = *form == 's' ? va_arg(args, char *) : NULL;
		int64_t number = text == NULL ? va_arg(args, int) : 0;
		size_t n = *form == 'i' ? 4 : 8;

		if (text != NULL)
			n = strlen(text) + 1;
		memcpy(to, text != NULL ? (const void *)text : &number, n);
		to += n;
	}
	return to;
}

/*
 * Queues an event of a thread. form describes the payload: 'i' 4 bytes and 'l'
 * 8 bytes, both from an int; 's' a string; a leading '+' makes a jumbo.
 */
static inline void
world_event(struct world *w, int64_t time, int thread, const char *name,
	const char *form, ...)
{
	uint8_t *data = arena_alloc(&w->arena, 1024);
	bool jumbo = form[0] == '+';
	va_list args;
	struct event ev = { .time = time,
		.stream = (uint32_t)thread,
		.class = world_class(w, name, jumbo),
		.data = data };

	va_start(args, form);
	ev.size = (uint32_t)(world_pack(data, form + jumbo, args) - data);
	va_end(args);
	VEC_PUSH(&w->from.queue, &w->arena, ev);
}

/* Queues the start of a thread on a CPU. */
static inline void
world_start(struct world *w, int64_t time, int thread, int cpu)
{
	world_event(w, time, thread, "OHx", "iil", cpu, -1, 0);
}

static inline void
world_run(struct world *w)
{
	w->emu = emu_open(&w->arena, &w->from.source, &w->to.sink,
		&(struct emu_options){ 0 }, &(struct err){ 0 });
	emu_run(w->emu, NULL);
}

static inline void
world_close(struct world *w)
{
	if (w->emu != NULL)
		emu_close(w->emu);
	trace_fini(&w->from.source.trace);
	arena_fini(&w->arena);
}

/* Returns the row of that name, or ROW_NONE. */
static inline uint32_t
world_row_id(const struct world *w, const char *name)
{
	for (int i = 0; i < w->to.rows.n; i++)
		if (strcmp(w->to.rows.at[i].name, name) == 0)
			return w->to.rows.at[i].id;
	return ROW_NONE;
}

/* Returns the type of that key for rows of the class of `row`, or NULL. */
static inline const struct type *
world_type_of(const struct world *w, uint32_t row, const char *key)
{
	for (int i = 0; row != ROW_NONE && i < w->to.types.n; i++)
		if (strcmp(w->to.types.at[i].key, key) == 0 &&
			strcmp(w->to.types.at[i].class,
				w->to.rows.at[row].class) == 0)
			return &w->to.types.at[i];
	return NULL;
}

static inline const char *
world_tell(struct world *w, const char *row, const char *key, bool stacks)
{
	uint32_t id = world_row_id(w, row);
	const struct type *type = world_type_of(w, id, key);
	size_t n = 0;

	w->text[0] = '\0';
	if (type == NULL)
		return "no such row or type";
	for (int i = 0; i < w->to.records.n; i++) {
		const struct world_record *at = &w->to.records.at[i];
		char value[32] = "-";

		if (at->r.row != id || at->r.type != type->id)
			continue;
		if (at->r.value != VALUE_NONE)
			snprintf(value, sizeof value, "%" PRId64, at->r.value);
		n += (size_t)snprintf(w->text + n, sizeof w->text - n,
			"%s%" PRId64 ":%s", n > 0 ? " " : "", at->r.time,
			stacks ? at->stack : value);
	}
	return w->text;
}

/* Returns the records of a row and type as "TIME:VALUE ...", '-' for
 * nothing. */
static inline const char *
world_history(struct world *w, const char *row, const char *key)
{
	return world_tell(w, row, key, false);
}

/* Returns the same with whole stacks: "10:19 20:19,8 30:". */
static inline const char *
world_stacks(struct world *w, const char *row, const char *key)
{
	return world_tell(w, row, key, true);
}

/* Returns the number of findings, except findings about threads that did not
 * end. */
static inline int
world_findings(const struct world *w)
{
	int n = 0;

	for (int i = 0; i < w->findings.list.n; i++)
		n += strstr(w->findings.list.at[i].text, "not dead") == NULL;
	return n;
}

#endif
