/* SPDX-License-Identifier: MIT */
#include "trace/several.h"

#include <string.h>

#include "base/arena.h"
#include "base/loser.h"
#include "base/wrap.h"

/* A trace, and what was added to its indexes. */
struct inner {
	struct source *source;
	struct relate_input *in;
	int node, process, thread, stream;
	VEC(uint32_t) classes; /* index of each of its classes */
	struct event ev;       /* the next one */
	int64_t first;         /* time of its first event */
	bool by_first;         /* its times count from that event */
};

struct several {
	struct source source;
	struct inner *inner;
	int n, current;
	bool begun;
	struct loser tree;
};

int64_t
several_zero(const struct relate_input *in)
{
	return in->zero == TRACE_UNKNOWN ? 0 : in->zero;
}

static int
moved(int index, int by)
{
	return index == TRACE_NONE ? TRACE_NONE : index + by;
}

static void
add_nodes(struct trace *t, struct inner *to, const struct trace *from)
{
	to->node = t->nodes.n;
	for (int i = 0; i < from->nodes.n; i++) {
		VEC_PUSH(&t->nodes, t->arena, from->nodes.at[i]);
		t->ncpus += from->nodes.at[i].cpus.n;
	}
	to->process = t->processes.n;
	for (int i = 0; i < from->processes.n; i++) {
		struct trace_process p = from->processes.at[i];

		p.node = moved(p.node, to->node);
		VEC_PUSH(&t->processes, t->arena, p);
	}
}

/* Returns the copy of a part, which add_parts() has made. */
static const struct trace_part *
copy_part(struct trace *t, const struct trace *from,
	const struct trace_part *part)
{
	int first = t->parts.n - from->parts.n, i = 0;

	while (part != NULL && i < from->parts.n && from->parts.at[i] != part)
		i++;
	return part == NULL || i == from->parts.n ? NULL
						  : t->parts.at[first + i];
}

static void
add_parts(struct trace *t, const struct inner *to, const struct trace *from)
{
	for (int i = 0; i < from->parts.n; i++) {
		struct trace_part *p = ARENA_NEW(t->arena, struct trace_part);

		*p = *from->parts.at[i];
		p->node = moved(p->node, to->node);
		p->process = moved(p->process, to->process);
		p->same = NULL;
		VEC_PUSH(&t->parts, t->arena, p);
	}
}

static void
add_streams(struct trace *t, struct inner *to, const struct trace *from)
{
	to->stream = t->streams.n;
	to->thread = t->threads.n;
	add_parts(t, to, from);
	for (int i = 0; i < from->streams.n; i++) {
		struct stream s = from->streams.at[i];

		s.thread = moved(s.thread, to->thread);
		s.part = copy_part(t, from, s.part);
		s.follows = s.follows > 0 ? s.follows + to->stream : 0;
		s.lost.at = NULL;
		s.lost.n = s.lost.cap = 0;
		VEC_PUSH(&t->streams, t->arena, s);
	}
	for (int i = 0; i < from->threads.n; i++) {
		struct trace_thread th = from->threads.at[i];

		th.process = moved(th.process, to->process);
		th.stream = moved(th.stream, to->stream);
		VEC_PUSH(&t->threads, t->arena, th);
	}
}

/* Adds marks, which may have other titles and labels than those of the same
 * type in other traces. */
static void
add_marks(struct trace *t, const struct inner *to, const struct trace *from)
{
	for (int i = 0; i < from->marks.n; i++) {
		struct trace_mark m = from->marks.at[i];

		m.stream = to->stream;
		m.stream_end = t->streams.n;
		VEC_PUSH(&t->marks, t->arena, m);
	}
}

/* Adds the classes that the trace has got since the last call. */
static void
add_classes(struct trace *t, struct inner *from)
{
	const struct trace *of = &from->source->trace;

	for (int i = from->classes.n; i < of->classes.n; i++)
		VEC_PUSH(&from->classes, t->arena,
			trace_add_class(t, of->classes.at[i]));
}

static void
add_trace(struct trace *t, struct inner *to)
{
	const struct trace *from = &to->source->trace;

	add_nodes(t, to, from);
	add_streams(t, to, from);
	add_marks(t, to, from);
	add_classes(t, to);
	t->rows_grow = t->rows_grow || from->rows_grow;
	t->by_cpu = t->by_cpu && from->by_cpu;
	t->by_line = t->by_line && from->by_line;
	if (strcmp(from->unit, "ps") == 0)
		t->unit = "ps";
}

static int64_t
axis_of(const struct inner *i, int64_t time)
{
	return relate_time(
		i->in, i->by_first ? wrap_minus(time, i->first) : time);
}

/* Reads the next event of a trace. Returns its time on the axis. */
static int64_t
read_next(struct several *s, int i)
{
	struct inner *from = &s->inner[i];
	enum source_status status;

	do
		status = source_next(from->source, &from->ev);
	while (status == SOURCE_WAIT);
	if (status == SOURCE_END)
		return LOSER_END;
	if (from->first == TRACE_UNKNOWN) {
		from->first = from->ev.time;
		from->by_first = from->in->zero == TRACE_UNKNOWN &&
			relate_is_virtual(from->in->trace);
	}
	if (from->classes.n < from->source->trace.classes.n)
		add_classes(&s->source.trace, from);
	return axis_of(from, from->ev.time);
}

static void
begin(struct several *s)
{
	struct arena *a = s->source.trace.arena;
	int64_t *key = ARENA_ARRAY(a, int64_t, s->n);

	for (int i = 0; i < s->n; i++)
		key[i] = read_next(s, i);
	loser_init(&s->tree, a, key, s->n);
	s->begun = true;
}

static enum source_status
next(struct source *source, struct event *ev)
{
	struct several *s = (struct several *)source;
	const struct inner *from;
	int64_t time;

	if (!s->begun)
		begin(s);
	else if (s->current >= 0) {
		time = read_next(s, s->current);
		loser_replay(&s->tree,
			time < loser_key(&s->tree) ? loser_key(&s->tree)
						   : time);
	}
	time = loser_key(&s->tree);
	s->current = loser_top(&s->tree);
	if (s->current < 0)
		return SOURCE_END;
	from = &s->inner[s->current];
	*ev = from->ev;
	ev->time = time;
	ev->stream += (uint32_t)from->stream;
	ev->class = from->classes.at[ev->class];
	return SOURCE_EVENT;
}

static void
progress(const struct source *source, uint64_t *done, uint64_t *total)
{
	const struct several *s = (const struct several *)source;

	*done = *total = 0;
	for (int i = 0; i < s->n; i++) {
		uint64_t d, t;

		source_progress(s->inner[i].source, &d, &t);
		*done += d;
		*total += t;
	}
}

static void
seek(struct source *source, int64_t time)
{
	struct several *s = (struct several *)source;

	for (int i = 0; i < s->n; i++)
		if (s->inner[i].in->zero != TRACE_UNKNOWN)
			source_seek(s->inner[i].source,
				relate_local(s->inner[i].in, time));
}

static void
close_several(struct source *source)
{
	trace_fini(&source->trace);
}

static const struct source_ops ops = {
	.name = "several",
	.help = "several traces, related by their clocks",
	.next = next,
	.seek = seek,
	.progress = progress,
	.close = close_several,
};

/* Returns the input whose time 0 is first on the axis. */
static int
first_input(const struct several *s)
{
	int first = 0;

	for (int i = 1; i < s->n; i++) {
		const struct relate_input *in = s->inner[i].in,
					  *best = s->inner[first].in;

		if (relate_time(in, several_zero(in)) <
			relate_time(best, several_zero(best)))
			first = i;
	}
	return first;
}

void
several_set_start(struct source *source)
{
	struct several *s = (struct several *)source;
	struct trace *t = &source->trace;
	const struct relate_input *first = s->inner[first_input(s)].in;

	t->start = relate_time(first, several_zero(first));
	for (int i = s->n - 1; i >= 0; i--) {
		const struct relate_input *in = s->inner[i].in;
		const struct trace *of = in->trace;
		int64_t ahead;

		/* Clocks of simulated time have nothing to do with these. */
		if (in->how == RELATE_BESIDE)
			continue;
		ahead = wrap_minus(relate_time(in, several_zero(in)), t->start);
		if (of->start_realtime != TRACE_UNKNOWN)
			t->start_realtime =
				wrap_minus(of->start_realtime, ahead);
		if (of->start_monotonic != TRACE_UNKNOWN && i == 0)
			t->start_monotonic =
				wrap_minus(of->start_monotonic, ahead);
	}
}

struct source *
several_open(struct arena *a, struct source *const *from,
	struct relate_input *in, int n, struct findings *fs)
{
	struct several *s = ARENA_NEW(a, struct several);
	struct trace *t = &s->source.trace;

	trace_init(t, a, fs);
	s->source.ops = &ops;
	s->n = n;
	s->current = -1;
	s->inner = ARENA_ARRAY(a, struct inner, n);
	t->path = from[0]->trace.path;
	t->format = n == 1 ? from[0]->trace.format
			   : arena_printf(a, "%d traces", n);
	t->by_cpu = t->by_line = true;
	for (int i = 0; i < n; i++) {
		s->inner[i].source = from[i];
		s->inner[i].in = &in[i];
		s->inner[i].first = TRACE_UNKNOWN;
		add_trace(t, &s->inner[i]);
	}
	several_set_start(&s->source);
	return &s->source;
}
