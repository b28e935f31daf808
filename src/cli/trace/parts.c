/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/team.h"
#include "cli/trace/parts_findings.h"
#include "cli/trace/parts_rounds.h"
#include "cli/trace/parts_send.h"
#include "emu/part.h"
#include "export/share.h"

struct parts {
	struct pipeline *run;
	struct team *team;
	const struct parts_output *out;
	struct arena *arena; /* that of the pipeline */
	struct emu_part part;
	struct source_stream *streams;
	struct parts_rounds rounds;
	int64_t end;
};

static int
node_of(const struct trace *t, int stream)
{
	return trace_node_index(t, t->streams.at[stream].thread);
}

int
parts_count(const struct pipeline *r)
{
	const struct trace *t = &r->source->trace;
	struct arena a = { 0 };
	struct source_stream *s;
	bool plain = r->source->ops->keep != NULL && !r->strict &&
		r->compat < 0 && r->gaps == NULL && t->nlost == 0 &&
		!t->damaged && t->start != TRACE_UNKNOWN &&
		/* The rows of a breakdown depend on the order of the events,
	         * which records in the past do not keep. */
		!(r->breakdown && pipeline_writes_past(r));

	if (!plain)
		return 1;
	s = ARENA_ARRAY(&a, struct source_stream, t->streams.n);
	r->source->ops->streams(r->source, s);
	for (int i = 0; i < t->streams.n; i++)
		plain = plain && s[i].any && node_of(t, i) != TRACE_NONE &&
			t->streams.at[i].overwritten == 0;
	arena_fini(&a);
	return plain ? t->nodes.n : 1;
}

struct node_size {
	int node;
	uint64_t size;
};

/* Largest first. */
static int
by_size(const void *pa, const void *pb)
{
	const struct node_size *a = pa, *b = pb;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return a->node - b->node;
}

/* Deals the nodes: each goes to the process with the fewest bytes so far. */
static void
deal(struct parts *p)
{
	const struct trace *t = &p->run->source->trace;
	struct node_size *node =
		ARENA_ARRAY(p->arena, struct node_size, t->nodes.n);
	uint64_t *load = ARENA_ARRAY(p->arena, uint64_t, p->team->size);
	int *owner = ARENA_ARRAY(p->arena, int, t->nodes.n);
	bool *keep = ARENA_ARRAY(p->arena, bool, t->streams.n);

	p->streams = ARENA_ARRAY(p->arena, struct source_stream, t->streams.n);
	p->run->source->ops->streams(p->run->source, p->streams);
	for (int i = 0; i < t->nodes.n; i++)
		node[i].node = i;
	for (int i = 0; i < t->streams.n; i++)
		node[node_of(t, i)].size += p->streams[i].size;
	qsort(node, (size_t)t->nodes.n, sizeof *node, by_size);
	for (int i = 0; i < t->nodes.n; i++) {
		int least = 0;

		for (int k = 1; k < p->team->size; k++)
			if (load[k] < load[least])
				least = k;
		load[least] += node[i].size;
		owner[node[i].node] = least;
	}
	for (int i = 0; i < t->streams.n; i++)
		keep[i] = owner[node_of(t, i)] == p->team->rank;
	p->part = (struct emu_part){ .keep = keep,
		.is_first = p->team->rank == 0,
		.marks_points = !pipeline_writes_past(p->run),
		.streams = p->streams };
}

/* Emulates this process's part. All write their output in rounds meanwhile.
 * Returns false if there is none. */
static bool
emulate(struct parts *p)
{
	struct parts_rounds *r = &p->rounds;
	struct err err = { 0 };

	*r = (struct parts_rounds){ .run = p->run,
		.team = p->team,
		.out = p->out,
		.part = &p->part,
		.arena = p->arena,
		.by_entry = pipeline_writes_past(p->run) };
	parts_rounds_begin(r);
	p->run->source->ops->keep(p->run->source, p->part.keep);
	p->run->part = &p->part;
	parts_findings_begin(p->run, &p->part);
	pipeline_emulate(p->run, share_sink(r->share), &err);
	return parts_rounds_finish(r, &err);
}

/* Adds up what the parts have counted. Long flushes are a finding of all, and
 * so is a signal. */
static void
add_up(struct parts *p)
{
	struct pipeline *r = p->run;

	r->events = (uint64_t)parts_sum(p->team, (int64_t)r->events);
	r->inside = (uint64_t)parts_sum(p->team, (int64_t)r->inside);
	r->duration = parts_most(p->team, r->duration);
	p->part.nflushes =
		(uint64_t)parts_sum(p->team, (int64_t)p->part.nflushes);
	p->part.flushes = parts_sum(p->team, p->part.flushes);
	p->part.longest_flush = parts_most(p->team, p->part.longest_flush);
	p->end = parts_most(p->team, p->rounds.share->end);
	parts_any(p->team, &r->stopped, 1);
	if (p->team->rank > 0)
		return;
	filter_args_report(&r->filter, r->duration);
	parts_findings_finish(r, &p->part);
	if (r->stopped)
		pipeline_say_stopped(r);
}

enum parts_end
parts_emulate(struct pipeline *r, struct team *t,
	const struct parts_output *out, struct err *err)
{
	struct parts p = {
		.run = r, .team = t, .out = out, .arena = &r->arena
	};
	bool whole, good;

	deal(&p);
	good = emulate(&p);
	whole = p.rounds.is_whole;
	if (good) {
		whole = p.part.is_alone || p.rounds.labels.is_clash;
		parts_any(t, &whole, 1);
		whole = whole || !parts_findings_join(r, t, &p.part);
		parts_any(t, &whole, 1);
	}
	good = good && !whole;
	if (good)
		add_up(&p);
	good = parts_rounds_close(&p.rounds, p.end, good, err);
	if (whole || p.rounds.is_whole)
		return PARTS_WHOLE;
	return good ? PARTS_DONE : PARTS_FAILED;
}
