/* SPDX-License-Identifier: MIT */
#include "export/perfetto/perfetto.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/text.h"
#include "export/perfetto/quick.h"
#include "export/perfetto/state.h"
#include "export/single.h"

#define HEAVY_BYTES (500LL << 20) /* a browser's memory ends at twice that */

static bool
is_on(const struct sink_setup *setup, const char *key)
{
	const char *value = single_option(setup, key);

	return value != NULL && strcmp(value, "1") == 0;
}

static struct sink *
pf_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct pf *p = ARENA_NEW(a, struct pf);

	p->base.ops = &sink_perfetto;
	p->base.takes_stacks = true;
	p->arena = a;
	p->last_class = &p->classes;
	p->note = setup->ps_as_ns ? " (1 us = 1 ns)" : "";
	p->os = is_on(setup, "os=");
	p->states = is_on(setup, "states=");
	if (!perfetto_begin(&p->wire, a, dir, setup, err))
		return NULL;
	perfetto_extra_init(&p->extra, &p->wire, a);
	return &p->base;
}

static struct pf_class *
class_of(struct pf *p, const char *name)
{
	struct pf_class *c;

	for (c = p->classes; c != NULL; c = c->next)
		if (strcmp(c->name, name) == 0)
			return c;
	c = ARENA_NEW(p->arena, struct pf_class);
	c->name = arena_strdup(p->arena, name);
	c->primary = NOT_CHOSEN;
	*p->last_class = c;
	p->last_class = &c->next;
	return c;
}

/* Returns the track of the class, which holds those of its rows. */
static uint64_t
class_track(struct pf *p, struct pf_class *c)
{
	if (c->track == 0)
		c->track = perfetto_describe(&p->wire, 0,
			&(struct perfetto_track){
				.name = arena_printf(
					p->arena, "%s%s", c->name, p->note),
				.rank = (int32_t)p->wire.tracks,
				.pid = -1 });
	return c->track;
}

/* Describes the row's track, or tells its new name. */
static void
describe_row(struct pf *p, struct pf_row *r)
{
	r->extra.track = perfetto_describe(&p->wire, r->extra.track,
		&(struct perfetto_track){ .parent = r->parent,
			.name = r->name,
			.about = r->class->name,
			.rank = r->pos,
			.pid = p->os ? r->pid : -1,
			.tid = r->is_thread ? r->tid : -1 });
}

static const char *
shown_name(struct pf *p, const char *name)
{
	return *name == '\0' ? "-" : arena_strdup(p->arena, text_trim(name));
}

static void
pf_row(struct sink *s, const struct row *row)
{
	struct pf *p = (struct pf *)s;
	struct pf_row *r;

	BUG_ON(row->id != (uint32_t)p->rows.n);
	BUG_ON(row->parent != ROW_NONE && row->parent >= row->id);
	r = VEC_ADD(&p->rows, p->arena);
	r->name = shown_name(p, row->name);
	r->class = class_of(p, row->class);
	r->pos = r->class->nrows++;
	r->parent = row->parent == ROW_NONE
		? class_track(p, r->class)
		: p->rows.at[row->parent].extra.track;
	r->pid = row->identity != NULL ? row->identity->pid : -1;
	r->tid = row->identity != NULL ? row->identity->tid : -1;
	r->is_thread = r->tid >= 0;
	describe_row(p, r);
}

static void
pf_rename(struct sink *s, uint32_t row, const char *name)
{
	struct pf *p = (struct pf *)s;

	BUG_ON(row >= (uint32_t)p->rows.n);
	p->rows.at[row].name = shown_name(p, name);
	describe_row(p, &p->rows.at[row]);
}

static enum how
how_of(const struct pf *p, const struct type *type)
{
	switch (type->kind) {
	case TYPE_NUMBER:
		return COUNTER;
	case TYPE_POINT:
		return INSTANTS;
	default:
		return p->states && !type->stack ? STATES : SLICES;
	}
}

static void
pf_type(struct sink *s, const struct type *type)
{
	struct pf *p = (struct pf *)s;
	struct pf_type *t;
	struct pf_class *c = class_of(p, type->class);

	BUG_ON(type->id != (uint32_t)p->types.n);
	t = VEC_ADD(&p->types, p->arena);
	t->class = c;
	t->pos = c->ntypes++;
	t->how = how_of(p, type);
	t->before = type->before;
	t->title = arena_strdup(
		p->arena, type->title != NULL ? type->title : type->key);
	t->about = arena_printf(
		p->arena, "%s, Paraver type %" PRId64, type->key, type->number);
	t->unit =
		type->unit != NULL ? arena_strdup(p->arena, type->unit) : NULL;
	perfetto_names_init(&t->names, p->arena);
	primary_add(&c->candidates, type, (uint32_t)t->pos);
}

static void
pf_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct pf *p = (struct pf *)s;

	(void)meaning;
	BUG_ON(type >= (uint32_t)p->types.n);
	perfetto_names_label(&p->types.at[type].names, value, text);
}

/* Chooses the type that the tracks of the rows themselves show; types that are
 * declared later get tracks of their own. */
static void
choose_primary(struct pf_class *c)
{
	uint32_t pos;

	c->primary = primary_type(&c->candidates, &pos) ? (int)pos : -1;
}

/* Describes the track of a type of a row, before its first record. */
static void __attribute__((noinline))
begin_track(struct pf *p, struct pf_row *r, struct pf_type *t)
{
	struct pf_track *track = &r->track[t->pos];
	uint64_t number = r->extra.track;

	if (r->class->primary != t->pos || t->how != SLICES)
		number = perfetto_describe(&p->wire, 0,
			&(struct perfetto_track){ .parent = r->extra.track,
				.name = t->title,
				.about = t->about,
				.rank = t->pos,
				.is_counter = t->how == COUNTER,
				.is_state = t->how == STATES,
				.unit = t->unit,
				.pid = -1 });
	track->head = perfetto_head(number);
	track->last = t->how == INSTANTS ? VALUE_NONE : 0;
}

static void __attribute__((noinline))
grow_tracks(struct pf *p, struct pf_row *r)
{
	struct pf_track *more =
		ARENA_ARRAY(p->arena, struct pf_track, r->class->ntypes);

	if (r->class->primary == NOT_CHOSEN)
		choose_primary(r->class);
	if (r->ntracks > 0)
		memcpy(more, r->track, (size_t)r->ntracks * sizeof *more);
	r->track = more;
	r->ntracks = r->class->ntypes;
}

static struct pf_track *
track_of(struct pf *p, struct pf_row *r, struct pf_type *t)
{
	if (__builtin_expect(t->pos >= r->ntracks, 0))
		grow_tracks(p, r);
	if (__builtin_expect(r->track[t->pos].head.length == 0, 0))
		begin_track(p, r, t);
	return &r->track[t->pos];
}

static void __attribute__((noinline))
grow_stack(struct pf *p, struct pf_track *track, uint32_t depth)
{
	uint32_t room = depth > 2 * track->room ? depth : 2 * track->room;
	int64_t *more = ARENA_ARRAY(p->arena, int64_t, room);

	if (track->depth > 0)
		memcpy(more, track->stack, track->depth * sizeof *more);
	track->stack = more;
	track->room = room;
}

/* Ends the slices above `depth`, from the top down. */
static void
pop_to(struct pf *p, struct pf_track *track, uint64_t time, uint32_t depth)
{
	uint32_t top = track->depth;

	track->depth = depth;
	if (top > DEEPEST)
		top = DEEPEST;
	for (; top > depth; top--)
		perfetto_slice(&p->wire, PERFETTO_END, time, &track->head,
			perfetto_no_name);
}

/* Ends and begins slices so that the track shows the n values of `now`. */
static void
show_stack(struct pf *p, struct pf_track *track, struct pf_type *t,
	uint64_t time, const int64_t *now, uint32_t n)
{
	uint32_t same = n < track->depth ? n : track->depth;

	/* Usually only the top changes. Of short stacks memcmp() compares all
	 * entries at once. */
	if (same > 0 && memcmp(now, track->stack, same * sizeof *now) != 0)
		for (same = 0; now[same] == track->stack[same];)
			same++;
	pop_to(p, track, time, same);
	if (__builtin_expect(n > track->room, 0))
		grow_stack(p, track, n);
	if (p->wire.per_ns == 1)
		track->quick = track->room < STACK_SHALLOW ? track->room
							   : STACK_SHALLOW;
	for (uint32_t i = same; i < n; i++) {
		track->stack[i] = now[i];
		if (i < DEEPEST)
			perfetto_named(&p->wire, PERFETTO_BEGIN, time,
				&track->head, &t->names, now[i]);
		else
			p->deep++;
	}
	track->depth = n;
}

/* Writes one packet for a new state; without a name the track shows nothing. */
static void
show_state(struct pf *p, struct pf_track *track, struct pf_type *t,
	uint64_t time, int64_t value)
{
	if (track->depth > 0 ? track->stack[0] == value : value == VALUE_NONE)
		return;
	if (track->room == 0)
		grow_stack(p, track, 1);
	track->depth = 1;
	track->stack[0] = value;
	if (value != VALUE_NONE)
		perfetto_named(&p->wire, PERFETTO_STATE, time, &track->head,
			&t->names, value);
	else
		perfetto_slice(&p->wire, PERFETTO_STATE, time, &track->head,
			perfetto_no_name);
}

static void
put_instant(
	struct pf *p, struct pf_track *track, struct pf_type *t, uint64_t time)
{
	if (track->last != VALUE_NONE)
		perfetto_named(&p->wire, PERFETTO_INSTANT, time, &track->head,
			&t->names, track->last);
	track->last = VALUE_NONE;
}

static void
put_counter(struct pf *p, struct pf_track *track, const struct pf_type *t,
	int64_t time, int64_t value)
{
	int64_t at = t->before ? track->last : time;

	p->unset += value == VALUE_NONE;
	track->last = time;
	perfetto_counter(&p->wire, perfetto_time(&p->wire, at), &track->head,
		value == VALUE_NONE ? 0 : value);
}

static void
show_slices(struct pf *p, struct pf_track *track, struct pf_type *t,
	uint64_t time, const struct record *r)
{
	if (r->stack != NULL)
		show_stack(p, track, t, time, r->stack, r->depth);
	else
		show_stack(
			p, track, t, time, &r->value, r->value != VALUE_NONE);
}

/* Shows a record of any type. */
static void __attribute__((noinline)) show_any(struct pf *p, struct pf_row *row,
	struct pf_type *t, const struct record *r)
{
	struct pf_track *track = track_of(p, row, t);
	uint64_t time = perfetto_time(&p->wire, r->time);

	switch (t->how) {
	case SLICES:
		show_slices(p, track, t, time, r);
		break;
	case STATES:
		show_state(p, track, t, time, r->value);
		break;
	case COUNTER:
		put_counter(p, track, t, r->time, r->value);
		break;
	case INSTANTS:
		put_instant(p, track, t, time);
		track->last = r->value;
		break;
	}
}

/* The call comes last, so that no register must be saved over it. */
static void
pf_state(struct sink *s, const struct record *r)
{
	struct pf *p = (struct pf *)s;
	struct pf_type *t;
	struct pf_row *row;

	BUG_ON(r->row >= (uint32_t)p->rows.n);
	BUG_ON(r->type >= (uint32_t)p->types.n);
	t = &p->types.at[r->type];
	row = &p->rows.at[r->row];
	BUG_ON(row->class != t->class);
	if (r->time > p->end)
		p->end = r->time;
	if (__builtin_expect(t->pos >= row->ntracks, 0) ||
		!quick_show(p, &row->track[t->pos], t, r))
		show_any(p, row, t, r);
}

static struct perfetto_extra_row *
extra_of(struct pf *p, uint32_t row)
{
	return row < (uint32_t)p->rows.n ? &p->rows.at[row].extra : NULL;
}

static void
pf_link(struct sink *s, const struct link *l)
{
	struct pf *p = (struct pf *)s;

	perfetto_link(
		&p->extra, extra_of(p, l->from_row), extra_of(p, l->to_row), l);
}

static void
pf_link_kind(struct sink *s, const struct link_kind *kind)
{
	perfetto_link_kind(&((struct pf *)s)->extra, kind);
}

static void
pf_gap(struct sink *s, const struct gap *g)
{
	struct pf *p = (struct pf *)s;

	perfetto_gap(&p->extra, extra_of(p, g->row), g);
}

static void
pf_finding(struct sink *s, const struct sink_finding *f)
{
	struct pf *p = (struct pf *)s;

	perfetto_finding(&p->extra, extra_of(p, f->row), f);
}

static void
pf_panel(struct sink *s, const struct panel *panel)
{
	(void)panel;
	((struct pf *)s)->panels++;
}

static void
pf_advance(struct sink *s, int64_t time)
{
	struct pf *p = (struct pf *)s;

	if (time > p->end)
		p->end = time;
}

/* In the order of pf_loss(). */
static const char *const losses[] = { "links from or to no row", "panels",
	"times below 1 ns, which are rounded down",
	"numbers without a value, which are written as 0",
	"stack entries above the 512th",
	"texts that are not UTF-8, which are repaired", NULL };

static void
pf_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct pf *p = (const struct pf *)s;
	const uint64_t counts[] = { p->extra.nowhere, p->panels,
		p->wire.rounded, p->unset, p->deep, p->wire.packet.mended };

	sink_tell_losses(losses, counts, fn, arg);
}

/* Ends all that is still open. */
static void
end_row(struct pf *p, struct pf_row *r, struct pf_type **by_pos, uint64_t end)
{
	for (int i = 0; i < r->ntracks; i++) {
		struct pf_track *track = &r->track[i];

		if (track->head.length == 0)
			continue;
		if (by_pos[i]->how == SLICES)
			pop_to(p, track, end, 0);
		else if (by_pos[i]->how == INSTANTS)
			put_instant(p, track, by_pos[i], end);
		else if (by_pos[i]->how == STATES)
			show_state(p, track, by_pos[i], end, VALUE_NONE);
	}
}

static void
end_class(struct pf *p, struct pf_class *c, uint64_t end)
{
	struct pf_type **by_pos =
		ARENA_ARRAY(p->arena, struct pf_type *, c->ntypes);

	for (int i = 0; i < p->types.n; i++)
		if (p->types.at[i].class == c)
			by_pos[p->types.at[i].pos] = &p->types.at[i];
	for (int i = 0; i < p->rows.n; i++)
		if (p->rows.at[i].class == c)
			end_row(p, &p->rows.at[i], by_pos, end);
}

static bool
pf_close(struct sink *s, struct err *err)
{
	struct pf *p = (struct pf *)s;
	uint64_t rounded = p->wire.rounded;
	uint64_t end = perfetto_time(&p->wire, p->end);

	p->wire.rounded = rounded; /* the end is no record */
	for (struct pf_class *c = p->classes; c != NULL; c = c->next)
		end_class(p, c, end);
	for (int i = 0; i < p->types.n; i++)
		perfetto_names_fini(&p->types.at[i].names);
	perfetto_extra_fini(&p->extra);
	return perfetto_end(&p->wire, err);
}

const struct sink_ops sink_perfetto = {
	.name = "perfetto",
	.help = "timelines for ui.perfetto.dev: trace.pftrace",
	.extensions = ".pftrace .perfetto-trace",
	.streams = true,
	.packs = true,
	.options =
		"  os=1       rows are threads of processes, for merging "
		"with ftrace\n"
		"  states=1   tracks of states, for Perfetto v57 and later\n",
	.heavy = HEAVY_BYTES,
	.losses = losses,
	.open = pf_open,
	.row = pf_row,
	.type = pf_type,
	.label = pf_label,
	.state = pf_state,
	.link = pf_link,
	.advance = pf_advance,
	.loss = pf_loss,
	.close = pf_close,
	.panel = pf_panel,
	.rename = pf_rename,
	.link_kind = pf_link_kind,
	.gap = pf_gap,
	.finding = pf_finding,
};
