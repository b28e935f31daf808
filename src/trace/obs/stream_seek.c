/* SPDX-License-Identifier: MIT */
#include "trace/obs/stream.h"

#include "trace/finding.h"
#include "trace/seek.h"

void
obs_stream_say(const struct obs_stream *s, const struct seek_fault *f)
{
	const struct finding finding = {
		.severity = FINDING_ERROR,
		.file = s->file,
		.offset = f->offset,
		.time = FINDING_NEVER,
	};

	if (f->time < SEEK_SKIPPED_TOP)
		finding_add(s->findings, finding,
			"%lld bytes up to byte %lld are not an event and are "
			"left out",
			(long long)(f->time - SEEK_SKIPPED),
			(long long)(f->offset + (f->time - SEEK_SKIPPED)));
	else if (f->time < f->last && s->by_weft)
		finding_add(s->findings, finding,
			"clock goes backwards %lld -> %lld ns; the event gets "
			"the time %lld (the caller of ovni_ev_emit() reads the "
			"clock: did a "
			"signal handler record an event before the call?)",
			(long long)f->last, (long long)f->time,
			(long long)f->last);
	else
		finding_add(s->findings, finding,
			f->time < f->last
				? "clock goes backwards %lld -> %lld ns; the "
				  "event gets the time %lld"
				: "the clock of this event alone jumps, %lld "
				  "-> %lld ns; the event gets the time %lld",
			(long long)f->last, (long long)f->time,
			(long long)f->last);
}

void
obs_stream_go_to(struct obs_stream *s, int64_t offset)
{
	s->offset = offset;
	s->at = s->end = s->buf;
	s->length = 0;
	s->ahead = OBS_UNSURE;
	s->plain_end = NULL;
	if (offset == OBS_FIRST)
		s->skipped = 0;
}

/* Moves to an offset; `last` is the time of the event before it. */
static void
go_to(struct obs_stream *s, int64_t offset, int64_t last)
{
	obs_stream_go_to(s, offset);
	s->time = last;
}

/* Returns the number of faults noted at offsets from..to. */
static uint64_t
faults_in(const struct seek_stream *known, int64_t from, int64_t to)
{
	uint64_t n = 0;

	for (int i = 0; i < known->fault.n; i++)
		n += known->fault.at[i].offset >= from &&
			known->fault.at[i].offset <= to;
	return n;
}

/* Returns true if reading on leads to the noted offset, with the noted time
 * before it. */
static bool
leads_to(struct obs_stream *s, const struct seek_offset *p, int64_t time)
{
	int64_t last = s->time;

	while (obs_stream_offset(s) < p->offset) {
		last = s->time;
		if (!obs_stream_next(s))
			return false;
	}
	return obs_stream_offset(s) == p->offset && last == time;
}

/* Moves to noted offset i, starting from the one before it; i < 0: to the first
 * event. */
static bool
arrive(struct obs_stream *s, const struct seek_stream *known, int i)
{
	int64_t shift = s->clock_offset - known->clock_offset;
	const struct seek_offset *p = known->place.at + i;

	if (i > 0)
		go_to(s, p[-1].offset, p[-1].time + shift);
	else
		go_to(s, OBS_FIRST, 0);
	s->findings->count[FINDING_ERROR] = 0;
	if (!obs_stream_next(s))
		return false;
	/* The fault of the first event was reported when the stream was
	 * opened. */
	if (i <= 0)
		s->findings->count[FINDING_ERROR] = 0;
	return i < 0 || leads_to(s, p, p->time + shift);
}

/* Moves to the first event at or after `time`, over at most n events. Returns
 * the number of events passed. */
static uint64_t
advance(struct obs_stream *s, int64_t time, uint64_t n, bool *ended)
{
	uint64_t i = 0;

	*ended = false;
	while (i < n && s->time < time && !*ended) {
		*ended = !obs_stream_next(s);
		i += !*ended;
	}
	return i;
}

/* Tries to move to `time` from noted offset i. Does not pass the end of the
 * stream, whose faults were not noted. */
static bool
try_place(struct obs_stream *s, const struct seek_stream *known, int i,
	int64_t time)
{
	int64_t from = i > 0 ? known->place.at[i - 1].offset : OBS_FIRST + 1;
	uint64_t n;
	bool ended;

	if (!arrive(s, known, i))
		return false;
	if (known->fault.n < SEEK_FAULTS_MAX) {
		n = advance(s, time, UINT64_MAX, &ended);
		if (ended && i + 1 < known->place.n)
			return false;
		if (ended) {
			arrive(s, known, i);
			advance(s, time, n, &ended);
		}
	}
	return s->findings->count[FINDING_ERROR] ==
		faults_in(known, from, obs_stream_offset(s));
}

bool
obs_stream_seek(
	struct obs_stream *s, const struct seek_stream *known, int64_t time)
{
	struct findings *findings = s->findings, unsaid;
	int64_t there = time - (s->clock_offset - known->clock_offset);
	bool ok;

	findings_init(&unsaid, NULL, 0);
	s->findings = &unsaid;
	ok = try_place(s, known, seek_offset(known, there), time);
	if (!ok) {
		go_to(s, OBS_FIRST, 0);
		obs_stream_next(s);
	}
	s->findings = findings;
	return ok;
}
