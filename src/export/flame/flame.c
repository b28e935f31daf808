/* SPDX-License-Identifier: MIT */
#include "export/flame/flame.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/digits.h"
#include "base/text.h"
#include "base/utf8.h"
#include "export/single.h"
#include "export/whole_ns.h"

/* In the order of flame_loss(). */
const char *const flame_losses[] = { "records of other types (--type chooses)",
	"links", "intervals of lost events", "panels",
	"texts that are not UTF-8, which are repaired", WHOLE_NS_LOSS, NULL };

bool
flame_open(struct flame *f, const struct sink_ops *ops, struct arena *a,
	const char *dir, const struct sink_setup *setup, struct err *err)
{
	bool ps = strcmp(setup->unit, "ps") == 0;

	f->base.ops = ops;
	f->base.takes_stacks = true;
	f->arena = f->stacks.arena = a;
	f->unit = arena_strdup(a, setup->unit);
	f->per = 1;
	if (ps && !setup->ps_as_ns) {
		f->unit = "ns";
		f->per = 1000;
	}
	VEC_PUSH(&f->nodes, a, ((struct flame_node){ 0 }));
	return single_open(&f->out, a, dir, f->name, setup, err);
}

void
flame_row(struct sink *s, const struct row *row)
{
	struct flame *f = (struct flame *)s;

	BUG_ON(row->id != (uint32_t)f->rows.n);
	VEC_ADD(&f->rows, f->arena)->name =
		arena_strdup(f->arena, text_trim(row->name));
}

void
flame_rename(struct sink *s, uint32_t row, const char *name)
{
	struct flame *f = (struct flame *)s;

	f->rows.at[row].name = arena_strdup(f->arena, text_trim(name));
}

void
flame_type(struct sink *s, const struct type *type)
{
	struct flame *f = (struct flame *)s;

	BUG_ON(type->id != (uint32_t)f->types.n);
	VEC_PUSH(&f->types, f->arena,
		((struct flame_type){
			.title = arena_strdup(f->arena,
				type->title != NULL ? type->title : type->key),
			.unit = type->unit == NULL
				? NULL
				: arena_strdup(f->arena, type->unit),
			.sampled = type->sampled }));
	primary_add(&f->candidates, type, type->id);
}

static uint32_t __attribute__((noinline))
add_frame(struct flame *f, int64_t value)
{
	VEC_PUSH(&f->frames, f->arena,
		((struct flame_frame){ .value = value, .row = ROW_NONE }));
	return (uint32_t)f->frames.n;
}

/* Returns the frame of a value, new at the first call. Only one type has
 * frames, but its labels may come before it is chosen. */
static uint32_t
frame_of(struct flame *f, uint32_t type, int64_t value)
{
	struct flame_type *t = &f->types.at[type];
	uint64_t *index;

	if ((uint64_t)value < FLAME_SMALL) {
		if (t->small[value] == 0)
			t->small[value] = add_frame(f, value);
		return t->small[value] - 1;
	}
	index = map_put(&t->frame_of, (uint64_t)value);
	if (*index == 0)
		*index = add_frame(f, value);
	return (uint32_t)*index - 1;
}

uint32_t
flame_frame(struct flame *f, int64_t value)
{
	return frame_of(f, f->type, value);
}

void
flame_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct flame *f = (struct flame *)s;
	uint32_t frame;

	(void)meaning;
	if (f->chosen && type != f->type)
		return;
	frame = frame_of(f, type, value);
	if (f->frames.at[frame].label == NULL)
		f->frames.at[frame].label =
			arena_strdup(f->arena, text_trim(text));
}

static uint32_t
child(struct flame *f, uint32_t parent, uint32_t frame)
{
	uint64_t *node = map_put(&f->node_of, (uint64_t)parent << 32 | frame);

	if (*node == 0) {
		*node = (uint64_t)f->nodes.n;
		VEC_PUSH(&f->nodes, f->arena,
			((struct flame_node){ parent, frame, 0, 0 }));
	}
	return (uint32_t)*node;
}

/* Returns the node that holds the stacks of a row. */
static uint32_t
row_node(struct flame *f, uint32_t row)
{
	struct flame_row *r = &f->rows.at[row];

	if (!f->by_row)
		return FLAME_ROOT;
	if (r->frame == 0) {
		VEC_PUSH(&f->frames, f->arena,
			((struct flame_frame){ .value = row, .row = row }));
		r->frame = (uint32_t)f->frames.n;
	}
	return child(f, FLAME_ROOT, r->frame - 1);
}

/* Enters or leaves one node. */
static uint32_t
step_to(struct flame *f, uint32_t node, struct stack_step step)
{
	if (!step.begins)
		return f->nodes.at[node].parent;
	node = child(f, node, frame_of(f, f->type, step.value));
	f->nodes.at[node].count += !f->sampled;
	return node;
}

static void
change(struct flame *f, struct stack_lane *l, const struct stack_now *now,
	int64_t time)
{
	uint32_t node = (uint32_t)l->mark, same;
	struct stack_step step;

	if (l->depth == 0)
		node = row_node(f, l->row);
	else
		f->nodes.at[node].time += time - l->since;
	l->since = time;
	if (f->changed == NULL && !f->sampled && stack_step(l, now, &step)) {
		l->mark = step_to(f, node, step);
		return;
	}
	same = stack_same(l, now);
	if (f->changed != NULL)
		f->changed(f, l, now, same, time);
	for (uint32_t i = same; i < l->depth; i++)
		node = f->nodes.at[node].parent;
	for (uint32_t i = same; i < now->depth; i++) {
		node = child(f, node, frame_of(f, f->type, now->value[i]));
		f->nodes.at[node].count += !f->sampled;
	}
	f->nodes.at[node].count += f->sampled && now->depth > 0;
	l->mark = node;
	stack_set(&f->stacks, l, now);
}

void
flame_state(struct sink *s, const struct record *r)
{
	struct flame *f = (struct flame *)s;
	struct stack_now now = stack_now(r);

	BUG_ON(r->type >= (uint32_t)f->types.n);
	BUG_ON(r->row >= (uint32_t)f->rows.n);
	if (!f->chosen) {
		f->has_type = primary_type(&f->candidates, &f->type);
		f->chosen = true;
		f->title = f->has_type ? f->types.at[f->type].title : "";
		f->sampled = f->has_type && f->types.at[f->type].sampled;
	}
	if (r->time > f->end)
		f->end = r->time;
	if (r->type != f->type || !f->has_type) {
		f->others++;
		return;
	}
	change(f, stacks_lane(&f->stacks, r->row, 0), &now, r->time);
}

void
flame_advance(struct sink *s, int64_t time)
{
	struct flame *f = (struct flame *)s;

	if (time > f->end)
		f->end = time;
}

void
flame_link(struct sink *s, const struct link *l)
{
	(void)l;
	((struct flame *)s)->links++;
}

void
flame_gap(struct sink *s, const struct gap *g)
{
	(void)g;
	((struct flame *)s)->gaps++;
}

void
flame_panel(struct sink *s, const struct panel *p)
{
	(void)p;
	((struct flame *)s)->panels++;
}

void
flame_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct flame *f = (const struct flame *)s;

	sink_tell_losses(flame_losses,
		(const uint64_t[]){ f->others, f->links, f->gaps, f->panels,
			f->mended, f->rounded },
		fn, arg);
}

void
flame_end(struct flame *f)
{
	const struct stack_now nothing = { 0 };

	for (int i = 0; i < f->stacks.lanes.n; i++)
		if (f->stacks.lanes.at[i].depth > 0)
			change(f, &f->stacks.lanes.at[i], &nothing, f->end);
	for (int i = 1; i < f->nodes.n; i++)
		f->rounded += f->nodes.at[i].time % f->per != 0;
}

static const char *
text_of(struct flame *f, struct flame_frame *at)
{
	char digits[DIGITS_MAX];

	if (at->row != ROW_NONE)
		return f->rows.at[at->row].name;
	if (at->label == NULL) {
		*digits_i64(digits, at->value) = '\0';
		at->label = arena_strdup(f->arena, digits);
	}
	return at->label;
}

const char *
flame_text(struct flame *f, uint32_t frame)
{
	struct flame_frame *at = &f->frames.at[frame];
	const char *text = text_of(f, at);

	if (!at->is_checked)
		f->mended += !utf8_is_valid(text, strlen(text));
	at->is_checked = true;
	return text;
}

bool
flame_close(struct flame *f, struct err *err)
{
	for (int i = 0; i < f->types.n; i++)
		map_fini(&f->types.at[i].frame_of);
	map_fini(&f->node_of);
	return outfile_close(&f->out, err);
}
