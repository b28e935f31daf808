/* SPDX-License-Identifier: MIT */
#include "cli/trace/breakdown_join.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "emu/breakdown_order.h"
#include "export/fan.h"

#define CLASS_END "-breakdown"

struct timeline {
	const char *class;
	uint32_t first_row, type;
	int nrows;
	int64_t *value; /* by CPU */
	struct breakdown_order order;
};

/* Passes calls on as a fan of one sink does. */
struct breakdown_join {
	struct fan fan;
	struct sink_ops ops;
	struct arena *arena;
	VEC(struct timeline) lines;
	VEC(int) line_of; /* by type: 1 + index; 0: none */
	int64_t time;
};

static struct timeline *
line_of(struct breakdown_join *j, const char *class)
{
	size_t n = strlen(class), end = strlen(CLASS_END);

	if (n < end || strcmp(class + n - end, CLASS_END) != 0)
		return NULL;
	for (int i = 0; i < j->lines.n; i++)
		if (strcmp(j->lines.at[i].class, class) == 0)
			return &j->lines.at[i];
	VEC_PUSH(&j->lines, j->arena,
		((struct timeline){ .class = arena_strdup(j->arena, class) }));
	return &j->lines.at[j->lines.n - 1];
}

static void
join_row(struct sink *s, const struct row *row)
{
	struct breakdown_join *j = (struct breakdown_join *)s;
	struct timeline *line = line_of(j, row->class);

	if (line != NULL && line->nrows++ == 0)
		line->first_row = row->id;
	fan_ops.row(s, row);
}

static void
join_type(struct sink *s, const struct type *type)
{
	struct breakdown_join *j = (struct breakdown_join *)s;
	struct timeline *line = line_of(j, type->class);

	VEC_PUSH(&j->line_of, j->arena,
		line == NULL ? 0 : (int)(line - j->lines.at) + 1);
	if (line != NULL) {
		line->type = type->id;
		line->value = ARENA_ARRAY(j->arena, int64_t, line->nrows);
		breakdown_order_init(&line->order, j->arena, line->nrows);
	}
	fan_ops.type(s, type);
}

struct writer {
	struct breakdown_join *join;
	const struct timeline *line;
};

static void
write_row(void *arg, int at, int64_t value)
{
	const struct writer *w = arg;

	sink_state(w->join->fan.to[0],
		&(struct record){ .time = w->join->time,
			.row = w->line->first_row + (uint32_t)at,
			.type = w->line->type,
			.value = value == 0 ? VALUE_NONE : value });
}

static void
replace(struct timeline *line, uint32_t row, int64_t value)
{
	int64_t *at = &line->value[row - line->first_row];

	breakdown_order_replace(&line->order, *at, value);
	*at = value;
}

static void
join_state(struct sink *s, const struct record *r)
{
	struct breakdown_join *j = (struct breakdown_join *)s;
	int line = j->line_of.at[r->type];

	if (line == 0) {
		sink_state(j->fan.to[0], r);
		return;
	}
	replace(&j->lines.at[line - 1], r->row, r->value);
	j->time = r->time;
	if (r->depth == 0)
		breakdown_order_pass(&j->lines.at[line - 1].order, write_row,
			&(struct writer){ j, &j->lines.at[line - 1] });
}

void
breakdown_join_set(struct sink *s, uint32_t row, uint32_t type, int64_t value)
{
	struct breakdown_join *j = (struct breakdown_join *)s;
	struct timeline *line = &j->lines.at[j->line_of.at[type] - 1];

	replace(line, row, value);
	line->order.begun = true;
	breakdown_order_seen(&line->order);
}

bool
breakdown_join_is(const struct sink *s, uint32_t type)
{
	return ((const struct breakdown_join *)s)->line_of.at[type] != 0;
}

struct sink *
breakdown_join_open(struct arena *a, struct sink *next)
{
	struct breakdown_join *j = ARENA_NEW(a, struct breakdown_join);

	fan_init(&j->fan);
	fan_add(&j->fan, next);
	j->arena = a;
	j->ops = fan_ops;
	j->ops.name = "breakdown";
	j->ops.row = join_row;
	j->ops.type = join_type;
	j->ops.state = join_state;
	j->fan.base.ops = &j->ops;
	return &j->fan.base;
}
