/* SPDX-License-Identifier: MIT */
#include "export/prv/prv.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "export/prv/cfg.h"
#include "export/prv/files.h"
#include "export/prv/labels.h"
#include "export/prv/layers.h"
#include "export/prv/lines.h"
#include "export/prv/losses.h"
#include "export/prv/states.h"

/* What the rows of a task have in common: their parent, or else their node. */
struct task_key {
	uint32_t parent, node;
};

/* The rows of a class, written to three files. */
struct timeline {
	struct timeline *next;
	const char *name;
	bool has_files;
	bool elsewhere;  /* another piece of the output has its records */
	bool is_parent;  /* its rows are parents of rows of other timelines */
	bool is_layered; /* the class has a layered or special type */
	struct prv_states states;
	int nrows;
	VEC(struct task_key) tasks;
	struct prv_lines lines;
	struct prv_names names;
	struct prv_layers layers;
};

/* A row or type of the sink, with its timeline and its text there. */
struct placed_row {
	struct timeline *line;
	const char *name;
	struct prv_row row;
};
struct placed_type {
	struct timeline *line;
	uint32_t pos; /* index in names.type */
	struct prv_key key;
};

static_assert(
	sizeof(struct placed_row) == 64 && sizeof(struct placed_type) == 64,
	"found by a shift");

struct prv {
	struct sink base;
	struct arena *arena; /* borrowed */
	struct prv_files files;
	const struct sink_setup *setup; /* borrowed */
	int64_t unit;                   /* trace time units per ns */
	struct prv_machine places;
	bool failed;                    /* a file could not be created */
	struct timeline *first, **last; /* in the order of arrival */
	VEC(struct placed_row) rows;
	VEC(struct placed_type) types;
	int64_t end; /* the latest advance, in ns */
	uint64_t lost[PRV_LOSSES];
	bool any;          /* some timeline has a record */
	const char *empty; /* names of timelines without a record */
	struct err err;    /* the first failure */
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
	p->empty = "";
	p->files = (struct prv_files){ a, arena_strdup(a, dir), setup };
	p->setup = setup;
	p->unit = strcmp(setup->unit, "ps") == 0 && !setup->ps_as_ns ? 1000 : 1;
	p->places.arena = a;
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
	t->lines.arena = t->names.arena = t->states.arena = p->arena;
	t->names.original = p->setup->original;
	if (!p->setup->original)
		t->lines.places = &p->places;
	*p->last = t;
	p->last = &t->next;
	return t;
}

/* Creates the .prv file. */
static bool
open_files(struct prv *p, struct timeline *t)
{
	t->has_files = true;
	return prv_files_check(&p->files, t->name, &p->err) &&
		prv_lines_open(&t->lines,
			prv_files_path(&p->files, t->name, ".prv", false),
			p->setup, p->unit, &p->err);
}

/* Creates the files if the timeline has rows and a first type, or at the
 * end. */
static void
need_files(struct prv *p, struct timeline *t)
{
	if (t->has_files || t->nrows == 0 || p->failed || open_files(p, t))
		return;
	t->has_files = false;
	p->failed = true;
}

/* Returns the task of a row: one per parent, and one per node for rows without
 * a parent. The ovni tools have a single task. */
static uint32_t
task_of(struct prv *p, struct timeline *t, uint32_t parent, uint32_t node)
{
	struct task_key key = { parent, parent == ROW_NONE ? node : 0 };
	const char *name = "(no task)";

	for (int i = t->tasks.n - 1; i >= 0; i--)
		if (t->tasks.at[i].parent == key.parent &&
			t->tasks.at[i].node == key.node)
			return (uint32_t)i;
	if (parent != ROW_NONE) {
		p->rows.at[parent].line->is_parent = true;
		t->names.has_parents = true;
		name = p->rows.at[parent].name;
	} else if (key.node > 0) {
		name = p->places.node.at[key.node - 1].name;
	}
	VEC_PUSH(&t->tasks, p->arena, key);
	prv_names_add_task(&t->names, name);
	return (uint32_t)t->tasks.n - 1;
}

static void
prv_row(struct sink *s, const struct row *row)
{
	struct prv *p = (struct prv *)s;
	struct timeline *t;
	uint32_t task, node = 0, cpu = 0;

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
	p->lost[PRV_LOSS_ROWS] += t->nrows > PRV_ROWS_MAX;
	if (!p->setup->original) {
		node = prv_machine_node(&p->places, row);
		cpu = prv_machine_cpu(&p->places, row, node);
	}
	task = task_of(p, t, row->parent, node);
	VEC_PUSH(&p->rows, p->arena,
		((struct placed_row){ t, arena_strdup(p->arena, row->name),
			prv_lines_add_row(&t->lines, task, node, cpu) }));
	prv_names_add_row(&t->names, row->name, task);
}

static void
prv_rename(struct sink *s, uint32_t row, const char *name)
{
	struct prv *p = (struct prv *)s;
	const struct placed_row *r;

	if (p->failed)
		return;
	BUG_ON(row >= (uint32_t)p->rows.n);
	r = &p->rows.at[row];
	if (r->row.pos < (uint32_t)r->line->names.row.n)
		prv_names_rename(&r->line->names, r->row.pos, name);
}

static void
prv_type(struct sink *s, const struct type *type)
{
	struct prv *p = (struct prv *)s;
	struct timeline *t;
	enum prv_special special;

	if (p->failed)
		return;
	BUG_ON(type->id != (uint32_t)p->types.n);
	t = find_timeline(p, type->class);
	VEC_PUSH(&p->types, p->arena,
		((struct placed_type){ t, (uint32_t)t->names.type.n,
			prv_lines_add_type(&t->lines, type) }));
	p->types.at[type->id].key.layered = type->layered;
	special = prv_special_of(type->key);
	p->types.at[type->id].key.special = (uint8_t)special;
	t->is_layered |= type->layered || special != PRV_EVENTS;
	prv_names_add_type(&t->names, type);
	need_files(p, t);
}

static void
prv_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct prv *p = (struct prv *)s;
	const struct placed_type *place;
	bool is_new;

	if (p->failed)
		return;
	BUG_ON(type >= (uint32_t)p->types.n);
	place = &p->types.at[type];
	is_new = prv_names_add_label(&place->line->names, place->pos,
		&(struct prv_label){ value, text, meaning });
	p->lost[PRV_LOSS_LABELS] += is_new && value != (int32_t)value;
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

/* Writes the records that were held back, in their order among the records of
 * one time. */
static void
put_layers(struct prv *p, struct timeline *t)
{
	struct prv_layers *l = &t->layers;

	prv_layers_sort(l, p->arena);
	for (int i = 0; i < l->out.n; i++) {
		const struct prv_layer *r = &l->out.at[i];

		p->types.at[r->type].key.used = true;
		prv_lines_state(&t->lines, &p->rows.at[r->row].row,
			&p->types.at[r->type].key, l->time, r->value);
	}
}

/* Writes a record that is no event line: a state, or the CPU of later lines. */
static void
put_special(struct prv *p, struct timeline *t, const struct record *r)
{
	struct prv_row *row = &p->rows.at[r->row].row;

	if (p->types.at[r->type].key.special == PRV_STATES)
		prv_states_put(
			&t->states, &t->lines, r->row, row, r->time, r->value);
	else if (prv_machine_use_cpu(&p->places, r->value))
		prv_lines_set_cpu(row, r->value > 0 ? (uint32_t)r->value : 0);
	else
		p->lost[PRV_LOSS_CPUS] += r->value > 0;
}

/* Returns true if the record is held back, or written in another way. */
static bool
hold_layer(struct prv *p, struct timeline *t, const struct record *r)
{
	const struct placed_type *type = &p->types.at[r->type];

	if (t->layers.held.n > 0 && r->time > t->layers.time)
		put_layers(p, t);
	if (type->key.special != PRV_EVENTS) {
		put_special(p, t, r);
		return true;
	}
	if (!type->key.layered)
		return false;
	prv_layers_hold(&t->layers, p->arena, r->time,
		&(struct prv_layer){ .row = r->row,
			.type = r->type,
			.number = t->names.type.at[type->pos].number,
			.value = r->value == VALUE_NONE ? 0 : r->value });
	return true;
}

static inline void
put_state(const struct placed_row *row, struct placed_type *type,
	const struct record *r)
{
	type->key.used = true;
	prv_lines_state(&row->line->lines, &row->row, &type->key, r->time,
		r->value == VALUE_NONE ? 0 : r->value);
}

/* Writes a record of a timeline that has layers. */
static void __attribute__((noinline))
put_layered(struct prv *p, const struct record *r)
{
	const struct placed_row *row = &p->rows.at[r->row];

	if (!hold_layer(p, row->line, r))
		put_state(row, &p->types.at[r->type], r);
}

/* Calls come last, so that no register must be saved over them. */
static void
prv_state(struct sink *s, const struct record *r)
{
	struct prv *p = (struct prv *)s;
	const struct placed_row *row;
	struct placed_type *type;

	if (p->failed)
		return;
	BUG_ON(r->row >= (uint32_t)p->rows.n);
	BUG_ON(r->type >= (uint32_t)p->types.n);
	row = &p->rows.at[r->row];
	type = &p->types.at[r->type];
	BUG_ON(row->line != type->line);
	if (row->line->is_layered)
		put_layered(p, r);
	else
		put_state(row, type, r);
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
		p->lost[PRV_LOSS_LINKS]++;
		return;
	}
	from = &p->rows.at[l->from_row];
	to = &p->rows.at[l->to_row];
	need_files(p, from->line);
	if (p->failed)
		return;
	if (from->line != to->line) {
		p->lost[PRV_LOSS_LINKS]++;
		return;
	}
	if (from->line->layers.held.n > 0 &&
		l->from_time > from->line->layers.time)
		put_layers(p, from->line);
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
	uint64_t n[PRV_LOSSES];

	memcpy(n, p->lost, sizeof n);
	for (const struct timeline *t = p->first; t != NULL; t = t->next) {
		n[PRV_LOSS_ROUNDED] += t->lines.rounded;
		n[PRV_LOSS_INEXACT] += t->lines.inexact;
		for (int i = 0; t->is_parent && i < t->tasks.n; i++)
			n[PRV_LOSS_GROUPS] += t->tasks.at[i].parent != ROW_NONE;
	}
	prv_losses_tell(p->arena, n, p->empty, fn, arg);
}

/* Marks the types that have a record in the file; layers.h may have dropped all
 * records of a type. */
static void
note_used(struct prv *p, struct timeline *t)
{
	for (int i = 0; i < p->types.n; i++)
		if (p->types.at[i].line == t)
			t->names.type.at[p->types.at[i].pos].used =
				p->types.at[i].key.used;
}

/* Leaves out a timeline without a record, which Paraver refuses to open, unless
 * the whole output has none. Files of an earlier emulation are removed, so that
 * nobody takes them for the new ones. */
static void
leave_out(struct prv *p, struct timeline *t)
{
	bool in_place = t->lines.out.tmp == NULL; /* a pipe, for example */

	outfile_discard(&t->lines.out);
	if (!in_place)
		prv_files_remove(&p->files, t->name);
	p->empty = arena_printf(p->arena, "%s%s%s", p->empty,
		p->lost[PRV_LOSS_EMPTY] > 0 ? ", " : "", t->name);
	p->lost[PRV_LOSS_EMPTY]++;
}

/* Returns true if the user named the file, and only one timeline has
 * records. */
static bool
is_alone(const struct prv *p)
{
	int n = 0;

	for (const struct timeline *t = p->first; t != NULL; t = t->next)
		n += t->has_files &&
			(t->lines.begun || p->setup->original || !p->any);
	return p->setup->file != NULL && n == 1;
}

static bool
close_timeline(struct prv *p, struct timeline *t, bool alone, struct err *err)
{
	const char *note = p->setup->ps_as_ns ? " (1 ns here is 1 ps)" : "";
	const struct prv_files *f = &p->files;
	const char *prv = prv_files_path(f, t->name, ".prv", alone);
	bool ok;

	if (p->err.kind == ERR_USAGE ||
		!prv_files_are_free(f, t->name, alone, err)) {
		outfile_discard(&t->lines.out);
		return false;
	}
	if (!t->lines.begun && !t->elsewhere && !p->setup->original && p->any) {
		leave_out(p, t);
		return true;
	}
	note_used(p, t);
	p->lost[PRV_LOSS_CLASSES] +=
		!prv_loss_keeps_class(p->arena, prv, t->name);
	p->lost[PRV_LOSS_UNIT] += p->setup->ps_as_ns;
	if (alone)
		t->lines.out.path = prv; /* its final name */
	ok = prv_lines_close(&t->lines, p->end, err) &&
		prv_names_write_pcf(&t->names,
			prv_files_path(f, t->name, ".pcf", alone), err) &&
		prv_names_write_row(&t->names,
			prv_files_path(f, t->name, ".row", alone),
			p->setup->original ? NULL : &p->places, err) &&
		(p->setup->no_cfg ||
			prv_cfg_write(&t->names, f->dir, t->name, note, err));
	if (ok && p->setup->made != NULL)
		p->setup->made(p->setup->arg, prv);
	return ok;
}

/* Ends the states that are open at the end. */
static void
end_states(struct prv *p)
{
	for (int i = 0; i < p->rows.n; i++) {
		struct timeline *t = p->rows.at[i].line;

		if (i < t->states.open.n && t->has_files)
			prv_states_put(&t->states, &t->lines, (uint32_t)i,
				&p->rows.at[i].row, p->end * p->unit,
				VALUE_NONE);
	}
}

/* Notes what has records in another piece of the output. */
static void
note_others(struct prv *p)
{
	const struct sink_pieces *pieces = p->setup->pieces;
	bool *flags = ARENA_ARRAY(p->arena, bool, p->types.n);

	if (pieces == NULL)
		return;
	for (int i = 0; i < p->types.n; i++)
		flags[i] = p->types.at[i].key.used;
	pieces->any(pieces->arg, flags, (size_t)p->types.n);
	for (int i = 0; i < p->types.n; i++)
		p->types.at[i].key.used = flags[i];
	for (struct timeline *t = p->first; t != NULL; t = t->next) {
		t->elsewhere = t->lines.begun;
		pieces->any(pieces->arg, &t->elsewhere, 1);
	}
}

static void
note_any(struct prv *p)
{
	for (const struct timeline *t = p->first; t != NULL; t = t->next)
		p->any |= t->has_files && (t->lines.begun || t->elsewhere);
}

static bool
prv_close(struct sink *s, struct err *err)
{
	struct prv *p = (struct prv *)s;
	bool alone;

	note_others(p);
	/* A class whose rows are only parents of other rows gets no files. */
	for (struct timeline *t = p->first; t != NULL; t = t->next)
		if (!t->is_parent)
			need_files(p, t);
	prv_machine_end(&p->places);
	for (struct timeline *t = p->first; t != NULL; t = t->next)
		if (t->has_files)
			put_layers(p, t);
	for (struct timeline *t = p->first; t != NULL; t = t->next)
		if (t->has_files && prv_lines_last(&t->lines) > p->end)
			p->end = prv_lines_last(&t->lines);
	end_states(p);
	note_any(p);
	alone = is_alone(p);
	for (struct timeline *t = p->first; t != NULL; t = t->next) {
		struct err e = { 0 };

		if (t->has_files && !close_timeline(p, t, alone, &e) &&
			p->err.kind == ERR_NONE)
			p->err = e;
		prv_names_fini(&t->names);
		prv_layers_fini(&t->layers);
	}
	prv_machine_fini(&p->places);
	if (p->err.kind != ERR_NONE)
		*err = p->err;
	return p->err.kind == ERR_NONE;
}

const struct sink_ops sink_prv = {
	.name = "prv",
	.help = "timelines for Paraver: a .prv, .pcf and .row for each class",
	.extensions = ".prv",
	.packs = true,
	.losses = prv_losses,
	.is_text = true,
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
	.rename = prv_rename,
};
