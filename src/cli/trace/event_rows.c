/* SPDX-License-Identifier: MIT */
#include "cli/trace/event_rows.h"

#include "base/log.h"
#include "base/out.h"
#include "cli/trace/dump.h"
#include "cli/trace/record_trace.h"
#include "cli/trace/task_trace.h"
#include "export/db/db.h"

#define SAYS 400

struct event_rows {
	struct pipeline *run;
	const struct trace *trace;
	struct sink *db;
	struct events events;
	struct out args, context;
	VEC(const struct description *) classes; /* NULL: not passed yet */
};

static void
pass_streams(struct event_rows *e)
{
	const struct trace *t = e->trace;

	for (int i = 0; i < t->streams.n; i++) {
		const struct stream *s = &t->streams.at[i];
		const struct trace_thread *th = s->thread == TRACE_NONE
			? NULL
			: &t->threads.at[s->thread];

		if (events_has_stream(&e->events, i))
			db_event_stream(e->db, (uint32_t)i, s->name,
				th == NULL ? -1
					   : t->processes.at[th->process].pid,
				th == NULL ? -1 : th->tid);
	}
}

/* Tells the database about a class at its first event. */
static const struct description *__attribute__((noinline, cold))
pass_class(struct event_rows *e, uint32_t class)
{
	struct arena *a = &e->run->arena;
	const struct event_class *c = &e->trace->classes.at[class];
	const struct description *d = describe_plainly(a, c, e->events.models);
	char says[SAYS];
	int64_t n = describe_says(d, says, sizeof says);

	while ((uint32_t)e->classes.n <= class)
		VEC_PUSH(&e->classes, a, NULL);
	e->classes.at[class] = d;
	db_event_class(e->db, class, c->name, n > 0 ? says : NULL);
	return d;
}

/* Writes the members as an object of JSON and returns its text. */
static const char *
object(struct out *o, const struct event_class *c, const struct event *ev,
	bool own)
{
	o->at = o->buf;
	out_puts(o, "{");
	fields_scopes_json(o, c, ev->value, own);
	out_put(o, "}", 2);
	return o->buf;
}

static void
pass_event(struct event_rows *e, const struct event *ev)
{
	const struct event_class *c = &e->trace->classes.at[ev->class];
	const struct description *is = ev->class < (uint32_t)e->classes.n
		? e->classes.at[ev->class]
		: NULL;
	struct db_event row = { .time = events_time(&e->events, ev),
		.stream = ev->stream,
		.class = ev->class };

	if (is == NULL)
		is = pass_class(e, ev->class);
	if (e->trace->parts.n > 0) {
		row.args = object(&e->args, c, ev, true);
		row.context = object(&e->context, c, ev, false);
	} else {
		e->args.at = e->args.buf;
		out_puts(&e->args, "{");
		dump_json_args(&e->args, ev, is);
		out_put(&e->args, "}", 2);
		row.args = e->args.buf;
	}
	db_event(e->db, &row);
}

struct event_rows *
event_rows_open(struct pipeline *r, const char *path, struct err *err)
{
	struct event_rows *e = ARENA_NEW(&r->arena, struct event_rows);

	e->run = r;
	e->events.bar = !log_is_quiet();
	r->plays_tasks = false;
	events_prepare(r);
	if (record_trace_format(path) != NULL || task_trace_is(path))
		err_set(err, ERR_INPUT, "%s has states and no events", path);
	else if (!pipeline_open(r, path))
		err_set(err, ERR_INPUT, "%s: the events cannot be read", path);
	else if (events_open(&e->events, r, err))
		return e;
	pipeline_close(r);
	return NULL;
}

static void
pass_all(struct event_rows *e, struct sink *db)
{
	struct event ev = { 0 };

	e->db = db;
	e->trace = &e->run->source->trace;
	out_open_memory(&e->args);
	out_open_memory(&e->context);
	pass_streams(e);
	while (events_next(&e->events, &ev))
		pass_event(e, &ev);
	out_close(&e->args);
	out_close(&e->context);
}

void
event_rows_put(struct event_rows *e, struct sink *db)
{
	if (db != NULL)
		pass_all(e, db);
	events_close(&e->events);
	pipeline_close(e->run);
}
