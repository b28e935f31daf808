/* SPDX-License-Identifier: MIT */
/* Answers the questions about one interval: its stack, links, causes, events
 * and task. */
#include <string.h>

#include "serve/route.h"

#define LINKS 20    /* most links of each direction */
#define CAUSES 8    /* links that arrive at an end of the interval */
#define STATES 8    /* most states of a row at a time */
#define LINES 20    /* most lines of weft dump, at each end */
#define EVENTS 1000 /* most lines of weft dump */

/* What was asked. */
struct at {
	int64_t type, row, t, lane, n;
	bool links, causes, dump, events, states, task;
	struct index_interval iv;
};

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

/* A row without such a series has one interval: the whole trace. */
static bool
find_at(struct call *c, uint32_t series, int64_t t, struct index_interval *iv)
{
	*iv = (struct index_interval){ 0, c->meta->end, VALUE_NONE,
		UINT64_MAX };
	return series == INDEX_NONE || index_at(&c->query, series, t, iv);
}

/* Finds links of which one end is in the row and in [from, to]. */
static bool
find_links(struct call *c, const struct at *q, struct index_links which,
	struct index_link_result *out)
{
	uint8_t *rows = ARENA_ARRAY(c->arena, uint8_t, c->meta->nrows + 1);

	rows[q->row] = 1;
	which.rows = rows;
	which.to += which.to < INT64_MAX;
	return index_links(&c->query, c->arena, &which, out);
}

static bool
put_links(struct call *c, struct doc *doc, const struct at *q)
{
	static const char *const keys[] = { "in", "out" };

	doc_begin(doc, "links", '{');
	for (int i = 0; i < 2; i++) {
		const struct index_links which = { .from = q->iv.from,
			.to = q->iv.to,
			.most = LINKS,
			.end = i == 0 ? INDEX_LINK_TO : INDEX_LINK_FROM };
		struct index_link_result found;

		if (!find_links(c, q, which, &found))
			return false;
		doc_begin(doc, keys[i], '{');
		answer_u64(doc, "all", found.touching);
		doc_begin(doc, "links", '[');
		for (int k = 0; k < found.n; k++)
			route_put_link(doc, NULL, &found.link[k]);
		doc_end(doc, ']');
		doc_end(doc, '}');
	}
	doc_end(doc, '}');
	return true;
}

/* Writes what a row did at a time. */
static bool
put_states(struct call *c, struct doc *doc, uint32_t row, int64_t time)
{
	const char *class = c->meta->row[row].row.class;
	int n = 0;

	doc_begin(doc, "states", '[');
	for (uint32_t i = 0; i < c->meta->ntypes && n < STATES; i++) {
		const struct index_type *t = &c->meta->type[i];
		struct index_interval iv;

		if (t->type.kind != TYPE_STATE ||
			strcmp(t->type.class, class) != 0)
			continue;
		if (!find_at(c, route_series(c, row, i, 0), time, &iv))
			return false;
		if (iv.value == VALUE_NONE)
			continue;
		n++;
		doc_begin(doc, NULL, '{');
		doc_i64(doc, "type", i);
		route_put_interval(c, doc, i, &iv, false);
		doc_end(doc, '}');
	}
	doc_end(doc, ']');
	return true;
}

static bool
put_cause(
	struct call *c, struct doc *doc, const char *end, const struct link *l)
{
	const struct link_kind *kind = NULL;

	for (uint32_t i = 0; i < c->meta->nkinds; i++)
		if (c->meta->kind[i].kind == l->kind)
			kind = &c->meta->kind[i];
	doc_begin(doc, NULL, '{');
	doc_word(doc, "end", end);
	route_put_link(doc, "link", l);
	doc_word(doc, "kind", kind == NULL ? NULL : kind->name);
	doc_word(doc, "meaning",
		kind == NULL ? NULL : route_link_word(kind->meaning));
	if (l->from_row >= c->meta->nrows) {
		doc_bare(doc, "row", NULL);
		doc_begin(doc, "states", '[');
		doc_end(doc, ']');
	} else {
		doc_i64(doc, "row", l->from_row);
		if (!put_states(c, doc, l->from_row, l->from_time))
			return false;
	}
	doc_end(doc, '}');
	return true;
}

static bool
put_causes(struct call *c, struct doc *doc, const struct at *q)
{
	static const char *const ends[] = { "from", "to" };
	const int64_t times[] = { q->iv.from, q->iv.to };

	doc_begin(doc, "causes", '[');
	for (int end = 0; end < 2; end++) {
		const struct index_links which = { .from = times[end],
			.to = times[end],
			.most = CAUSES,
			.end = INDEX_LINK_TO };
		struct index_link_result found;

		if (!find_links(c, q, which, &found))
			return false;
		for (int i = 0; i < found.n; i++)
			if (!put_cause(c, doc, ends[end], &found.link[i]))
				return false;
	}
	doc_end(doc, ']');
	return true;
}

/* Returns the TID of the row, if no other row of its class has it; else -1. */
static int64_t
tid_of(const struct call *c, int64_t row)
{
	const struct row *own = &c->meta->row[row].row;
	int64_t tid = own->identity == NULL ? -1 : own->identity->tid;

	for (uint32_t i = 0; i < c->meta->nrows && tid >= 0; i++) {
		const struct row *other = &c->meta->row[i].row;

		if (i != (uint32_t)row && other->identity != NULL &&
			other->identity->tid == tid &&
			strcmp(other->class, own->class) == 0)
			return -1;
	}
	return tid;
}

/* Writes the lines of weft dump as an open array. */
static bool
put_lines(struct call *c, struct doc *doc, const struct serve_dump *what)
{
	bool ok;

	pthread_mutex_lock(c->turn);
	ok = c->trace->dump(c->trace->arg, what, doc, &c->err);
	pthread_mutex_unlock(c->turn);
	return ok;
}

/* Returns the TID whose events weft dump can print; -1: it cannot. */
static int64_t
dumped_tid(const struct call *c, const struct at *q)
{
	return c->trace->dump == NULL || strcmp(c->meta->unit, "ns") != 0
		? -1
		: tid_of(c, q->row);
}

/* Writes the lines of the events at both ends; null if there can be none. */
static bool
put_dump(struct call *c, struct doc *doc, const struct at *q)
{
	struct serve_dump what = { .tid = dumped_tid(c, q), .most = LINES };
	bool ok = true;

	if (what.tid < 0) {
		doc_bare(doc, "dump", NULL);
		return true;
	}
	doc_begin(doc, "dump", '{');
	for (int end = 0; end < 2 && ok; end++) {
		what.from = what.to = end == 0 ? q->iv.from : q->iv.to;
		doc_begin(doc, end == 0 ? "from" : "to", '[');
		ok = put_lines(c, doc, &what);
		doc_end(doc, ']');
	}
	doc_end(doc, '}');
	return ok;
}

/* Writes the lines of the events from one end to the other; null if there can
 * be none. */
static bool
put_events(struct call *c, struct doc *doc, const struct at *q)
{
	bool more = false, ok;
	const struct serve_dump what = { .tid = dumped_tid(c, q),
		.from = q->iv.from,
		.to = q->iv.to,
		.most = (int)q->n,
		.more = &more };

	if (what.tid < 0) {
		doc_bare(doc, "events", NULL);
		return true;
	}
	doc_begin(doc, "events", '{');
	doc_i64(doc, "tid", what.tid);
	doc_begin(doc, "lines", '[');
	ok = put_lines(c, doc, &what);
	doc_end(doc, ']');
	doc_bare(doc, "more", more ? "true" : "false");
	doc_end(doc, '}');
	return ok;
}

/* Writes which task the row had then; null: none. */
static bool
put_task(struct call *c, struct doc *doc, const struct at *q)
{
	const char *class = c->meta->row[q->row].row.class;
	struct index_interval iv;

	for (uint32_t i = 0; i < c->meta->ntypes; i++) {
		const struct index_type *t = &c->meta->type[i];

		if (!route_is_task(t) || strcmp(t->type.class, class) != 0)
			continue;
		if (!find_at(c, route_series(c, (uint32_t)q->row, i, 0), q->t,
			    &iv))
			return false;
		if (iv.value == VALUE_NONE)
			continue;
		doc_begin(doc, "task", '{');
		doc_i64(doc, "type", i);
		route_put_interval(c, doc, i, &iv, true);
		doc_end(doc, '}');
		return true;
	}
	doc_bare(doc, "task", NULL);
	return true;
}

/* Reads the list of further members that are asked for. If the list is wrong,
 * answers with the error and returns false. */
static bool
read_with(struct call *c, struct at *q, const char *with)
{
	const struct {
		const char *name;
		bool *is;
	} words[] = { { "links", &q->links }, { "causes", &q->causes },
		{ "dump", &q->dump }, { "events", &q->events },
		{ "states", &q->states }, { "task", &q->task } };
	const size_t nwords = sizeof words / sizeof *words;

	while (with != NULL && *with != '\0') {
		size_t n = strcspn(with, ","), i = 0;

		while (i < nwords &&
			(strlen(words[i].name) != n ||
				strncmp(words[i].name, with, n) != 0))
			i++;
		if (i == nwords) {
			err_set(&c->err, ERR_INPUT,
				"with takes links, causes, dump, events, "
				"states and task");
			return route_refuse(c);
		}
		*words[i].is = true;
		with += n + (with[n] == ',');
	}
	return true;
}

static bool
put_more(struct call *c, struct doc *doc, const struct at *q)
{
	return put_stack(c, doc, (uint32_t)q->row, q->type, q->t) &&
		(!q->links || put_links(c, doc, q)) &&
		(!q->causes || put_causes(c, doc, q)) &&
		(!q->dump || put_dump(c, doc, q)) &&
		(!q->events || put_events(c, doc, q)) &&
		(!q->states || put_states(c, doc, (uint32_t)q->row, q->t)) &&
		(!q->task || put_task(c, doc, q));
}

static void
answer_at(struct call *c, struct at *q)
{
	uint32_t series = route_series(c, (uint32_t)q->row, q->type, q->lane);
	struct doc doc;

	if (!find_at(c, series, q->t, &q->iv)) {
		route_fail(c);
		return;
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_i64(&doc, "type", q->type);
	doc_i64(&doc, "row", q->row);
	answer_i64(&doc, "t", q->t);
	route_put_interval(c, &doc, q->type, &q->iv, true);
	answer_u64(&doc, "number", q->iv.number + 1);
	answer_u64(&doc, "all",
		series == INDEX_NONE ? 0
				     : index_series_records(c->index, series));
	if (put_more(c, &doc, q)) {
		doc_end(&doc, '}');
		answer_json(c->to, &doc);
		return;
	}
	out_close(&doc.out);
	if (c->err.kind != ERR_NONE)
		route_refuse(c);
	else
		route_fail(c);
}

void
route_at(struct call *c)
{
	struct at q = { .n = LINES };
	const char *with = NULL;
	const struct param table[] = {
		ROUTE_TYPE(c, q.type),
		{ .name = "row",
			.needed = true,
			.number = &q.row,
			.min = 0,
			.max = (int64_t)c->meta->nrows - 1 },
		{ .name = "t",
			.needed = true,
			.number = &q.t,
			.min = 0,
			.max = INT64_MAX },
		{ .name = "lane",
			.number = &q.lane,
			.min = 0,
			.max = INDEX_LANES },
		{ .name = "with", .text = &with, .most = 100 },
		{ .name = "n", .number = &q.n, .min = 1, .max = EVENTS },
		{ 0 },
	};

	if (route_params(c, table) && read_with(c, &q, with))
		answer_at(c, &q);
}
