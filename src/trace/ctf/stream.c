/* SPDX-License-Identifier: MIT */
#include "trace/ctf/stream.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/clock.h"
#include "trace/ctf/packet.h"
#include "trace/finding.h"

#define WINDOW_MAX (64u << 20) /* no event is larger */
/* A step of the clock above these limits means damage: above JUMP_NS if only
 * one event has it, above AWAY_NS in any case. */
#define JUMP_NS (INT64_C(3600) * 1000000000)
#define AWAY_NS (720 * JUMP_NS)

static void
found(struct ctf_stream *s, enum finding_severity severity, int64_t offset,
	const char *text)
{
	finding_add(s->findings,
		(struct finding){ .severity = severity,
			.file = s->file,
			.offset = offset,
			.time = FINDING_NEVER },
		"%s", text);
}

int64_t
ctf_stream_done(const struct ctf_stream *s)
{
	return s->buf == NULL ? s->size - s->waits
			      : s->base + (int64_t)(s->cursor.pos / 8);
}

static void
set_end(struct ctf_stream *s, size_t have)
{
	uint64_t content = s->content - s->cursor.bias;

	s->cursor.data = s->buf;
	s->cursor.end = have * 8 < content ? have * 8 : content;
}

int64_t
ctf_stream_pread(const struct ctf_stream *s, int fd, void *data, size_t n,
	int64_t offset)
{
	const struct ctf_tail *t = s->tail;
	size_t first = n, rest;
	int64_t got;

	if (t == NULL)
		return file_pread(fd, data, n, offset);
	if (offset >= t->begin)
		first = 0;
	else if (n > (uint64_t)(t->begin - offset))
		first = (size_t)(t->begin - offset);
	got = first > 0 ? file_pread(fd, data, first, offset) : 0;
	if (got < (int64_t)first)
		return got;
	offset += got - t->begin;
	if (offset < 0 || (uint64_t)offset >= t->n)
		return got;
	rest = t->n - (size_t)offset < n - first ? t->n - (size_t)offset
						 : n - first;
	memcpy((char *)data + first, t->at + offset, rest);
	return got + (int64_t)rest;
}

bool
ctf_stream_load(struct ctf_stream *s, int64_t offset, size_t bytes)
{
	int fd = s->fd;
	int64_t got;

	if (bytes > s->cap) {
		s->buf = mem_resize(s->buf, bytes + CTF_SLACK, 1);
		s->cap = bytes;
	}
	if (fd < 0)
		fd = open(s->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	got = fd < 0 ? -1 : ctf_stream_pread(s, fd, s->buf, bytes, offset);
	if (s->keep_open)
		s->fd = fd;
	else if (fd >= 0)
		close(fd);
	if (got < 0) {
		found(s, FINDING_ERROR, offset, "it cannot be read any more");
		return false;
	}
	memset(s->buf + got, 0, CTF_SLACK);
	s->base = s->window = offset;
	s->have = (size_t)got;
	s->cursor.bias = (uint64_t)(offset - s->packet) * 8;
	set_end(s, (size_t)got);
	return true;
}

bool
ctf_stream_more(struct ctf_stream *s)
{
	uint64_t keep = s->cursor.pos / 8;
	size_t bytes = s->cap;
	bool full = keep == 0 && s->cursor.data == s->buf && s->have >= s->cap;

	if (s->cursor.bias + s->cursor.end >= s->content)
		return false;
	if (full && bytes == WINDOW_MAX)
		return false;
	if (full)
		bytes = bytes * 2 < WINDOW_MAX ? bytes * 2 : WINDOW_MAX;
	s->cursor.pos %= 8;
	if (!ctf_stream_load(s, s->base + (int64_t)keep, bytes)) {
		s->content = 0;
		return false;
	}
	/* The file was truncated meanwhile. */
	if (s->cursor.end == 0 ||
		(s->cursor.end / 8 < s->cap &&
			s->cursor.bias + s->cursor.end < s->content)) {
		s->content = s->cursor.bias + s->cursor.end;
		s->cut = true;
	}
	return true;
}

static int64_t
place(const struct ctf_stream *s)
{
	return s->base + (int64_t)(s->cursor.pos / 8);
}

/* Returns the bytes of the packet behind the cursor. */
static uint64_t
bytes_left(const struct ctf_stream *s)
{
	uint64_t pos = s->cursor.bias + s->cursor.pos;

	return pos > s->content ? 0 : (s->content - pos + 7) / 8;
}

/* Reports that the rest of the packet holds no readable event, and skips it. */
static void
give_up(struct ctf_stream *s, enum ctf_result how, uint64_t id)
{
	/* If the writer was killed, an incomplete last event is not damage. */
	bool cut = how == CTF_SHORT && (s->cut || !s->sized);
	uint64_t left = bytes_left(s);
	const char *plural = left == 1 ? "" : "s";
	char text[160];

	if (how == CTF_BAD)
		snprintf(text, sizeof text,
			"%s (id %" PRIu64 "): %" PRIu64
			" byte%s of the %s left out",
			s->cursor.why, id, left, plural,
			s->sized ? "packet" : "file");
	else if (!s->sized)
		snprintf(text, sizeof text,
			"the last event is incomplete: %" PRIu64
			" byte%s left out",
			left, plural);
	else
		snprintf(text, sizeof text,
			"an event extends beyond the end of its packet%s: "
			"%" PRIu64 " byte%s left out",
			s->cut ? ", where the file is cut" : "", left, plural);
	found(s, cut ? FINDING_WARNING : FINDING_ERROR, place(s), text);
	s->content = 0;
}

static void __attribute__((noinline, cold)) report_clamped(struct ctf_stream *s)
{
	if (!s->clamped)
		found(s, FINDING_ERROR, s->base + (int64_t)(s->begin / 8),
			"with the clock offset in the metadata, times do not "
			"fit in 64 bits of ns: events from here on get the "
			"last possible time; reported once");
	s->clamped = true;
}

static inline int64_t
time_of(struct ctf_stream *s)
{
	const struct ctf_clock *clock = s->class->ticks;
	int64_t time;

	if (clock == NULL)
		return 0;
	if (__builtin_expect(clock->freq != 1000000000, 0))
		return ctf_packet_time(clock, s->cursor.clock);
	if (__builtin_add_overflow(s->cursor.clock, s->offset_ns, &time) ||
		time == INT64_MAX)
		return INT64_MAX - 1;
	return time;
}

static enum ctf_result
bad(struct ctf_stream *s, const char *why)
{
	s->cursor.why = why;
	return CTF_BAD;
}

static inline uint64_t
id_of(const struct ctf_stream *s)
{
	return s->class->event_id != CTF_NO_SLOT
		? s->header[s->class->event_id].u
		: (uint64_t)s->cursor.keys[CTF_KEY_ID];
}

static inline enum ctf_result
read_event(struct ctf_stream *s)
{
	const struct ctf_stream_layout *l = s->class;
	struct ctf_cursor *c = &s->cursor;
	enum ctf_result r;

	ctf_decode_reset(c);
	c->keys[CTF_KEY_ID] = 0;
	s->begin = c->pos;
	r = ctf_decode(c, &l->header, s->header);
	if (__builtin_expect(r != CTF_OK, 0))
		return r;
	s->event = ctf_layout_event(l, id_of(s));
	if (__builtin_expect(s->event == NULL, 0))
		return bad(s, "the metadata declares no event with this id");
	if (__builtin_expect(l->clock != CTF_NO_SLOT, 1))
		c->clock = s->header[l->clock].u;
	s->payload = c->pos;
	r = ctf_decode(c, &s->event->code, s->values);
	if (__builtin_expect(c->pos == s->begin && r == CTF_OK, 0))
		return bad(s, "an event of 0 bytes");
	return r;
}

static void __attribute__((noinline, cold))
report_clock(struct ctf_stream *s, int64_t time)
{
	finding_add(s->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = s->file,
			.offset = s->base + (int64_t)(s->begin / 8),
			.time = s->time },
		"the clock goes back by %" PRIu64
		" ns: the previous time is used",
		(uint64_t)s->time - (uint64_t)time);
}

/* Reads the time of the next event and returns to the current one. Returns
 * false if the packet has no further event, or it cannot be read. */
static bool
look_ahead(struct ctf_stream *s, uint64_t clock, int64_t *time)
{
	struct ctf_cursor *c = &s->cursor;
	uint64_t begin = s->begin;
	bool ok = c->bias + c->pos < s->content && read_event(s) == CTF_OK;

	*time = ok ? time_of(s) : 0;
	c->pos = begin;
	c->clock = clock;
	read_event(s); /* restores the current event */
	return ok;
}

static int64_t
apart(int64_t a, int64_t b)
{
	int64_t by;

	return __builtin_sub_overflow(a, b, &by) ? a < b ? INT64_MIN : INT64_MAX
						 : by;
}

/*
 * Checks an event that is much later than the previous one, or is the first
 * (s->time INT64_MIN). If the next event shows that only this clock is wrong,
 * reports that. Returns the time to use. `clock` is the clock before the event.
 */
static int64_t __attribute__((noinline, cold))
check_jump(struct ctf_stream *s, uint64_t clock, int64_t time)
{
	bool first = s->time == INT64_MIN;
	int64_t next, taken = s->time, by;
	bool more = look_ahead(s, clock, &next), off;

	by = first ? apart(time, next) : apart(time, s->time);
	if (first)
		off = more && by > JUMP_NS;
	else
		off = by > AWAY_NS ||
			(more && next >= s->time &&
				apart(next, s->time) <= JUMP_NS);
	if (first)
		taken = next;
	if (off) {
		s->cursor.clock = clock;
		finding_add(s->findings,
			(struct finding){ .severity = FINDING_ERROR,
				.file = s->file,
				.offset = s->base + (int64_t)(s->begin / 8),
				.time = FINDING_NEVER },
			"the clock jumps by %" PRId64 " ns for one event: the "
			"time of the %s event is used",
			by, first ? "next" : "previous");
		return taken;
	}
	return time;
}

bool
ctf_stream_begin_at(struct ctf_stream *s, int64_t time)
{
	int64_t next;

	if (s->class->begin != CTF_NO_SLOT || s->class->ticks == NULL ||
		!clock_is_away(s->time, time) ||
		(look_ahead(s, s->cursor.clock, &next) &&
			!clock_is_away(next, s->time)))
		return false;
	found(s, FINDING_ERROR, s->base + (int64_t)(s->begin / 8),
		"the first clock differs by months from the clocks of the "
		"other streams: the event gets their time");
	s->time = time;
	return true;
}

/* Handles an event that could not be read: reads a longer window. Returns false
 * if the packet has no more bytes. */
static bool __attribute__((noinline))
try_again(struct ctf_stream *s, enum ctf_result r, uint64_t clock)
{
	uint64_t id = id_of(s);

	s->cursor.pos = s->begin;
	s->cursor.clock = clock;
	if (r == CTF_SHORT && ctf_stream_more(s))
		return true;
	give_up(s, r, id);
	return false;
}

/* Skips the rest of a packet, from an event that is later than the end of the
 * packet. Such bytes are not an event: zeros, for example, look like events of
 * many classes. */
static void __attribute__((noinline, cold))
leave_late(struct ctf_stream *s, uint64_t clock)
{
	uint64_t left;
	char text[160];

	s->cursor.pos = s->begin;
	s->cursor.clock = clock;
	left = bytes_left(s);
	snprintf(text, sizeof text,
		"an event is later than the end of its packet: %" PRIu64
		" byte%s of the packet left out",
		left, left == 1 ? "" : "s");
	found(s, FINDING_ERROR, place(s), text);
	s->content = 0;
}

static inline bool
is_far(const struct ctf_stream *s, int64_t time)
{
	return (uint64_t)time - (uint64_t)s->time > (uint64_t)JUMP_NS;
}

static inline bool
is_odd(const struct ctf_stream *s, int64_t time)
{
	return is_far(s, time) || time == INT64_MAX - 1 || time == INT64_MIN;
}

/* Chooses the time of an event whose clock jumps far ahead, goes back, or does
 * not fit. */
static void __attribute__((noinline, cold))
take_odd(struct ctf_stream *s, uint64_t clock, int64_t time)
{
	if (time > s->time && is_far(s, time))
		time = check_jump(s, clock, time);
	if (time == INT64_MAX - 1 || time == INT64_MIN)
		report_clamped(s);
	if (time < s->time)
		report_clock(s, time);
	else
		s->time = time;
}

bool
ctf_stream_next(struct ctf_stream *s)
{
	for (;;) {
		struct ctf_cursor *c = &s->cursor;
		uint64_t clock = c->clock;
		enum ctf_result r;
		int64_t time;

		if (__builtin_expect(c->bias + c->pos >= s->content, 0)) {
			if (!ctf_packet_next(s))
				return false;
			continue;
		}
		r = read_event(s);
		if (__builtin_expect(r != CTF_OK, 0)) {
			try_again(s, r, clock);
			continue;
		}
		if (__builtin_expect(c->clock > s->latest, 0)) {
			leave_late(s, clock);
			continue;
		}
		time = time_of(s);
		if (__builtin_expect(is_odd(s, time), 0))
			take_odd(s, clock, time);
		else
			s->time = time;
		s->nevents++;
		return true;
	}
}

void
ctf_stream_skip(struct ctf_stream *s, int64_t time)
{
	/* If events come later than the ends of their packets, this tracer
	 * stores something else in the packet's end time, and no packet can be
	 * skipped. */
	s->skips = s->buf == NULL || s->time <= s->sofar.end;
	s->from = time;
	if (s->buf != NULL && ctf_packet_is_early(s))
		s->content = 0;
}

static bool
open_file(struct ctf_stream *s)
{
	struct stat st;

	s->fd = open(s->file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->fd < 0 || fstat(s->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		found(s, FINDING_ERROR, FINDING_NOWHERE,
			"left out: it cannot be read");
		return false;
	}
	s->size = st.st_size;
	if (s->tail != NULL)
		s->size = s->tail->begin + (int64_t)s->tail->n;
	if (s->size == 0)
		found(s, FINDING_NOTE, FINDING_NOWHERE, "the file is empty");
	return s->size > 0;
}

/* Allocates slots and keys for the largest class of the trace. */
static void
make_room(struct ctf_stream *s)
{
	int values = 1, header = 1;
	uint32_t keys = CTF_FIRST_KEY;

	for (int i = 0; i < s->layout->streams.n; i++) {
		const struct ctf_stream_layout *l = &s->layout->streams.at[i];
		int n = l->header.fields.n > l->packet_header.fields.n
			? l->header.fields.n
			: l->packet_header.fields.n;

		values = l->nvalues > values ? l->nvalues : values;
		header = n > header ? n : header;
		keys = l->nkeys > keys ? l->nkeys : keys;
	}
	s->values = mem_resize(NULL, (size_t)values, sizeof(union value));
	s->header = mem_resize(NULL, (size_t)header, sizeof(union value));
	s->cursor.keys = mem_resize(NULL, keys, sizeof(int64_t));
	memset(s->values, 0, (size_t)values * sizeof(union value));
	memset(s->header, 0, (size_t)header * sizeof(union value));
	memset(s->cursor.keys, 0, keys * sizeof(int64_t));
}

void
ctf_stream_rewind(struct ctf_stream *s)
{
	struct ctf_stream all = *s;

	ctf_stream_close(s);
	*s = (struct ctf_stream){ .layout = all.layout,
		.meta = all.meta,
		.tail = all.tail,
		.trace = all.trace,
		.number = all.number,
		.start = all.start,
		.skips = all.skips,
		.from = all.from,
		.followed = all.followed,
		.looked_at = true,
		.findings = all.findings };
}

bool
ctf_stream_open(
	struct ctf_stream *s, const char *file, size_t window, bool keep_open)
{
	bool ok;

	s->file = file;
	s->keep_open = keep_open;
	s->time = INT64_MIN;
	s->cap = window;
	if (!open_file(s)) {
		ctf_stream_close(s);
		return false;
	}
	if (!keep_open) {
		close(s->fd);
		s->fd = -1;
	}
	s->buf = mem_resize(NULL, s->cap + CTF_SLACK, 1);
	make_room(s);
	ok = ctf_packet_next(s);
	if (!ok)
		ctf_stream_close(s);
	return ok;
}

void
ctf_stream_close(struct ctf_stream *s)
{
	if (s->keep_open && s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	s->keep_open = false;
	mem_free(s->buf);
	mem_free(s->head_copy);
	mem_free(s->values);
	mem_free(s->header);
	mem_free(s->cursor.keys);
	arena_fini(&s->cursor.lists);
	arena_fini(&s->head.lists);
	s->buf = s->head_copy = NULL;
	s->values = s->header = NULL;
	s->cursor.keys = NULL;
}
