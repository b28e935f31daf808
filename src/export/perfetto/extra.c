/* SPDX-License-Identifier: MIT */
#include "export/perfetto/extra.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/arena.h"

/* The ranks of these tracks below those of the row's types. */
enum { RANK_LINKS = 1 << 20, RANK_LOST, RANK_FINDINGS };

/* Fields of TrackEvent. */
enum {
	EVENT_ANNOTATION = 4,
	EVENT_CATEGORY = 22,
	EVENT_COUNTER = 30,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
	ANNOTATION_INT = 4,
	ANNOTATION_TEXT = 6,
	ANNOTATION_NAME = 10,
};

void
perfetto_extra_init(
	struct perfetto_extra *x, struct perfetto_wire *w, struct arena *a)
{
	x->wire = w;
	x->arena = a;
}

void
perfetto_extra_fini(struct perfetto_extra *x)
{
	map_fini(&x->kind_of);
}

/* Returns the track with that name below the row's, described when it is used
 * first. */
static const struct perfetto_head *
track(struct perfetto_extra *x, uint64_t parent, struct perfetto_head *at,
	const char *name, int rank)
{
	if (at->length == 0)
		*at = perfetto_head(perfetto_describe(x->wire, 0,
			&(struct perfetto_track){ .parent = parent,
				.name = name,
				.rank = rank,
				.pid = -1 }));
	return at;
}

static void
annotate_number(struct proto *p, const char *name, int64_t value)
{
	size_t at = proto_begin(p, EVENT_ANNOTATION);

	proto_text(p, ANNOTATION_NAME, name);
	proto_i64(p, ANNOTATION_INT, value);
	proto_end(p, at);
}

static void
annotate_text(struct proto *p, const char *name, const char *value)
{
	size_t at = proto_begin(p, EVENT_ANNOTATION);

	proto_text(p, ANNOTATION_NAME, name);
	proto_text(p, ANNOTATION_TEXT, value);
	proto_end(p, at);
}

static struct perfetto_name *
kind_name(struct perfetto_extra *x, int64_t kind)
{
	uint64_t *index = map_put(&x->kind_of, (uint64_t)kind);

	if (*index == 0) {
		VEC_ADD(&x->kinds, x->arena)->label =
			arena_printf(x->arena, "link of kind %" PRId64, kind);
		*index = (uint64_t)x->kinds.n;
	}
	return &x->kinds.at[*index - 1];
}

void
perfetto_link_kind(struct perfetto_extra *x, const struct link_kind *kind)
{
	struct perfetto_name *name = kind_name(x, kind->kind);

	name->label = arena_strdup(x->arena, kind->name);
	name->field.length = 0;
}

/* Writes one end of a link. */
static void
put_end(struct perfetto_extra *x, struct perfetto_extra_row *row, int64_t time,
	uint32_t flow, const struct link *l)
{
	struct perfetto_name *name = kind_name(x, l->kind);
	struct proto *p = &x->wire->packet;
	const struct perfetto_head *on =
		track(x, row->track, &row->links, "links", RANK_LINKS);
	struct perfetto_open open = perfetto_event(x->wire, PERFETTO_INSTANT,
		perfetto_time(x->wire, time), on, name->label, &name->field);

	proto_fixed64(p, flow, x->nlinks);
	annotate_number(p, "kind", l->kind);
	annotate_number(p, "id", l->id);
	if (l->bytes > 0)
		annotate_number(p, "bytes", l->bytes);
	perfetto_event_end(x->wire, open);
}

void
perfetto_link(struct perfetto_extra *x, struct perfetto_extra_row *from,
	struct perfetto_extra_row *to, const struct link *l)
{
	if (from == NULL || to == NULL) {
		x->nowhere++;
		return;
	}
	x->nlinks++;
	put_end(x, from, l->from_time, EVENT_FLOW, l);
	put_end(x, to, l->to_time, EVENT_FLOW_END, l);
}

/* Slices of a track may not overlap in part: a gap that begins within the last
 * one begins at its end. */
void
perfetto_gap(struct perfetto_extra *x, struct perfetto_extra_row *row,
	const struct gap *g)
{
	int64_t from = g->from, to = g->to;
	char name[64] = "lost events";
	const struct perfetto_head *on;
	struct perfetto_open open;

	if (row == NULL)
		return;
	on = track(x, row->track, &row->lost, "lost", RANK_LOST);
	if (from < row->lost_until)
		from = row->lost_until;
	if (to < from)
		to = from;
	row->lost_until = to;
	if (g->events > 0)
		snprintf(name, sizeof name, "lost: %" PRIu64 " event%s",
			g->events, g->events == 1 ? "" : "s");
	open = perfetto_event(x->wire, PERFETTO_BEGIN,
		perfetto_time(x->wire, from), on, name, NULL);
	if (g->why != NULL)
		annotate_text(&x->wire->packet, "why", g->why);
	perfetto_event_end(x->wire, open);
	perfetto_slice(x->wire, PERFETTO_END, perfetto_time(x->wire, to), on,
		perfetto_no_name);
}

/* A finding about the trace as a whole is shown at its beginning. */
void
perfetto_finding(struct perfetto_extra *x, struct perfetto_extra_row *row,
	const struct sink_finding *f)
{
	static const char *const severity[] = {
		[SEVERITY_NOTE] = "note",
		[SEVERITY_WARNING] = "warning",
		[SEVERITY_ERROR] = "error",
	};
	int64_t time = f->time < 0 ? 0 : f->time;
	const struct perfetto_head *on = track(x, row != NULL ? row->track : 0,
		row != NULL ? &row->findings : &x->findings, "findings",
		RANK_FINDINGS);
	struct perfetto_open open = perfetto_event(x->wire, PERFETTO_INSTANT,
		perfetto_time(x->wire, time), on, f->text, NULL);

	proto_text(&x->wire->packet, EVENT_CATEGORY, severity[f->severity]);
	perfetto_event_end(x->wire, open);
}

void
perfetto_counter(struct perfetto_wire *w, uint64_t time,
	const struct perfetto_head *head, int64_t value)
{
	char *start = outfile_room(&w->out, PERFETTO_EVENT), *size;
	char *at = perfetto_put_head(
		w, start, PERFETTO_COUNTER, time, head, &size);

	at = proto_tag(at, EVENT_COUNTER, PROTO_VARINT);
	at = proto_varint(at, (uint64_t)value);
	*size = (char)(at - size - 1);
	start[1] = (char)(at - start - 2);
	w->out.at = at;
}
