/* SPDX-License-Identifier: MIT */
#include "cli/view/steps.h"

#include <unistd.h>

#include "base/arena.h"
#include "export/fan.h"
#include "export/index/sink.h"

#define TIMES 8 /* records of a part per record of the part before */
#define PART_BUDGET ((size_t)16 << 20) /* bytes of the buffers of a part */

/* fan.to[0] is the index, the others are the parts: the shortest is last, so
 * that it can be taken off. */
struct steps {
	struct fan fan;
	struct steps_options options;
	struct sink_ops ops;
	const char *path[FAN_SINKS]; /* paths of the files of fan.to */
	uint64_t records;
	uint64_t next; /* records of the shortest part, at least */
	int64_t time;  /* time of the last record */
};

/* Ends the shortest part at a time before which all records are there. */
static void
end_part(struct steps *s, int64_t time)
{
	int last = --s->fan.n;
	bool ok;

	sink_advance(s->fan.to[last], time);
	ok = sink_close(s->fan.to[last], &(struct err){ 0 });
	if (ok)
		s->options.made(s->options.arg, s->path[last]);
	unlink(s->path[last]);
	s->next *= TIMES;
}

static void
steps_state(struct sink *sink, const struct record *r)
{
	struct steps *s = (struct steps *)sink;

	/* A part ends between two times, because the last of several records
	 * at one time is the value. */
	while (s->records >= s->next && s->fan.n > 1 && r->time > s->time)
		end_part(s, r->time);
	fan_ops.state(sink, r);
	s->records++;
	s->time = r->time;
}

static bool
steps_close(struct sink *sink, struct err *err)
{
	struct steps *s = (struct steps *)sink;

	/* The parts have nothing that the whole index lacks: removes them. */
	while (s->fan.n > 1) {
		int last = --s->fan.n;

		sink_close(s->fan.to[last], &(struct err){ 0 });
		unlink(s->path[last]);
	}
	return fan_ops.close(sink, err);
}

static void
add_parts(struct steps *s, struct arena *a)
{
	const struct steps_options *o = &s->options;
	uint64_t n = o->first;
	int parts = 0;

	for (; n <= o->most && parts + 1 < FAN_SINKS; n *= TIMES)
		parts++;
	for (int i = parts; i > 0; i--) {
		struct sink_setup setup = *o->setup;
		struct sink *part;

		setup.totals = NULL;
		setup.file = arena_printf(a, "%s-%d", o->part, i);
		part = sink_index.open(a, o->dir, &setup, &(struct err){ 0 });
		if (part == NULL)
			continue;
		index_sink_budget(part, PART_BUDGET);
		s->path[s->fan.n] = setup.file;
		fan_add(&s->fan, part);
	}
	s->next = o->first;
}

struct sink *
steps_open(struct arena *a, const struct steps_options *o, struct err *err)
{
	struct steps *s = ARENA_NEW(a, struct steps);
	struct sink_setup setup = *o->setup;
	struct sink *index;

	fan_init(&s->fan);
	s->options = *o;
	s->ops = fan_ops;
	s->ops.name = "steps";
	s->ops.state = steps_state;
	s->ops.close = steps_close;
	s->fan.base.ops = &s->ops;
	setup.file = o->file;
	index = sink_index.open(a, o->dir, &setup, err);
	if (index == NULL)
		return NULL;
	fan_add(&s->fan, index);
	add_parts(s, a);
	return &s->fan.base;
}
