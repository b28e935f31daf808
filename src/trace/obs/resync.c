/* SPDX-License-Identifier: MIT */
#include "trace/obs/resync.h"

#include <string.h>

#include "trace/obs/window.h"

#define HEADER sizeof(struct obs_event_header)
#define CHUNK 16384
#define CHAIN 2       /* events that must follow each other */
#define CHAIN_FIRST 3 /* the same, if no earlier clock is known */

/* An event header as stored in the file; a jumbo event's is followed by a size
 * of 4 bytes. */
struct head {
	uint8_t byte[HEADER + 4];
	int n; /* bytes read */
	int64_t clock, time;
	int64_t length; /* bytes of the whole event */
};

static bool
is_near(int64_t a, int64_t b)
{
	int64_t apart;

	return !__builtin_sub_overflow(a, b, &apart) && apart <= OBS_JUMP_NS &&
		apart >= -OBS_JUMP_NS;
}

/* Parses the header. Returns false if it cannot be that of an event. */
static bool
parse(struct obs_stream *s, struct head *h)
{
	uint32_t first, size;
	if (h->n < (int)HEADER)
		return false;
	memcpy(&first, h->byte, sizeof first);
	if (!obs_is_header(first))
		return false;
	memcpy(&h->clock, h->byte + offsetof(struct obs_event_header, clock),
		sizeof h->clock);
	if (h->clock < 0 || !obs_stream_correct(s, h->clock, &h->time))
		return false;
	size = first & OBS_PAYLOAD;
	h->length = (int64_t)HEADER + size + (size > 0);
	if ((first & OBS_JUMBO) != 0) {
		if (h->n < (int)sizeof h->byte)
			return false;
		memcpy(&size, h->byte + HEADER, sizeof size);
		h->length += size;
	}
	return true;
}

static bool
read_head(struct obs_stream *s, int64_t offset, struct head *h)
{
	h->n = (int)obs_stream_peek(s, h->byte, sizeof h->byte, offset);
	return parse(s, h);
}

/* Returns true if the event and the events after it, up to the end of the
 * stream or the next damage, are close to each other in time. */
static bool
is_chain(struct obs_stream *s, struct head *h, int64_t offset, int64_t last)
{
	static const uint8_t zero[HEADER];
	int want = last == 0 ? CHAIN_FIRST : CHAIN;

	for (int n = 1; n < want; n++) {
		last = h->time;
		offset += h->length;
		if (offset >= s->size_bytes)
			return true;
		if (read_head(s, offset, h)) {
			if (!is_near(h->time, last))
				return false;
		} else {
			return h->n < (int)HEADER ||
				memcmp(h->byte, zero, HEADER) == 0;
		}
	}
	return true;
}

static bool
is_event(struct obs_stream *s, const uint8_t *at, int64_t offset, int64_t last)
{
	struct head h = { .n = sizeof h.byte };
	uint32_t first;

	memcpy(&first, at, sizeof first);
	if (!obs_is_header(first))
		return false;
	memcpy(h.byte, at, sizeof h.byte);
	if (s->size_bytes - offset < h.n)
		h.n = (int)(s->size_bytes - offset);
	return parse(s, &h) && h.clock != 0 &&
		(last == 0 || is_near(h.time, last)) &&
		h.length <= s->size_bytes - offset &&
		is_chain(s, &h, offset, last);
}

/* Returns how many bytes from here on can be skipped because they are zeros: of
 * an event's first four bytes, at most one is zero. */
static size_t
count_zeros(const uint8_t *at, size_t n)
{
	static const uint8_t zero[512];
	size_t i = 0;

	while (i + sizeof zero <= n && memcmp(at + i, zero, sizeof zero) == 0)
		i += sizeof zero - 3;
	return i;
}

int64_t
resync_find(struct obs_stream *s, int64_t from, int64_t end, int64_t last)
{
	uint8_t part[CHUNK + HEADER + 4];

	while (from < end) {
		size_t got = obs_stream_peek(s, part, sizeof part, from), i = 0;

		if (got < HEADER)
			return -1;
		memset(part + got, 0, sizeof part - got);
		while (i < CHUNK && i < got && from + (int64_t)i < end) {
			i += count_zeros(part + i, CHUNK - i);
			if (i < CHUNK && from + (int64_t)i < end &&
				is_event(s, part + i, from + (int64_t)i, last))
				return from + (int64_t)i;
			i++;
		}
		from += (int64_t)i;
	}
	return -1;
}

bool
resync_is_too_long(struct obs_stream *s, int64_t last)
{
	int64_t at = obs_stream_offset(s), end = at + (int64_t)s->length;
	struct head h;

	if (end >= s->size_bytes || read_head(s, end, &h))
		return false;
	return resync_find(s, at + (int64_t)HEADER, end, last) >= 0;
}

/* Reads the times of the two events after the current one; returns how many
 * there are. Sets *ends if the stream ends after the current event. */
static int
look_ahead(struct obs_stream *s, int64_t time[2], bool *ends)
{
	int64_t offset = obs_stream_offset(s) + (int64_t)s->length;
	struct head h;
	int n = 0;

	*ends = s->size_bytes - offset < (int64_t)HEADER;
	while (n < 2 && read_head(s, offset, &h)) {
		time[n++] = h.time;
		offset += h.length;
	}
	return n;
}

/* Judges the first clock by the clocks of the events that follow. */
static enum resync_fit
judge_first(const int64_t *next, int n, int64_t *last, int64_t time)
{
	int64_t apart;

	if (n == 0 || next[0] <= 0 || (n == 2 && !is_near(next[0], next[1])))
		return RESYNC_FITS;
	/* Of two different clocks, the earlier is more likely right: the high
	 * bits of a clock are zeros. */
	if (!__builtin_sub_overflow(next[0], time, &apart) &&
		apart >= -OBS_JUMP_NS && (n < 2 || apart <= OBS_AWAY_NS))
		return RESYNC_FITS;
	*last = next[0];
	return RESYNC_CLOCK;
}

/* Returns true if the two events after the current one are earlier than it,
 * though not earlier than `last`. Events after the beginning of an unsorted
 * region (OU[) may be earlier without any fault. */
static bool
goes_back(const struct obs_stream *s, const int64_t *next, int n, int64_t last,
	int64_t time)
{
	return n == 2 && next[0] >= last && next[0] < time && next[1] >= last &&
		next[1] < time && (s->key & 0xffff) != ('O' | 'U' << 8);
}

enum resync_fit
resync_judge(struct obs_stream *s, bool first, int64_t *last, int64_t time)
{
	int64_t next[2] = { 0 };
	bool ends, back, on;
	int n = look_ahead(s, next, &ends);

	if (first)
		return judge_first(next, n, last, time);
	if (is_near(time, *last))
		return goes_back(s, next, n, *last, time) ? RESYNC_CLOCK
							  : RESYNC_FITS;
	back = n > 0 && is_near(next[0], *last);
	on = n > 0 && is_near(next[0], time);
	if (!ends && !back && !on)
		return RESYNC_NOISE;
	if (time < *last || (back && next[0] >= *last) ||
		time - *last > OBS_AWAY_NS)
		return RESYNC_CLOCK;
	return on || ends ? RESYNC_FITS : RESYNC_NOISE;
}
