/* SPDX-License-Identifier: MIT */
#include "export/filter.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/map.h"
#include "base/vec.h"

#define GONE UINT32_MAX /* new id of a row or type that is left out */

/* The last record of a row and type before the window. */
struct held {
	struct record record; /* with new ids; stack: own copy, or NULL */
	int64_t *stack;
	uint32_t room; /* entries for which stack has room */
	bool on;       /* false: a record at the border replaced it */
};

struct filter_row {
	uint32_t id;   /* new id, or GONE */
	uint32_t kept; /* new id of the row, or of its nearest parent that is
	                * kept */
};

struct filter {
	struct sink base;
	struct sink *next; /* owned: closed with the filter */
	struct arena *arena;
	struct filter_options options;
	VEC(struct filter_row) rows;
	VEC(uint32_t) types; /* new ids, or GONE */
	uint32_t nrows, ntypes;
	VEC(struct held) held;
	VEC(struct gap)
	gaps;               /* gaps that begin before the window and reach
	                     * into it */
	struct map held_of; /* (new row, new type) -> index + 1 in `held` */
	bool inside;        /* the records of `held` have been written */
	int64_t time;       /* the latest time seen */
	int64_t told;       /* the latest time that `next` was advanced to */
	uint64_t links_lost;
};

static void
filter_row(struct sink *s, const struct row *row)
{
	struct filter *f = (struct filter *)s;
	struct filter_row *r;
	uint32_t above = ROW_NONE;
	struct row out = *row;

	BUG_ON(row->id != (uint32_t)f->rows.n);
	if (row->parent != ROW_NONE)
		above = f->rows.at[row->parent].kept;
	r = VEC_ADD(&f->rows, f->arena);
	*r = (struct filter_row){ GONE, above };
	if (f->options.keep_row != NULL &&
		!f->options.keep_row(f->options.arg, row))
		return;
	out.id = r->id = r->kept = f->nrows++;
	out.parent = above;
	sink_row(f->next, &out);
}

static void
filter_type(struct sink *s, const struct type *type)
{
	struct filter *f = (struct filter *)s;
	struct type out = *type;

	BUG_ON(type->id != (uint32_t)f->types.n);
	if (f->options.keep_type != NULL &&
		!f->options.keep_type(f->options.arg, type)) {
		VEC_PUSH(&f->types, f->arena, GONE);
		return;
	}
	out.id = f->ntypes++;
	VEC_PUSH(&f->types, f->arena, out.id);
	sink_type(f->next, &out);
}

static void
filter_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct filter *f = (struct filter *)s;

	if (f->types.at[type] != GONE)
		sink_label(f->next, f->types.at[type], value, text, meaning);
}

static void
filter_origin(struct sink *s, uint32_t row, int input)
{
	struct filter *f = (struct filter *)s;

	if (f->rows.at[row].id != GONE)
		sink_origin(f->next, f->rows.at[row].id, input);
}

static void
filter_rename(struct sink *s, uint32_t row, const char *name)
{
	struct filter *f = (struct filter *)s;

	if (f->rows.at[row].id != GONE)
		sink_rename(f->next, f->rows.at[row].id, name);
}

static void
filter_link_kind(struct sink *s, const struct link_kind *kind)
{
	sink_link_kind(((struct filter *)s)->next, kind);
}

/* Drops a panel if one of its types is left out, because the rest would show
 * something else. */
static void
filter_panel(struct sink *s, const struct panel *panel)
{
	struct filter *f = (struct filter *)s;
	uint32_t *types = ARENA_ARRAY(f->arena, uint32_t, panel->ntypes);
	struct panel out = *panel;

	for (int i = 0; i < panel->ntypes; i++) {
		types[i] = f->types.at[panel->types[i]];
		if (types[i] == GONE)
			return;
	}
	out.types = types;
	sink_panel(f->next, &out);
}

static uint64_t
lane(const struct record *r)
{
	return (uint64_t)r->row << 32 | r->type;
}

static void
copy_stack(struct filter *f, struct held *h, const struct record *r)
{
	if (h->stack == NULL || h->room < r->depth) {
		h->room = 2 * r->depth;
		h->stack = ARENA_ARRAY(f->arena, int64_t, h->room);
	}
	if (r->depth > 0)
		memcpy(h->stack, r->stack, r->depth * sizeof *r->stack);
	h->record.stack = h->stack;
}

static void
hold(struct filter *f, const struct record *r)
{
	uint64_t *at = map_put(&f->held_of, lane(r));
	struct held *h;

	if (*at == 0) {
		(void)VEC_ADD(&f->held, f->arena);
		*at = (uint64_t)f->held.n;
	}
	h = &f->held.at[*at - 1];
	h->on = r->value != VALUE_NONE;
	h->record = *r;
	if (r->stack != NULL)
		copy_stack(f, h, r);
}

/* A record exactly at the border replaces the held one. */
static void
replace(struct filter *f, const struct record *r)
{
	const uint64_t *at = map_get(&f->held_of, lane(r));

	if (at != NULL)
		f->held.at[*at - 1].on = false;
}

/* Passes on the gaps that reach into the window, cut to begin at the border. */
static void
enter_gaps(struct filter *f)
{
	for (int i = 0; i < f->gaps.n; i++) {
		struct gap *g = &f->gaps.at[i];

		g->from = f->options.from;
		if (g->to > f->options.to)
			g->to = f->options.to;
		sink_gap(f->next, g);
	}
	f->gaps.n = 0;
}

/* Enters the window: writes every held record that no record at the border
 * replaced. */
static void
enter(struct filter *f)
{
	f->inside = true;
	enter_gaps(f);
	for (int i = 0; i < f->held.n; i++) {
		struct held *h = &f->held.at[i];

		h->record.time = f->options.from;
		if (h->on && f->options.from < f->options.to)
			sink_state(f->next, &h->record);
	}
	f->held.n = 0;
	map_fini(&f->held_of);
}

/* Every call that carries a time must call this first. */
static void
pass_time(struct filter *f, int64_t time)
{
	if (time > f->time)
		f->time = time;
	if (!f->inside && time > f->options.from)
		enter(f);
}

static bool
is_inside(const struct filter *f, int64_t time)
{
	return time >= f->options.from && time < f->options.to;
}

static void
filter_state(struct sink *s, const struct record *r)
{
	struct filter *f = (struct filter *)s;
	struct record out = *r;

	pass_time(f, r->time);
	out.row = f->rows.at[r->row].id;
	out.type = f->types.at[r->type];
	if (out.row == GONE || out.type == GONE || r->time >= f->options.to)
		return;
	if (r->time < f->options.from) {
		hold(f, &out);
		return;
	}
	if (!f->inside)
		replace(f, &out);
	sink_state(f->next, &out);
}

/* Sets *row to the new id of a link's end; returns false if that end is left
 * out. */
static bool
keep_end(const struct filter *f, uint32_t *row, int64_t time)
{
	if (!is_inside(f, time))
		return false;
	if (*row == ROW_NONE)
		return true;
	*row = f->rows.at[*row].id;
	return *row != GONE;
}

static void
filter_link(struct sink *s, const struct link *l)
{
	struct filter *f = (struct filter *)s;
	struct link out = *l;

	pass_time(f, l->from_time);
	if (keep_end(f, &out.from_row, l->from_time) &&
		keep_end(f, &out.to_row, l->to_time))
		sink_link(f->next, &out);
	else
		f->links_lost++;
}

/* Passes on the part of the gap that lies inside the window. */
static void
filter_gap(struct sink *s, const struct gap *g)
{
	struct filter *f = (struct filter *)s;
	struct gap out = *g;

	pass_time(f, g->from);
	out.row = f->rows.at[g->row].id;
	if (out.row == GONE || g->from >= f->options.to ||
		g->to < f->options.from || f->options.from >= f->options.to)
		return;
	if (out.from >= f->options.from) {
		if (out.to > f->options.to)
			out.to = f->options.to;
		sink_gap(f->next, &out);
		return;
	}
	VEC_PUSH(&f->gaps, f->arena, out);
}

/* Passes on findings without a time and those inside the window. */
static void
filter_finding(struct sink *s, const struct sink_finding *finding)
{
	struct filter *f = (struct filter *)s;
	struct sink_finding out = *finding;

	if (out.time != VALUE_NONE && !is_inside(f, out.time))
		return;
	if (out.row != ROW_NONE)
		out.row = f->rows.at[out.row].id;
	if (out.row == GONE && finding->row != ROW_NONE)
		return;
	sink_finding(f->next, &out);
}

static void
tell(struct filter *f, int64_t time)
{
	if (time > f->options.to)
		time = f->options.to;
	if (time <= f->told)
		return;
	f->told = time;
	sink_advance(f->next, time);
}

static void
filter_advance(struct sink *s, int64_t time)
{
	struct filter *f = (struct filter *)s;

	pass_time(f, time);
	/* If this is before the window, it may be the last call: then close()
	 * advances `next`. */
	if (time >= f->options.from)
		tell(f, time);
}

static void
filter_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	struct filter *f = (struct filter *)s;

	if (f->links_lost > 0)
		fn(arg,
			&(struct loss){ .what = "links with only one end "
						"inside the filter",
				.count = f->links_lost });
	sink_loss(f->next, fn, arg);
}

static bool
filter_close(struct sink *s, struct err *err)
{
	struct filter *f = (struct filter *)s;

	if (!f->inside && f->time >= f->options.from)
		enter(f);
	tell(f, f->time);
	map_fini(&f->held_of);
	return sink_close(f->next, err);
}

static const struct sink_ops filter_ops = {
	.name = "filter",
	.help = "lets a part through to the next sink",
	.row = filter_row,
	.type = filter_type,
	.label = filter_label,
	.panel = filter_panel,
	.state = filter_state,
	.link = filter_link,
	.rename = filter_rename,
	.origin = filter_origin,
	.link_kind = filter_link_kind,
	.gap = filter_gap,
	.finding = filter_finding,
	.advance = filter_advance,
	.loss = filter_loss,
	.close = filter_close,
};

struct sink *
filter_open(struct arena *a, struct sink *next, const struct filter_options *o)
{
	struct filter *f = ARENA_NEW(a, struct filter);

	f->base.ops = &filter_ops;
	f->base.takes_stacks = next->takes_stacks;
	f->next = next;
	f->arena = a;
	f->options = *o;
	f->time = f->told = INT64_MIN;
	return &f->base;
}
