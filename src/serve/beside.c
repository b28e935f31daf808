/* SPDX-License-Identifier: MIT */
/* Answers questions about links and findings. */
#include "serve/route.h"

void
route_put_link(struct doc *doc, const char *key, const struct link *l)
{
	doc_begin(doc, key, '{');
	answer_i64(doc, "from", l->from_time);
	answer_i64(doc, "to", l->to_time);
	doc_i64(doc, "from_row", l->from_row);
	doc_i64(doc, "to_row", l->to_row);
	answer_i64(doc, "kind", l->kind);
	answer_i64(doc, "id", l->id);
	answer_i64(doc, "bytes", l->bytes);
	doc_end(doc, '}');
}

const uint8_t *
route_rows_set(struct call *c, const struct picked *rows)
{
	uint8_t *set = ARENA_ARRAY(c->arena, uint8_t, c->meta->nrows + 1);

	for (int i = 0; i < rows->n; i++)
		set[rows->row[i].id] = 1;
	return set;
}

void
route_links(struct call *c)
{
	struct route_window in = route_whole(c);
	const char *rows = NULL;
	int64_t n = 200;
	const struct param table[] = {
		ROUTE_WINDOW(in),
		{ .name = "rows", .text = &rows, .most = REQUEST_TARGET },
		{ .name = "n", .number = &n, .min = 1, .max = 2000 },
		{ 0 },
	};
	struct picked picked;
	struct index_links which;
	struct index_link_result found = { 0 };
	struct doc doc;

	if (!route_params(c, table) || !route_check_window(c, &in) ||
		!route_pick(c, rows, -1, &picked))
		return;
	which = (struct index_links){ .from = in.from,
		.to = in.to,
		.rows = picked.n == (int)c->meta->nrows
			? NULL
			: route_rows_set(c, &picked),
		.most = (int)n };
	if (!index_links(&c->query, c->arena, &which, &found)) {
		route_fail(c);
		return;
	}
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	answer_u64(&doc, "all", found.touching);
	answer_u64(&doc, "starting", found.starting);
	answer_u64(&doc, "ending", found.ending);
	doc_begin(&doc, "links", '[');
	for (int i = 0; i < found.n; i++)
		route_put_link(&doc, NULL, &found.link[i]);
	doc_end(&doc, ']');
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}

static const char *
severity_name(enum severity s)
{
	return s == SEVERITY_ERROR      ? "error"
		: s == SEVERITY_WARNING ? "warning"
					: "note";
}

void
route_put_finding(
	struct doc *doc, const char *time, const struct sink_finding *f)
{
	doc_word(doc, "severity", severity_name(f->severity));
	answer_value(doc, time, f->time);
	if (f->row == ROW_NONE)
		doc_bare(doc, "row", NULL);
	else
		doc_i64(doc, "row", f->row);
	doc_word(doc, "text", f->text);
}

void
route_findings(struct call *c)
{
	static const enum severity severities[] = { SEVERITY_ERROR,
		SEVERITY_WARNING, SEVERITY_NOTE };
	struct route_window in = { 0, INT64_MAX };
	int64_t n = 1000, all = 0;
	int severity = 2;
	bool from = false, to = false;
	const struct param table[] = {
		{ .name = "from",
			.number = &in.from,
			.min = 0,
			.max = INT64_MAX,
			.given = &from },
		{ .name = "to",
			.number = &in.to,
			.min = 0,
			.max = INT64_MAX,
			.given = &to },
		{ .name = "severity",
			.choice = &severity,
			.choices = "error,warning,note" },
		{ .name = "n", .number = &n, .min = 1, .max = 5000 },
		{ 0 },
	};
	struct doc doc;

	if (!route_params(c, table) || !route_check_window(c, &in))
		return;
	doc_open_memory(&doc);
	doc_begin(&doc, NULL, '{');
	doc_begin(&doc, "findings", '[');
	for (uint32_t i = 0; i < c->meta->nfindings; i++) {
		const struct sink_finding *f = &c->meta->finding[i];
		bool inside = f->time == VALUE_NONE
			? !from && !to
			: f->time >= in.from && f->time < in.to;

		if (!inside || f->severity < severities[severity])
			continue;
		if (all++ >= n)
			continue;
		doc_begin(&doc, NULL, '{');
		route_put_finding(&doc, "time", f);
		doc_end(&doc, '}');
	}
	doc_end(&doc, ']');
	answer_i64(&doc, "all", all);
	doc_end(&doc, '}');
	answer_json(c->to, &doc);
}
