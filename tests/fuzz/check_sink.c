/* SPDX-License-Identifier: MIT */
#include "check_sink.h"

#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/vec.h"

struct check_sink {
	struct sink sink;
	struct arena *arena;
	struct sink *next;
	VEC(const char *) row; /* class of each row */
	VEC(const char *) type;
	int64_t time;
	bool rows_grow, begun;
};

static struct check_sink *
self(struct sink *s)
{
	return (struct check_sink *)s;
}

static void
move_to(struct check_sink *c, int64_t time)
{
	BUG_ON(time < c->time);
	c->time = time;
	c->begun = true;
}

static void
row(struct sink *s, const struct row *row)
{
	struct check_sink *c = self(s);

	BUG_ON(row->id != (uint32_t)c->row.n);
	BUG_ON(row->parent != ROW_NONE && row->parent >= row->id);
	BUG_ON(c->begun && !c->rows_grow);
	VEC_PUSH(&c->row, c->arena, arena_strdup(c->arena, row->class));
	BUG_ON(row->name == NULL);
	sink_row(c->next, row);
}

static void
type(struct sink *s, const struct type *type)
{
	struct check_sink *c = self(s);

	BUG_ON(type->id != (uint32_t)c->type.n);
	BUG_ON(type->number < 0 || type->number > UINT32_MAX);
	BUG_ON(type->key == NULL || type->title == NULL);
	VEC_PUSH(&c->type, c->arena, arena_strdup(c->arena, type->class));
	sink_type(c->next, type);
}

static void
label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct check_sink *c = self(s);

	BUG_ON(type >= (uint32_t)c->type.n);
	BUG_ON(text == NULL);
	BUG_ON(meaning >= MEANINGS);
	sink_label(c->next, type, value, text, meaning);
}

static void
state(struct sink *s, const struct record *r)
{
	struct check_sink *c = self(s);

	BUG_ON(r->row >= (uint32_t)c->row.n);
	BUG_ON(r->type >= (uint32_t)c->type.n);
	BUG_ON(strcmp(c->row.at[r->row], c->type.at[r->type]) != 0);
	BUG_ON(r->stack != NULL && r->depth > 0 &&
		r->stack[r->depth - 1] == VALUE_NONE);
	move_to(c, r->time);
	sink_state(c->next, r);
}

static void
link(struct sink *s, const struct link *l)
{
	struct check_sink *c = self(s);

	BUG_ON(l->from_time > l->to_time);
	BUG_ON(l->from_row >= (uint32_t)c->row.n);
	BUG_ON(l->to_row >= (uint32_t)c->row.n);
	sink_link(c->next, l);
}

static void
advance(struct sink *s, int64_t time)
{
	struct check_sink *c = self(s);

	move_to(c, time);
	sink_advance(c->next, time);
}

static bool
close(struct sink *s, struct err *err)
{
	return sink_close(self(s)->next, err);
}

struct sink *
check_sink_open(struct arena *a, struct sink *next, bool rows_grow)
{
	static const struct sink_ops ops = {
		.name = "check",
		.row = row,
		.type = type,
		.label = label,
		.state = state,
		.link = link,
		.advance = advance,
		.close = close,
	};
	struct check_sink *c = ARENA_NEW(a, struct check_sink);

	c->sink.ops = &ops;
	c->arena = a;
	c->next = next;
	c->rows_grow = rows_grow;
	return &c->sink;
}
