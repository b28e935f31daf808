/* SPDX-License-Identifier: MIT */
#include "export/flame/speedscope.h"

#include "base/arena.h"
#include "base/bug.h"
#include "export/flame/flame.h"
#include "export/text_file.h"
#include "export/varint.h"
#include "export/whole_ns.h"

#define EVENTS_MAX (16u << 20)

/* The events of a row: for each the time since the one before and, if it opens
 * a frame, 1 + the frame's value, both as varints; 0 closes a frame. */
struct events {
	uint8_t *at; /* owned */
	size_t n, room;
	int64_t time; /* of the last event */
};

struct speedscope {
	struct flame flame;
	const char *title;
	VEC(struct events) of_lane; /* by number of the lane */
	uint64_t nevents, most;
	bool only_sums; /* there were too many events: writes none */
	bool *used;     /* by frame */
	uint32_t *number;
	uint32_t *row_of; /* by node: the node of its row */
};

static void
add(struct speedscope *p, struct events *e, int64_t time, uint64_t code)
{
	uint8_t *at;

	if (e->room - e->n < 2 * (size_t)VARINT_MOST) {
		e->room = 2 * e->room + 64;
		e->at = mem_resize(e->at, e->room, 1);
	}
	at = varint_put(e->at + e->n, (uint64_t)(time - e->time));
	e->n = (size_t)(varint_put(at, code) - e->at);
	e->time = time;
	p->nevents++;
}

static void
drop_events(struct speedscope *p)
{
	for (int i = 0; i < p->of_lane.n; i++)
		mem_free(p->of_lane.at[i].at);
	p->of_lane.n = 0;
}

static void
changed(struct flame *f, const struct stack_lane *l,
	const struct stack_now *now, uint32_t same, int64_t time)
{
	struct speedscope *p = (struct speedscope *)f;
	int lane = (int)(l - f->stacks.lanes.at);
	struct events *e;

	p->only_sums |= p->nevents >= p->most || f->sampled;
	if (p->only_sums) {
		drop_events(p);
		return;
	}
	while (p->of_lane.n <= lane)
		VEC_ADD(&p->of_lane, f->arena);
	e = &p->of_lane.at[lane];
	for (uint32_t i = same; i < l->depth; i++)
		add(p, e, time, 0);
	for (uint32_t i = same; i < now->depth; i++)
		add(p, e, time, 1 + (uint64_t)flame_frame(f, now->value[i]));
}

static struct sink *
speedscope_open(struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	struct speedscope *p = ARENA_NEW(a, struct speedscope);

	p->most = EVENTS_MAX;
	p->title = setup->title != NULL ? arena_strdup(a, setup->title) : "";
	p->flame.by_row = true;
	p->flame.changed = changed;
	p->flame.name = "trace.speedscope.json";
	return flame_open(&p->flame, &sink_speedscope, a, dir, setup, err)
		? &p->flame.base
		: NULL;
}

void
speedscope_limit(struct sink *s, uint64_t events)
{
	((struct speedscope *)s)->most = events;
}

static const char *
unit_of(const struct flame *f)
{
	const char *unit = f->sampled ? f->types.at[f->type].unit : f->unit;

	return unit != NULL && strcmp(unit, "ns") == 0 ? "nanoseconds" : "none";
}

/* Numbers and writes the frames of all nodes, except the nodes of rows. */
static void
put_frames(struct speedscope *p)
{
	struct flame *f = &p->flame;
	uint32_t n = 0;

	p->used = ARENA_ARRAY(f->arena, bool, f->frames.n);
	p->number = ARENA_ARRAY(f->arena, uint32_t, f->frames.n);
	for (int i = 1; i < f->nodes.n; i++)
		if (f->nodes.at[i].parent != FLAME_ROOT)
			p->used[f->nodes.at[i].frame] = true;
	outfile_puts(&f->out, "\"shared\":{\"frames\":[");
	for (int i = 0; i < f->frames.n; i++) {
		if (!p->used[i])
			continue;
		outfile_puts(&f->out, n > 0 ? ",\n{\"name\":" : "\n{\"name\":");
		text_file_string(&f->out, flame_text(f, (uint32_t)i));
		outfile_puts(&f->out, "}");
		p->number[i] = n++;
	}
	outfile_puts(&f->out, "]}");
}

static void
put_event(
	struct outfile *f, bool first, char type, uint32_t frame, int64_t time)
{
	outfile_puts(f, first ? "\n{\"type\":\"" : ",\n{\"type\":\"");
	outfile_write(f, &type, 1);
	outfile_puts(f, "\",\"frame\":");
	text_file_number(f, frame);
	outfile_puts(f, ",\"at\":");
	text_file_number(f, time);
	outfile_puts(f, "}");
}

/* Writes the events of a row; a closed frame is named, so the open ones are
 * kept. */
static void
put_events(struct speedscope *p, const struct events *e)
{
	struct flame *f = &p->flame;
	const uint8_t *at = e->at;
	VEC(uint32_t) open = { 0 };
	int64_t time = 0;

	while (at < e->at + e->n) {
		bool first = at == e->at;
		uint64_t since, code;

		at = varint_get(varint_get(at, &since), &code);
		time += (int64_t)since;
		f->rounded += time % f->per != 0;
		if (code > 0)
			VEC_PUSH(&open, f->arena, p->number[code - 1]);
		BUG_ON(open.n == 0); /* changed() wrote them in pairs */
		put_event(&f->out, first, code > 0 ? 'O' : 'C',
			open.at[open.n - 1], time / f->per);
		if (code == 0)
			open.n--;
	}
}

static void
put_profile(struct speedscope *p, int lane, bool first)
{
	struct flame *f = &p->flame;

	outfile_puts(&f->out, first ? "\n" : ",\n");
	outfile_puts(&f->out, "{\"type\":\"evented\",\"name\":");
	text_file_string(
		&f->out, f->rows.at[f->stacks.lanes.at[lane].row].name);
	outfile_printf(&f->out,
		",\"unit\":\"%s\",\"startValue\":0,\"endValue\":", unit_of(f));
	text_file_number(&f->out, f->end / f->per);
	outfile_puts(&f->out, ",\"events\":[");
	put_events(p, &p->of_lane.at[lane]);
	outfile_puts(&f->out, "]}");
}

/* Writes the stack of a node, the row's frame left out. */
static void
put_stack(struct speedscope *p, uint32_t node)
{
	const struct flame *f = &p->flame;
	VEC(uint32_t) stack = { 0 };

	while (f->nodes.at[node].parent != FLAME_ROOT) {
		VEC_PUSH(&stack, f->arena, p->number[f->nodes.at[node].frame]);
		node = f->nodes.at[node].parent;
	}
	for (int i = stack.n - 1; i >= 0; i--) {
		text_file_number(&p->flame.out, stack.at[i]);
		if (i > 0)
			outfile_puts(&p->flame.out, ",");
	}
}

/* Returns true if the stack of a node has time, and is the row's. */
static bool
is_sample(const struct speedscope *p, int i, uint32_t row)
{
	const struct flame *f = &p->flame;

	return p->row_of[i] == row && f->nodes.at[i].parent != FLAME_ROOT &&
		f->nodes.at[i].time >= f->per;
}

/* Writes the stacks of a row, or their weights. Returns the sum of these. */
static int64_t
put_samples(struct speedscope *p, uint32_t row, bool weights)
{
	struct flame *f = &p->flame;
	bool more = false;
	int64_t sum = 0;

	for (int i = 1; i < f->nodes.n; i++) {
		if (!is_sample(p, i, row))
			continue;
		outfile_puts(&f->out, more ? ",\n" : "\n");
		more = true;
		if (weights) {
			text_file_number(&f->out, f->nodes.at[i].time / f->per);
			sum += f->nodes.at[i].time / f->per;
			continue;
		}
		outfile_puts(&f->out, "[");
		put_stack(p, (uint32_t)i);
		outfile_puts(&f->out, "]");
	}
	return sum;
}

/* Writes the time of each stack of a row. */
static void
put_sampled(struct speedscope *p, uint32_t row, bool first)
{
	struct flame *f = &p->flame;
	int64_t sum;

	outfile_puts(&f->out, first ? "\n" : ",\n");
	outfile_puts(&f->out, "{\"type\":\"sampled\",\"name\":");
	text_file_string(&f->out, flame_text(f, f->nodes.at[row].frame));
	outfile_printf(&f->out, ",\"unit\":\"%s\",\"samples\":[", unit_of(f));
	put_samples(p, row, false);
	outfile_puts(&f->out, "],\"weights\":[");
	sum = put_samples(p, row, true);
	outfile_puts(&f->out, "],\"startValue\":0,\"endValue\":");
	text_file_number(&f->out, sum);
	outfile_puts(&f->out, "}");
}

/* Writes a profile for each row that has stacks. */
static void
put_all_sampled(struct speedscope *p)
{
	const struct flame *f = &p->flame;
	bool more = false;
	bool *any = ARENA_ARRAY(f->arena, bool, f->nodes.n);

	p->row_of = ARENA_ARRAY(f->arena, uint32_t, f->nodes.n);
	for (int i = 1; i < f->nodes.n; i++) {
		uint32_t parent = f->nodes.at[i].parent;

		p->row_of[i] =
			parent == FLAME_ROOT ? (uint32_t)i : p->row_of[parent];
		any[p->row_of[i]] |= is_sample(p, i, p->row_of[i]);
	}
	for (int i = 1; i < f->nodes.n; i++)
		if (any[i]) {
			put_sampled(p, (uint32_t)i, !more);
			more = true;
		}
}

static bool
speedscope_close(struct sink *s, struct err *err)
{
	struct speedscope *p = (struct speedscope *)s;
	struct flame *f = &p->flame;
	bool more = false;

	flame_end(f);
	if (!p->only_sums)
		f->rounded = 0; /* counts times of events instead */
	outfile_puts(&f->out,
		"{\"$schema\":\"https://www.speedscope.app/"
		"file-format-schema.json\",\n\"exporter\":\"weft " WEFT_VERSION
		"\",\n\"name\":");
	text_file_string(&f->out, p->title);
	outfile_puts(&f->out, ",\n\"activeProfileIndex\":0,\n");
	put_frames(p);
	outfile_puts(&f->out, ",\n\"profiles\":[");
	for (int i = 0; i < p->of_lane.n; i++) {
		if (p->of_lane.at[i].n == 0)
			continue;
		put_profile(p, i, !more);
		more = true;
	}
	if (p->only_sums)
		put_all_sampled(p);
	outfile_puts(&f->out, "]}\n");
	drop_events(p);
	return flame_close(f, err);
}

/* In the order of speedscope_loss(). */
static const char *const losses[] = {
	"events above 16 million: only the time of each stack is written",
	"records of other types (--type chooses)", "links",
	"intervals of lost events", "panels",
	"texts that are not UTF-8, which are repaired", WHOLE_NS_LOSS, NULL
};

static void
speedscope_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct speedscope *p = (const struct speedscope *)s;

	const struct flame *f = &p->flame;

	sink_tell_losses(losses,
		(const uint64_t[]){
			p->only_sums && !f->sampled ? p->nevents : 0, f->others,
			f->links, f->gaps, f->panels, f->mended, f->rounded },
		fn, arg);
}

const struct sink_ops sink_speedscope = {
	.name = "speedscope",
	.help = "stacks of each row for speedscope.app: trace.speedscope.json",
	.extensions = ".speedscope.json",
	.streams = true,
	.packs = true,
	.is_text = true,
	.open = speedscope_open,
	.close = speedscope_close,
	FLAME_DRAWN,
	.losses = losses,
	.loss = speedscope_loss,
};
