/* SPDX-License-Identifier: MIT */
#include "trace/obs/offsets.h"

#include <stdlib.h>

#include "base/arena.h"
#include "trace/obs/stream.h"
#include "trace/seek.h"
#include "trace/trace.h"

struct obs_offsets {
	struct trace *trace;        /* borrowed */
	struct obs_stream *streams; /* borrowed; as trace.streams */
	const char *folder;
	struct seek_file file;
	const struct seek_stream **known; /* by stream: its entry in the seek
	                                   * file; NULL: none */
	struct seek_stream *notes;        /* by stream: entry being
	                                   * collected; name NULL: none */
	bool noting;                      /* an entry is being collected */
	bool moved; /* some stream is not read from its begin */
};

/* A clock fault of a skipped part, to be reported in the usual order. */
struct late {
	int stream;
	const struct seek_fault *fault;
};

/* Returns true if the entry fits the stream's clock offset: the offset is the
 * same, or all times of the entry can be shifted. Times below 0 and replaced
 * clocks cannot be shifted. */
static bool
fits_clock(const struct seek_stream *known, const struct obs_stream *s)
{
	int64_t shift, last, n = known->place.n;

	if (known->clock_offset == s->clock_offset)
		return known->first == s->time;
	return known->fault.n == 0 && n > 0 && known->first > 0 &&
		s->time > 0 &&
		!__builtin_sub_overflow(
			s->clock_offset, known->clock_offset, &shift) &&
		!__builtin_add_overflow(known->first, shift, &last) &&
		last == s->time &&
		!__builtin_add_overflow(
			known->place.at[n - 1].time, shift, &last) &&
		last < INT64_MAX;
}

/* Returns true if a seek entry for the stream is worthwhile. */
static bool
is_worth_it(const struct obs_offsets *p, int i)
{
	const struct obs_stream *s = &p->streams[i];

	return s->buf != NULL && s->line == NULL &&
		p->trace->streams.at[i].ring == NULL &&
		s->size_bytes > 2 * SEEK_STEP;
}

static void
begin_stream(struct obs_offsets *p, int i)
{
	struct obs_stream *s = &p->streams[i];
	const struct seek_stream *known;
	struct seek_identity is;

	if (!is_worth_it(p, i) || !seek_identify(s->file, &is) ||
		is.size != s->size_bytes)
		return;
	known = seek_find(&p->file, p->trace->streams.at[i].name);
	if (known != NULL && seek_is_same(&known->is, &is) &&
		fits_clock(known, s)) {
		p->known[i] = known;
		return;
	}
	if (seek_is_fresh(&is))
		return;
	p->notes[i].name = p->trace->streams.at[i].name;
	p->notes[i].is = is;
	p->notes[i].clock_offset = s->clock_offset;
	p->notes[i].first = s->time;
	obs_stream_note(s, p->trace->arena, &p->notes[i]);
	p->noting = true;
}

struct obs_offsets *
obs_offsets_open(
	struct trace *t, struct obs_stream *streams, const char *folder)
{
	struct obs_offsets *p = ARENA_NEW(t->arena, struct obs_offsets);
	int n = t->streams.n;

	p->trace = t;
	p->streams = streams;
	p->folder = folder;
	p->known = ARENA_ARRAY(t->arena, const struct seek_stream *, n);
	p->notes = ARENA_ARRAY(t->arena, struct seek_stream, n);
	seek_read(&p->file, t->arena, folder);
	for (int i = 0; i < n; i++)
		begin_stream(p, i);
	return p;
}

static int
by_saying(const void *pa, const void *pb)
{
	const struct late *a = pa, *b = pb;

	if (a->fault->last != b->fault->last)
		return a->fault->last < b->fault->last ? -1 : 1;
	if (a->stream != b->stream)
		return a->stream - b->stream;
	return (a->fault->offset > b->fault->offset) -
		(a->fault->offset < b->fault->offset);
}

/* Reports the clock faults before the streams' current positions, in the order
 * of their events' times, as if the events had been read. */
static void
say_faults(struct obs_offsets *p)
{
	struct arena scratch = { 0 };
	VEC(struct late) late = { 0 };

	for (int i = 0; i < p->trace->streams.n; i++) {
		const struct seek_stream *known = p->known[i];
		const struct obs_stream *s = &p->streams[i];

		for (int j = 0; known != NULL && j < known->fault.n &&
			known->fault.at[j].offset <= obs_stream_offset(s);
			j++)
			VEC_PUSH(&late, &scratch,
				((struct late){ i, &known->fault.at[j] }));
	}
	if (late.n > 0)
		qsort(late.at, (size_t)late.n, sizeof *late.at, by_saying);
	for (int i = 0; i < late.n; i++)
		obs_stream_say(
			&p->streams[late.at[i].stream], late.at[i].fault);
	arena_fini(&scratch);
}

void
obs_offsets_seek(struct obs_offsets *p, int64_t time)
{
	for (int i = 0; i < p->trace->streams.n; i++) {
		const struct seek_stream *known = p->known[i];
		struct obs_stream *s = &p->streams[i];
		int64_t there;

		if (known == NULL || known->place.n == 0 ||
			__builtin_sub_overflow(time,
				s->clock_offset - known->clock_offset, &there))
			continue;
		p->moved = true;
		if (obs_stream_seek(s, known, time))
			continue;
		/* The seek file is wrong: removes it; the next complete read
		 * writes a new one. */
		seek_remove(p->trace->arena, p->folder);
		p->known[i] = NULL;
	}
	say_faults(p);
}

/* Returns true if the stream was read to its end and its file has not
 * changed. */
static bool
is_whole(struct obs_offsets *p, int i)
{
	struct seek_identity is;

	return p->trace->streams.at[i].ended && !p->streams[i].unread &&
		seek_identify(p->streams[i].file, &is) &&
		seek_is_same(&is, &p->notes[i].is);
}

static void
write_file(struct obs_offsets *p)
{
	struct arena *a = p->trace->arena;
	struct seek_file file = { 0 };

	for (int i = 0; i < p->trace->streams.n; i++) {
		if (p->known[i] != NULL)
			VEC_PUSH(&file.streams, a, *p->known[i]);
		else if (p->notes[i].name != NULL && is_whole(p, i))
			VEC_PUSH(&file.streams, a, p->notes[i]);
	}
	seek_write(&file, a, p->folder);
}

void
obs_offsets_close(struct obs_offsets *p)
{
	bool all = p->noting && !p->moved;

	for (int i = 0; i < p->trace->streams.n; i++)
		all = all &&
			(p->notes[i].name == NULL ||
				p->trace->streams.at[i].ended);
	if (all)
		write_file(p);
}
