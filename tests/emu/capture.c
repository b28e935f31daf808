/* SPDX-License-Identifier: MIT */
#include "capture.h"

#include <string.h>

#include "base/arena.h"

static void
keep_row(struct sink *s, const struct row *row)
{
	struct capture *c = (struct capture *)s;
	struct row *to = VEC_ADD(&c->rows, c->arena);

	*to = *row;
	to->class = arena_strdup(c->arena, row->class);
	to->name = arena_strdup(c->arena, row->name);
	if (row->id != (uint32_t)c->rows.n - 1)
		c->broken = "ids of rows are not 0, 1, 2...";
	if (row->parent != ROW_NONE && row->parent >= row->id)
		c->broken = "a parent comes after its row";
}

static void
keep_type(struct sink *s, const struct type *type)
{
	struct capture *c = (struct capture *)s;
	struct type *to = VEC_ADD(&c->types, c->arena);

	*to = *type;
	to->class = arena_strdup(c->arena, type->class);
	to->key = arena_strdup(c->arena, type->key);
	if (type->id != (uint32_t)c->types.n - 1)
		c->broken = "ids of types are not 0, 1, 2...";
}

static void
keep_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct capture *c = (struct capture *)s;

	(void)meaning;
	if (type >= (uint32_t)c->types.n)
		c->broken = "a label of an unknown type";
	VEC_PUSH(&c->labels, c->arena,
		((struct capture_label){
			type, value, arena_strdup(c->arena, text) }));
}

static void
go_to(struct capture *c, int64_t time)
{
	if (time < c->now)
		c->broken = "time goes back";
	c->now = time;
}

static void
keep_state(struct sink *s, const struct record *r)
{
	struct capture *c = (struct capture *)s;

	go_to(c, r->time);
	if (r->row >= (uint32_t)c->rows.n || r->type >= (uint32_t)c->types.n)
		c->broken = "a record of an unknown row or type";
	else if (strcmp(c->rows.at[r->row].class, c->types.at[r->type].class) !=
		0)
		c->broken = "a record whose row and type differ in class";
	VEC_PUSH(&c->records, c->arena, *r);
}

static void
keep_link(struct sink *s, const struct link *l)
{
	struct capture *c = (struct capture *)s;

	go_to(c, l->to_time);
	if (l->from_time > l->to_time)
		c->broken = "a link goes back in time";
	if (l->from_row >= (uint32_t)c->rows.n ||
		l->to_row >= (uint32_t)c->rows.n)
		c->broken = "a link of an unknown row";
	VEC_PUSH(&c->links, c->arena, *l);
}

static void
keep_advance(struct sink *s, int64_t time)
{
	go_to((struct capture *)s, time);
}

static bool
close_capture(struct sink *s, struct err *err)
{
	(void)s;
	(void)err;
	return true;
}

static const struct sink_ops ops = {
	.name = "capture",
	.row = keep_row,
	.type = keep_type,
	.label = keep_label,
	.state = keep_state,
	.link = keep_link,
	.advance = keep_advance,
	.close = close_capture,
};

struct sink *
capture_init(struct capture *c, struct arena *a)
{
	*c = (struct capture){ .sink.ops = &ops, .arena = a };
	return &c->sink;
}

uint32_t
capture_row(const struct capture *c, const char *class, const char *name)
{
	for (int i = 0; i < c->rows.n; i++) {
		const struct row *row = &c->rows.at[i];

		if (strcmp(row->class, class) == 0 &&
			strcmp(row->name + strspn(row->name, " "), name) == 0)
			return row->id;
	}
	return ROW_NONE;
}

uint32_t
capture_type(const struct capture *c, const char *class, const char *key)
{
	for (int i = 0; i < c->types.n; i++)
		if (strcmp(c->types.at[i].class, class) == 0 &&
			strcmp(c->types.at[i].key, key) == 0)
			return c->types.at[i].id;
	return ROW_NONE;
}

const char *
capture_label(const struct capture *c, uint32_t type, int64_t value)
{
	for (int i = 0; i < c->labels.n; i++)
		if (c->labels.at[i].type == type &&
			c->labels.at[i].value == value)
			return c->labels.at[i].text;
	return NULL;
}
