/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair_copy.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/clock.h"
#include "trace/finding.h"
#include "trace/obs/repair_result.h"
#include "trace/obs/stream.h"
#include "trace/obs/wire.h"
#include "trace/trace.h"

#define WINDOW (256u << 10)

/* A copy that is being written. */
struct copy {
	const struct repair_copy *c;
	struct outfile out;
	struct repair_result *result;
	struct repair_edit edit; /* the next edit, if `more` */
	bool more, cut;
	int nedits; /* edits requested */
};

/* Converts the time to a clock of the stream's node, limited to the range of a
 * stream's clocks. */
static int64_t
raw_clock(const struct repair_copy *c, int64_t time)
{
	int64_t clock = clock_local(c->node, time);

	return clock < 0 ? 0 : clock;
}

static void
write_edit(struct copy *w)
{
	const struct repair_edit *e = &w->edit;
	struct obs_event_header h = { 0 };
	int64_t clock = raw_clock(w->c, e->time);

	h.flags = e->jumbo ? OBS_JUMBO | 3
			   : (uint8_t)(e->size > 0 ? e->size - 1 : 0);
	memcpy(h.mcv, e->name, sizeof h.mcv);
	memcpy(h.clock, &clock, sizeof h.clock);
	outfile_write(&w->out, &h, sizeof h);
	if (e->jumbo)
		outfile_write(&w->out, &e->size, sizeof e->size);
	outfile_write(&w->out, e->data, e->size);
	w->cut |= e->cut;
	w->result->added++;
}

static void
next_edit(struct copy *w)
{
	w->more = w->c->edit(w->c->arg, w->c->index, w->nedits++, &w->edit);
}

/* Writes the edits at the offset. Returns true if an edit drops the event at
 * that offset. */
static bool
write_edits(struct copy *w, int64_t offset)
{
	bool drop = false;

	for (; w->more && w->edit.offset <= offset; next_edit(w)) {
		drop |= w->edit.drop;
		if (w->edit.drop)
			w->result->dropped++;
		else
			write_edit(w);
	}
	return drop;
}

static void
copy_event(struct copy *w, const struct obs_stream *s)
{
	const size_t at = offsetof(struct obs_event_header, clock);
	int64_t clock = raw_clock(w->c, s->time), was;

	memcpy(&was, s->at + at, sizeof was);
	w->result->clocks += clock != was;
	outfile_write(&w->out, s->at, at);
	outfile_write(&w->out, &clock, sizeof clock);
	outfile_write(&w->out, s->at + at + sizeof clock,
		s->length - at - sizeof clock);
	w->result->events++;
}

/* Counts the bytes that were not events, after all was read. */
static void
count_lost(struct copy *w, const struct obs_stream *s)
{
	int64_t at = obs_stream_offset(s);
	uint64_t lost = (uint64_t)(s->size_bytes - at + s->skipped);

	w->result->lost_bytes += lost;
	if (lost > 0)
		finding_add(w->c->done,
			(struct finding){ .severity = FINDING_WARNING,
				.file = s->file,
				.offset = s->skipped > 0 ? s->skipped_at : at,
				.time = FINDING_NEVER },
			"lost: %llu bytes that are not a complete event",
			(unsigned long long)lost);
}

/* Copies the events of the input; none if it is not a stream. */
static void
copy_events(struct copy *w)
{
	const struct stream *from = w->c->stream;
	struct obs_stream s;
	struct findings quiet;

	findings_init(&quiet, NULL, 0); /* these findings were reported when
	                                 * the trace was read */
	if (!obs_stream_open(&s, from->file, &quiet, WINDOW, true)) {
		finding_file(w->c->done, FINDING_WARNING, from->file,
			"lost: no event can be read");
		return;
	}
	obs_stream_extend(&s, from->ring);
	s.mends = true;
	s.about = from->about;
	obs_stream_correct_by(&s, w->c->node);
	while (obs_stream_next(&s))
		if (!write_edits(w, obs_stream_offset(&s)))
			copy_event(w, &s);
	count_lost(w, &s);
	obs_stream_close(&s);
}

bool
repair_copy(struct arena *a, const struct repair_copy *c, const char *to,
	struct repair_result *result, bool *cut, struct err *err)
{
	struct obs_file_header h = { OBS_MAGIC, OBS_VERSION };
	struct copy w = { .c = c, .result = result };

	if (!outfile_open(&w.out, a, to, WINDOW, err))
		return false;
	outfile_write(&w.out, &h, sizeof h);
	next_edit(&w);
	copy_events(&w);
	write_edits(&w, REPAIR_TAIL);
	*cut = w.cut;
	return outfile_close(&w.out, err);
}
