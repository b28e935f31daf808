/* SPDX-License-Identifier: MIT */
#include "trace/ctf/ctf.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/loser.h"
#include "trace/ctf/folder.h"
#include "trace/ctf/packet.h"
#include "trace/ctf/part.h"
#include "trace/ctf/salvage.h"
#include "trace/ctf/stream.h"
#include "trace/ctf/tail.h"
#include "trace/finding.h"
#include "trace/roots.h"
#include "trace/window.h"

struct ctf {
	struct source source;
	struct ctf_parts parts;
	struct ctf_stream *streams; /* as trace.streams */
	struct loser tree;
	int current; /* stream of the event that was returned, or -1 */
	uint64_t total;
	int64_t start; /* time of the first event */
};

static bool
recognise(const char *path)
{
	struct arena a = { 0 };
	struct ctf_folders f = { .arena = &a, .first = true };
	bool found;

	ctf_folders_find(&f, path);
	found = f.at.n > 0;
	arena_fini(&a);
	return found;
}

const struct ctf_part *
ctf_part_of(const struct source *source, int i)
{
	return ((const struct ctf *)source)->parts.at.at[i];
}

static void
close_source(struct source *source)
{
	struct ctf *c = (struct ctf *)source;

	for (int i = 0; c->streams != NULL && i < source->trace.streams.n; i++)
		ctf_stream_close(&c->streams[i]);
	for (int i = 0; i < c->parts.at.n; i++)
		ctf_part_close(c->parts.at.at[i]);
	trace_fini(&source->trace);
}

/* The first trouble is kept, for the case that nothing can be read. */
static void
open_parts(struct ctf *c, const struct ctf_folders *f, struct err *err)
{
	struct trace *t = &c->source.trace;

	for (int i = 0; i < f->at.n; i++) {
		struct err why = { 0 };
		struct ctf_part *p = ctf_part_open(t, &f->at.at[i], &why);

		if (p != NULL) {
			VEC_PUSH(&c->parts.at, t->arena, p);
			continue;
		}
		if (f->at.n > 1)
			finding_file(t->findings, FINDING_ERROR,
				f->at.at[i].path, "left out: %s", why.text);
		if (err->kind == ERR_NONE)
			*err = why;
	}
}

static void
add_streams(struct trace *t, const struct ctf_part *p)
{
	const struct ctf_folder *f = p->folder;

	for (int i = 0; i < f->streams.n; i++) {
		const char *file = f->streams.at[i], *last = file_name(file);
		struct stream *s = VEC_ADD(&t->streams, t->arena);

		s->file = file;
		s->meta = f->metadata;
		s->name = *f->name == '\0'
			? last
			: arena_printf(t->arena, "%s/%s", f->name, last);
		s->thread = TRACE_NONE;
		s->part = &p->part;
		s->cpu = TRACE_NONE;
	}
}

/* What the first packet says of the whole stream. */
static void
describe(struct stream *to, const struct ctf_stream *s)
{
	to->kind = (int64_t)s->class->id;
	to->clock_offset = s->offset_ns;
	to->cpu = ctf_part_cpu(s);
}

/* What the first packets say is known by now, and when the trace began. */
static bool
begin(struct ctf *c, const int64_t *key, int n)
{
	const struct trace *t = &c->source.trace;

	c->start = LOSER_END;
	for (int i = 0; i < n; i++)
		c->start = key[i] < c->start ? key[i] : c->start;
	for (int i = 0; i < n; i++) {
		c->streams[i].start = &c->start;
		for (int j = 0; j < t->streams.at[i].lost.n; j++)
			ctf_packet_report_lost(
				&c->streams[i], &t->streams.at[i].lost.at[j]);
	}
	return true;
}

/* Reads the first event of every stream. False if there is none at all. */
static bool
open_streams(struct ctf *c)
{
	struct trace *t = &c->source.trace;
	int n = t->streams.n, at = 0;
	int64_t *key = ARENA_ARRAY(t->arena, int64_t, n);
	bool keep_open = window_may_stay_open(n), any = false;

	c->streams = ARENA_ARRAY(t->arena, struct ctf_stream, n);
	for (int i = 0; i < n; i++) {
		struct ctf_stream *s = &c->streams[i];
		struct ctf_part *p;

		while (&c->parts.at.at[at]->part != t->streams.at[i].part)
			at++;
		p = c->parts.at.at[at];
		s->layout = &p->layout;
		s->meta = &p->meta;
		s->lost = &p->lost;
		s->findings = t->findings;
		s->trace = t;
		s->number = i;
		s->tail = ctf_tail_open(
			t->arena, s, t->streams.at[i].file, t->findings);
		key[i] = LOSER_END;
		if (!ctf_stream_open(s, t->streams.at[i].file, window_size(n),
			    keep_open))
			continue;
		c->total += (uint64_t)s->size;
		describe(&t->streams.at[i], s);
		if (ctf_stream_next(s)) {
			key[i] = s->time;
			any = true;
		} else {
			ctf_stream_close(s);
		}
	}
	loser_init(&c->tree, t->arena, key, n);
	return any && begin(c, key, n);
}

/* A stream of a CPU that the metadata does not list may come from elsewhere. */
static void
check_cpu(const struct trace *t, const struct stream *s,
	const struct ctf_cpus *cpus)
{
	for (int i = 0; i < cpus->at.n; i++)
		if (cpus->at.at[i].node == s->part->node &&
			cpus->at.at[i].number == s->cpu)
			return;
	finding_add(t->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = s->file,
			.offset = 0,
			.time = FINDING_NEVER },
		"of CPU %lld, which the metadata does not list",
		(long long)s->cpu);
}

/* Nodes and their CPUs: those of the metadata, or else of the streams. */
static void
place(struct ctf *c)
{
	struct trace *t = &c->source.trace;
	struct ctf_cpus cpus = { 0 };

	for (int i = 0; i < c->parts.at.n; i++)
		ctf_part_place(t, c->parts.at.at[i], &cpus);
	for (int i = 0; i < t->streams.n; i++) {
		struct stream *s = &t->streams.at[i];

		s->by_thread = !ctf_part_is_cpu(&c->streams[i]);
		if (s->cpu < 0 || s->by_thread)
			continue;
		if (trace_env(s->part, "cpu_list") != NULL)
			check_cpu(t, s, &cpus);
		VEC_PUSH(&cpus.at, t->arena,
			((struct ctf_cpu){ s->part->node, s->cpu, s->file }));
	}
	ctf_part_add_cpus(t, &cpus);
}

/* Nanos6, LTTng. */
static bool
is_one_trace(const struct ctf_folders *f, const char *path, struct err *err)
{
	static const char *const layouts[] = { "[0-9]*/ctf/*", "kernel",
		"ust/uid/*/*", "ust/pid/*", NULL };
	struct roots roots = { .arena = f->arena, .layouts = layouts };

	for (int i = 0; i < f->at.n; i++)
		roots_add(&roots, f->at.at[i].name);
	return roots_check(&roots, path, "", err);
}

/* What <weft/ctf.h> could not even begin a stream for. */
static void
report_unsaid(const struct trace *t)
{
	for (int i = 0; i < t->parts.n; i++) {
		const struct trace_env *e =
			trace_env(t->parts.at[i], "weft_lost");

		if (e != NULL && e->number > 0)
			finding_file(t->findings, FINDING_WARNING,
				t->parts.at[i]->path,
				"%lld event%s lost of threads whose streams "
				"could not be begun: no room on the disk, or "
				"no memory",
				(long long)e->number,
				e->number == 1 ? " was" : "s were");
	}
}

static struct source *
open_source(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err)
{
	struct ctf *c = ARENA_NEW(a, struct ctf);
	struct ctf_folders f = { .arena = a };
	struct trace *t = &c->source.trace;

	(void)options;
	c->source.ops = &source_ctf;
	c->current = -1;
	trace_init(t, a, fs);
	t->path = path;
	t->format = "CTF 1.8";
	t->rows_grow = t->by_cpu = true;
	ctf_folders_find(&f, path);
	if (!is_one_trace(&f, path, err)) {
		close_source(&c->source);
		return NULL;
	}
	open_parts(c, &f, err);
	for (int i = 0; i < c->parts.at.n; i++)
		add_streams(t, c->parts.at.at[i]);
	if (c->parts.at.n > 0 && open_streams(c)) {
		*err = (struct err){ 0 };
		place(c);
		report_unsaid(t);
		ctf_part_check_ranks(t, &c->parts);
		return &c->source;
	}
	if (err->kind == ERR_NONE)
		err_set(err, ERR_INPUT, "%s: no event in any of its %d streams",
			path, t->streams.n);
	close_source(&c->source);
	return NULL;
}

static void
step(struct ctf *c, int i)
{
	struct ctf_stream *s = &c->streams[i];

	if (__builtin_expect(ctf_stream_next(s), 1)) {
		loser_replay(&c->tree, s->time);
		return;
	}
	loser_replay(&c->tree, LOSER_END);
	ctf_stream_close(s);
	c->source.trace.streams.at[i].ended = true;
}

static enum source_status
next(struct source *source, struct event *ev)
{
	struct ctf *c = (struct ctf *)source;
	const struct ctf_stream *s;

	if (c->current >= 0)
		step(c, c->current);
	c->current = loser_top(&c->tree);
	if (c->current < 0)
		return SOURCE_END;
	s = &c->streams[c->current];
	ev->time = s->time;
	ev->stream = (uint32_t)c->current;
	ev->class = s->event->class;
	ev->data = s->cursor.data + s->payload / 8;
	ev->size = (uint32_t)((s->cursor.pos + 7) / 8 - s->payload / 8);
	ev->value = s->values;
	ev->offset = s->base + (int64_t)(s->begin / 8);
	return SOURCE_EVENT;
}

static bool
salvage(struct source *source, struct salvage *result, struct err *err)
{
	const struct ctf *c = (const struct ctf *)source;

	for (int i = 0; i < source->trace.streams.n; i++)
		if (c->streams[i].tail != NULL &&
			!ctf_salvage(&c->streams[i], result, err))
			return false;
	return true;
}

static void
progress(const struct source *source, uint64_t *done, uint64_t *total)
{
	const struct ctf *c = (const struct ctf *)source;

	*done = 0;
	*total = c->total;
	for (int i = 0; i < source->trace.streams.n; i++)
		*done += (uint64_t)ctf_stream_done(&c->streams[i]);
}

const struct source_ops source_ctf = {
	.name = "ctf",
	.help = "folder of CTF 1.8 traces (Nanos6, LTTng)",
	.recognise = recognise,
	.open = open_source,
	.next = next,
	.progress = progress,
	.salvage = salvage,
	.close = close_source,
};
