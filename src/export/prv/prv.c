/* SPDX-License-Identifier: MIT */
#include "export/prv/prv.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "export/prv/cfg.h"
#include "export/prv/lines.h"
#include "export/prv/names.h"

/* The rows of a class: three files. */
struct timeline {
	struct timeline *next;
	const char *name;
	bool has_files;
	bool is_parent; /* of rows of other timelines */
	int nrows;
	VEC(uint32_t) parents; /* of rows: a task each */
	struct prv_lines lines;
	struct prv_names names;
};

/* A row or a type of the sink: in which timeline it is, and what there. */
struct placed_row {
	struct timeline *line;
	const char *name;
	struct prv_row row;
};
struct placed_type {
	struct timeline *line;
	uint32_t pos; /* among the names */
	struct prv_key key;
};

static_assert(
	sizeof(struct placed_row) == 64 && sizeof(struct placed_type) == 64,
	"found by a shift");

struct prv {
	struct sink base;
	struct arena *arena; /* borrowed */
	const char *dir;
	const struct sink_setup *setup; /* borrowed */
	int64_t unit;                   /* how many make 1 ns */
	bool failed;                    /* a file could not be made */
	struct timeline *first, **last; /* in the order of arrival */
	VEC(struct placed_row) rows;
	VEC(struct placed_type) types;
	int64_t end; /* the latest advance, in ns */
	uint64_t links_lost, labels_wide;
	struct err err; /* the first failure */
};

static struct sink *
prv_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct prv *p = ARENA_NEW(a, struct prv);

	(void)err;
	p->base.ops = &sink_prv;
	p->arena = a;
	p->last = &p->first;
	p->dir = arena_strdup(a, dir);
	p->setup = setup;
	p->unit = strcmp(setup->unit, "ps") == 0 ? 1000 : 1;
	return &p->base;
}

static struct timeline *
find_timeline(struct prv *p, const char *name)
{
	struct timeline *t;

	for (t = p->first; t != NULL; t = t->next)
		if (strcmp(t->name, name) == 0)
			return t;
	t = ARENA_NEW(p->arena, struct timeline);
	t->name = arena_strdup(p->arena, name);
	t->lines.arena = t->names.arena = p->arena;
	*p->last = t;
	p->last = &t->next;
	return t;
}

/* Names of classes can come from a file that the user did not write. */
static bool
open_files(struct prv *p, struct timeline *t)
{
	const char *path;

	t->has_files = true;
	if (t->name[0] == '\0' || t->name[0] == '.' ||
		strchr(t->name, '/') != NULL)
		return err_set(&p->err, ERR_INPUT,
			"the class \"%s\" cannot be the name of a file",
			t->name);
	path = arena_printf(p->arena, "%s/%s.prv", p->dir, t->name);
	return prv_lines_open(&t->lines, path, p->setup, p->unit, &p->err);
}

/* There is a type to ask about the rows, or it is the end. */
static void
need_files(struct prv *p, struct timeline *t)
{
	if (t->has_files || t->nrows == 0 || p->failed || open_files(p, t))
		return;
	t->has_files = false;
	p->failed = true;
}

/* The place of the parent among those that rows of the timeline have. */
static uint32_t
task_of(struct prv *p, struct timeline *t, uint32_t parent)
{
	for (int i = t->parents.n - 1; i >= 0; i--)
		if (t->parents.at[i] == parent)
			return (uint32_t)i;
	VEC_PUSH(&t->parents, p->arena, parent);
	p->rows.at[parent].line->is_parent = true;
	prv_names_add_task(&t->names, p->rows.at[parent].name);
	return (uint32_t)t->parents.n - 1;
}

static void
prv_row(struct sink *s, const struct row *row)
{
	struct prv *p = (struct prv *)s;
	struct timeline *t;
	uint32_t task = 0;

	if (p->failed)
		return;
	BUG_ON(row->id != (uint32_t)p->rows.n);
	BUG_ON(row->parent != ROW_NONE && row->parent >= row->id);
	t = find_timeline(p, row->class);
	if (row->name[0] == '\0') {
		VEC_PUSH(&p->rows, p->arena,
			((struct placed_row){ t, "", prv_lines_nowhere() }));
		return;
	}
	t->nrows++;
	if (t->names.type.n > 0)
		need_files(p, t);
	if (row->parent != ROW_NONE)
		task = task_of(p, t, row->parent);
	VEC_PUSH(&p->rows, p->arena,
		((struct placed_row){ t, arena_strdup(p->arena, row->name),
			prv_lines_add_row(&t->lines, task) }));
	prv_names_add_row(&t->names, row->name, task);
}

static void
prv_type(struct sink *s, const struct type *type)
{
	struct prv *p = (struct prv *)s;
	struct timeline *t;

	if (p->failed)
		return;
	BUG_ON(type->id != (uint32_t)p->types.n);
	t = find_timeline(p, type->class);
	VEC_PUSH(&p->types, p->arena,
		((struct placed_type){ t, (uint32_t)t->names.type.n,
			prv_lines_add_type(&t->lines, type->number) }));
	prv_names_add_type(&t->names, type);
	need_files(p, t);
}

static void
prv_label(struct sink *s, uint32_t type, int64_t value, const char *text)
{
	struct prv *p = (struct prv *)s;
	const struct placed_type *place;
	bool is_new;

	if (p->failed)
		return;
	BUG_ON(type >= (uint32_t)p->types.n);
	place = &p->types.at[type];
	is_new = prv_names_add_label(
		&place->line->names, place->pos, value, text);
	if (is_new && value != (int32_t)value)
		p->labels_wide++;
}

static void
prv_panel(struct sink *s, const struct panel *panel)
{
	struct prv *p = (struct prv *)s;
	struct timeline *t;
	struct prv_panel *to;

	if (p->failed)
		return;
	t = find_timeline(p, panel->class);
	to = prv_names_add_panel(&t->names, panel->key, panel->title);
	to->apart = panel->apart;
	for (int i = 0; i < panel->ntypes; i++) {
		BUG_ON(panel->types[i] >= (uint32_t)p->types.n);
		BUG_ON(p->types.at[panel->types[i]].line != t);
		VEC_PUSH(&to->type, p->arena, p->types.at[panel->types[i]].pos);
	}
}

static void
prv_state(struct sink *s, const struct record *r)
{
	struct prv *p = (struct prv *)s;
	const struct placed_row *row;
	const struct placed_type *type;

	if (p->failed)
		return;
	BUG_ON(r->row >= (uint32_t)p->rows.n);
	BUG_ON(r->type >= (uint32_t)p->types.n);
	row = &p->rows.at[r->row];
	type = &p->types.at[r->type];
	BUG_ON(row->line != type->line);
	prv_lines_state(&row->line->lines, &row->row, &type->key, r->time,
		r->value == VALUE_NONE ? 0 : r->value);
}

static void
prv_link(struct sink *s, const struct link *l)
{
	struct prv *p = (struct prv *)s;
	uint32_t n = (uint32_t)p->rows.n;
	const struct placed_row *from, *to;

	if (p->failed)
		return;
	if (l->from_row >= n || l->to_row >= n) {
		p->links_lost++;
		return;
	}
	from = &p->rows.at[l->from_row];
	to = &p->rows.at[l->to_row];
	need_files(p, from->line);
	if (p->failed)
		return;
	if (from->line != to->line) {
		p->links_lost++;
		return;
	}
	prv_lines_link(&from->line->lines, &from->row, &to->row, l);
}

static void
prv_advance(struct sink *s, int64_t time)
{
	struct prv *p = (struct prv *)s;

	if (time / p->unit > p->end)
		p->end = time / p->unit;
}

static void
prv_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	struct prv *p = (struct prv *)s;
	struct loss rounded = { "times rounded down from ps to ns", 0 };
	struct loss links = { "links between rows of different classes",
		p->links_lost };
	struct loss labels = { "labels of values that Paraver cannot hold",
		p->labels_wide };

	for (const struct timeline *t = p->first; t != NULL; t = t->next)
		rounded.count += t->lines.rounded;
	if (rounded.count > 0)
		fn(arg, &rounded);
	if (links.count > 0)
		fn(arg, &links);
	if (labels.count > 0)
		fn(arg, &labels);
}

static bool
close_timeline(struct prv *p, struct timeline *t, struct err *err)
{
	const char *pcf, *row;
	bool ok = prv_lines_close(&t->lines, p->end, err);

	pcf = arena_printf(p->arena, "%s/%s.pcf", p->dir, t->name);
	row = arena_printf(p->arena, "%s/%s.row", p->dir, t->name);
	ok = ok && prv_names_write_pcf(&t->names, pcf, err) &&
		prv_names_write_row(&t->names, row, p->setup, err) &&
		(p->setup->no_cfg ||
			prv_cfg_write(&t->names, p->dir, t->name, err));
	if (ok && p->setup->made != NULL)
		p->setup->made(p->setup->arg,
			arena_printf(p->arena, "%s/%s.prv", p->dir, t->name));
	return ok;
}

static bool
prv_close(struct sink *s, struct err *err)
{
	struct prv *p = (struct prv *)s;

	/* What only is the parent of other rows has no files. */
	for (struct timeline *t = p->first; t != NULL; t = t->next)
		if (!t->is_parent)
			need_files(p, t);
	for (struct timeline *t = p->first; t != NULL; t = t->next)
		if (t->has_files && prv_lines_last(&t->lines) > p->end)
			p->end = prv_lines_last(&t->lines);
	for (struct timeline *t = p->first; t != NULL; t = t->next) {
		struct err e = { 0 };

		if (t->has_files && !close_timeline(p, t, &e) &&
			p->err.kind == ERR_NONE)
			p->err = e;
		prv_names_fini(&t->names);
	}
	if (p->err.kind != ERR_NONE)
		*err = p->err;
	return p->err.kind == ERR_NONE;
}

const struct sink_ops sink_prv = {
	.name = "prv",
	.help = "timelines for Paraver: one .prv, .pcf and .row a class",
	.open = prv_open,
	.row = prv_row,
	.type = prv_type,
	.label = prv_label,
	.state = prv_state,
	.link = prv_link,
	.advance = prv_advance,
	.loss = prv_loss,
	.close = prv_close,
	.panel = prv_panel,
};
