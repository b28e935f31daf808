/* SPDX-License-Identifier: MIT */
/* Packets of a stream: what is in front of the events. */
#include <string.h>

#include "base/arena.h"
#include "trace/ctf/packet.h"
#include "trace/ctf_out/out.h"

/* Offsets of the numbers of 64 bits in the context of a packet. */
enum { BEGIN = 0, END = 8, CONTENT = 16, SIZE = 24, SEQUENCE = 32, LOST = 40 };

#define OWN_CONTEXT 48
#define TIMES 16 /* bytes of BEGIN and END, if events have a clock */

static void
put_u64(struct out_stream *s, uint64_t u)
{
	memcpy(shape_room(&s->out, sizeof u), &u, sizeof u);
	s->out.at += sizeof u;
}

static void
patch(struct out_stream *s, size_t at, uint64_t u)
{
	memcpy(s->out.buf + s->context + at, &u, sizeof u);
}

/* Returns true if the packet's own fields have other values now. Lists are
 * compared by encoding. */
static bool
differs(struct out_stream *s, const union value *v)
{
	struct shape_out was = s->out;
	size_t at = was.at;
	bool other;

	shape_put(&s->out, s->class->packet, v);
	other = s->out.at - at != s->extra ||
		memcmp(s->out.buf + at, s->out.buf + s->body - s->extra,
			s->extra) != 0;
	s->out.at = at;
	s->out.unused = was.unused;
	return other;
}

/* Appends the packet's own fields; zeros, but for the CPU, if no event has told
 * their values. */
static void
put_extra(struct out_stream *s, const union value *v)
{
	const struct shape *all = s->class->packet;
	size_t from = s->out.at;

	if (v != NULL)
		shape_put(&s->out, all, v);
	for (int i = 0; v == NULL && i < all->n; i++) {
		const struct shape *m = &all->member[i];
		size_t at = s->out.at;

		shape_put_none(&s->out, m);
		if (m->kind == SHAPE_NUMBER && strcmp(m->name, "cpu_id") == 0)
			memcpy(s->out.buf + at, &s->cpu, m->bytes);
	}
	s->extra = (uint32_t)(s->out.at - from);
}

static void
put_head(struct out_stream *s, const union value *v)
{
	struct out_part *p = s->class->part;
	size_t absent = s->class->clock == NULL ? TIMES : 0;
	uint32_t magic = CTF_MAGIC, cpu = (uint32_t)s->cpu;

	memcpy(shape_room(&s->out, 4 + CTF_OUT_UUID), &magic, 4);
	memcpy(s->out.buf + s->out.at + 4, p->uuid, CTF_OUT_UUID);
	s->out.at += 4 + CTF_OUT_UUID;
	if (p->has_kinds)
		put_u64(s, s->class->id);
	put_u64(s, s->instance);
	s->context = s->out.at - absent;
	memset(shape_room(&s->out, OWN_CONTEXT), 0, OWN_CONTEXT);
	s->out.at += OWN_CONTEXT - absent;
	if (s->class->has_cpu) {
		memcpy(shape_room(&s->out, sizeof cpu), &cpu, sizeof cpu);
		s->out.at += sizeof cpu;
	}
	s->out.unused = 0;
	s->extra = 0;
	if (s->class->packet != NULL)
		put_extra(s, v);
	s->body = s->out.at;
}

void
ctf_out_open_packet(struct ctf_out *c, struct out_stream *s, uint64_t clock,
	const union value *values)
{
	if (s->out.at > 0) {
		if (s->class->packet == NULL || values == NULL ||
			!differs(s, values))
			return;
		ctf_out_close_packet(c, s);
	}
	put_head(s, values);
	s->begin = s->end = clock;
	s->any = true;
}

void
ctf_out_close_packet(struct ctf_out *c, struct out_stream *s)
{
	uint64_t bits = (uint64_t)s->out.at * 8;

	if (s->out.at == 0)
		return;
	if (s->in_gap && s->gap_end > s->end)
		s->end = s->gap_end;
	s->in_gap = false;
	if (s->class->clock != NULL) {
		patch(s, BEGIN, s->begin);
		patch(s, END, s->end);
	}
	patch(s, CONTENT, bits - s->out.unused);
	patch(s, SIZE, bits);
	patch(s, SEQUENCE, s->sequence++);
	patch(s, LOST, s->discarded);
	ctf_out_append(c, s->path, &s->fd, s->out.buf, s->out.at);
	s->out.at = 0;
}

/*
 * Readers know of lost events by the counter in the packet behind them: they
 * were lost between the end of the packet before and the end of this one. So
 * the packet before ends where the loss begins, and this one where it ends.
 */
void
ctf_out_gap(struct ctf_out *c, struct out_stream *s,
	const struct trace_lost *lost, const union value *values)
{
	uint64_t from = ctf_out_clock(s, lost->from);

	if (s->any && s->out.at == 0)
		ctf_out_open_packet(c, s, s->end, values);
	if (s->end < from)
		s->end = from;
	ctf_out_close_packet(c, s);
	if (lost->packets > 0) {
		s->sequence += (uint64_t)lost->packets;
		return;
	}
	s->discarded += (uint64_t)lost->count;
	ctf_out_open_packet(c, s, from, values);
	s->in_gap = true;
	s->gap_end = ctf_out_clock(s, lost->to);
}
