/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair_out.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/obs/repair_result.h"
#include "trace/obs/stream.h"
#include "trace/obs/wire.h"
#include "trace/trace.h"

#define WINDOW (256u << 10)
#define PAYLOAD_MAX 32

/* The payload of an event that is made up. */
struct payload {
	uint8_t data[PAYLOAD_MAX];
	size_t n;
};

static void
put_u32(struct payload *p, uint32_t value)
{
	memcpy(p->data + p->n, &value, sizeof value);
	p->n += sizeof value;
}

static void
put_label(struct payload *p)
{
	static const char label[] = "unknown type";

	memcpy(p->data + p->n, label, sizeof label);
	p->n += sizeof label;
}

/* The clock as the stream's node tells it. Those of wild offsets are cut to
 * what a stream can hold. */
static int64_t
raw_clock(const struct repair_copy *c, int64_t time)
{
	int64_t clock;

	if (__builtin_sub_overflow(time, c->clock_offset, &clock))
		return c->clock_offset < 0 ? INT64_MAX : 0;
	return clock < 0 ? 0 : clock;
}

static void
write_event(struct outfile *out, const char *mcv, int64_t clock,
	const struct payload *p, bool jumbo)
{
	struct obs_event_header h = { 0 };
	uint32_t n = (uint32_t)p->n;

	h.flags = jumbo ? OBS_JUMBO | 3 : (uint8_t)(n > 0 ? n - 1 : 0);
	memcpy(h.mcv, mcv, sizeof h.mcv);
	memcpy(h.clock, &clock, sizeof h.clock);
	outfile_write(out, &h, sizeof h);
	if (jumbo)
		outfile_write(out, &n, sizeof n);
	outfile_write(out, p->data, p->n);
}

static void
write_edit(
	const struct repair_copy *c, const struct edit *e, struct outfile *out)
{
	static const char *const mcv[] = {
		[EDIT_START] = "OHx",
		[EDIT_PAUSE] = "OHp",
		[EDIT_LEAVE] = "OAr",
		[EDIT_RESUME] = "OHr",
		[EDIT_END] = "OHe",
		[EDIT_FLUSHED] = "OF]",
		[EDIT_TYPE] = "?Yc",
		[EDIT_TASK] = "?Tc",
		[EDIT_PARALLEL] = "?TC",
	};
	struct payload p = { .n = 0 };
	char name[4];

	memcpy(name, mcv[e->kind], sizeof name);
	if (name[0] == '?')
		name[0] = e->model;
	if (e->kind == EDIT_START || e->kind == EDIT_LEAVE)
		put_u32(&p, UINT32_MAX);
	if (e->kind == EDIT_START) { /* and a tag of 64 bits */
		put_u32(&p, (uint32_t)c->tid);
		put_u32(&p, 0);
		put_u32(&p, 0);
	}
	if (e->kind == EDIT_LEAVE || e->kind >= EDIT_TYPE)
		put_u32(&p, e->a);
	if (e->kind == EDIT_TYPE)
		put_label(&p);
	else if (e->kind > EDIT_TYPE)
		put_u32(&p, e->b);
	write_event(out, name, raw_clock(c, e->time), &p, e->kind == EDIT_TYPE);
}

/* Writes what stands at the offset. True if the event there is to go. */
static bool
write_edits(const struct repair_copy *c, int64_t offset, int *next,
	struct outfile *out, struct repair_result *r)
{
	bool drop = false;

	while (*next < c->edits->list.n &&
		c->edits->list.at[*next].offset <= offset) {
		const struct edit *e = &c->edits->list.at[(*next)++];

		if (e->kind == EDIT_DROP) {
			drop = true;
			r->dropped++;
			continue;
		}
		write_edit(c, e, out);
		r->added++;
	}
	return drop;
}

static void
copy_event(const struct repair_copy *c, const struct obs_stream *s,
	struct outfile *out, struct repair_result *r)
{
	const size_t at = offsetof(struct obs_event_header, clock);
	int64_t clock = raw_clock(c, s->time), was;

	memcpy(&was, s->at + at, sizeof was);
	r->clocks += clock != was;
	outfile_write(out, s->at, at);
	outfile_write(out, &clock, sizeof clock);
	outfile_write(
		out, s->at + at + sizeof clock, s->length - at - sizeof clock);
	r->events++;
}

/* Events of the input; none if it is no stream. */
static void
copy_events(const struct repair_copy *c, struct outfile *out,
	struct repair_result *r)
{
	struct obs_stream s;
	struct findings quiet;
	int next = 0;

	findings_init(&quiet, NULL, 0); /* the scan has said it all */
	if (obs_stream_open(&s, c->stream->file, &quiet, WINDOW, true)) {
		obs_stream_extend(&s, c->stream->ring);
		s.mends = true;
		s.about = c->stream->about;
		s.clock_offset = c->clock_offset;
		while (obs_stream_next(&s))
			if (!write_edits(
				    c, obs_stream_offset(&s), &next, out, r))
				copy_event(c, &s, out, r);
		r->lost_bytes += (uint64_t)(s.size_bytes -
			obs_stream_offset(&s) + s.skipped);
		obs_stream_close(&s);
	}
	write_edits(c, EDIT_TAIL, &next, out, r);
}

bool
repair_copy(struct arena *a, const struct repair_copy *c, const char *to,
	struct repair_result *result, struct err *err)
{
	struct obs_file_header h = { OBS_MAGIC, OBS_VERSION };
	struct outfile out;

	if (!outfile_open(&out, a, to, WINDOW, err))
		return false;
	outfile_write(&out, &h, sizeof h);
	copy_events(c, &out, result);
	return outfile_close(&out, err);
}
