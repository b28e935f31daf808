/* SPDX-License-Identifier: MIT */
#include "trace/obs/obs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/heap.h"
#include "base/loser.h"
#include "base/text.h"
#include "trace/clock.h"
#include "trace/obs/clocks.h"
#include "trace/obs/meta.h"
#include "trace/obs/meta_weft.h"
#include "trace/obs/offsets.h"
#include "trace/obs/salvage.h"
#include "trace/obs/search.h"
#include "trace/obs/stream.h"
#include "trace/roots.h"
#include "trace/wall.h"
#include "trace/window.h"

#define CLASS_CACHE 1024 /* direct-mapped, in front of the map */
#define CLASS_MAX 65536  /* more classes are noise, not events */

struct class_slot {
	uint32_t key; /* key of a stream's event; KEY_NONE: empty */
	uint32_t class;
};

#define KEY_NONE UINT32_MAX

struct obs {
	struct source source;
	struct obs_stream *streams; /* as trace.streams */
	struct loser tree;
	struct heap heap; /* used instead of the tree if by_heap */
	bool by_heap, raw_clocks;
	int current; /* stream of the last event returned, or -1 */
	uint64_t total;
	struct obs_offsets *places; /* the seek file; NULL: none */
	const char *clocks;         /* table of clock offsets, or NULL */
	struct map classes;         /* key -> class */
	struct class_slot cache[CLASS_CACHE];
};

static void
add_first(struct obs *o, int i)
{
	if (o->by_heap)
		heap_push(&o->heap, o->streams[i].time, (uint64_t)i);
}

/* Returns the node of a stream that has an event, or TRACE_NONE. */
static int
node_of(const struct obs *o, int i)
{
	const struct trace *t = &o->source.trace;

	return o->streams[i].buf == NULL
		? TRACE_NONE
		: trace_node_index(t, t->streams.at[i].thread);
}

/*
 * Corrects damaged first clocks, which have no earlier clock to compare with: a
 * stream whose first clock is months from the node's other streams gets the
 * median of their first clocks. stream: the node's. time: room for n.
 */
static void
align_node(struct obs *o, int64_t *key, const int *stream, int n, int64_t *time)
{
	int64_t about;

	if (n == 0)
		return;
	for (int i = 0; i < n; i++)
		time[i] = o->streams[stream[i]].time;
	about = clock_middle(time, n);
	for (int i = 0; about > 0 && i < n; i++) {
		if (!clock_is_away(o->streams[stream[i]].time, about))
			continue;
		o->source.trace.streams.at[stream[i]].about = about;
		obs_stream_begin_at(&o->streams[stream[i]], about);
		key[stream[i]] = about;
	}
}

/* Does this for all nodes. */
static void
align_first(struct obs *o, int64_t *key)
{
	const struct trace *t = &o->source.trace;
	struct arena a = { 0 };
	int *begin = ARENA_ARRAY(&a, int, t->nodes.n + 2);
	int *stream = ARENA_ARRAY(&a, int, t->streams.n);
	int64_t *time = ARENA_ARRAY(&a, int64_t, t->streams.n);

	/* begin[i + 1]: where the next stream of node i goes */
	for (int i = 0; i < t->streams.n; i++)
		if (node_of(o, i) != TRACE_NONE)
			begin[node_of(o, i) + 2]++;
	for (int i = 2; i < t->nodes.n + 2; i++)
		begin[i] += begin[i - 1];
	for (int i = 0; i < t->streams.n; i++)
		if (node_of(o, i) != TRACE_NONE)
			stream[begin[node_of(o, i) + 1]++] = i;
	for (int i = 0; i < t->nodes.n; i++)
		align_node(o, key, stream + begin[i], begin[i + 1] - begin[i],
			time);
	arena_fini(&a);
}

/* Returns the index of the stream with the earliest event, or TRACE_NONE. */
static int
first_stream(const struct obs *o)
{
	int first = TRACE_NONE;

	for (int i = 0; i < o->source.trace.streams.n; i++)
		if (o->streams[i].buf != NULL &&
			(first == TRACE_NONE ||
				o->streams[i].time < o->streams[first].time))
			first = i;
	return first;
}

/* Sets the machine's clocks at the first event. */
static void
set_start(struct trace *t, int thread, int64_t time)
{
	if (thread == TRACE_NONE)
		return;
	t->start_monotonic = clock_local(trace_node_of(t, thread), time);
	t->start_realtime =
		wall_time(t, t->threads.at[thread].process, t->start_monotonic);
}

/* Sets the start of the trace and reports losses with times relative to it. */
static void
report_first(struct obs *o)
{
	struct trace *t = &o->source.trace;
	int first = first_stream(o);
	int64_t start = first < 0 ? INT64_MAX : o->streams[first].time;

	for (int i = 0; i < t->streams.n; i++)
		obs_meta_report_lost(t, i,
			clock_local(trace_node_of(t, t->streams.at[i].thread),
				start));
	if (first < 0)
		return;
	t->start = start;
	set_start(t, t->streams.at[first].thread, start);
	wall_report(t, start);
}

static void
end_stream(struct obs *o, int i)
{
	obs_stream_close(&o->streams[i]);
	trace_end_stream(&o->source.trace, i);
}

/* Returns true, with a finding, for a stream that belongs to no thread. The
 * ovni tools use the times of such streams, so these are kept in strict
 * mode. */
static bool
is_left_out(const struct obs *o, int i)
{
	const struct trace *t = &o->source.trace;
	struct stat st = { 0 };

	if (t->streams.at[i].thread != TRACE_NONE || o->raw_clocks ||
		t->findings->strict)
		return false;
	if (stat(t->streams.at[i].file, &st) == 0)
		finding_file(t->findings, FINDING_ERROR, t->streams.at[i].file,
			"left out: %lld bytes, because its " OBS_META
			" names no thread",
			(long long)st.st_size);
	return true;
}

/* Opens a stream. Returns false if it cannot be opened, or is left out. */
static bool
open_stream(struct obs *o, int i)
{
	struct trace *t = &o->source.trace;
	struct obs_stream *s = &o->streams[i];
	const struct stream *of = &t->streams.at[i];
	int n = t->streams.n;

	s->fd = -1; /* 0 would be a file that another part of the program has
	             * open */
	if (is_left_out(o, i) ||
		!obs_stream_open(s, of->file, t->findings, window_first(n),
			window_may_stay_open(n))) {
		trace_end_stream(t, i);
		return false;
	}
	obs_stream_extend(s, of->ring);
	o->total += (uint64_t)s->size_bytes;
	if (!o->raw_clocks)
		obs_stream_correct_by(s, trace_node_of(t, of->thread));
	s->raw_clocks = o->raw_clocks;
	s->mends = !t->findings->strict;
	s->by_weft = of->by_weft;
	s->finished =
		of->thread != TRACE_NONE && t->threads.at[of->thread].finished;
	return true;
}

/* Reads the first event. Returns false if the stream has none. */
static bool
begin_stream(struct obs *o, int i)
{
	struct trace *t = &o->source.trace;
	struct obs_stream *s = &o->streams[i];

	if (obs_stream_next(s)) {
		if (s->skipped > 0)
			trace_note_damage(t);
		s->window = window_size(t->streams.n);
		return true;
	}
	if (obs_stream_offset(s) == s->size_bytes)
		finding_file(t->findings, FINDING_WARNING, s->file,
			"the stream has no events");
	end_stream(o, i);
	return false;
}

/* Reads the first event of every stream. Returns false if there is none at
 * all. */
static bool
open_streams(struct obs *o)
{
	struct trace *t = &o->source.trace;
	int n = t->streams.n;
	int64_t *key = ARENA_ARRAY(t->arena, int64_t, n);
	bool any = false;

	o->streams = ARENA_ARRAY(t->arena, struct obs_stream, n);
	for (int i = 0; i < n; i++) {
		key[i] = LOSER_END;
		if (!open_stream(o, i) || !begin_stream(o, i))
			continue;
		key[i] = o->streams[i].time;
		any = true;
	}
	if (!o->raw_clocks && !t->findings->strict)
		align_first(o, key);
	for (int i = 0; i < n; i++)
		if (o->streams[i].buf != NULL)
			add_first(o, i);
	report_first(o);
	loser_init(&o->tree, t->arena, key, n);
	return any;
}

static bool
is_stream_file(const char *path)
{
	const char *name = file_name(path);

	return strcmp(name, OBS_META) == 0 || strcmp(name, OBS_EVENTS) == 0;
}

static bool
recognise(const char *path)
{
	return file_is_dir(path) || is_stream_file(path);
}

static void
close_source(struct source *source)
{
	struct obs *o = (struct obs *)source;

	if (o->places != NULL)
		obs_offsets_close(o->places);
	for (int i = 0; o->streams != NULL && i < source->trace.streams.n; i++)
		obs_stream_close(&o->streams[i]);
	map_fini(&o->classes);
	heap_fini(&o->heap);
	trace_fini(&source->trace);
}

static const struct source_ops unmerged, by_heap;

static struct source *
open_source(struct arena *a, const char *path,
	const struct source_options *options, struct findings *fs,
	struct err *err)
{
	struct obs *o = ARENA_NEW(a, struct obs);
	struct findings before;
	const char *root = is_stream_file(path) ? file_parent(a, path) : path;
	bool ok;

	o->source.ops = options->unmerged ? &unmerged
		: options->heap_order     ? &by_heap
					  : &source_ovni;
	o->current = -1;
	o->by_heap = options->heap_order;
	memset(o->cache, 0xff, sizeof o->cache); /* KEY_NONE */
	o->raw_clocks = options->raw_clocks;
	trace_init(&o->source.trace, a, fs);
	o->source.trace.path = path;
	o->source.trace.format = "ovni v3";
	o->source.trace.unit = "ns";
	o->source.trace.by_monotonic = true;
	o->clocks = obs_clocks_find(a, options, root);
	before = *fs;
	ok = obs_search(&o->source.trace, root, options->merge_all,
		o->clocks != NULL, err);
	if (o->raw_clocks) {
		*fs = before; /* raw clocks do not need the tables */
	} else if (ok) {
		obs_search_end(&o->source.trace);
		trace_check(&o->source.trace);
		ok = obs_clocks_read(&o->source.trace, o->clocks, root, err);
	}
	if (ok && !o->raw_clocks && o->source.trace.threads.n == 0)
		ok = err_set(err, ERR_INPUT,
			"%s: a stream.json file is needed beside each stream, "
			"to "
			"say which thread wrote it",
			path);
	if (ok && !open_streams(o) && !options->merge_all)
		ok = err_set(err, ERR_INPUT,
			"%s: no event in its %d stream%s: the program was "
			"killed "
			"before it wrote any, or the files were cut",
			path, o->source.trace.streams.n,
			text_plural((unsigned)o->source.trace.streams.n));
	if (!ok) {
		close_source(&o->source);
		return NULL;
	}
	if (options->seek != NULL && o->total >= OBS_OFFSETS_MIN)
		o->places = obs_offsets_open(
			&o->source.trace, o->streams, options->seek);
	return &o->source;
}

static uint32_t
find_class(struct obs *o, uint32_t key)
{
	struct trace *t = &o->source.trace;
	char name[16];
	uint64_t *known = map_get(&o->classes, key);

	if (known != NULL)
		return (uint32_t)*known;
	if (t->classes.n == CLASS_MAX)
		return CLASS_MAX - 1;
	uint32_t class = trace_add_class(t,
		(struct event_class){ .name = t->classes.n == CLASS_MAX - 1
				? "???"
				: arena_strdup(
					  t->arena, obs_key_name(key, name)),
			.jumbo = (key & OBS_KEY_JUMBO) != 0 });
	*map_put(&o->classes, key) = class;
	return class;
}

static inline struct class_slot *
class_slot(struct obs *o, uint32_t key)
{
	return &o->cache[key * UINT32_C(2654435761) >> 22];
}

/* Looks the class up when it is not in its cache slot. */
static enum source_status __attribute__((noinline, cold)) yield_rare(
	struct obs *o, struct class_slot *slot, uint32_t key, struct event *ev)
{
	slot->class = find_class(o, key);
	slot->key = key;
	ev->class = slot->class;
	return SOURCE_EVENT;
}

static void __attribute__((noinline)) step_unsure(struct obs *o, int i)
{
	struct obs_stream *s = &o->streams[i];
	bool more = obs_stream_next(s);

	if (__builtin_expect(s->skipped > 0, 0))
		trace_note_damage(&o->source.trace);
	if (!o->by_heap)
		loser_replay(&o->tree, more ? s->time : LOSER_END);
	else if (more)
		heap_push(&o->heap, s->time, (uint64_t)i);
	if (more)
		s->ahead = obs_stream_ahead(s);
	else
		end_stream(o, i);
}

/*
 * Moves the stream of the last event forward. If the time of its next event is
 * already known, the tree is updated before that event is read.
 */
static inline void
step(struct obs *o, int i)
{
	struct obs_stream *s = &o->streams[i];
	int64_t time = s->ahead;

	if (__builtin_expect(time == OBS_UNSURE, 0)) {
		step_unsure(o, i);
		return;
	}
	loser_replay(&o->tree, time);
	obs_stream_take(s, time);
	s->ahead = obs_stream_ahead(s);
}

/* Fills ev with the current event of stream i. All members are read before any
 * is written, so that values just stored are still in registers. */
static inline enum source_status
yield(struct obs *o, const struct obs_stream *s, int i, struct event *ev)
{
	int64_t time = s->time, offset = obs_stream_offset(s);
	const uint8_t *data = s->data;
	uint32_t key = s->key, size = s->size;
	struct class_slot *slot = class_slot(o, key);

	ev->time = time;
	ev->stream = (uint32_t)i;
	ev->size = size;
	ev->data = data;
	ev->value = NULL;
	ev->offset = offset;
	if (__builtin_expect(slot->key != key, 0))
		return yield_rare(o, slot, key, ev);
	ev->class = slot->class;
	return SOURCE_EVENT;
}

static enum source_status
next(struct source *source, struct event *ev)
{
	struct obs *o = (struct obs *)source;

	if (__builtin_expect(o->current >= 0, 1))
		step(o, o->current);
	o->current = loser_top(&o->tree);
	if (__builtin_expect(o->current < 0, 0))
		return SOURCE_END;
	return yield(o, &o->streams[o->current], o->current, ev);
}

/* Returns the next event; equal times come in the order of the ovni tools. */
static enum source_status
next_by_heap(struct source *source, struct event *ev)
{
	struct obs *o = (struct obs *)source;

	if (o->current >= 0)
		step_unsure(o, o->current);
	o->current = o->heap.n == 0 ? -1 : (int)heap_pop(&o->heap).value;
	if (o->current < 0)
		return SOURCE_END;
	return yield(o, &o->streams[o->current], o->current, ev);
}

/* Returns the next event in any case. The first event of a stream was already
 * read when it was opened. */
static enum source_status __attribute__((noinline, cold))
next_rare(struct obs *o, struct event *ev)
{
	int i = o->current, n = o->source.trace.streams.n;

	if (i == n)
		return SOURCE_END;
	if (i >= 0 && obs_stream_next(&o->streams[i]))
		return yield(o, &o->streams[i], i, ev);
	if (i >= 0)
		end_stream(o, i);
	while (++i < n && o->streams[i].buf == NULL)
		;
	o->current = i;
	return i == n ? SOURCE_END : yield(o, &o->streams[i], i, ev);
}

/* Returns the next event, stream after stream, each in its own order. The call
 * for the rare case comes last (a tail call), so that no register must be
 * saved. */
static enum source_status
next_unmerged(struct source *source, struct event *ev)
{
	struct obs *o = (struct obs *)source;
	unsigned i = (unsigned)o->current;

	if (__builtin_expect(i < (unsigned)source->trace.streams.n, 1)) {
		struct obs_stream *s = &o->streams[i];

		if (__builtin_expect(obs_stream_plain(s), 1))
			return yield(o, s, (int)i, ev);
	}
	return next_rare(o, ev);
}

static void
seek(struct source *source, int64_t time)
{
	struct obs *o = (struct obs *)source;
	int n = source->trace.streams.n;
	int64_t *key;

	if (o->places == NULL)
		return;
	obs_offsets_seek(o->places, time);
	key = ARENA_ARRAY(source->trace.arena, int64_t, n);
	for (int i = 0; i < n; i++)
		key[i] = o->streams[i].buf == NULL ? LOSER_END
						   : o->streams[i].time;
	loser_init(&o->tree, source->trace.arena, key, n);
}

static void
tell_streams(const struct source *source, struct source_stream *to)
{
	const struct obs *o = (const struct obs *)source;

	for (int i = 0; i < source->trace.streams.n; i++) {
		const struct obs_stream *s = &o->streams[i];

		to[i] = (struct source_stream){
			.size = (uint64_t)s->size_bytes
		};
		if (s->buf == NULL)
			continue;
		to[i].any = true;
		to[i].time = s->time;
		to[i].offset = obs_stream_offset(s);
	}
}

static void
keep_streams(struct source *source, const bool *keep)
{
	struct obs *o = (struct obs *)source;
	int n = source->trace.streams.n;
	int64_t *key = ARENA_ARRAY(source->trace.arena, int64_t, n);

	for (int i = 0; i < n; i++) {
		struct obs_stream *s = &o->streams[i];

		if (!keep[i] && s->buf != NULL) {
			o->total -= (uint64_t)s->size_bytes;
			obs_stream_close(s);
			s->size_bytes = 0;
		}
		key[i] = s->buf == NULL ? LOSER_END : s->time;
	}
	loser_init(&o->tree, source->trace.arena, key, n);
}

static bool
salvage(struct source *source, struct salvage *result, struct err *err)
{
	return obs_salvage(&source->trace, result, err);
}

static void
progress(const struct source *source, uint64_t *done, uint64_t *total)
{
	const struct obs *o = (const struct obs *)source;

	*done = 0;
	*total = o->total;
	for (int i = 0; i < source->trace.streams.n; i++) {
		const struct obs_stream *s = &o->streams[i];

		*done += (uint64_t)(s->buf == NULL ? s->size_bytes
						   : obs_stream_offset(s));
	}
}

#define OPS(how, to) \
	{ \
		.name = "ovni", \
		.help = "directory of ovni v3 streams (libovni)", \
		.recognise = recognise, .open = open_source, .next = (how), \
		.seek = (to), .streams = tell_streams, .keep = keep_streams, \
		.progress = progress, .salvage = salvage, \
		.close = close_source \
	}

const struct source_ops source_ovni = OPS(next, seek);
static const struct source_ops unmerged = OPS(next_unmerged, NULL);
/* A heap cannot seek: the order of its events depends on all events that were
 * ever in it. */
static const struct source_ops by_heap = OPS(next_by_heap, NULL);
