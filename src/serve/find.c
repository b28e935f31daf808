/* SPDX-License-Identifier: MIT */
/* Answers searches: for the next interval or finding, and for names. */
#include "serve/match.h"
#include "serve/route.h"

#define HITS 100  /* most hits of each kind */
#define VALUES 64 /* most values that a label of "step" may match */

/* The question of "step". */
struct search {
	int64_t type, t, lane;
	bool forward;
	int severity; /* severity of findings: 0 error, 1 warning, 2 note */
	int nvalues;  /* -1: any value matches */
	int64_t value[VALUES];
	int64_t least, most; /* length, both included */
	int64_t row;         /* row of the previous hit; -1: none was given */
	/* parameters that were given */
	bool has_value, has_label, has_finding, has_least, has_most;
};

/* Returns true if interval a is nearer than interval b. */
static bool
is_nearer(const struct search *s, const struct index_interval *a,
	const struct index_interval *b)
{
	if (a->number == UINT64_MAX)
		return false;
	return b->number == UINT64_MAX ||
		(s->forward ? a->from < b->from
			    : a->from > b->from ||
					(s->row >= 0 && a->from == b->from));
}

/* Returns the time after (or before) which an interval of the row must begin.
 * If the question names the row of the previous hit, other rows may also have a
 * hit at the same time as that hit: rows with a higher number if the search
 * goes forward, else rows with a lower one. */
static int64_t
bound_of(const struct search *s, uint32_t row)
{
	if (s->row < 0)
		return s->t;
	if (s->forward)
		return row > s->row ? s->t - 1 : s->t;
	return row < s->row && s->t < INT64_MAX ? s->t + 1 : s->t;
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
		const struct index_sought sought = {
			s->nvalues < 0 ? NULL : &s->value[i], s->least, s->most
		};

		if (!index_step(&c->query, series, bound_of(s, row), s->forward,
			    &sought, &iv))
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
		route_put_interval(c, &doc, s->type, &best, false);
	}
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

/* Finds the values whose labels match. On failure answers with the error and
 * returns false. */
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

/* Returns true if a finding is one that was asked for. */
static bool
is_sought(const struct search *s, const struct sink_finding *f,
	const uint8_t *rows)
{
	static const enum severity severities[] = { SEVERITY_ERROR,
		SEVERITY_WARNING, SEVERITY_NOTE };

	return f->time != VALUE_NONE &&
		f->severity >= severities[s->severity] &&
		(s->forward ? f->time > s->t : f->time < s->t) &&
		(rows == NULL || (f->row != ROW_NONE && rows[f->row] != 0));
}

/* Answers with the next finding about one of these rows; NULL: with the next
 * finding about any row, or about no row. */
static void
step_finding(struct call *c, const struct search *s, const uint8_t *rows)
{
	const struct sink_finding *best = NULL;
	struct doc doc;

	/* Findings are in the order of time. */
	for (uint32_t i = 0; i < c->meta->nfindings; i++) {
		const struct sink_finding *f = &c->meta->finding[i];

		if (is_sought(s, f, rows) &&
			(best == NULL || (!s->forward && f->time > best->time)))
			best = f;
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_bare(&doc, "found", best == NULL ? "false" : "true");
	if (best != NULL)
		route_put_finding(&doc, "from", best);
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

/* Answers a search whose parameters have been read. */
static void
step(struct call *c, struct search *s, const char *label,
	const struct picked *rows)
{
	if (s->has_value)
		s->nvalues = 1;
	if (label == NULL || find_values(c, s, label))
		answer_step(c, s, rows);
}

/* Refuses parameters that exclude each other. On failure answers with the error
 * and returns false. */
static bool
check_step(struct call *c, const struct search *s)
{
	if (s->has_value + s->has_label + s->has_finding > 1)
		err_set(&c->err, ERR_INPUT,
			"value, label and finding exclude each other");
	else if (s->has_finding && (s->has_least || s->has_most))
		err_set(&c->err, ERR_INPUT,
			"a finding has no length: least and most need "
			"intervals");
	else if (s->least > s->most)
		err_set(&c->err, ERR_INPUT, "least is larger than most");
	else
		return true;
	return route_refuse(c);
}

void
route_step(struct call *c)
{
	struct search s = { .nvalues = -1, .most = INT64_MAX, .row = -1 };
	const char *rows = NULL, *label = NULL;
	int dir = 0;
	const struct param table[] = {
		ROUTE_TYPE(c, s.type),
		{ .name = "rows", .text = &rows, .most = REQUEST_TARGET },
		{ .name = "t",
			.needed = true,
			.number = &s.t,
			.min = -1,
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
			.given = &s.has_value },
		{ .name = "label", .text = &label, .most = MATCH_TEXT },
		{ .name = "finding",
			.choice = &s.severity,
			.choices = "error,warning,note",
			.given = &s.has_finding },
		{ .name = "lane",
			.number = &s.lane,
			.min = 0,
			.max = INDEX_LANES },
		{ .name = "row",
			.number = &s.row,
			.min = 0,
			.max = (int64_t)c->meta->nrows - 1 },
		{ .name = "least",
			.number = &s.least,
			.min = 0,
			.max = INT64_MAX,
			.given = &s.has_least },
		{ .name = "most",
			.number = &s.most,
			.min = 0,
			.max = INT64_MAX,
			.given = &s.has_most },
		{ 0 },
	};
	struct picked picked;

	if (!route_params(c, table) || !route_pick(c, rows, s.type, &picked))
		return;
	s.forward = dir == 0;
	s.has_label = label != NULL;
	if (!check_step(c, &s))
		return;
	if (s.has_finding)
		step_finding(c, &s,
			rows == NULL ? NULL : route_rows_set(c, &picked));
	else
		step(c, &s, label, &picked);
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
		route_put_finding(doc, "time", f);
		doc_end(doc, '}');
	}
	end_hits(&h);
}

/* Adds the first interval that has a task. Returns false if the query failed.
 */
static bool
find_task(struct call *c, struct hits *h, uint32_t type, int64_t value)
{
	const struct search s = { .type = type,
		.t = -1,
		.row = -1,
		.forward = true,
		.nvalues = 1,
		.value = { value },
		.most = INT64_MAX };
	struct index_interval best = { .number = UINT64_MAX }, iv;
	uint32_t row = 0;

	for (uint32_t i = 0; i < c->meta->nrows; i++) {
		if (!step_row(c, &s, i, &iv))
			return false;
		if (is_nearer(&s, &iv, &best)) {
			best = iv;
			row = i;
		}
	}
	if (best.number == UINT64_MAX || !is_listed(h))
		return true;
	doc_begin(h->doc, NULL, '{');
	doc_i64(h->doc, "type", type);
	doc_i64(h->doc, "row", row);
	route_put_interval(c, h->doc, type, &best, false);
	doc_end(h->doc, '}');
	return true;
}

/* A task is found by its number or by its label. */
static bool
find_tasks(struct call *c, struct doc *doc, const struct match *m,
	const char *text)
{
	struct hits h = begin_hits(doc, "tasks");
	const char *digits = text;
	int64_t number = -1;
	bool ok = true;

	if (!param_digits(&digits, INT64_MAX, &number) || *digits != '\0')
		number = -1;
	for (uint32_t i = 0; i < c->meta->ntypes && ok; i++) {
		const struct index_type *t = &c->meta->type[i];
		int found = 0;

		if (!route_is_task(t))
			continue;
		if (number >= 0)
			ok = find_task(c, &h, i, number);
		for (int k = 0; k < t->nlabels && ok && found < HITS; k++)
			if (t->label[k].value != number &&
				match_fits(m, t->label[k].text)) {
				found++;
				ok = find_task(c, &h, i, t->label[k].value);
			}
	}
	end_hits(&h);
	return ok;
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
	bool ok;

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
	ok = find_tasks(c, &doc, &match, text);
	match_fini(&match);
	if (!ok) {
		out_close(&doc.out);
		route_fail(c);
		return;
	}
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}
