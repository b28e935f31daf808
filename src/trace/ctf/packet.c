/* SPDX-License-Identifier: MIT */
#include "trace/ctf/packet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/map.h"
#include "trace/finding.h"
#include "trace/trace.h"

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

/* The packet cannot be read, and so none behind it. */
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

/* With longer windows until it fits. */
static bool
decode(struct ctf_stream *s, const struct ctf_code *code, union value *v)
{
	uint64_t pos = s->cursor.pos;
	enum ctf_result r;

	for (;;) {
		r = ctf_decode(&s->cursor, code, v);
		if (r == CTF_OK)
			return true;
		/* From the begin of the packet on, which is kept. */
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

static bool
read_header(struct ctf_stream *s)
{
	const struct ctf_stream_layout *l = &s->layout->streams.at[0];
	uint64_t id = l->id;

	if (!decode(s, &l->packet_header, s->header))
		return refuse(s, "a packet without its header");
	if (l->magic != CTF_NO_SLOT && s->header[l->magic].u != CTF_MAGIC)
		return refuse(s,
			"no packet begins here (magic 0x%08" PRIx64 ")",
			s->header[l->magic].u);
	if (!has_uuid(s, l))
		return refuse(s, "of another trace (by its UUID)");
	if (l->stream_id != CTF_NO_SLOT)
		id = s->header[l->stream_id].u;
	s->class = find_class(s->layout, id);
	if (s->class == NULL)
		return refuse(s,
			"stream %" PRIu64 " is not declared in the metadata",
			id);
	if (s->class == l)
		return true;
	/* Again, for what its own events need of it. */
	s->cursor.pos = 0;
	return decode(s, &s->class->packet_header, s->header) ||
		refuse(s, "a packet without its header");
}

/* What was lost so far, by the last packet. Files that a tracer began when
 * others were full go on with the counter of their stream. */
static uint64_t *
lost_so_far(struct ctf_stream *s)
{
	const struct ctf_stream_layout *l = s->class;

	if (s->lost == NULL || l->instance == CTF_NO_SLOT)
		return &s->discarded;
	return map_put(s->lost, l->id << 48 ^ s->header[l->instance].u);
}

void
ctf_packet_report_lost(const struct ctf_stream *s, const struct trace_lost *l)
{
	char when[TRACE_WHEN_MAX];

	finding_add(s->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = s->file,
			.offset = l->packet,
			.time = FINDING_NEVER },
		"%" PRId64 " event%s lost %s: the tracer had no room", l->count,
		l->count == 1 ? " was" : "s were",
		trace_lost_when(l, *s->start, when));
}

/* What the tracer had no room for since the packet before. */
static void
note_lost(struct ctf_stream *s, const union value *v, int64_t from, int64_t to)
{
	uint32_t slot = s->class->discarded;
	uint64_t *before = lost_so_far(s), all = v[slot].u;
	int64_t n = (int64_t)(all - *before);
	struct trace_lost l;

	/* A counter of 32 bits may begin anew. */
	if (s->class->packet_context.fields.at[slot].bits == 32)
		n = (int32_t)n;
	if (n <= 0)
		return;
	*before = all;
	l = (struct trace_lost){ from, to, n, s->packet };
	if (s->trace != NULL)
		VEC_PUSH(&s->trace->streams.at[s->number].lost, s->trace->arena,
			l);
	if (s->start != NULL)
		ctf_packet_report_lost(s, &l);
}

/* The time that a field of the packet says; if it says none, the last one. */
static int64_t
time_in(const struct ctf_stream *s, const union value *v, uint32_t slot)
{
	return slot == CTF_NO_SLOT || s->class->ticks == NULL
		? s->time
		: ctf_packet_time(s->class->ticks, v[slot].u);
}

static void
note_range(struct ctf_stream *s, const union value *v)
{
	const struct ctf_stream_layout *l = s->class;
	int64_t begin = time_in(s, v, l->begin), end = time_in(s, v, l->end);

	if (l->discarded != CTF_NO_SLOT)
		note_lost(s, v, s->packet == 0 ? begin : s->end, end);
	s->end = end;
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
			"a packet of %" PRIu64 " bits of which %" PRIu64
			" are used, of which its header takes %" PRIu64,
			packet, content, s->cursor.pos);
	s->cut = content > file;
	s->content = s->cut ? file : content;
	s->next = packet >= file ? s->size : s->packet + (int64_t)(packet / 8);
	if (s->cursor.end > s->content)
		s->cursor.end = s->content;
	if (s->cut)
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
 * What is no plain number is read again from a copy: the window moves on, and
 * lists of events come and go.
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
	note_range(s, s->values);
	if (l->ticks != NULL && l->ticks->freq == 1000000000)
		s->offset_ns = ctf_packet_time(l->ticks, 0);
	return true;
}

/* Small packets share a window. */
static bool
move_window(struct ctf_stream *s)
{
	int64_t end = s->window + (int64_t)s->have;

	s->cursor.pos = 0;
	if (s->have == 0 || s->packet < s->window || s->packet >= end)
		return ctf_stream_load(s, s->packet, s->cap);
	s->base = s->packet;
	s->cursor.bias = 0;
	s->cursor.data = s->buf + (s->packet - s->window);
	s->cursor.end = (uint64_t)(end - s->packet) * 8;
	return true;
}

bool
ctf_packet_next(struct ctf_stream *s)
{
	s->packet = s->next;
	if (s->packet >= s->size)
		return false;
	s->content = (uint64_t)(s->size - s->packet) * 8;
	ctf_decode_reset(&s->cursor);
	return move_window(s) && read_header(s) && read_context(s);
}
