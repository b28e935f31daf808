/* SPDX-License-Identifier: MIT */
/* Answers that have a line for each item: intervals, and the output of weft
 * stat. */
#include <string.h>

#include "base/digits.h"
#include "serve/route.h"

#define LINES INT64_C(1000000)

struct listing {
	struct route_window in;
	const struct index_type *type;
	const char *row; /* name of the row */
	struct out out;
	int64_t left; /* lines that may still be written */
};

static bool
put_line(void *arg, const struct index_interval *iv)
{
	struct listing *l = arg;
	struct out *out = &l->out;
	const struct index_label *label = index_label(l->type, iv->value);
	const char *text = label != NULL ? label->text : l->type->type.none;

	if (l->left == 0)
		return false;
	l->left--;
	out_csv(out, l->row, strlen(l->row));
	out_puts(out, ",");
	out_i64(out, iv->from < l->in.from ? l->in.from : iv->from);
	out_puts(out, ",");
	out_i64(out, iv->to > l->in.to ? l->in.to : iv->to);
	out_puts(out, ",");
	if (iv->value != VALUE_NONE)
		out_i64(out, iv->value);
	out_puts(out, ",");
	if (text != NULL && (label != NULL || iv->value == VALUE_NONE))
		out_csv(out, text, strlen(text));
	out_puts(out, "\n");
	return true;
}

void
route_intervals(struct call *c)
{
	struct listing l = { .in = route_whole(c), .left = LINES };
	int64_t type = 0;
	const char *rows = NULL;
	const struct param table[] = {
		ROUTE_TYPE(c, type),
		{ .name = "rows", .text = &rows, .most = REQUEST_TARGET },
		ROUTE_WINDOW(l.in),
		{ .name = "n", .number = &l.left, .min = 1, .max = LINES },
		{ 0 },
	};
	struct picked picked;

	if (!route_params(c, table) || !route_check_window(c, &l.in) ||
		!route_pick(c, rows, type, &picked))
		return;
	l.type = &c->meta->type[type];
	out_open_memory(&l.out);
	out_puts(&l.out, "row,from,to,value,label\n");
	for (int i = 0; i < picked.n && l.left > 0; i++) {
		uint32_t row = picked.row[i].id;
		uint32_t series = route_series(c, row, type, 0);

		l.row = c->meta->row[row].row.name;
		if (series != INDEX_NONE &&
			!index_intervals(&c->query, series, l.in.from, l.in.to,
				put_line, &l) &&
			c->query.state != INDEX_STOPPED) {
			out_close(&l.out);
			route_fail(c);
			return;
		}
	}
	c->to->owned = l.out.buf;
	c->to->body = l.out.buf;
	c->to->size = (size_t)(l.out.at - l.out.buf);
	c->to->type = "text/csv; charset=utf-8";
}

/* Returns the types as weft stat takes them: keys with commas. On failure
 * answers with the error and returns NULL. */
static const char *
keys_of(struct call *c, const char *types, const char **class)
{
	int64_t *type = ARENA_ARRAY(c->arena, int64_t, c->meta->ntypes + 1);
	int n = param_list(types, "types", type, (int)c->meta->ntypes,
		(int64_t)c->meta->ntypes - 1, &c->err);
	const char *keys = "";

	if (n < 0) {
		route_refuse(c);
		return NULL;
	}
	for (int i = 0; i < n; i++)
		/* Threads and CPUs share keys; alone, a key is that of the
		 * threads. */
		keys = arena_printf(c->arena, "%s%s%s%s", keys,
			i > 0 ? "," : "",
			strcmp(c->meta->type[type[i]].type.class, "cpu") == 0
				? "cpu:"
				: "",
			c->meta->type[type[i]].type.key);
	*class = c->meta->type[type[0]].type.class;
	return keys;
}

void
route_stat(struct call *c)
{
	struct route_window in = route_whole(c);
	const char *types = NULL, *class = "thread";
	int by = 0;
	const struct param table[] = {
		{ .name = "types", .text = &types, .most = REQUEST_TARGET },
		ROUTE_WINDOW(in),
		{ .name = "by", .choice = &by, .choices = "label,row" },
		{ 0 },
	};
	struct serve_stat what;
	struct doc doc;
	bool ok;

	if (!route_params(c, table) || !route_check_window(c, &in))
		return;
	if (c->trace->stat == NULL) {
		answer_error(c->to, 404,
			"the server has the index of the trace, but not the "
			"trace itself");
		return;
	}
	if (c->status->state == SERVE_GONE) {
		answer_error(c->to, 410, "%s", c->status->why);
		return;
	}
	what = (struct serve_stat){ .from = in.from,
		.to = in.to,
		.index = c->index,
		.state = c->status->state };
	if (types != NULL) {
		what.types = keys_of(c, types, &class);
		if (what.types == NULL)
			return;
	}
	what.by = by == 0                   ? "state"
		: strcmp(class, "cpu") == 0 ? "cpu"
					    : "thread";
	doc_open_memory(&doc);
	pthread_mutex_lock(c->turn);
	ok = c->trace->stat(c->trace->arg, &what, &doc, &c->err);
	pthread_mutex_unlock(c->turn);
	if (ok) {
		answer_json(c->to, &doc);
		return;
	}
	out_close(&doc.out);
	route_refuse(c);
}
