/* SPDX-License-Identifier: MIT */
#include "read_ctf.h"

#include "base/arena.h"
#include "cli/trace/fields.h"
#include "trace/finding.h"
#include "trace/source.h"

#define EVENTS_MAX 10000

struct plans {
	VEC(struct fields_plan *) at;
};

static void
put_event(struct plans *plans, struct arena *a, const struct trace *t,
	const struct event *ev, struct out *o)
{
	while ((uint32_t)plans->at.n <= ev->class)
		VEC_PUSH(&plans->at, a,
			fields_plan(a, &t->classes.at[plans->at.n], true));
	fields_put(o, plans->at.at[ev->class], ev->value);
	fields_json(o, t->classes.at[ev->class].field,
		t->classes.at[ev->class].nfields, ev->value, false);
	o->at = o->buf;
}

/* Returns the time of the last event. */
static int64_t
read_all(struct source *s, struct arena *a)
{
	struct plans plans = { 0 };
	struct event ev = { 0 };
	struct out o;

	out_open_memory(&o);
	for (int i = 0; i < EVENTS_MAX; i++) {
		if (source_next(s, &ev) == SOURCE_END)
			break;
		put_event(&plans, a, &s->trace, &ev, &o);
	}
	out_close(&o);
	source_close(s);
	return ev.time;
}

void
read_ctf(const char *path)
{
	struct source_options options = { 0 };
	struct arena a = { 0 };
	struct findings fs;
	struct err err = { 0 };
	struct source *s;
	int64_t last = 0;

	findings_init(&fs, &a, 100);
	s = sources_open(&a, path, &options, &fs, &err);
	if (s != NULL)
		last = read_all(s, &a);
	/* Reads the trace again, from the middle on. */
	s = sources_open(&a, path, &options, &fs, &err);
	if (s != NULL) {
		source_seek(s, s->trace.start / 2 + last / 2);
		read_all(s, &a);
	}
	for (int i = 0; i < fs.list.n; i++) {
		char text[256];

		finding_text(&fs.list.at[i], text, (int)sizeof text);
	}
	arena_fini(&a);
}
