/* SPDX-License-Identifier: MIT */
/* Reads the sections of rows, types, labels, panels and findings. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/bytes.h"
#include "base/compare.h"
#include "base/json.h"
#include "export/index/reader.h"

static struct bytes
section(const struct reader_text *text, enum widx_kind kind)
{
	return bytes_of(text->at[kind], text->size[kind]);
}

/* Reads a text that may be NULL. */
static const char *
read_text(struct bytes *b)
{
	return bytes_u8(b) != 0 ? bytes_str(b) : NULL;
}

/* Reads a text that Weft always writes. */
static const char *
read_name(struct bytes *b)
{
	const char *text = read_text(b);

	if (text == NULL)
		b->bad = true;
	return text == NULL ? "" : text;
}

/* Reads the number of elements that follow, each of at least `least` bytes. */
static uint32_t
read_count(struct bytes *b, size_t least)
{
	uint32_t n = bytes_u32(b);

	if (n > bytes_left(b) / least) {
		b->bad = true;
		n = 0;
	}
	return n;
}

/* Reads a number, which must be below the limit. */
static uint32_t
read_below(struct bytes *b, uint32_t limit)
{
	uint32_t n = bytes_u32(b);

	if (n >= limit)
		b->bad = true;
	return n < limit ? n : 0;
}

static bool
read_rows(struct index_meta *m, struct arena *a, struct bytes b)
{
	uint32_t n = read_count(&b, 31);
	struct index_row *row = ARENA_ARRAY(a, struct index_row, n);

	m->row = row;
	m->nrows = n;
	for (uint32_t i = 0; i < n; i++) {
		struct index_row *r = &row[i];

		r->row.id = i;
		r->row.parent = bytes_u32(&b);
		if (r->row.parent >= i)
			r->row.parent = ROW_NONE;
		r->row.class = read_name(&b);
		r->row.name = read_name(&b);
		r->identity.node = read_text(&b);
		r->identity.pid = bytes_i64(&b);
		r->identity.tid = bytes_i64(&b);
		r->identity.cpu = bytes_i64(&b);
		r->row.identity = &r->identity;
	}
	return !b.bad;
}

static void
read_type(struct index_type *to, struct arena *a, struct bytes *b)
{
	struct type *t = &to->type;
	uint32_t flags;
	int64_t *value;

	t->class = read_name(b);
	t->key = read_name(b);
	t->title = read_text(b);
	t->none = read_text(b);
	t->unit = read_text(b);
	t->number = bytes_i64(b);
	t->kind = (enum type_kind)read_below(b, TYPE_ID + 1);
	flags = bytes_u32(b);
	t->stack = (flags & 1) != 0;
	t->layered = (flags & 2) != 0;
	to->hashed = (flags & 4) != 0;
	t->none_means = (enum meaning)read_below(b, MEANINGS);
	to->lanes = (int)read_below(b, INDEX_LANES + 1);
	to->nrecords = bytes_u64(b);
	to->nseries = bytes_u32(b);
	to->nvalues = (int)read_below(b, INDEX_HASHED + 1);
	value = ARENA_ARRAY(a, int64_t, to->nvalues);
	for (int i = 0; i < to->nvalues; i++)
		value[i] = bytes_i64(b);
	to->value = value;
}

static bool
read_types(struct index_meta *m, struct arena *a, struct bytes b)
{
	uint32_t n = read_count(&b, 40);
	struct index_type *type = ARENA_ARRAY(a, struct index_type, n);

	m->type = type;
	m->ntypes = n;
	for (uint32_t i = 0; i < n; i++) {
		type[i].type.id = i;
		read_type(&type[i], a, &b);
	}
	return !b.bad;
}

static int
by_value(const void *x, const void *y)
{
	const struct index_label *p = x, *q = y;

	COMPARE(p->value, q->value);
	return 0;
}

/* Gives labels, which are in the order of the file, the colours of the trace's
 * Paraver views (export/prv). */
static void
colour_labels(struct index_label *l, uint32_t n)
{
	struct palette colours = { 0 };

	for (uint32_t i = 0; i < n; i++)
		palette_look(&colours, l[i].means, l[i].value);
	for (uint32_t i = 0; i < n; i++) {
		struct palette_color c =
			palette_next(&colours, l[i].means, l[i].value);

		l[i].dark = c.on[GROUND_DARK];
		l[i].light = c.on[GROUND_LIGHT];
	}
}

static bool
read_labels(struct index_meta *m, struct arena *a, struct bytes b)
{
	for (uint32_t i = 0; i < m->ntypes; i++) {
		/* The elements were allocated above, so they are writable
		 * here. */
		struct index_type *t = (struct index_type *)&m->type[i];
		uint32_t n = read_count(&b, 19);
		struct index_label *l = ARENA_ARRAY(a, struct index_label, n);

		for (uint32_t j = 0; j < n; j++) {
			l[j].value = bytes_i64(&b);
			l[j].text = read_name(&b);
			l[j].means = (enum meaning)read_below(&b, MEANINGS);
			/* Two colours, perhaps of an older palette. */
			bytes_take(&b, 6);
			l[j].class = index_class(t, l[j].value);
		}
		colour_labels(l, n);
		if (n > 1)
			qsort(l, n, sizeof *l, by_value);
		t->label = l;
		t->nlabels = (int)n;
	}
	return !b.bad;
}

static bool
read_panels(struct index_meta *m, struct arena *a, struct bytes b)
{
	uint32_t n = read_count(&b, 17);
	struct panel *panel = ARENA_ARRAY(a, struct panel, n);

	m->panel = panel;
	m->npanels = n;
	for (uint32_t i = 0; i < n; i++) {
		struct panel *p = &panel[i];
		uint32_t *types;

		p->class = read_name(&b);
		p->key = read_name(&b);
		p->title = read_name(&b);
		p->apart = bytes_u32(&b) != 0;
		p->ntypes = (int)read_count(&b, 4);
		p->types = types = ARENA_ARRAY(a, uint32_t, p->ntypes);
		for (int j = 0; j < p->ntypes; j++)
			types[j] = read_below(&b, m->ntypes);
	}
	return !b.bad;
}

static bool
read_kinds(struct index_meta *m, struct arena *a, struct bytes b)
{
	uint32_t n = read_count(&b, 14);
	struct link_kind *kind = ARENA_ARRAY(a, struct link_kind, n);

	m->kind = kind;
	m->nkinds = n;
	for (uint32_t i = 0; i < n; i++) {
		kind[i].kind = bytes_i64(&b);
		kind[i].name = read_name(&b);
		kind[i].meaning =
			(enum link_meaning)read_below(&b, LINK_MEANINGS);
	}
	return !b.bad;
}

static bool
read_findings(struct index_meta *m, struct arena *a, struct bytes b)
{
	uint32_t n = read_count(&b, 18);
	struct sink_finding *f = ARENA_ARRAY(a, struct sink_finding, n);

	m->finding = f;
	m->nfindings = n;
	for (uint32_t i = 0; i < n; i++) {
		f[i].severity = (enum severity)read_below(&b, SEVERITIES);
		f[i].time = bytes_i64(&b);
		f[i].row = bytes_u32(&b);
		if (f[i].row >= m->nrows)
			f[i].row = ROW_NONE;
		f[i].text = read_name(&b);
	}
	return !b.bad;
}

static bool
read_gaps(struct index_meta *m, struct arena *a, struct bytes b)
{
	uint32_t n = read_count(&b, 29);
	struct gap *gap = ARENA_ARRAY(a, struct gap, n);

	m->gap = gap;
	m->ngaps = n;
	for (uint32_t i = 0; i < n; i++) {
		gap[i].from = bytes_i64(&b);
		gap[i].to = bytes_i64(&b);
		gap[i].row = bytes_u32(&b);
		if (gap[i].row >= m->nrows)
			gap[i].row = ROW_NONE;
		gap[i].events = bytes_u64(&b);
		gap[i].why = read_text(&b);
	}
	return !b.bad;
}

static bool
read_meta(struct index_meta *m, struct arena *a, const struct reader_text *text,
	struct err *err)
{
	struct json_object *doc =
		json_parse(text->at[WIDX_META], text->size[WIDX_META], err);
	const char *title, *version;

	if (doc == NULL)
		return false;
	title = json_str(json_get(doc, "title"));
	version = json_str(json_get(doc, "version"));
	m->title = arena_strdup(a, title != NULL ? title : "");
	m->version = arena_strdup(a, version != NULL ? version : "");
	m->identity = text->at[WIDX_IDENTITY];
	json_close(doc);
	return true;
}

bool
reader_about(struct index *ix, struct arena *a, const struct reader_text *text,
	struct err *err)
{
	struct index_meta *m = &ix->meta;

	if (!read_meta(m, a, text, err))
		return false;
	if (!read_rows(m, a, section(text, WIDX_ROWS)) ||
		!read_types(m, a, section(text, WIDX_TYPES)) ||
		!read_labels(m, a, section(text, WIDX_LABELS)) ||
		!read_panels(m, a, section(text, WIDX_PANELS)) ||
		!read_kinds(m, a, section(text, WIDX_KINDS)) ||
		!read_findings(m, a, section(text, WIDX_FINDINGS)) ||
		!read_gaps(m, a, section(text, WIDX_LOSSES)))
		return err_set(err, ERR_INPUT, "a table of names is wrong");
	return true;
}

const struct index_label *
index_label(const struct index_type *type, int64_t value)
{
	struct index_label key = { .value = value };

	if (type->nlabels == 0)
		return NULL;
	return bsearch(
		&key, type->label, (size_t)type->nlabels, sizeof key, by_value);
}

int
index_class(const struct index_type *type, int64_t value)
{
	if (value == VALUE_NONE)
		return INDEX_CLASS_NONE;
	for (int i = 0; i < type->nvalues; i++)
		if (type->value[i] == value)
			return i;
	return type->hashed ? index_hash_class(value) : -1;
}
