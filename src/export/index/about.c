/* SPDX-License-Identifier: MIT */
/* Writes the sections of rows, types, labels, panels and findings. */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/quote.h"
#include "export/index/section.h"

static void
put_json(struct section *s, const char *text)
{
	const char *stop = text + strlen(text);
	char piece[4 * QUOTE_ROOM];

	section_put(s, "\"", 1);
	while (text < stop) {
		char *to = quote_json(piece, piece + sizeof piece, &text, stop);

		section_put(s, piece, (size_t)(to - piece));
	}
	section_put(s, "\"", 1);
}

static void
put_meta(struct section *s)
{
	section_begin(s, WIDX_META);
	section_put(s, "{\"title\": ", 10);
	put_json(s, s->b->title);
	section_put(s, ", \"version\": ", 13);
	put_json(s, WEFT_VERSION);
	section_put(s, "}", 1);
	section_end(s);
	section_begin(s, WIDX_IDENTITY);
	section_put(s, s->b->identity, strlen(s->b->identity));
	section_end(s);
}

static void
put_rows(struct section *s)
{
	section_begin(s, WIDX_ROWS);
	section_u32(s, (uint32_t)s->b->rows.n);
	for (size_t i = 0; i < s->b->rows.n; i++) {
		const struct index_row *r = &s->b->rows.at[i];

		section_u32(s, r->row.parent);
		section_text(s, r->row.class);
		section_text(s, r->row.name);
		section_text(s, r->identity.node);
		section_i64(s, r->identity.pid);
		section_i64(s, r->identity.tid);
		section_i64(s, r->identity.cpu);
	}
	section_end(s);
}

static void
put_types(struct section *s)
{
	section_begin(s, WIDX_TYPES);
	section_u32(s, (uint32_t)s->b->types.n);
	for (int i = 0; i < s->b->types.n; i++) {
		const struct build_type *t = s->b->types.at[i];

		section_text(s, t->type.class);
		section_text(s, t->type.key);
		section_text(s, t->type.title);
		section_text(s, t->type.none);
		section_text(s, t->type.unit);
		section_i64(s, t->type.number);
		section_u32(s, (uint32_t)t->type.kind);
		section_u32(s,
			(uint32_t)t->type.stack |
				(uint32_t)t->type.layered << 1 |
				(uint32_t)t->hashed << 2);
		section_u32(s, (uint32_t)t->type.none_means);
		section_u32(s, t->lanes);
		section_i64(s, (int64_t)t->nrecords);
		section_u32(s, t->nseries);
		section_u32(s, (uint32_t)t->nvalues);
		section_put(s, t->value, (size_t)t->nvalues * sizeof *t->value);
	}
	section_end(s);
}

static void
put_rgb(struct section *s, struct rgb c)
{
	section_put(s, (uint8_t[3]){ c.r, c.g, c.b }, 3);
}

/* Gives labels the colours of the trace's Paraver views (export/prv), which
 * read.c replaces by those of its own palette. */
static void
put_labels_of(struct section *s, const struct build_type *t)
{
	struct palette colours = { 0 };

	for (int i = 0; i < t->labels.n; i++)
		palette_look(
			&colours, t->labels.at[i].means, t->labels.at[i].value);
	section_u32(s, (uint32_t)t->labels.n);
	for (int i = 0; i < t->labels.n; i++) {
		const struct build_label *l = &t->labels.at[i];
		struct palette_color c =
			palette_next(&colours, l->means, l->value);

		section_i64(s, l->value);
		section_text(s, l->text);
		section_u32(s, (uint32_t)l->means);
		put_rgb(s, c.on[GROUND_DARK]);
		put_rgb(s, c.on[GROUND_LIGHT]);
	}
}

static void
put_labels(struct section *s)
{
	section_begin(s, WIDX_LABELS);
	for (int i = 0; i < s->b->types.n; i++)
		put_labels_of(s, s->b->types.at[i]);
	section_end(s);
}

static void
put_panels(struct section *s)
{
	section_begin(s, WIDX_PANELS);
	section_u32(s, (uint32_t)s->b->panels.n);
	for (int i = 0; i < s->b->panels.n; i++) {
		const struct panel *p = &s->b->panels.at[i];

		section_text(s, p->class);
		section_text(s, p->key);
		section_text(s, p->title);
		section_u32(s, p->apart);
		section_u32(s, (uint32_t)p->ntypes);
		section_put(s, p->types, (size_t)p->ntypes * sizeof *p->types);
	}
	section_end(s);
	section_begin(s, WIDX_KINDS);
	section_u32(s, (uint32_t)s->b->kinds.n);
	for (int i = 0; i < s->b->kinds.n; i++) {
		section_i64(s, s->b->kinds.at[i].kind);
		section_text(s, s->b->kinds.at[i].name);
		section_u32(s, (uint32_t)s->b->kinds.at[i].meaning);
	}
	section_end(s);
}

static int
by_time(const void *x, const void *y)
{
	const struct sink_finding *p = x, *q = y;

	COMPARE(p->time, q->time);
	COMPARE(p->row, q->row);
	return strcmp(p->text, q->text);
}

static void
put_findings(struct section *s)
{
	struct build *b = s->b;

	if (b->findings.n > 1)
		qsort(b->findings.at, (size_t)b->findings.n,
			sizeof *b->findings.at, by_time);
	section_begin(s, WIDX_FINDINGS);
	section_u32(s, (uint32_t)b->findings.n);
	for (int i = 0; i < b->findings.n; i++) {
		const struct sink_finding *f = &b->findings.at[i];

		section_u32(s, (uint32_t)f->severity);
		section_i64(s, f->time);
		section_u32(s, f->row);
		section_text(s, f->text);
	}
	section_end(s);
	section_begin(s, WIDX_LOSSES);
	section_u32(s, (uint32_t)b->gaps.n);
	for (int i = 0; i < b->gaps.n; i++) {
		const struct gap *g = &b->gaps.at[i];

		section_i64(s, g->from);
		section_i64(s, g->to);
		section_u32(s, g->row);
		section_i64(s, (int64_t)g->events);
		section_text(s, g->why);
	}
	section_end(s);
}

static void
put_totals(struct section *s)
{
	const struct sink_bytes *totals = s->b->totals;

	if (totals == NULL || totals->n == 0)
		return;
	section_begin(s, WIDX_TOTALS);
	section_put(s, totals->at, totals->n);
	section_end(s);
}

void
section_about(struct section *s)
{
	put_meta(s);
	put_rows(s);
	put_types(s);
	put_labels(s);
	put_panels(s);
	put_findings(s);
	put_totals(s);
}
