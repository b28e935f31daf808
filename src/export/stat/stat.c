/* SPDX-License-Identifier: MIT */
#include "export/stat/stat.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"

struct stat_sink {
	struct sink sink;
	struct arena *arena;
	struct stat_options options;
	struct stat_table table;
	struct map lane_of; /* row, type -> index + 1 */
};

static struct stat_sink *
self(struct sink *s)
{
	return (struct stat_sink *)s;
}

static void
add_row(struct sink *s, const struct row *row)
{
	struct stat_sink *st = self(s);

	*VEC_ADD(&st->table.rows, st->arena) =
		(struct stat_row){ arena_strdup(st->arena, row->class),
			arena_strdup(st->arena, row->name) };
}

static bool
is_wanted(const struct stat_sink *st, const struct type *type)
{
	char number[24];

	if (st->options.type == NULL)
		return type->kind == TYPE_STATE;
	snprintf(number, sizeof number, "%lld", (long long)type->number);
	return strcmp(st->options.type, type->key) == 0 ||
		strcmp(st->options.type, number) == 0;
}

static void
add_type(struct sink *s, const struct type *type)
{
	struct stat_sink *st = self(s);

	*VEC_ADD(&st->table.types, st->arena) = (struct stat_type){
		.class = arena_strdup(st->arena, type->class),
		.key = arena_strdup(st->arena, type->key),
		.title = arena_strdup(st->arena, type->title),
		.none = type->none == NULL
			? NULL
			: arena_strdup(st->arena, type->none),
		.number = type->number,
		.wanted = is_wanted(st, type),
	};
}

static void
add_label(struct sink *s, uint32_t type, int64_t value, const char *text)
{
	struct stat_sink *st = self(s);
	uint64_t *at =
		map_put(&st->table.types.at[type].labels, (uint64_t)value);

	if (*at == 0)
		*at = (uint64_t)(uintptr_t)arena_strdup(st->arena, text);
}

/* Ends the value that the lane holds. */
static void
end_value(struct stat_sink *st, struct stat_lane *lane, int64_t time)
{
	int64_t value = lane->value;
	uint64_t *at = map_get(&lane->cell_of, (uint64_t)value);

	if (at == NULL && lane->cells.n >= STAT_MAX_VALUES)
		value = VALUE_OTHER;
	if (at == NULL)
		at = map_put(&lane->cell_of, (uint64_t)value);
	if (*at == 0) {
		VEC_PUSH(&lane->cells, st->arena,
			((struct stat_cell){ .value = value }));
		*at = (uint64_t)lane->cells.n;
	}
	lane->cells.at[*at - 1].time += time - lane->since;
	lane->cells.at[*at - 1].times++;
}

static void
state(struct sink *s, const struct record *r)
{
	struct stat_sink *st = self(s);
	struct stat_lane *lane;
	uint64_t *at;

	if (!st->table.types.at[r->type].wanted)
		return;
	at = map_put(&st->lane_of, (uint64_t)r->row << 32 | r->type);
	if (*at == 0) {
		VEC_PUSH(&st->table.lanes, st->arena,
			((struct stat_lane){ .row = r->row,
				.type = r->type,
				.value = VALUE_NONE }));
		*at = (uint64_t)st->table.lanes.n;
	}
	lane = &st->table.lanes.at[*at - 1];
	if (lane->value == r->value)
		return;
	if (r->time > lane->since)
		end_value(st, lane, r->time);
	lane->value = r->value;
	lane->since = r->time;
}

static void
advance(struct sink *s, int64_t time)
{
	self(s)->table.duration = time;
}

const struct stat_table *
stat_result(struct sink *s)
{
	struct stat_sink *st = self(s);

	for (int i = 0; i < st->table.lanes.n; i++) {
		struct stat_lane *lane = &st->table.lanes.at[i];

		if (lane->since < st->table.duration)
			end_value(st, lane, st->table.duration);
		lane->since = st->table.duration;
	}
	return &st->table;
}

const char *
stat_label(const struct stat_type *type, int64_t value)
{
	const uint64_t *at = map_get(&type->labels, (uint64_t)value);

	if (at != NULL)
		return (const char *)(uintptr_t)*at;
	return value == VALUE_NONE ? type->none : NULL;
}

static bool
close_sink(struct sink *s, struct err *err)
{
	struct stat_sink *st = self(s);

	(void)err;
	for (int i = 0; i < st->table.lanes.n; i++)
		map_fini(&st->table.lanes.at[i].cell_of);
	for (int i = 0; i < st->table.types.n; i++)
		map_fini(&st->table.types.at[i].labels);
	map_fini(&st->lane_of);
	return true;
}

static const struct sink_ops ops = {
	.name = "stat",
	.help = "time of each value",
	.row = add_row,
	.type = add_type,
	.label = add_label,
	.state = state,
	.advance = advance,
	.close = close_sink,
};

struct sink *
stat_open(struct arena *a, const struct stat_options *options)
{
	struct stat_sink *st = ARENA_NEW(a, struct stat_sink);

	st->sink.ops = &ops;
	st->arena = a;
	st->options = *options;
	return &st->sink;
}
