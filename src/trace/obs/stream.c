/* SPDX-License-Identifier: MIT */
#include "trace/obs/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/finding.h"
#include "trace/obs/resync.h"
#include "trace/ring_tail.h"
#include "trace/seek.h"

/* Byte offsets are recorded where a window ends, which may be a little before a
 * full step. */
#define NOTE_STEP (SEEK_STEP - 4096)
#define ROUNDING 8 /* ns */

static bool
check_header(struct obs_stream *s)
{
	struct obs_file_header h;

	obs_stream_refill(s, sizeof h);
	if ((size_t)(s->end - s->at) < sizeof h) {
		finding_file(s->findings, FINDING_ERROR, s->file,
			s->end == s->at ? "is empty: not even a header"
					: "is shorter than its header");
		return false;
	}
	memcpy(&h, s->at, sizeof h);
	if (memcmp(h.magic, OBS_MAGIC, sizeof h.magic) != 0) {
		finding_file(s->findings, FINDING_ERROR, s->file,
			"not an ovni stream: it does not begin with \"ovni\"");
		return false;
	}
	if (h.version != OBS_VERSION) {
		finding_file(s->findings, FINDING_ERROR, s->file,
			"stream version %u; this build reads version %d",
			h.version, OBS_VERSION);
		return false;
	}
	s->at += sizeof h;
	return true;
}

bool
obs_stream_open(struct obs_stream *s, const char *file, struct findings *fs,
	size_t window, bool keep_open)
{
	struct stat st;

	*s = (struct obs_stream){ .file = file,
		.findings = fs,
		.fd = -1,
		.keep_open = keep_open,
		.ahead = OBS_UNSURE,
		.note_at = INT64_MAX };
	if (!obs_stream_open_fd(s) || fstat(s->fd, &st) != 0) {
		finding_file(fs, FINDING_ERROR, file, "cannot open: %s",
			strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode)) {
		finding_file(fs, FINDING_ERROR, file, "not a regular file");
		obs_stream_close(s);
		return false;
	}
	s->size_bytes = st.st_size;
	s->window = s->cap = window;
	s->buf = mem_resize(NULL, window, 1);
	s->at = s->end = s->buf;
	if (!check_header(s)) {
		obs_stream_close(s);
		return false;
	}
	return true;
}

void
obs_stream_close(struct obs_stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	mem_free(s->buf);
	s->buf = NULL;
	s->at = s->end = NULL;
}

const char *
obs_key_name(uint32_t key, char to[16])
{
	int n = 0;

	for (int i = 0; i < 3; i++) {
		unsigned c = key >> (8 * i) & 0xff;

		n += snprintf(to + n, 16 - (size_t)n,
			c > ' ' && c < 0x7f ? "%c" : "\\x%02x", c);
	}
	return to;
}

void
obs_stream_extend(struct obs_stream *s, const struct ring_tail *ring)
{
	int64_t n = s->end - s->buf;

	s->ring = ring;
	if (ring == NULL)
		return;
	/* The file of a dead process may end with the beginning of an event
	 * that was too large for its ring; the file of a live process may have
	 * grown. */
	if (ring->end > s->size_bytes || ring->live)
		s->size_bytes = ring->end;
	if (n > s->size_bytes)
		s->end -= n - s->size_bytes;
}

/* What begins at a byte offset of a stream. */
enum begins {
	BEGINS_EVENT,
	BEGINS_NOTHING, /* the stream ends */
	BEGINS_TORN,    /* an incomplete event */
	BEGINS_FLAGS,   /* invalid flags */
	BEGINS_BLANK,   /* zeros, or an event whose clock was lost to zeros */
	BEGINS_NOISE,   /* other bytes that are not an event */
};

static void
say_torn(struct obs_stream *s)
{
	struct finding f = obs_stream_at_byte(
		s, s->finished ? FINDING_ERROR : FINDING_WARNING);
	char where[32], name[16];

	f.refused = true;
	if ((size_t)(s->end - s->at) >= sizeof(struct obs_event_header)) {
		snprintf(where, sizeof where, "event %s",
			obs_key_name(s->key, name));
		f.where = where;
	}
	f.advice = s->finished ? "its stream.json says that it finished: the "
				 "file is damaged or was cut later"
			       : "the writer was killed, or the file was cut";
	finding_add(s->findings, f,
		"the last event is incomplete: %lld bytes are left over",
		(long long)(s->size_bytes - obs_stream_offset(s)));
}

/* Parses a jumbo event, whose length is known only after its size was read. */
static enum begins
parse_jumbo(struct obs_stream *s)
{
	const size_t fixed = sizeof(struct obs_event_header) + 4;
	uint32_t n;

	if ((s->at[0] & OBS_PAYLOAD) != 3)
		return BEGINS_FLAGS;
	if ((size_t)(s->end - s->at) < fixed)
		return BEGINS_TORN;
	memcpy(&n, s->at + fixed - 4, 4);
	if ((size_t)(s->end - s->at) < fixed + n) {
		if ((int64_t)(fixed + n) > s->size_bytes - obs_stream_offset(s))
			return BEGINS_TORN;
		obs_stream_refill(s, fixed + n);
		if ((size_t)(s->end - s->at) < fixed + n)
			return BEGINS_TORN;
	}
	s->length = fixed + n;
	s->data = s->at + fixed;
	s->size = n;
	return BEGINS_EVENT;
}

/* Returns true if the clock of the next event is in [last, last + 1 h): then
 * the current event's clock is wrong. */
static bool
next_is_near(struct obs_stream *s, int64_t last)
{
	uint8_t next[sizeof(struct obs_event_header)];
	int64_t clock;

	/* Reads the file if necessary, so that the result does not depend on
	 * where the window ends. */
	if (obs_stream_peek(s, next, sizeof next,
		    obs_stream_offset(s) + (int64_t)s->length) < sizeof next)
		return false;
	memcpy(&clock, next + offsetof(struct obs_event_header, clock),
		sizeof clock);
	return clock >= 0 && obs_stream_correct(s, clock, &clock) &&
		clock >= last && clock - last < OBS_JUMP_NS;
}

/* Reports a fault, and records it for readers that begin after it. */
static void __attribute__((cold))
add_fault(struct obs_stream *s, struct seek_fault f)
{
	obs_stream_say(s, &f);
	if (s->notes == NULL)
		return;
	if (s->notes->fault.n < SEEK_FAULTS_MAX)
		VEC_PUSH(&s->notes->fault, s->notes_arena, f);
	else
		obs_stream_note(s, NULL, NULL);
}

/* Returns the time of the current event's own clock; -1 if it does not fit. */
static int64_t
own_time(struct obs_stream *s)
{
	int64_t time;

	memcpy(&time, s->at + offsetof(struct obs_event_header, clock),
		sizeof time);
	if (!obs_stream_correct(s, time, &time) || time < SEEK_SKIPPED_TOP)
		return -1;
	/* Where two lines meet, their rounding differs by a few ns. */
	if (s->line != NULL && time < s->time && s->time - time < ROUNDING)
		return s->time;
	return time;
}

/* Returns true if the current event is the first. */
static bool
is_first(const struct obs_stream *s)
{
	return obs_stream_offset(s) == OBS_FIRST + s->skipped;
}

/* Returns true if the clock of the current event is wrong; sets *last to the
 * time that it should get. */
static bool
is_wrong(struct obs_stream *s, int64_t time, int64_t *last)
{
	bool first = s->mends && is_first(s);

	if (first && s->about != 0) {
		*last = s->about;
		return true;
	}
	if ((time < *last && !first) || time == INT64_MAX)
		return true;
	if (!s->mends)
		return time - *last > OBS_JUMP_NS && *last > 0 &&
			next_is_near(s, *last);
	if (!first && time - *last <= OBS_LEAP_NS)
		return false;
	return resync_judge(s, first, last, time) == RESYNC_CLOCK ||
		time < *last;
}

static void
set_time(struct obs_stream *s)
{
	int64_t last = s->time, time = own_time(s);

	s->time = time;
	if (s->raw_clocks || !is_wrong(s, time, &last))
		return;
	s->time = last;
	add_fault(s, (struct seek_fault){ obs_stream_offset(s), last, time });
}

/*
 * Sets the end of the range in which obs_stream_sees() may skip two checks: a
 * clock that is zero (within the range such a clock would be a step back), and
 * an overflow of the time (a window has too few events to get from the middle
 * of the range to its end).
 */
static void
set_plain(struct obs_stream *s)
{
	bool usual = s->line == NULL && s->time > s->clock_offset &&
		s->time >= 0 && s->time < INT64_MAX / 2 &&
		s->clock_offset > INT64_MIN / 2;

	s->plain_end = usual && (size_t)(s->end - s->buf) >= 2 * OBS_EVENT_MAX
		? s->end - 2 * OBS_EVENT_MAX + 1
		: NULL;
}

void
obs_stream_begin_at(struct obs_stream *s, int64_t time)
{
	s->about = time;
	s->time = 0;
	set_time(s);
	set_plain(s);
}

void
obs_stream_note(struct obs_stream *s, struct arena *a, struct seek_stream *to)
{
	s->notes = to;
	s->notes_arena = a;
	s->note_at = to == NULL ? INT64_MAX : obs_stream_offset(s) + NOTE_STEP;
}

static void __attribute__((noinline, cold))
note_place(struct obs_stream *s, int64_t last)
{
	int64_t offset = obs_stream_offset(s);

	if (s->notes == NULL)
		return;
	VEC_PUSH(&s->notes->place, s->notes_arena,
		((struct seek_offset){ offset, last }));
	s->note_at = offset + NOTE_STEP;
}

/* Returns true if the bytes are zeros, as many as the header of an event has or
 * all that are left; false if no byte is left. */
static bool
is_blank(const uint8_t *at, const uint8_t *end)
{
	static const uint8_t zero[sizeof(struct obs_event_header)];
	size_t n = (size_t)(end - at);

	return n > 0 &&
		memcmp(at, zero, n < sizeof zero ? n : sizeof zero) == 0;
}

/* Skips zeros across windows. */
static void
skip_zeros(struct obs_stream *s)
{
	static const uint8_t zero[4096];

	do {
		while ((size_t)(s->end - s->at) >= sizeof zero &&
			memcmp(s->at, zero, sizeof zero) == 0)
			s->at += sizeof zero;
		while (s->at < s->end && *s->at == 0)
			s->at++;
		if (s->at < s->end)
			return;
		obs_stream_refill(s, 1);
	} while (s->at < s->end);
}

/* Reports the zeros after the first `length` bytes, which hold no event. The
 * stream ends here. */
static void __attribute__((cold)) say_blank(struct obs_stream *s)
{
	struct finding f = obs_stream_at_byte(
		s, s->finished ? FINDING_ERROR : FINDING_WARNING);
	int64_t begin = obs_stream_offset(s), end;

	f.refused = true;
	f.advice = s->finished ? "its stream.json says that it finished: the "
				 "file was damaged later"
			       : "the writer's data never reached the disk";
	s->at += s->length;
	s->length = 0;
	skip_zeros(s);
	end = obs_stream_offset(s);
	if (end == s->size_bytes)
		finding_add(s->findings, f,
			"%lld bytes up to the end are zeros, not events",
			(long long)(end - begin));
	else
		finding_add(s->findings, f,
			"%lld bytes are zeros, not events: the rest of the "
			"stream, %lld bytes, is left out",
			(long long)(end - begin),
			(long long)(s->size_bytes - end));
	obs_stream_go_to(s, begin);
}

/* Returns true if zeros have overwritten the end of the event, including its
 * clock. */
static bool
ends_blank(struct obs_stream *s, int64_t last)
{
	int64_t clock, time;

	memcpy(&clock, s->at + offsetof(struct obs_event_header, clock),
		sizeof clock);
	if (!obs_stream_correct(s, clock, &time))
		return false;
	return (clock == 0 || time < last) &&
		is_blank(s->at + s->length, s->end);
}

/* Parses the event at `at`, which becomes the current one. */
static enum begins
parse(struct obs_stream *s)
{
	uint8_t flags;

	if ((size_t)(s->end - s->at) < 2 * OBS_EVENT_MAX) {
		obs_stream_refill(s, 2 * OBS_EVENT_MAX);
		if (s->at == s->end)
			return BEGINS_NOTHING;
		if ((size_t)(s->end - s->at) < sizeof(struct obs_event_header))
			return BEGINS_TORN;
	}
	if (is_blank(s->at, s->end))
		return BEGINS_BLANK;
	flags = s->at[0];
	s->key = (uint32_t)(s->at[1] | s->at[2] << 8 | s->at[3] << 16);
	if (flags & OBS_JUMBO) {
		enum begins jumbo = parse_jumbo(s);

		if (jumbo != BEGINS_EVENT)
			return jumbo;
		s->key |= OBS_KEY_JUMBO;
	} else {
		s->size = flags & OBS_PAYLOAD;
		s->size += s->size > 0;
		s->data = s->at + sizeof(struct obs_event_header);
		s->length = sizeof(struct obs_event_header) + s->size;
		if ((size_t)(s->end - s->at) < s->length)
			return BEGINS_TORN;
	}
	return ends_blank(s, s->time) ? BEGINS_BLANK : BEGINS_EVENT;
}

/* Returns true if bytes that look like an event are not one, judged by the
 * neighbouring events. */
static bool
is_noise(struct obs_stream *s)
{
	int64_t time = own_time(s), last = s->time, apart;
	uint32_t first;

	memcpy(&first, s->at, sizeof first);
	if (!obs_is_header(first))
		return true;
	if ((first & OBS_JUMBO) != 0 && resync_is_too_long(s, s->time))
		return true;
	if (is_first(s) ||
		(!__builtin_sub_overflow(time, s->time, &apart) &&
			apart <= OBS_JUMP_NS && apart >= -OBS_JUMP_NS))
		return false;
	return resync_judge(s, false, &last, time) == RESYNC_NOISE;
}

/* Skips to the next event. Returns false if there is none. */
static bool __attribute__((cold)) skip_damage(struct obs_stream *s)
{
	int64_t begin = obs_stream_offset(s);
	int64_t to = resync_find(s, begin + 1, s->size_bytes, s->time);

	if (to < 0)
		return false;
	if (s->skipped == 0)
		s->skipped_at = begin;
	s->skipped += to - begin;
	add_fault(s,
		(struct seek_fault){
			begin, s->time, SEEK_SKIPPED + (to - begin) });
	obs_stream_go_to(s, to);
	return true;
}

static void __attribute__((cold))
say_end(struct obs_stream *s, enum begins what)
{
	int64_t left = s->size_bytes - obs_stream_offset(s);

	if (what == BEGINS_TORN)
		say_torn(s);
	else if (what == BEGINS_BLANK)
		say_blank(s);
	else if (what == BEGINS_FLAGS)
		finding_add(s->findings, obs_stream_at_byte(s, FINDING_ERROR),
			"flags 0x%02x are not those of an event: the rest of "
			"the stream, "
			"%lld bytes, is left out",
			s->at[0], (long long)left);
	else if (what == BEGINS_NOISE)
		finding_add(s->findings, obs_stream_at_byte(s, FINDING_ERROR),
			"no event begins here: the rest of the stream, %lld "
			"bytes, is left out",
			(long long)left);
	s->length = 0;
}

bool
obs_stream_step(struct obs_stream *s)
{
	int64_t last = s->time;
	enum begins what;

	s->at += s->length;
	s->plain_end = NULL;
	do {
		s->length = 0;
		what = parse(s);
		if (what == BEGINS_EVENT && s->mends && is_noise(s))
			what = BEGINS_NOISE;
	} while (what > BEGINS_NOTHING && s->mends && skip_damage(s));
	if (what != BEGINS_EVENT) {
		say_end(s, what);
		return false;
	}
	set_time(s);
	set_plain(s);
	if (__builtin_expect(obs_stream_offset(s) >= s->note_at, 0))
		note_place(s, last);
	return true;
}
