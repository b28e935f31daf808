/* SPDX-License-Identifier: MIT */
#include "trace/ctf/packet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "trace/finding.h"
#include "trace/trace.h"

#define HEADER_BYTES 512 /* enough for the header of most packets */

__extension__ typedef __int128 wide;

int64_t
ctf_packet_time(const struct ctf_clock *clock, uint64_t ticks)
{
	wide all = (wide)clock->offset + (wide)ticks;

	all = all * 1000000000 / (wide)clock->freq +
		(wide)clock->offset_s * 1000000000;
	if (all < INT64_MIN)
		return INT64_MIN;
	return all >= INT64_MAX ? INT64_MAX - 1 : (int64_t)all;
}

/* Reports that the packet, and with it the rest of the file, cannot be read. */
static bool __attribute__((format(printf, 2, 3), cold))
refuse(struct ctf_stream *s, const char *fmt, ...)
{
	char text[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	finding_add(s->findings,
		(struct finding){ .severity = FINDING_ERROR,
			.file = s->file,
			.offset = s->packet,
			.time = FINDING_NEVER },
		"%s: %" PRId64 " bytes left out", text, s->size - s->packet);
	s->content = 0;
	s->next = s->size;
	return false;
}

/* Decodes; reads longer windows until the value fits. */
static bool
decode(struct ctf_stream *s, const struct ctf_code *code, union value *v)
{
	uint64_t pos = s->cursor.pos;
	enum ctf_result r;

	for (;;) {
		r = ctf_decode(&s->cursor, code, v);
		if (r == CTF_OK)
			return true;
		/* Restarts at the beginning of the packet, which the window
		 * keeps. */
		s->cursor.pos = 0;
		if (r == CTF_BAD || !ctf_stream_more(s))
			return false;
		s->cursor.pos = pos;
	}
}

static bool
has_uuid(const struct ctf_stream *s, const struct ctf_stream_layout *l)
{
	const struct value_list *list;

	if (l->uuid == CTF_NO_SLOT || !s->meta->has_uuid ||
		l->packet_header.fields.at[l->uuid].type != FIELD_LIST ||
		l->packet_header.fields.at[l->uuid].inner->n != 1)
		return true;
	list = s->header[l->uuid].list;
	for (uint32_t i = 0; i < list->n && i < sizeof s->meta->uuid; i++)
		if (list->at[i].u != s->meta->uuid[i])
			return false;
	return true;
}

static const struct ctf_stream_layout *
find_class(const struct ctf_layout *l, uint64_t id)
{
	for (int i = 0; i < l->streams.n; i++)
		if (l->streams.at[i].id == id)
			return &l->streams.at[i];
	return NULL;
}

/* Warns once per file about another UUID. The file may still be usable. */
static void
note_foreign(struct ctf_stream *s)
{
	if (!s->foreign)
		finding_add(s->findings,
			(struct finding){ .severity = FINDING_WARNING,
				.file = s->file,
				.offset = s->packet,
				.time = FINDING_NEVER },
			"the UUID of this packet belongs to another trace; the "
			"packet is read as part of this one");
	s->foreign = true;
}

static bool
read_header(struct ctf_stream *s)
{
	const struct ctf_stream_layout *l = &s->layout->streams.at[0];
	uint64_t id = l->id;

	if (!decode(s, &l->packet_header, s->header))
		return refuse(s, "an incomplete packet header");
	if (l->magic != CTF_NO_SLOT && s->header[l->magic].u != CTF_MAGIC)
		return refuse(s,
			"no packet begins here (magic 0x%08" PRIx64 ")",
			s->header[l->magic].u);
	if (!has_uuid(s, l))
		note_foreign(s);
	if (l->stream_id != CTF_NO_SLOT)
		id = s->header[l->stream_id].u;
	s->class = find_class(s->layout, id);
	if (s->class == NULL)
		return refuse(s,
			"stream %" PRIu64 " is not declared in the metadata",
			id);
	if (s->class == l)
		return true;
	/* Decodes the header again with the layout of this class, whose events
	 * may need the header's values. */
	s->cursor.pos = 0;
	return decode(s, &s->class->packet_header, s->header) ||
		refuse(s, "an incomplete packet header");
}

void
ctf_packet_report_lost(const struct ctf_stream *s, const struct trace_lost *l)
{
	bool packets = l->packets > 0;
	int64_t n = packets ? l->packets : l->count;
	char when[TRACE_WHEN_MAX];

	finding_add(s->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = s->file,
			.offset = l->packet,
			.time = FINDING_NEVER },
		"%" PRId64 " %s%s lost %s: the tracer %s", n,
		packets ? "packet" : "event", n == 1 ? " was" : "s were",
		trace_lost_when(l, *s->start, when),
		packets ? "overwrote them" : "had no room");
}

static void
add_lost(struct ctf_stream *s, struct trace_lost l)
{
	if (s->trace != NULL)
		trace_add_lost(s->trace, s->number, l);
	if (s->start != NULL)
		ctf_packet_report_lost(s, &l);
}

/* Records the events that the tracer has discarded since the previous
 * packet. */
static void
note_lost(struct ctf_stream *s, const union value *v, int64_t from, int64_t to)
{
	uint32_t slot = s->class->discarded;
	uint64_t all = v[slot].u;
	int64_t n = (int64_t)(all - s->sofar.discarded);

	/* A 32-bit counter may have wrapped around. */
	if (s->class->packet_context.fields.at[slot].bits == 32)
		n = (int32_t)n;
	if (n <= 0)
		return;
	s->sofar.discarded = all;
	add_lost(s,
		(struct trace_lost){ .from = from,
			.to = to,
			.count = n,
			.packet = s->packet });
}

/* Records whole packets that are missing between the previous packet and this
 * one. */
static void
note_missing(struct ctf_stream *s, const union value *v, int64_t begin)
{
	uint64_t sequence = v[s->class->sequence].u;
	uint64_t n = sequence - s->sofar.sequence;

	if (s->class->packet_context.fields.at[s->class->sequence].bits == 32)
		n = (uint32_t)n;
	if (s->sofar.any && n > 1 && n <= INT64_MAX)
		add_lost(s,
			(struct trace_lost){ .from = s->sofar.end,
				.to = begin > s->sofar.end ? begin
							   : s->sofar.end,
				.packet = s->packet,
				.packets = (int64_t)n - 1 });
	s->sofar.sequence = sequence;
}

/* Returns the time in a field of the packet; without the field, the last
 * time. */
static int64_t
time_in(const struct ctf_stream *s, const union value *v, uint32_t slot)
{
	return slot == CTF_NO_SLOT || s->class->ticks == NULL
		? s->time
		: ctf_packet_time(s->class->ticks, v[slot].u);
}

/* Returns true if the events were lost before the packet begins. Other tracers
 * may have recorded events between the lost ones. */
static bool
is_between(const struct ctf_stream *s, int64_t begin)
{
	return s->meta->is_ours && s->sofar.any && begin > s->sofar.end;
}

static void
note_range(struct ctf_stream *s, const union value *v)
{
	const struct ctf_stream_layout *l = s->class;
	struct ctf_sofar *before = &s->sofar;
	int64_t begin = time_in(s, v, l->begin), end = time_in(s, v, l->end);

	if (l->sequence != CTF_NO_SLOT)
		note_missing(s, v, begin);
	if (l->discarded != CTF_NO_SLOT)
		note_lost(s, v, before->any ? before->end : begin,
			is_between(s, begin) ? begin : end);
	before->any = true;
	before->again = false;
	before->begin = begin;
	before->end = end;
}

/* Returns true if the packet is also in the previous file: a snapshot holds
 * everything in the buffers, including what the previous snapshot took. */
static bool
is_known(const struct ctf_stream *s, const union value *v)
{
	const struct ctf_stream_layout *l = s->class;

	if (!s->sofar.again)
		return false;
	if (l->sequence != CTF_NO_SLOT)
		return v[l->sequence].u <= s->sofar.sequence;
	return l->begin != CTF_NO_SLOT &&
		time_in(s, v, l->begin) <= s->sofar.begin;
}

/* Returns the clock at the end of the packet; UINT64_MAX if unknown. A packet
 * that was never closed may end before it begins. */
static uint64_t
latest_in(const struct ctf_stream *s, const union value *v)
{
	const struct ctf_stream_layout *l = s->class;

	if (l->end == CTF_NO_SLOT || l->begin == CTF_NO_SLOT ||
		v[l->end].u <= v[l->begin].u)
		return UINT64_MAX;
	return v[l->end].u;
}

static bool
set_sizes(struct ctf_stream *s, const union value *v)
{
	const struct ctf_stream_layout *l = s->class;
	uint64_t file = (uint64_t)(s->size - s->packet) * 8;
	uint64_t packet = file, content;

	s->sized = l->packet_size != CTF_NO_SLOT;
	if (s->sized)
		packet = v[l->packet_size].u;
	content =
		l->content_size == CTF_NO_SLOT ? packet : v[l->content_size].u;
	if (packet % 8 != 0 || packet < s->cursor.pos || packet == 0 ||
		content > packet || content < s->cursor.pos)
		return refuse(s,
			"a packet of %" PRIu64
			" bits, which claims to use %" PRIu64
			" of them, with a header of %" PRIu64,
			packet, content, s->cursor.pos);
	s->latest = latest_in(s, v);
	s->cut = content > file;
	s->content = s->cut ? file : content;
	s->next = packet >= file ? s->size : s->packet + (int64_t)(packet / 8);
	if (s->cursor.end > s->content)
		s->cursor.end = s->content;
	if (s->cut && !(s->looked_at && s->packet == 0))
		finding_add(s->findings,
			(struct finding){ .severity = FINDING_WARNING,
				.file = s->file,
				.offset = s->packet,
				.time = FINDING_NEVER },
			"the file ends within this packet: %" PRIu64
			" of its %" PRIu64 " bytes are there",
			file / 8, content / 8);
	return true;
}

/*
 * Keeps a copy of a context that has more than plain numbers: its lists must be
 * decoded again later, when the window no longer has the bytes.
 */
static bool
keep_context(struct ctf_stream *s, uint64_t from)
{
	const struct ctf_code *code = &s->class->packet_context;
	size_t bytes = (size_t)(s->cursor.pos + 7) / 8;
	struct ctf_cursor *c = &s->head;

	if (code->fixed)
		return true;
	s->head_copy = mem_resize(s->head_copy, bytes + CTF_SLACK, 1);
	memset(s->head_copy + bytes, 0, CTF_SLACK);
	memcpy(s->head_copy, s->cursor.data, bytes);
	ctf_decode_reset(c);
	c->data = s->head_copy;
	c->pos = from;
	c->end = s->cursor.pos;
	c->keys = s->cursor.keys;
	return ctf_decode(c, code, s->values) == CTF_OK;
}

static bool
read_context(struct ctf_stream *s)
{
	const struct ctf_stream_layout *l = s->class;
	uint64_t from = s->cursor.pos;

	if (!decode(s, &l->packet_context, s->values) || !keep_context(s, from))
		return refuse(s, "a packet whose context is incomplete");
	if (!set_sizes(s, s->values))
		return false;
	if (l->begin != CTF_NO_SLOT)
		s->cursor.clock = s->values[l->begin].u;
	if (is_known(s, s->values))
		s->content = 0;
	else
		note_range(s, s->values);
	if (l->ticks != NULL && l->ticks->freq == 1000000000)
		s->offset_ns = ctf_packet_time(l->ticks, 0);
	return true;
}

/* Moves the window to the packet; small packets share a window. If the packet
 * may be skipped, only enough for its header is read. */
static bool
move_window(struct ctf_stream *s)
{
	int64_t end = s->window + (int64_t)s->have;

	s->cursor.pos = 0;
	if (s->have == 0 || s->packet < s->window || s->packet >= end)
		return ctf_stream_load(s, s->packet,
			s->skips && s->cap > HEADER_BYTES ? HEADER_BYTES
							  : s->cap);
	s->base = s->packet;
	s->cursor.bias = 0;
	s->cursor.data = s->buf + (s->packet - s->window);
	s->cursor.end = (uint64_t)(end - s->packet) * 8;
	return true;
}

bool
ctf_packet_is_early(const struct ctf_stream *s)
{
	const struct ctf_stream_layout *l = s->class;

	/* A packet without a begin time continues the clock of the previous
	 * one. */
	return s->skips && s->sized && !s->cut && l->ticks != NULL &&
		l->begin != CTF_NO_SLOT && l->end != CTF_NO_SLOT &&
		s->sofar.begin <= s->sofar.end && s->sofar.end < s->from &&
		(s->next < s->size || s->followed);
}

/* Reads the events of a packet that is not skipped; the header is in the
 * window. */
static bool
load_events(struct ctf_stream *s)
{
	uint64_t pos = s->cursor.pos;

	if (s->content == 0 || s->have >= s->cap ||
		s->window + (int64_t)s->have >= s->next)
		return true;
	if (!ctf_stream_load(s, s->packet, s->cap))
		return false;
	s->cursor.pos = pos;
	return true;
}

bool
ctf_packet_next(struct ctf_stream *s)
{
	for (;;) {
		s->packet = s->next;
		if (s->packet >= s->size)
			return false;
		s->content = (uint64_t)(s->size - s->packet) * 8;
		ctf_decode_reset(&s->cursor);
		if (!move_window(s) || !read_header(s) || !read_context(s))
			return false;
		if (s->content == 0 || !ctf_packet_is_early(s))
			return load_events(s);
	}
}
