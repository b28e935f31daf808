/* SPDX-License-Identifier: MIT */
#include "serve/route.h"

#include <inttypes.h>
#include <string.h>

bool
route_refuse(struct call *c)
{
	answer_error(c->to, 400, "%s", c->err.text);
	return false;
}

bool
route_params(struct call *c, const struct param *table)
{
	return param_read(c->arena, c->request->query, table, &c->err) ||
		route_refuse(c);
}

bool
route_fail(struct call *c)
{
	const char *text = index_query_text(&c->query);

	switch (c->query.state) {
	case INDEX_GONE:
		answer_error(c->to, 410, "%s", text);
		break;
	case INDEX_BUDGET:
		answer_error(c->to, 400,
			"the answer needs more than %" PRId64
			" records: ask for fewer rows or a shorter window",
			ROUTE_BUDGET);
		break;
	default:
		answer_error(c->to, 500, "%s", text);
		break;
	}
	return false;
}

struct route_window
route_whole(const struct call *c)
{
	return (struct route_window){ 0, c->meta->end };
}

bool
route_check_window(struct call *c, const struct route_window *w)
{
	if (w->from <= w->to)
		return true;
	err_set(&c->err, ERR_INPUT,
		"to (%" PRId64 ") must not be less than from (%" PRId64 ")",
		w->to, w->from);
	return route_refuse(c);
}

bool
route_pick(struct call *c, const char *text, int64_t type, struct picked *out)
{
	const struct pick which = {
		.meta = c->meta,
		.class = type < 0 ? NULL : c->meta->type[type].type.class,
		.most = (int)c->meta->nrows,
	};

	return pick_rows(c->arena, &which, text, out, &c->err) ||
		route_refuse(c);
}

uint32_t
route_series(const struct call *c, uint32_t row, int64_t type, int64_t lane)
{
	return index_series(c->index, row, (uint32_t)type, (uint32_t)lane);
}

void
route_put_value(struct doc *doc, const struct index_type *type, int64_t value,
	bool whole)
{
	const struct index_label *label = index_label(type, value);
	const char *text = label != NULL ? label->text
		: value == VALUE_NONE    ? type->type.none
					 : NULL;
	int class = index_class(type, value);

	answer_value(doc, "value", value);
	if (class < 0)
		doc_bare(doc, "class", NULL);
	else
		doc_i64(doc, "class", class);
	(whole ? doc_word : answer_text)(doc, "label", text);
}

void
route_put_interval(struct call *c, struct doc *doc, int64_t type,
	const struct index_interval *iv, bool whole)
{
	answer_i64(doc, "from", iv->from);
	answer_i64(doc, "to", iv->to);
	route_put_value(doc, &c->meta->type[type], iv->value, whole);
}

bool
route_is_task(const struct index_type *t)
{
	static const char *const names[] = { "taskid", "task", "id" };
	const char *dot = strrchr(t->type.key, '.');

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (dot != NULL && strcmp(dot + 1, names[i]) == 0)
			return t->type.kind == TYPE_ID;
	return false;
}

const char *
route_link_word(enum link_meaning meaning)
{
	static const char *const words[] = {
		[LINK_OTHER] = "other",
		[LINK_MESSAGE] = "message",
		[LINK_WAKEUP] = "wakeup",
		[LINK_UNLOCK] = "unlock",
		[LINK_CREATE] = "create",
		[LINK_READY] = "ready",
		[LINK_HOLD] = "hold",
	};

	return words[meaning];
}
