/* SPDX-License-Identifier: MIT */
/* Answers questions about single intervals and about names. */
#include "serve/match.h"
#include "serve/route.h"

#define HITS 100  /* of each kind */
#define VALUES 64 /* that a label of "step" may match */

/* Writes the stack of a row at a time; null if the type has none. */
static bool
put_stack(
	struct call *c, struct doc *doc, uint32_t row, int64_t type, int64_t t)
{
	const struct index_type *of = &c->meta->type[type];
	int64_t value[INDEX_LANES];
	int depth = 0;

	if (of->lanes == 0) {
		doc_bare(doc, "stack", NULL);
		return true;
	}
	if (!index_stack(&c->query, row, (uint32_t)type, t, value, &depth))
		return false;
	doc_begin(doc, "stack", '[');
	for (int i = 0; i < depth; i++) {
		doc_begin(doc, NULL, '{');
		route_put_value(doc, of, value[i], true);
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
	return true;
}

static void
put_interval(struct call *c, struct doc *doc, int64_t type,
	const struct index_interval *iv, bool whole)
{
	answer_i64(doc, "from", iv->from);
	answer_i64(doc, "to", iv->to);
	route_put_value(doc, &c->meta->type[type], iv->value, whole);
}

/* A row without such a series has one interval: the whole trace. */
static bool
find_at(struct call *c, uint32_t series, int64_t t, struct index_interval *iv)
{
	*iv = (struct index_interval){ 0, c->meta->end, VALUE_NONE,
		UINT64_MAX };
	return series == INDEX_NONE || index_at(&c->query, series, t, iv);
}

void
route_at(struct call *c)
{
	int64_t type = 0, row = 0, t = 0, lane = 0;
	const struct param table[] = {
		ROUTE_TYPE(c, type),
		{ .name = "row",
			.needed = true,
			.number = &row,
			.min = 0,
			.max = (int64_t)c->meta->nrows - 1 },
		{ .name = "t",
			.needed = true,
			.number = &t,
			.min = 0,
			.max = INT64_MAX },
		{ .name = "lane",
			.number = &lane,
			.min = 0,
			.max = INDEX_LANES },
		{ 0 },
	};
	struct index_interval iv;
	uint32_t series;
	struct doc doc;

	if (!route_params(c, table))
		return;
	series = route_series(c, (uint32_t)row, type, lane);
	if (!find_at(c, series, t, &iv)) {
		route_fail(c);
		return;
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_i64(&doc, "type", type);
	doc_i64(&doc, "row", row);
	answer_i64(&doc, "t", t);
	put_interval(c, &doc, type, &iv, true);
	answer_u64(&doc, "number", iv.number + 1);
	answer_u64(&doc, "all",
		series == INDEX_NONE
			? 0
			: index_series_records(c->trace->index, series));
	if (put_stack(c, &doc, (uint32_t)row, type, t)) {
		doc_end(&doc, '}');
		answer_json(c->to, &doc);
		return;
	}
	out_close(&doc.out);
	route_fail(c);
}

/* The question of "step". */
struct search {
	int64_t type, t, lane;
	bool forward;
	int nvalues; /* -1: any value matches */
	int64_t value[VALUES];
};

/* Returns true if interval a is nearer than interval b. */
static bool
is_nearer(const struct search *s, const struct index_interval *a,
	const struct index_interval *b)
{
	if (a->number == UINT64_MAX)
		return false;
	return b->number == UINT64_MAX ||
		(s->forward ? a->from < b->from : a->from > b->from);
}

/* Finds the nearest interval of a row. */
static bool
step_row(struct call *c, const struct search *s, uint32_t row,
	struct index_interval *out)
{
	uint32_t series = route_series(c, row, s->type, s->lane);
	int n = s->nvalues < 0 ? 1 : s->nvalues;

	out->number = UINT64_MAX;
	for (int i = 0; i < n && series != INDEX_NONE; i++) {
		struct index_interval iv = { .number = UINT64_MAX };

		if (!index_step(&c->query, series, s->t, s->forward,
			    s->nvalues < 0 ? NULL : &s->value[i], &iv))
			return false;
		if (is_nearer(s, &iv, out))
			*out = iv;
	}
	return true;
}

static void
answer_step(struct call *c, const struct search *s, const struct picked *rows)
{
	struct index_interval best = { .number = UINT64_MAX }, iv;
	uint32_t row = 0;
	struct doc doc;

	for (int i = 0; i < rows->n; i++) {
		if (!step_row(c, s, rows->row[i].id, &iv)) {
			route_fail(c);
			return;
		}
		if (is_nearer(s, &iv, &best)) {
			best = iv;
			row = rows->row[i].id;
		}
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_bare(&doc, "found", best.number == UINT64_MAX ? "false" : "true");
	if (best.number != UINT64_MAX) {
		doc_i64(&doc, "row", row);
		put_interval(c, &doc, s->type, &best, false);
	}
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

/* Finds the values whose labels match. On failure answers and returns false. */
static bool
find_values(struct call *c, struct search *s, const char *text)
{
	const struct index_type *t = &c->meta->type[s->type];
	struct match match;

	if (!match_regex(&match, text, "label", &c->err))
		return route_refuse(c);
	s->nvalues = 0;
	for (int i = 0; i < t->nlabels; i++) {
		if (t->label[i].class < 0 ||
			!match_fits(&match, t->label[i].text))
			continue;
		if (s->nvalues == VALUES) {
			match_fini(&match);
			err_set(&c->err, ERR_INPUT,
				"label fits more than %d values", VALUES);
			return route_refuse(c);
		}
		s->value[s->nvalues++] = t->label[i].value;
	}
	match_fini(&match);
	return true;
}

void
route_step(struct call *c)
{
	struct search s = { .nvalues = -1 };
	const char *rows = NULL, *label = NULL;
	bool has_value = false;
	int dir = 0;
	const struct param table[] = {
		ROUTE_TYPE(c, s.type),
		{ .name = "rows", .text = &rows, .most = REQUEST_TARGET },
		{ .name = "t",
			.needed = true,
			.number = &s.t,
			.min = 0,
			.max = INT64_MAX },
		{ .name = "dir",
			.needed = true,
			.choice = &dir,
			.choices = "next,prev" },
		{ .name = "value",
			.number = &s.value[0],
			.min = INT64_MIN,
			.max = INT64_MAX,
			.may_be_none = true,
			.given = &has_value },
		{ .name = "label", .text = &label, .most = MATCH_TEXT },
		{ .name = "lane",
			.number = &s.lane,
			.min = 0,
			.max = INDEX_LANES },
		{ 0 },
	};
	struct picked picked;

	if (!route_params(c, table) || !route_pick(c, rows, s.type, &picked))
		return;
	s.forward = dir == 0;
	if (has_value && label != NULL) {
		err_set(&c->err, ERR_INPUT,
			"value and label exclude each other");
		route_refuse(c);
		return;
	}
	if (has_value)
		s.nvalues = 1;
	if (label == NULL || find_values(c, &s, label))
		answer_step(c, &s, &picked);
}

/* One list of hits. */
struct hits {
	struct doc *doc;
	int64_t all;
};

static struct hits
begin_hits(struct doc *doc, const char *what)
{
	doc_begin(doc, what, '{');
	doc_begin(doc, "hits", '[');
	return (struct hits){ doc, 0 };
}

/* Returns true if the list has room for another hit. */
static bool
is_listed(struct hits *h)
{
	return h->all++ < HITS;
}

static void
end_hits(const struct hits *h)
{
	doc_end(h->doc, ']');
	answer_i64(h->doc, "all", h->all);
	doc_end(h->doc, '}');
}

static void
find_rows(struct call *c, struct doc *doc, const struct match *m)
{
	struct hits h = begin_hits(doc, "rows");

	for (uint32_t i = 0; i < c->meta->nrows; i++) {
		const struct row *row = &c->meta->row[i].row;

		if (!match_fits(m, row->name) || !is_listed(&h))
			continue;
		doc_begin(doc, NULL, '{');
		doc_i64(doc, "row", i);
		doc_word(doc, "class", row->class);
		answer_text(doc, "name", row->name);
		doc_end(doc, '}');
	}
	end_hits(&h);
}

static void
find_labels(struct call *c, struct doc *doc, const struct match *m)
{
	struct hits h = begin_hits(doc, "labels");

	for (uint32_t i = 0; i < c->meta->ntypes; i++) {
		const struct index_type *t = &c->meta->type[i];

		for (int k = 0; k < t->nlabels; k++) {
			const struct index_label *l = &t->label[k];

			if (!match_fits(m, l->text) || !is_listed(&h))
				continue;
			doc_begin(doc, NULL, '{');
			doc_i64(doc, "type", i);
			answer_value(doc, "value", l->value);
			if (l->class < 0)
				doc_bare(doc, "class", NULL);
			else
				doc_i64(doc, "class", l->class);
			answer_text(doc, "text", l->text);
			doc_end(doc, '}');
		}
	}
	end_hits(&h);
}

static void
find_findings(struct call *c, struct doc *doc, const struct match *m)
{
	struct hits h = begin_hits(doc, "findings");

	for (uint32_t i = 0; i < c->meta->nfindings; i++) {
		const struct sink_finding *f = &c->meta->finding[i];

		if (!match_fits(m, f->text) || !is_listed(&h))
			continue;
		doc_begin(doc, NULL, '{');
		answer_value(doc, "time", f->time);
		answer_text(doc, "text", f->text);
		doc_end(doc, '}');
	}
	end_hits(&h);
}

void
route_find(struct call *c)
{
	const char *text = NULL;
	const struct param table[] = {
		{ .name = "text",
			.needed = true,
			.text = &text,
			.most = MATCH_TEXT },
		{ 0 },
	};
	struct match match;
	struct doc doc;

	if (!route_params(c, table))
		return;
	if (!match_init(&match, text, "text", &c->err)) {
		route_refuse(c);
		return;
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	find_rows(c, &doc, &match);
	find_labels(c, &doc, &match);
	find_findings(c, &doc, &match);
	doc_end(&doc, '}');
	match_fini(&match);
	answer_json(c->to, &doc);
}
