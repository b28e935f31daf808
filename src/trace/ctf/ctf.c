/* SPDX-License-Identifier: MIT */
#include "trace/ctf/ctf.h"

#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/loser.h"
#include "base/text.h"
#include "trace/clock.h"
#include "trace/ctf/chain.h"
#include "trace/ctf/clocks.h"
#include "trace/ctf/directories.h"
#include "trace/ctf/packet.h"
#include "trace/ctf/part.h"
#include "trace/ctf/restore.h"
#include "trace/ctf/salvage.h"
#include "trace/ctf/session.h"
#include "trace/ctf/stream.h"
#include "trace/ctf/tail.h"
#include "trace/finding.h"
#include "trace/obs/meta_clocks.h"
#include "trace/roots.h"
#include "trace/wall.h"
#include "trace/window.h"

struct ctf {
	struct source source;
	struct ctf_parts parts;
	struct ctf_stream *streams; /* indexed like trace.streams */
	struct ctf_chains chains;
	struct loser tree; /* the chain with the earliest event is on top */
	int chain;         /* chain of the last event returned, or -1 */
	size_t window;
	bool keep_open;
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

/* Opens the parts. Keeps the first error, in case nothing can be read. */
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
		s->instance = TRACE_NONE;
		s->cpu = TRACE_NONE;
	}
}

/* Copies the facts about the whole stream from its first packet. */
static void
describe(
	struct stream *to, const struct ctf_part *p, const struct ctf_stream *s)
{
	to->kind = (int64_t)s->class->id;
	to->instance = s->class->instance == CTF_NO_SLOT
		? TRACE_NONE
		: s->header[s->class->instance].i;
	to->clock_offset = s->offset_ns;
	to->cpu = ctf_part_cpu(s);
	to->no_clock = s->class->ticks == NULL;
	if (!to->no_clock) {
		to->clock = s->class->ticks->name;
		to->clock_uuid = s->class->ticks->uuid;
	}
	to->has_vtid = ctf_part_has_vtid(p, s);
}

/* Sets the start of the trace, and reports losses: the first packets have been
 * read by now. */
static bool
begin(struct ctf *c, const int64_t *key)
{
	struct trace *t = &c->source.trace;
	int first = 0;

	for (int i = 1; i < c->chains.at.n; i++)
		first = key[i] < key[first] ? i : first;
	c->start = t->start = key[first];
	ctf_clock_start(t, &c->streams[c->chains.at.at[first].stream[0]]);
	for (int i = 0; i < t->streams.n; i++) {
		c->streams[i].start = &c->start;
		for (int j = 0; j < t->streams.at[i].lost.n; j++)
			ctf_packet_report_lost(
				&c->streams[i], &t->streams.at[i].lost.at[j]);
	}
	return true;
}

/* Opens every file to read its first packet. */
static struct ctf_owner *
open_files(struct ctf *c)
{
	struct trace *t = &c->source.trace;
	int n = t->streams.n, at = 0;
	struct ctf_owner *owner = ARENA_ARRAY(t->arena, struct ctf_owner, n);

	c->streams = ARENA_ARRAY(t->arena, struct ctf_stream, n);
	c->window = window_size(n);
	c->keep_open = window_may_stay_open(n);
	for (int i = 0; i < n; i++) {
		struct ctf_stream *s = &c->streams[i];
		const struct trace_part *part = t->streams.at[i].part;

		while (&c->parts.at.at[at]->part != part)
			at++;
		s->layout = &c->parts.at.at[at]->layout;
		s->meta = &c->parts.at.at[at]->meta;
		s->findings = t->findings;
		s->trace = t;
		s->number = i;
		s->tail = ctf_tail_open(
			t->arena, s, t->streams.at[i].file, t->findings);
		owner[i].stream = s;
		owner[i].part = part->same != NULL ? part->same : part;
		owner[i].open = ctf_stream_open(
			s, t->streams.at[i].file, c->window, c->keep_open);
		t->streams.at[i].is_unread = !owner[i].open;
		if (!owner[i].open)
			continue;
		c->total += (uint64_t)s->size;
		describe(&t->streams.at[i], c->parts.at.at[at], s);
	}
	return owner;
}

/* Closes a file that continues a stream. The losses in its first packet are
 * dropped here and counted again, relative to the previous file, when it is
 * read. */
static void
close_until_later(struct ctf *c, int i)
{
	struct ctf_stream *s = &c->streams[i];

	s->waits = s->size;
	c->source.trace.nlost -= (uint64_t)c->source.trace.streams.at[i].lost.n;
	c->source.trace.streams.at[i].lost.n = 0;
	ctf_stream_close(s);
}

/* Reads the first event of an open stream. Returns false if it has none. */
static bool
first_event(struct ctf *c, int i)
{
	if (c->streams[i].buf != NULL && ctf_stream_next(&c->streams[i]))
		return true;
	ctf_stream_close(&c->streams[i]);
	return false;
}

/* Opens the next file of the stream and hands over the state of the packets so
 * far. Returns false if no file is left. */
static bool
follow(struct ctf *c, struct ctf_chain *chain)
{
	while (chain->at + 1 < chain->n) {
		const struct ctf_stream *from =
			&c->streams[chain->stream[chain->at]];
		int i = chain->stream[++chain->at];
		struct ctf_stream *s = &c->streams[i];
		const char *file = c->source.trace.streams.at[i].file;
		bool clamped = from->clamped;

		ctf_stream_rewind(s);
		s->sofar = from->sofar;
		s->sofar.again = s->sofar.any;
		s->clamped = clamped;
		ctf_stream_open(s, file, c->window, c->keep_open);
		if (first_event(c, i))
			return true;
	}
	return false;
}

/* Returns the first stream of a chain; NULL if it is of another part or has no
 * event. */
static struct ctf_stream *
first_of(const struct ctf *c, int chain, const struct trace_part *part)
{
	const struct ctf_chain *from = &c->chains.at.at[chain];
	int i = from->stream[from->at];

	return c->streams[i].buf != NULL &&
			c->source.trace.streams.at[i].part == part
		? &c->streams[i]
		: NULL;
}

/* Corrects damaged first clocks, which have no earlier clock to compare with:
 * all streams of a part begin at about the same time. `time` has room for all
 * chains. */
static void
align_first(struct ctf *c, int64_t *key, int64_t *time,
	const struct trace_part *part)
{
	struct trace *t = &c->source.trace;
	int64_t about;
	int n = 0;

	for (int i = 0; i < c->chains.at.n; i++)
		if (first_of(c, i, part) != NULL)
			time[n++] = key[i];
	if (n == 0)
		return;
	about = clock_middle(time, n);
	for (int i = 0; i < c->chains.at.n; i++) {
		struct ctf_stream *s = first_of(c, i, part);

		if (s == NULL || !ctf_stream_begin_at(s, about))
			continue;
		t->streams.at[s->number].about = about;
		key[i] = about;
	}
}

/* Finds the chains and reads the first event of each. Returns false if there is
 * no event at all. */
static bool
open_streams(struct ctf *c)
{
	struct trace *t = &c->source.trace;
	const struct ctf_owner *owner = open_files(c);
	bool any = false;
	int64_t *key, *time;

	ctf_chains_find(&c->chains, t->arena, owner, t->streams.n);
	key = ARENA_ARRAY(t->arena, int64_t, c->chains.at.n);
	for (int i = 0; i < c->chains.at.n; i++) {
		const struct ctf_chain *chain = &c->chains.at.at[i];

		for (int j = 1; j < chain->n; j++) {
			close_until_later(c, chain->stream[j]);
			c->streams[chain->stream[j - 1]].followed = true;
			t->streams.at[chain->stream[j]].follows =
				chain->stream[0] + 1;
		}
	}
	for (int i = 0; i < c->chains.at.n; i++) {
		struct ctf_chain *chain = &c->chains.at.at[i];

		key[i] = LOSER_END;
		if (!first_event(c, chain->stream[0]) && !follow(c, chain))
			continue;
		key[i] = c->streams[chain->stream[chain->at]].time;
		any = true;
	}
	time = ARENA_ARRAY(t->arena, int64_t, c->chains.at.n);
	for (int i = 0; i < t->parts.n; i++)
		align_first(c, key, time, t->parts.at[i]);
	loser_init(&c->tree, t->arena, key, c->chains.at.n);
	return any && begin(c, key);
}

/* Warns about a stream of a CPU that the metadata does not list: it may be from
 * another trace. */
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
		"the stream belongs to CPU %lld, which the metadata does not "
		"list",
		(long long)s->cpu);
}

/* Adds nodes and their CPUs, from the metadata or else from the streams. */
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

/* Adds the suspensions of the machine that our recorder saw; their times are of
 * CLOCK_MONOTONIC. */
static void
add_suspended(struct trace *t, const struct stream *s)
{
	const struct trace_env *e = trace_env(s->part, "weft_suspended");
	int process = s->part->process;
	uint64_t shift =
		(uint64_t)s->clock_offset - (uint64_t)ctf_clock_origin(s->part);
	struct json_object *list;
	struct err err = { 0 };

	if (e == NULL || e->text == NULL || process == TRACE_NONE)
		return;
	list = json_parse(e->text, strlen(e->text), &err);
	obs_meta_suspended(t, list, process, (int64_t)shift);
	json_close(list);
}

static void
report_suspended(struct ctf *c)
{
	struct trace *t = &c->source.trace;

	for (int i = 0; i < t->streams.n; i++)
		if (i == 0 ||
			t->streams.at[i].part != t->streams.at[i - 1].part)
			add_suspended(t, &t->streams.at[i]);
	wall_report(t, c->start);
}

/* Reports the events for which <weft/ctf.h> could not create a stream. */
static void
report_unsaid(const struct trace *t)
{
	for (int i = 0; i < t->parts.n; i++) {
		const struct trace_env *e =
			trace_env(t->parts.at[i], "weft_lost");

		if (e != NULL && e->number > 0)
			finding_file(t->findings, FINDING_WARNING,
				t->parts.at[i]->path,
				"%lld event%s lost in threads whose streams "
				"could not be created: the disk is full, or "
				"memory ran out",
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

	c->source.ops = &source_ctf;
	c->chain = -1;
	trace_init(t, a, fs);
	t->path = path;
	t->format = "CTF 1.8";
	t->rows_grow = t->by_cpu = true;
	ctf_folders_find(&f, path);
	if (!ctf_session_check(&f, path, err)) {
		close_source(&c->source);
		return NULL;
	}
	open_parts(c, &f, err);
	for (int i = 0; i < c->parts.at.n; i++) {
		add_streams(t, c->parts.at.at[i]);
		if (c->parts.at.at[i]->meta.is_ctf2)
			t->format = "CTF 2";
	}
	for (int i = 0; i < f.links.n; i++)
		finding_file(fs, FINDING_NOTE, f.links.at[i],
			"left out: a symbolic link to a directory");
	if (c->parts.at.n > 0 && open_streams(c)) {
		*err = (struct err){ 0 };
		place(c);
		t->by_monotonic = ctf_clock_nodes(t, c->streams);
		t->whole_system = ctf_session_is_system(t);
		report_suspended(c);
		report_unsaid(t);
		ctf_session_report(t);
		ctf_part_check_ranks(t, &c->parts);
		return options->as_stored ? &c->source
					  : ctf_restore(a, &c->source);
	}
	if (err->kind == ERR_NONE)
		err_set(err, ERR_INPUT, "%.300s: no event in its %d stream%s%s",
			path, t->streams.n, text_plural((unsigned)t->streams.n),
			t->streams.n == 0 || ctf_session_is_lttng(t)
				? "; if LTTng still records, lttng rotate "
				  "or lttng stop writes what it holds in "
				  "memory"
				: "");
	close_source(&c->source);
	return NULL;
}

/* Closes a file at its end; the stream goes on with its next file. */
static void __attribute__((noinline, cold))
end_file(struct ctf *c, struct ctf_chain *chain)
{
	int ended = chain->stream[chain->at];
	bool more;

	ctf_stream_close(&c->streams[ended]);
	more = follow(c, chain);
	loser_replay(&c->tree,
		more ? c->streams[chain->stream[chain->at]].time : LOSER_END);
	trace_end_stream(&c->source.trace, ended);
}

static void
step(struct ctf *c)
{
	struct ctf_chain *chain = &c->chains.at.at[c->chain];
	struct ctf_stream *s = &c->streams[chain->stream[chain->at]];

	if (__builtin_expect(ctf_stream_next(s), 1))
		loser_replay(&c->tree, s->time);
	else
		end_file(c, chain);
}

int64_t
ctf_payload_offset(const struct source *source)
{
	const struct ctf *c = (const struct ctf *)source;
	const struct ctf_chain *chain = &c->chains.at.at[c->chain];
	const struct ctf_stream *s = &c->streams[chain->stream[chain->at]];

	return s->base + (int64_t)(s->payload / 8);
}

static enum source_status
next(struct source *source, struct event *ev)
{
	struct ctf *c = (struct ctf *)source;
	const struct ctf_chain *chain;
	const struct ctf_stream *s;
	int stream;

	if (c->chain >= 0)
		step(c);
	c->chain = loser_top(&c->tree);
	if (c->chain < 0)
		return SOURCE_END;
	chain = &c->chains.at.at[c->chain];
	stream = chain->stream[chain->at];
	s = &c->streams[stream];
	ev->time = s->time;
	ev->stream = (uint32_t)stream;
	ev->class = s->event->class;
	ev->data = s->cursor.data + s->payload / 8;
	ev->size = (uint32_t)((s->cursor.pos + 7) / 8 - s->payload / 8);
	ev->value = s->values;
	ev->offset = s->base + (int64_t)(s->begin / 8);
	return SOURCE_EVENT;
}

/* Skips packets that end before the time. */
static void
seek(struct source *source, int64_t time)
{
	struct ctf *c = (struct ctf *)source;
	int n = c->chains.at.n;
	int64_t *key = ARENA_ARRAY(source->trace.arena, int64_t, n);

	for (int i = 0; i < source->trace.streams.n; i++)
		ctf_stream_skip(&c->streams[i], time);
	for (int i = 0; i < n; i++) {
		struct ctf_chain *chain = &c->chains.at.at[i];
		struct ctf_stream *s = &c->streams[chain->stream[chain->at]];

		key[i] = s->buf == NULL ? LOSER_END : s->time;
		if (s->buf != NULL && s->content == 0)
			key[i] = first_event(c, chain->stream[chain->at]) ||
					follow(c, chain)
				? c->streams[chain->stream[chain->at]].time
				: LOSER_END;
	}
	loser_init(&c->tree, source->trace.arena, key, n);
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
	.help = "directory of CTF 1.8 or CTF 2 traces (Nanos6, LTTng)",
	.recognise = recognise,
	.open = open_source,
	.next = next,
	.seek = seek,
	.progress = progress,
	.salvage = salvage,
	.close = close_source,
};
