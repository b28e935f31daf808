/* SPDX-License-Identifier: MIT */
#include "export/csv/csv.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/digits.h"
#include "base/file.h"
#include "base/keep.h"
#include "base/map.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/vec.h"
#include "export/compress.h"
#include "export/single.h"
#include "export/whole_ns.h"

#define LINK_COLUMNS "from_time_%s,from_row,to_time_%s,to_row,kind,id,bytes\n"
#define GAP_COLUMNS "from_time_%s,to_time_%s,row,lost_events,why\n"

/* A field of a line, quoted if necessary. */
struct text {
	const char *at;
	size_t n;
};

struct csv_row {
	struct text fields; /* ",CLASS,NAME," */
	struct text name;
};

struct csv_type {
	struct text key; /* "KEY," */
	struct text none;
	struct map known;        /* value -> index of its label; owned */
	VEC(struct text) labels; /* at[0] is "no label" */
};

struct csv {
	struct sink base;
	struct arena *arena; /* borrowed */
	const char *dir;
	struct sink_setup setup; /* its texts are borrowed */
	const char *unit;
	bool has_links, has_gaps, is_piped;
	uint64_t links_lost, gaps_lost, rounded;
	struct outfile states, links, gaps;
	VEC(struct csv_row) rows;
	VEC(struct csv_type) types;
	struct err err; /* the first failure */
};

/* Returns the path of another file of the output. */
static const char *
other_path(const struct csv *c, const char *part)
{
	const struct compress_options *o = c->setup.compress;

	if (c->setup.file != NULL)
		return single_beside(
			c->arena, c->setup.file, ".csv", part, NULL);
	return arena_printf(c->arena, "%s/%s.csv%s", c->dir, part,
		o != NULL ? compress_extension(o->kind) : "");
}

/* Lets the process take the lines of an output in pieces. */
static void
note_open(const struct csv *c, struct outfile *f)
{
	const struct sink_pieces *p = c->setup.pieces;

	if (p != NULL)
		p->opened(p->arg, f);
}

static struct sink *
csv_open(struct arena *a, const char *dir, const struct sink_setup *setup,
	struct err *err)
{
	struct csv *c = ARENA_NEW(a, struct csv);

	c->base.ops = &sink_csv;
	c->arena = a;
	c->dir = arena_strdup(a, dir);
	c->unit = whole_ns_wanted(setup) ? "ns" : arena_strdup(a, setup->unit);
	c->setup = *setup;
	c->is_piped = setup->file != NULL && strcmp(setup->file, "-") == 0;
	/* They are written, or removed, at the end. */
	if (!c->is_piped &&
		(!keep_check(other_path(c, "links"), err) ||
			!keep_check(other_path(c, "gaps"), err)))
		return NULL;
	if (!single_open(&c->states, a, dir, "states.csv", setup, err))
		return NULL;
	note_open(c, &c->states);
	outfile_printf(&c->states, "time_%s,class,row,type,value,label,depth\n",
		c->unit);
	return whole_ns_wanted(setup) ? whole_ns_open(a, &c->base, &c->rounded)
				      : &c->base;
}

/* Returns a copy of the text, quoted as RFC 4180 says if necessary. */
static struct text
quote(struct arena *a, const char *s)
{
	size_t n = strlen(s);
	const char *stop = s + n;
	char *to, *at;

	if (!quote_csv_needs(s, n))
		return (struct text){ arena_strdup(a, s), n };
	at = to = arena_alloc(a, 2 * n + 3);
	*at++ = '"';
	at = quote_csv(at, to + 2 * n + 3, &s, stop);
	*at++ = '"';
	return (struct text){ to, (size_t)(at - to) };
}

static void
put(struct outfile *f, struct text t)
{
	outfile_write(f, t.at, t.n);
}

static void
put_number(struct outfile *f, int64_t value, char end)
{
	char *at = digits_i64(outfile_room(f, DIGITS_MAX + 1), value);

	*at++ = end;
	f->at = at;
}

static void
csv_row(struct sink *s, const struct row *row)
{
	struct csv *c = (struct csv *)s;
	struct csv_row *r;
	char *fields;

	BUG_ON(row->id != (uint32_t)c->rows.n);
	r = VEC_ADD(&c->rows, c->arena);
	r->name = quote(c->arena, text_trim(row->name));
	fields = arena_printf(c->arena, ",%s,%s,",
		quote(c->arena, row->class).at, r->name.at);
	r->fields = (struct text){ fields, strlen(fields) };
}

static void
csv_type(struct sink *s, const struct type *type)
{
	struct csv *c = (struct csv *)s;
	struct csv_type *t;
	char *key;

	BUG_ON(type->id != (uint32_t)c->types.n);
	t = VEC_ADD(&c->types, c->arena);
	key = arena_printf(c->arena, "%s,", quote(c->arena, type->key).at);
	t->key = (struct text){ key, strlen(key) };
	t->none = quote(c->arena, type->none != NULL ? type->none : "");
	VEC_PUSH(&t->labels, c->arena, ((struct text){ "", 0 }));
}

static void
csv_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct csv *c = (struct csv *)s;
	struct csv_type *t;
	uint64_t *index;

	(void)meaning;
	BUG_ON(type >= (uint32_t)c->types.n);
	t = &c->types.at[type];
	index = map_put(&t->known, (uint64_t)value);
	if (*index != 0)
		return;
	*index = (uint64_t)t->labels.n;
	VEC_PUSH(&t->labels, c->arena, quote(c->arena, text));
}

static void
put_value(struct outfile *f, const struct csv_type *t, int64_t value)
{
	const uint64_t *index;

	if (value == VALUE_NONE) {
		outfile_write(f, ",", 1);
		put(f, t->none);
		return;
	}
	put_number(f, value, ',');
	index = map_get(&t->known, (uint64_t)value);
	if (index != NULL)
		put(f, t->labels.at[*index]);
}

static void
csv_state(struct sink *s, const struct record *r)
{
	struct csv *c = (struct csv *)s;
	struct outfile *f = &c->states;
	const struct csv_type *t;
	struct text row;

	BUG_ON(r->row >= (uint32_t)c->rows.n);
	BUG_ON(r->type >= (uint32_t)c->types.n);
	row = c->rows.at[r->row].fields;
	t = &c->types.at[r->type];
	f->at = digits_i64(outfile_room(f, DIGITS_MAX), r->time);
	put(f, row);
	put(f, t->key);
	put_value(f, t, r->value);
	outfile_write(f, ",", 1);
	put_number(f, r->depth, '\n');
}

/* Creates a file just before its first line is written. The header `columns`
 * has one %s for the unit of each of its two times. */
static bool __attribute__((format(printf, 4, 0))) open_other(
	struct csv *c, struct outfile *f, const char *part, const char *columns)
{
	struct sink_setup setup = c->setup;

	setup.file = other_path(c, part);
	if (c->err.kind != ERR_NONE ||
		!single_open(f, c->arena, c->dir, "", &setup, &c->err))
		return false;
	note_open(c, f);
	outfile_printf(f, columns, c->unit, c->unit);
	return true;
}

/* Returns the row's name; "" for ROW_NONE. */
static struct text
row_name(const struct csv *c, uint32_t row)
{
	return row < (uint32_t)c->rows.n ? c->rows.at[row].name
					 : (struct text){ "", 0 };
}

static void
csv_link(struct sink *s, const struct link *l)
{
	struct csv *c = (struct csv *)s;
	struct outfile *f = &c->links;

	c->links_lost += c->is_piped;
	if (c->is_piped)
		return;
	if (!c->has_links)
		c->has_links = open_other(c, f, "links", LINK_COLUMNS);
	if (!c->has_links)
		return;
	put_number(f, l->from_time, ',');
	put(f, row_name(c, l->from_row));
	outfile_write(f, ",", 1);
	put_number(f, l->to_time, ',');
	put(f, row_name(c, l->to_row));
	outfile_write(f, ",", 1);
	put_number(f, l->kind, ',');
	put_number(f, l->id, ',');
	put_number(f, l->bytes, '\n');
}

static void
csv_gap(struct sink *s, const struct gap *g)
{
	struct csv *c = (struct csv *)s;
	struct outfile *f = &c->gaps;

	c->gaps_lost += c->is_piped;
	if (c->is_piped)
		return;
	if (!c->has_gaps)
		c->has_gaps = open_other(c, f, "gaps", GAP_COLUMNS);
	if (!c->has_gaps)
		return;
	put_number(f, g->from, ',');
	put_number(f, g->to, ',');
	put(f, row_name(c, g->row));
	outfile_write(f, ",", 1);
	put_number(f, (int64_t)g->events, ',');
	put(f, quote(c->arena, g->why == NULL ? "" : g->why));
	outfile_write(f, "\n", 1);
}

/* In the order of csv_loss(); in a pipe there is only one file. */
static const char *const losses[] = { "links in a second file",
	"intervals of lost events in a third file", WHOLE_NS_LOSS, NULL };

static void
csv_loss(struct sink *s, void (*fn)(void *arg, const struct loss *loss),
	void *arg)
{
	const struct csv *c = (const struct csv *)s;
	const uint64_t counts[] = { c->links_lost, c->gaps_lost, c->rounded };

	sink_tell_losses(losses, counts, fn, arg);
}

/* Closes another file of the output. Without one, removes that of an earlier
 * output of this name: it would be taken for a part of this one. */
static void
close_other(struct csv *c, struct outfile *f, bool is_open, const char *part)
{
	const char *path = c->is_piped ? NULL : other_path(c, part);

	if (is_open && c->err.kind != ERR_NONE)
		outfile_discard(f);
	else if (is_open)
		(void)outfile_close(f, &c->err);
	else if (path != NULL && c->setup.gone != NULL)
		c->setup.gone(c->setup.gone_arg, path);
	else if (path != NULL && c->err.kind == ERR_NONE &&
		file_is_regular(path) && keep_check(path, &(struct err){ 0 }))
		(void)unlink(path);
}

static void
close_states(struct csv *c)
{
	struct err err = { 0 };

	if (!outfile_close(&c->states, &err) && c->err.kind == ERR_NONE)
		c->err = err;
}

/* Creates the files in which another piece of the output has lines. */
static void
open_for_others(struct csv *c)
{
	bool has[] = { c->has_links, c->has_gaps };

	c->setup.pieces->any(c->setup.pieces->arg, has, 2);
	if (has[0] && !c->has_links)
		c->has_links = open_other(c, &c->links, "links", LINK_COLUMNS);
	if (has[1] && !c->has_gaps)
		c->has_gaps = open_other(c, &c->gaps, "gaps", GAP_COLUMNS);
}

static bool
csv_close(struct sink *s, struct err *err)
{
	struct csv *c = (struct csv *)s;

	if (c->setup.pieces != NULL)
		open_for_others(c);
	close_states(c);
	close_other(c, &c->links, c->has_links, "links");
	close_other(c, &c->gaps, c->has_gaps, "gaps");
	for (int i = 0; i < c->types.n; i++)
		map_fini(&c->types.at[i].known);
	if (c->err.kind != ERR_NONE)
		*err = c->err;
	return c->err.kind == ERR_NONE;
}

const struct sink_ops sink_csv = {
	.name = "csv",
	.help = "a table of all records: states.csv, links.csv, gaps.csv",
	.extensions = ".csv",
	.streams = true,
	.packs = true,
	.is_text = true,
	.losses = losses,
	.loss = csv_loss,
	.open = csv_open,
	.row = csv_row,
	.type = csv_type,
	.label = csv_label,
	.state = csv_state,
	.link = csv_link,
	.gap = csv_gap,
	.close = csv_close,
};
