/* SPDX-License-Identifier: MIT */
/* Answers questions about a trace that need no records. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "export/meaning.h"
#include "serve/route.h"

#define LOSSES 1000 /* most losses in the answer of meta */
#define PAGE 5000   /* rows or labels of one answer */

/* The classes of rows, in the order of their first rows. */
struct classes {
	VEC(const char *) name;
};

static struct classes
classes_of(struct call *c)
{
	struct classes all = { 0 };

	for (uint32_t i = 0; i < c->meta->nrows; i++) {
		const char *class = c->meta->row[i].row.class;
		int at = 0;

		while (at < all.name.n && strcmp(all.name.at[at], class) != 0)
			at++;
		if (at == all.name.n)
			VEC_PUSH(&all.name, c->arena, class);
	}
	return all;
}

static int64_t
count_rows(const struct index_meta *m, const char *class)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < m->nrows; i++)
		n += strcmp(m->row[i].row.class, class) == 0;
	return n;
}

static int64_t
count_groups(const struct index_meta *m, const char *class)
{
	int64_t n = 0;

	for (uint32_t i = 0; i < m->ngroups; i++)
		n += strcmp(m->group[i].class, class) == 0;
	return n;
}

static void
put_classes(struct call *c, struct doc *doc)
{
	struct classes all = classes_of(c);

	doc_begin(doc, "classes", '[');
	for (int i = 0; i < all.name.n; i++) {
		doc_begin(doc, NULL, '{');
		doc_word(doc, "class", all.name.at[i]);
		doc_i64(doc, "rows", count_rows(c->meta, all.name.at[i]));
		doc_i64(doc, "groups", count_groups(c->meta, all.name.at[i]));
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
}

static void
put_type(struct doc *doc, int id, const struct index_type *t)
{
	static const char *const kinds[] = {
		[TYPE_STATE] = "state",
		[TYPE_NUMBER] = "number",
		[TYPE_POINT] = "point",
		[TYPE_ID] = "id",
	};

	doc_begin(doc, NULL, '{');
	doc_i64(doc, "type", id);
	doc_word(doc, "class", t->type.class);
	doc_word(doc, "key", t->type.key);
	doc_word(doc, "title",
		t->type.title != NULL ? t->type.title : t->type.key);
	doc_i64(doc, "number", t->type.number);
	doc_word(doc, "kind", kinds[t->type.kind]);
	doc_i64(doc, "lanes", t->lanes);
	doc_word(doc, "unit", t->type.unit);
	doc_word(doc, "none", t->type.none);
	doc_i64(doc, "labels", t->nlabels);
	answer_u64(doc, "records", t->nrecords);
	doc_bare(doc, "index_only",
		strcmp(t->type.key, INDEX_CLOCK_ERROR) == 0 ? "true" : "false");
	doc_end(doc, '}');
}

static void
put_panels(struct call *c, struct doc *doc)
{
	doc_begin(doc, "panels", '[');
	for (uint32_t i = 0; i < c->meta->npanels; i++) {
		const struct panel *p = &c->meta->panel[i];

		doc_begin(doc, NULL, '{');
		doc_word(doc, "class", p->class);
		doc_word(doc, "key", p->key);
		doc_word(doc, "title", p->title);
		doc_bare(doc, "apart", p->apart ? "true" : "false");
		doc_begin(doc, "types", '[');
		for (int k = 0; k < p->ntypes; k++)
			doc_i64(doc, NULL, p->types[k]);
		doc_end(doc, ']');
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
}

static void
put_link_kinds(struct call *c, struct doc *doc)
{
	doc_begin(doc, "link_kinds", '[');
	for (uint32_t i = 0; i < c->meta->nkinds; i++) {
		const struct link_kind *k = &c->meta->kind[i];

		doc_begin(doc, NULL, '{');
		answer_i64(doc, "kind", k->kind);
		doc_word(doc, "name", k->name);
		doc_word(doc, "meaning", route_link_word(k->meaning));
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
}

static void
put_losses(struct call *c, struct doc *doc)
{
	uint32_t n = c->meta->ngaps < LOSSES ? c->meta->ngaps : LOSSES;

	if (n < c->meta->ngaps)
		doc_i64(doc, "losses_all", c->meta->ngaps);
	doc_begin(doc, "losses", '[');
	for (uint32_t i = 0; i < n; i++) {
		const struct gap *g = &c->meta->gap[i];

		doc_begin(doc, NULL, '{');
		doc_i64(doc, "row", g->row);
		answer_i64(doc, "from", g->from);
		answer_i64(doc, "to", g->to);
		answer_u64(doc, "events", g->events);
		doc_word(doc, "why", g->why);
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
}

void
route_meta(struct call *c)
{
	const struct param none[] = { { 0 } };
	const struct index_meta *m = c->meta;
	struct doc doc;

	if (!route_params(c, none))
		return;
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_i64(&doc, "trace", c->number);
	doc_word(&doc, "gen", c->gen);
	doc_word(&doc, "name", c->trace->name);
	doc_word(&doc, "path", c->trace->path);
	doc_word(&doc, "arguments", c->trace->arguments);
	doc_word(&doc, "title", m->title);
	doc_word(&doc, "version", m->version);
	doc_word(&doc, "unit", m->unit);
	answer_i64(&doc, "end", m->end);
	answer_i64(&doc, "watermark", m->end);
	doc_word(&doc, "state", c->state);
	doc_bare(&doc, "stat", c->trace->stat == NULL ? "false" : "true");
	answer_u64(&doc, "records", m->nrecords);
	answer_u64(&doc, "bytes", m->bytes);
	answer_value(&doc, "start_realtime",
		m->start_realtime == CLOCK_UNKNOWN ? INT64_MIN
						   : m->start_realtime);
	answer_i64(&doc, "clock_error", m->clock_error);
	answer_u64(&doc, "links", m->nlinks);
	doc_i64(&doc, "findings", m->nfindings);
	put_classes(c, &doc);
	doc_begin(&doc, "types", '[');
	for (uint32_t i = 0; i < m->ntypes; i++)
		put_type(&doc, (int)i, &m->type[i]);
	doc_end(&doc, ']');
	put_panels(c, &doc);
	put_link_kinds(c, &doc);
	put_losses(c, &doc);
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

static int
by_place(const void *va, const void *vb)
{
	const struct index_row *a = *(const struct index_row *const *)va,
			       *b = *(const struct index_row *const *)vb;

	COMPARE(a->order, b->order);
	return 0;
}

/* The rows of a class in order, and the smallest group of each row. */
struct rows {
	const struct index_row **row;
	uint32_t *group; /* by row number */
	int64_t n;
};

static struct rows
rows_of(struct call *c, const char *class)
{
	const struct index_meta *m = c->meta;
	struct rows all = { 0 };

	all.row = ARENA_ARRAY(c->arena, const struct index_row *, m->nrows);
	all.group = ARENA_ARRAY(c->arena, uint32_t, m->nrows);
	for (uint32_t i = 0; i < m->nrows; i++) {
		all.group[i] = INDEX_NONE;
		if (strcmp(m->row[i].row.class, class) == 0)
			all.row[all.n++] = &m->row[i];
	}
	qsort(all.row, (size_t)all.n, sizeof *all.row, by_place);
	/* Groups are listed before the groups inside them. */
	for (uint32_t g = 0; g < m->ngroups; g++)
		for (uint32_t i = 0; i < m->group[g].n; i++)
			all.group[m->group[g].rows[i]] = g;
	return all;
}

/* Returns the rows in short form: "r3-34,r40". */
static const char *
rows_text(struct call *c, const struct index_group *g)
{
	struct out out;
	const char *text;

	out_open_memory(&out);
	for (uint32_t i = 0, last; i < g->n; i = last + 1) {
		for (last = i; last + 1 < g->n &&
			g->rows[last + 1] == g->rows[last] + 1;
			last++)
			;
		out_puts(&out, i == 0 ? "r" : ",r");
		out_u64(&out, g->rows[i]);
		if (last > i) {
			out_puts(&out, "-");
			out_u64(&out, g->rows[last]);
		}
	}
	text = arena_strndup(c->arena, out.buf, (size_t)(out.at - out.buf));
	out_close(&out);
	return text;
}

static void
put_id(struct doc *doc, const char *key, uint32_t id)
{
	if (id == INDEX_NONE)
		doc_bare(doc, key, NULL);
	else
		doc_i64(doc, key, id);
}

static void
put_groups(struct call *c, struct doc *doc, const char *class)
{
	static const char *const kinds[] = {
		[INDEX_GROUP_ALL] = "all",
		[INDEX_GROUP_NODE] = "node",
		[INDEX_GROUP_PROCESS] = "process",
		[INDEX_GROUP_ROW] = "row",
		[INDEX_GROUP_BAND] = "band",
	};

	doc_begin(doc, "groups", '[');
	for (uint32_t i = 0; i < c->meta->ngroups; i++) {
		const struct index_group *g = &c->meta->group[i];

		if (strcmp(g->class, class) != 0)
			continue;
		doc_begin(doc, NULL, '{');
		doc_i64(doc, "group", i);
		doc_word(doc, "kind", kinds[g->kind]);
		answer_text(doc, "name", g->name);
		put_id(doc, "parent", g->parent);
		put_id(doc, "row", g->row);
		doc_i64(doc, "n", g->n);
		doc_word(doc, "rows", rows_text(c, g));
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
}

void
route_rows(struct call *c)
{
	const char *class = NULL, *some = NULL;
	int64_t from = 0, n = PAGE;
	const struct param table[] = {
		{ .name = "class",
			.needed = true,
			.text = &class,
			.most = 200 },
		{ .name = "from",
			.number = &from,
			.min = 0,
			.max = UINT32_MAX },
		{ .name = "n", .number = &n, .min = 1, .max = PAGE },
		{ .name = "rows", .text = &some, .most = REQUEST_TARGET },
		{ 0 },
	};
	const uint8_t *set = NULL;
	struct picked picked;
	struct rows all;
	struct doc doc;

	if (!route_params(c, table))
		return;
	if (some != NULL) {
		if (!route_pick(c, some, -1, &picked))
			return;
		set = route_rows_set(c, &picked);
	}
	if (count_rows(c->meta, class) == 0) {
		err_set(&c->err, ERR_INPUT,
			"class: the trace has no rows of this class");
		route_refuse(c);
		return;
	}
	all = rows_of(c, class);
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_word(&doc, "class", class);
	doc_i64(&doc, "from", from);
	doc_i64(&doc, "all", all.n);
	doc_begin(&doc, "rows", '[');
	for (int64_t i = from; i < all.n && n > 0; i++) {
		const struct index_row *row = all.row[i];
		uint32_t id = (uint32_t)(row - c->meta->row);

		if (set != NULL && !set[id])
			continue;
		n--;
		doc_begin(&doc, NULL, '{');
		doc_i64(&doc, "row", id);
		answer_text(&doc, "name", row->row.name);
		put_id(&doc, "parent", all.group[id]);
		doc_end(&doc, '}');
	}
	doc_end(&doc, ']');
	/* Thousands of groups, once: later pages have the rows only. */
	put_groups(c, &doc, from == 0 && some == NULL ? class : "");
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

/* A label, or a value that has a class but no label. */
struct entry {
	int64_t value;
	int class; /* -1: none */
	const struct index_label *label;
};

struct entries {
	VEC(struct entry) entry;
};

static int
by_class(const void *va, const void *vb)
{
	const struct entry *a = va, *b = vb;

	/* Values without a class come last. */
	COMPARE((unsigned)a->class, (unsigned)b->class);
	COMPARE(a->value, b->value);
	return 0;
}

static struct entries
entries_of(struct call *c, const struct index_type *t, const char *find)
{
	struct entries all = { 0 };

	for (int i = 0; i < t->nlabels; i++)
		if (find == NULL || strcasestr(t->label[i].text, find) != NULL)
			VEC_PUSH(&all.entry, c->arena,
				((struct entry){ t->label[i].value,
					t->label[i].class, &t->label[i] }));
	for (int i = 0; i < t->nvalues && find == NULL; i++)
		if (index_label(t, t->value[i]) == NULL)
			VEC_PUSH(&all.entry, c->arena,
				((struct entry){ t->value[i], i, NULL }));
	if (all.entry.n > 0)
		qsort(all.entry.at, (size_t)all.entry.n, sizeof *all.entry.at,
			by_class);
	return all;
}

static void
put_colour(struct doc *doc, const char *key, struct rgb rgb)
{
	char text[16];

	snprintf(text, sizeof text, "#%02x%02x%02x", rgb.r, rgb.g, rgb.b);
	doc_word(doc, key, text);
}

static void
put_entry(struct doc *doc, const struct entry *e)
{
	doc_begin(doc, NULL, '{');
	answer_value(doc, "value", e->value);
	if (e->class < 0)
		doc_bare(doc, "class", NULL);
	else
		doc_i64(doc, "class", e->class);
	if (e->label != NULL) {
		const char *means = meaning_name(e->label->means);

		answer_text(doc, "text", e->label->text);
		doc_word(doc, "meaning", *means == '\0' ? NULL : means);
		put_colour(doc, "dark", e->label->dark);
		put_colour(doc, "light", e->label->light);
	} else {
		doc_bare(doc, "text", NULL);
		doc_bare(doc, "meaning", NULL);
		doc_bare(doc, "dark", NULL);
		doc_bare(doc, "light", NULL);
	}
	doc_end(doc, '}');
}

void
route_labels(struct call *c)
{
	int64_t type = 0, from = 0, n = PAGE;
	const char *find = NULL;
	const struct param table[] = {
		ROUTE_TYPE(c, type),
		{ .name = "from",
			.number = &from,
			.min = 0,
			.max = UINT32_MAX },
		{ .name = "n", .number = &n, .min = 1, .max = PAGE },
		{ .name = "find", .text = &find, .most = 200 },
		{ 0 },
	};
	struct entries all;
	struct doc doc;

	if (!route_params(c, table))
		return;
	all = entries_of(c, &c->meta->type[type], find);
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_i64(&doc, "type", type);
	doc_i64(&doc, "from", from);
	doc_i64(&doc, "all", all.entry.n);
	doc_begin(&doc, "labels", '[');
	for (int64_t i = from;
		all.entry.at != NULL && i < all.entry.n && i < from + n; i++)
		put_entry(&doc, &all.entry.at[i]);
	doc_end(&doc, ']');
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}
