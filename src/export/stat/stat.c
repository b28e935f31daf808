/* SPDX-License-Identifier: MIT */
#include "export/stat/stat.h"

#include <string.h>

#include "base/arena.h"

struct stat_sink {
	struct sink sink;
	struct arena *arena;
	struct stat_options options;
	struct stat_table table;
	struct map lane_of; /* row, type -> index + 1 */
	struct stat_runs runs;
	int64_t end; /* the last advance */
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
	int index = 0;

	for (int i = st->table.rows.n - 1; i >= 0 && index == 0; i--)
		if (strcmp(st->table.rows.at[i].class, row->class) == 0)
			index = st->table.rows.at[i].index + 1;
	*VEC_ADD(&st->table.rows, st->arena) =
		(struct stat_row){ arena_strdup(st->arena, row->class),
			arena_strdup(st->arena, row->name), index };
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
		.wanted = st->options.numbers || type->kind == TYPE_STATE,
		.role = stat_runs_role(&st->runs, type),
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

/* The cell of a value. */
static struct stat_cell *
cell_at(struct stat_sink *st, struct stat_lane *lane, int64_t value)
{
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
	return &lane->cells.at[*at - 1];
}

/* Ends the value that the lane holds. */
static void
end_value(struct stat_sink *st, struct stat_lane *lane, int64_t time)
{
	struct stat_cell *cell = cell_at(st, lane, lane->value);

	cell->time += time - lane->since;
	cell->times++;
	if (lane->slices != NULL)
		slices_add(lane->slices, st->arena, lane->since, time,
			cell->value);
}

static struct slices *
new_slices(struct stat_sink *st, uint32_t row)
{
	struct slices *s;

	if (st->table.rows.at[row].index >= st->options.slices)
		return NULL;
	s = ARENA_NEW(st->arena, struct slices);
	s->from = st->options.from;
	s->width = 1;
	return s;
}

static struct stat_lane *
lane_at(struct stat_sink *st, uint32_t row, uint32_t type)
{
	uint64_t *at = map_put(&st->lane_of, (uint64_t)row << 32 | type);

	if (*at == 0) {
		VEC_PUSH(&st->table.lanes, st->arena,
			((struct stat_lane){ .row = row,
				.type = type,
				.value = VALUE_NONE,
				.since = st->options.from,
				.slices = new_slices(st, row) }));
		*at = (uint64_t)st->table.lanes.n;
	}
	return &st->table.lanes.at[*at - 1];
}

static void
state(struct sink *s, const struct record *r)
{
	struct stat_sink *st = self(s);
	const struct stat_type *type = &st->table.types.at[r->type];
	struct stat_lane *lane;

	if (type->role.tells == ROLE_TASK_ID)
		stat_runs_id(&st->runs, type->role, r);
	if (!type->wanted)
		return;
	lane = lane_at(st, r->row, r->type);
	if (type->role.tells == ROLE_TASK_TYPE &&
		stat_runs_begin(&st->runs, type->role, r))
		cell_at(st, lane, r->value)->runs++;
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
	struct stat_sink *st = self(s);

	st->end = time;
	st->table.duration =
		time > st->options.from ? time - st->options.from : 0;
}

const struct stat_table *
stat_result(struct sink *s)
{
	struct stat_sink *st = self(s);

	for (int i = 0; i < st->table.lanes.n; i++) {
		struct stat_lane *lane = &st->table.lanes.at[i];

		if (lane->since >= st->end)
			continue;
		end_value(st, lane, st->end);
		lane->since = st->end;
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
	stat_runs_fini(&st->runs);
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
	st->runs.tasks = options->tasks;
	return &st->sink;
}
