/* SPDX-License-Identifier: MIT */
/* The sink: keeps rows, types and labels until the end. */
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/text.h"
#include "export/index/build.h"
#include "export/index/claim.h"
#include "export/index/sink.h"

#define BUFFER_BYTES ((size_t)256 << 10)

static const char *
copy(struct arena *a, const char *text)
{
	return text == NULL ? NULL : arena_strdup(a, text);
}

static struct sink *
open_index(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct build *b = ARENA_NEW(a, struct build);
	const char *path = setup->file != NULL
		? setup->file
		: arena_printf(a, "%s/%s", dir, INDEX_FILE);
	static const struct widx_header none;

	b->base.ops = &sink_index;
	b->base.takes_stacks = true;
	b->arena = a;
	b->title = copy(a, setup->title != NULL ? setup->title : "");
	b->identity = copy(a, setup->identity != NULL ? setup->identity : "");
	b->totals = setup->totals;
	strncpy(b->unit, setup->unit, sizeof b->unit - 1);
	b->start_realtime = setup->start_realtime;
	b->start_monotonic = setup->start_monotonic;
	b->clock_error = setup->clock_error;
	b->clocks = setup->clocks;
	b->nclocks = setup->nclocks;
	b->budget = BUILD_BUDGET;
	b->tree_least = BUILD_TREE;
	b->node_records = BUILD_NODE;
	b->pack = build_pack_open(a);
	if (!claim_open(&b->file, &b->lock, a, path, BUFFER_BYTES, err))
		return NULL;
	outfile_write(&b->file, &none, sizeof none);
	return &b->base;
}

/* Returns the text of a class; nearly all rows share it with the row before. */
static const char *
same_class(struct build *b, const char *class)
{
	size_t n = b->rows.n;

	if (n > 0 && strcmp(b->rows.at[n - 1].row.class, class) == 0)
		return b->rows.at[n - 1].row.class;
	return copy(b->arena, class);
}

static void
add_row(struct sink *s, const struct row *row)
{
	struct build *b = (struct build *)s;
	const char *class = same_class(b, row->class);
	struct index_row *to;

	BUG_ON(row->id != (uint32_t)b->rows.n);
	to = BUILD_ADD(&b->rows);
	*to = (struct index_row){ .row = *row };
	to->row.class = class;
	to->row.name = copy(b->arena, text_trim(row->name));
	to->row.identity = NULL;
	to->identity = (struct row_identity){ NULL, -1, -1, -1 };
	if (row->identity != NULL)
		to->identity = (struct row_identity){
			copy(b->arena, row->identity->node), row->identity->pid,
			row->identity->tid, row->identity->cpu
		};
}

static void
add_type(struct sink *s, const struct type *type)
{
	struct build *b = (struct build *)s;
	struct build_type *t = ARENA_NEW(b->arena, struct build_type);

	BUG_ON(type->id != (uint32_t)b->types.n);
	t->type = *type;
	t->type.class = copy(b->arena, type->class);
	t->type.key = copy(b->arena, type->key);
	t->type.title = copy(b->arena, type->title);
	t->type.none = copy(b->arena, type->none);
	t->type.unit = copy(b->arena, type->unit);
	VEC_PUSH(&b->types, b->arena, t);
}

static void
add_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct build *b = (struct build *)s;
	struct build_type *t;
	uint64_t *index;

	BUG_ON(type >= (uint32_t)b->types.n);
	t = b->types.at[type];
	index = map_put(&t->labelled, (uint64_t)value);
	if (*index != 0)
		return;
	*index = (uint64_t)t->labels.n + 1;
	VEC_PUSH(&t->labels, b->arena,
		((struct build_label){
			value, arena_strdup(b->arena, text), meaning }));
}

static void
reach(struct build *b, int64_t time)
{
	if (time > b->end)
		b->end = time;
}

static void
add_link(struct sink *s, const struct link *l)
{
	struct build *b = (struct build *)s;

	*BUILD_ADD(&b->links) = (struct widx_link){ l->from_time, l->to_time,
		l->from_row, l->to_row, l->kind, l->id, l->bytes };
	reach(b, l->to_time);
}

static void
advance(struct sink *s, int64_t time)
{
	reach((struct build *)s, time);
}

static void
add_panel(struct sink *s, const struct panel *panel)
{
	struct build *b = (struct build *)s;
	struct panel *p = VEC_ADD(&b->panels, b->arena);
	uint32_t *types =
		ARENA_ARRAY(b->arena, uint32_t, (size_t)panel->ntypes);

	memcpy(types, panel->types, (size_t)panel->ntypes * sizeof *types);
	*p = *panel;
	p->class = copy(b->arena, panel->class);
	p->key = copy(b->arena, panel->key);
	p->title = copy(b->arena, panel->title);
	p->types = types;
}

static void
rename_row(struct sink *s, uint32_t row, const char *name)
{
	struct build *b = (struct build *)s;

	BUG_ON(row >= (uint32_t)b->rows.n);
	b->rows.at[row].row.name = copy(b->arena, text_trim(name));
}

static void
add_kind(struct sink *s, const struct link_kind *kind)
{
	struct build *b = (struct build *)s;
	struct link_kind *k = VEC_ADD(&b->kinds, b->arena);

	*k = *kind;
	k->name = copy(b->arena, kind->name);
}

static void
add_gap(struct sink *s, const struct gap *gap)
{
	struct build *b = (struct build *)s;
	struct gap *g = VEC_ADD(&b->gaps, b->arena);

	*g = *gap;
	g->why = copy(b->arena, gap->why);
}

static void
add_finding(struct sink *s, const struct sink_finding *finding)
{
	struct build *b = (struct build *)s;
	struct sink_finding *f = VEC_ADD(&b->findings, b->arena);

	*f = *finding;
	f->text = copy(b->arena, finding->text);
}

static void
tell_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct build *b = (const struct build *)s;

	if (b->too_deep > 0)
		fn(arg,
			&(struct loss){ .what = "records of stacks deeper than "
						"64 levels",
				.count = b->too_deep });
}

void
build_release(struct build *b)
{
	for (int i = 0; i < b->types.n; i++) {
		map_fini(&b->types.at[i]->classes);
		map_fini(&b->types.at[i]->labelled);
		mem_free(b->types.at[i]->series);
		b->types.at[i]->series = NULL;
	}
	mem_free(b->rows.at);
	mem_free(b->cold.at);
	mem_free(b->chunks.at);
	mem_free(b->extents.at);
	mem_free(b->links.at);
	b->rows.at = NULL;
	b->cold.at = NULL;
	b->chunks.at = NULL;
	b->extents.at = NULL;
	b->links.at = NULL;
}

/* Counts the records. */
static void
count(struct build *b)
{
	for (size_t i = 0; i < b->cold.n; i++) {
		const struct build_cold *c = &b->cold.at[i];

		if (c->lane == 0) {
			b->types.at[c->type]->nrecords += c->nrecords;
			b->nrecords += c->nrecords;
		}
	}
}

static bool
close_index(struct sink *s, struct err *err)
{
	struct build *b = (struct build *)s;
	bool ok;

	for (size_t i = 0; i < b->cold.n; i++)
		reach(b, b->hot[i].t_last);
	if (b->nclocks > 0)
		build_clocks(b);
	b->closing = true;
	build_part_all(b, BUILD_AHEAD);
	for (size_t i = 0; i < b->cold.n; i++)
		if (b->hot[i].n > 0)
			build_pack(b, (uint32_t)i);
	build_part_all(b, BUILD_FOLLOWED);
	count(b);
	build_last_lanes(b);
	if (b->hot != NULL)
		slab_array(b->hot, b->hot_room * sizeof *b->hot, 0);
	slab_fini(&b->slab);
	build_pack_close(b->pack);
	build_write(b);
	build_release(b);
	ok = outfile_close(&b->file, err);
	if (b->lock >= 0)
		close(b->lock);
	return ok;
}

void
index_sink_budget(struct sink *s, size_t bytes)
{
	((struct build *)s)->budget = bytes;
}

size_t
index_sink_memory(const struct sink *s)
{
	const struct build *b = (const struct build *)s;
	size_t n = b->hot_room * sizeof *b->hot;

	n += b->rows.room * sizeof *b->rows.at;
	n += b->cold.room * sizeof *b->cold.at;
	n += b->chunks.room * sizeof *b->chunks.at;
	n += b->extents.room * sizeof *b->extents.at;
	for (const struct slab_region *r = b->slab.regions; r != NULL;
		r = r->next)
		n += r->size;
	for (int i = 0; i < b->types.n; i++)
		n += b->types.at[i]->series_room *
			sizeof *b->types.at[i]->series;
	for (size_t i = 0; i < b->cold.n; i++) {
		const struct build_cold *c = &b->cold.at[i];

		const struct build_hot *h = &b->hot[i];

		n += c->seen_room * (sizeof *c->class_of + sizeof *c->abs);
		if ((h->flags & BUILD_APART) != 0)
			n += sizeof *h->stack +
				(size_t)h->stack->lanes.cap *
					sizeof *h->stack->lanes.at;
	}
	return n;
}

void
index_sink_trees(struct sink *s, uint64_t least, uint64_t node)
{
	struct build *b = (struct build *)s;

	b->tree_least = least;
	b->node_records = node;
}

const struct sink_ops sink_index = {
	.name = "index",
	.help = "the viewer's index: " INDEX_FILE,
	.keeps_identity = true,
	.open = open_index,
	.row = add_row,
	.type = add_type,
	.label = add_label,
	.state = build_state,
	.link = add_link,
	.advance = advance,
	.loss = tell_loss,
	.close = close_index,
	.panel = add_panel,
	.rename = rename_row,
	.link_kind = add_kind,
	.gap = add_gap,
	.finding = add_finding,
};
