/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair_scan.h"

#include <string.h>

#include "base/arena.h"
#include "trace/finding.h"

#define CPUS_MAX 4096 /* a larger index is noise */
#define SCAN_WINDOW (256u << 10)

uint32_t
repair_u32(const struct obs_stream *s, uint32_t at)
{
	uint32_t v;

	memcpy(&v, s->data + at, sizeof v);
	return v;
}

int
repair_model_of(const struct repair *r, const struct obs_stream *s)
{
	for (int i = 0; i < r->options->nmodels; i++)
		if (r->options->model[i].id == (char)s->at[1])
			return i;
	return -1;
}

static struct repair_thread *
thread_of(struct repair *r, const struct map *threads, int32_t tid)
{
	const uint64_t *at = map_get(threads, (uint64_t)(uint32_t)tid);

	return at == NULL ? NULL : &r->threads[*at - 1];
}

struct repair_thread *
repair_target(struct repair *r, struct repair_thread *th, int32_t tid)
{
	struct repair_thread *to =
		thread_of(r, &r->processes[th->process].threads, tid);

	return to != NULL ? to : thread_of(r, &r->nodes[th->node].threads, tid);
}

bool
repair_open(struct repair *r, struct repair_thread *th)
{
	if (!obs_stream_open(&th->in, th->stream->file, &r->quiet, r->window,
		    r->keep_open))
		return false;
	obs_stream_extend(&th->in, th->stream->ring);
	th->in.mends = true;
	th->in.about = th->stream->about;
	th->in.clock_offset = r->trace->nodes.at[th->node].clock_offset;
	return true;
}

static void
note_cpu(struct repair *r, const struct repair_thread *th, int64_t index)
{
	struct repair_node *node = &r->nodes[th->node];

	if (index > node->top_cpu && index < CPUS_MAX)
		node->top_cpu = index;
}

static void
note_mark(struct repair_thread *th)
{
	uint32_t type = repair_u32(&th->in, 8);
	uint8_t how = th->in.at[3] == '=' ? 1 : 2;

	if (type < REPAIR_MARKS && th->mark[type] < how)
		th->mark[type] = how;
}

static void
note_core(struct repair *r, struct repair_thread *th)
{
	const struct obs_stream *s = &th->in;
	uint32_t key = repair_key(s);

	if ((key == REPAIR_KEY('O', 'H', 'x') && s->size >= 4) ||
		(key == REPAIR_KEY('O', 'A', 's') && s->size == 4) ||
		(key == REPAIR_KEY('O', 'A', 'r') && s->size == 8))
		note_cpu(r, th, (int32_t)repair_u32(s, 0));
	if (s->at[2] == 'M' && s->size == 12)
		note_mark(th);
}

static void
note_event(struct repair *r, struct repair_thread *th)
{
	const struct obs_stream *s = &th->in;
	struct repair_process *p = &r->processes[th->process];
	int model = repair_model_of(r, s);

	if (model < 0)
		return;
	th->used |= UINT32_C(1) << model;
	if (s->at[1] == 'O')
		note_core(r, th);
	else if (s->at[2] == 'Y' && s->at[3] == 'c' && s->size >= 4 &&
		repair_u32(s, 0) > p->top_type)
		p->top_type = repair_u32(s, 0);
}

static void
scan_stream(struct repair *r, struct repair_thread *th)
{
	int64_t at;

	if (!repair_open(r, th)) {
		finding_file(r->options->done, FINDING_WARNING,
			th->stream->file, "lost: no event can be read");
		return;
	}
	while (obs_stream_next(&th->in)) {
		if (th->events++ == 0)
			th->first = th->in.time;
		note_event(r, th);
	}
	at = obs_stream_offset(&th->in);
	th->lost_bytes = (uint64_t)(th->in.size_bytes - at + th->in.skipped);
	if (th->lost_bytes > 0)
		finding_add(r->options->done,
			(struct finding){ .severity = FINDING_WARNING,
				.file = th->stream->file,
				.offset = th->in.skipped > 0 ? th->in.skipped_at
							     : at,
				.time = FINDING_NEVER },
			"lost: %llu bytes that are no whole event",
			(unsigned long long)th->lost_bytes);
	if (th->events > 0 && th->first < r->first)
		r->first = th->first;
	obs_stream_close(&th->in);
}

static void
put_tid(struct map *threads, int32_t tid, int i)
{
	uint64_t *at = map_put(threads, (uint64_t)(uint32_t)tid);

	if (*at == 0)
		*at = (uint64_t)i + 1;
}

static void
init_threads(struct repair *r)
{
	const struct trace *t = r->trace;

	for (int i = 0; i < t->streams.n; i++) {
		struct repair_thread *th = &r->threads[i];
		int index = t->streams.at[i].thread;

		th->stream = &t->streams.at[i];
		th->node = th->process = TRACE_NONE;
		th->cpu = -1;
		if (index == TRACE_NONE)
			continue;
		th->process = t->threads.at[index].process;
		th->node = t->processes.at[th->process].node;
		th->tid = (int32_t)t->threads.at[index].tid;
		put_tid(&r->processes[th->process].threads, th->tid, i);
		put_tid(&r->nodes[th->node].threads, th->tid, i);
	}
}

void
repair_scan(struct repair *r)
{
	const struct trace *t = r->trace;

	r->threads = ARENA_ARRAY(r->arena, struct repair_thread, t->streams.n);
	r->nodes = ARENA_ARRAY(r->arena, struct repair_node, t->nodes.n);
	r->processes =
		ARENA_ARRAY(r->arena, struct repair_process, t->processes.n);
	for (int i = 0; i < t->nodes.n; i++)
		r->nodes[i] = (struct repair_node){ .top_cpu = -1 };
	init_threads(r);
	r->first = INT64_MAX;
	r->window = SCAN_WINDOW;
	r->keep_open = true;
	for (int i = 0; i < t->streams.n; i++)
		if (r->threads[i].node != TRACE_NONE)
			scan_stream(r, &r->threads[i]);
	if (r->first == INT64_MAX)
		r->first = 0;
}

void
repair_scan_fini(struct repair *r)
{
	for (int i = 0; i < r->trace->nodes.n; i++) {
		map_fini(&r->nodes[i].threads);
		map_fini(&r->nodes[i].running);
	}
	for (int i = 0; i < r->trace->processes.n; i++) {
		map_fini(&r->processes[i].threads);
		map_fini(&r->processes[i].types);
		map_fini(&r->processes[i].tasks);
	}
}
