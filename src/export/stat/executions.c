/* SPDX-License-Identifier: MIT */
#include "export/stat/executions.h"

#include <string.h>

#include "base/arena.h"

struct stat_role
stat_executions_role(
	const struct stat_executions *runs, const struct type *type)
{
	const struct stat_tasks *t = runs->tasks;

	if (t == NULL || strcmp(type->class, "thread") != 0)
		return (struct stat_role){ ROLE_NONE, 0 };
	for (uint32_t i = 0; t[i].id != NULL; i++) {
		if (strcmp(t[i].id, type->key) == 0)
			return (struct stat_role){ ROLE_TASK_ID, i };
		if (strcmp(t[i].type, type->key) == 0)
			return (struct stat_role){ ROLE_TASK_TYPE, i };
	}
	return (struct stat_role){ ROLE_NONE, 0 };
}

static struct stat_row_executions *
row_at(struct stat_executions *runs, uint32_t pair, uint32_t row)
{
	uint64_t *at = map_put(&runs->row_of, (uint64_t)row << 32 | pair);

	if (*at == 0) {
		VEC_PUSH(&runs->rows, runs->arena,
			((struct stat_row_executions){
				.row = row, .type = VALUE_NONE }));
		*at = (uint64_t)runs->rows.n;
	}
	return &runs->rows.at[*at - 1];
}

/* Returns true if the row has not shown this id before. */
static bool
is_first(struct stat_executions *runs, uint32_t pair, const struct record *r)
{
	/* Ids of tasks have 32 bits. */
	uint64_t *seen = map_put(
		&runs->seen, (uint64_t)r->row << 32 | (uint32_t)r->value);
	bool first = (*seen >> pair & 1) == 0;

	*seen |= UINT64_C(1) << pair;
	return first;
}

static void
settle(struct stat_executions *runs, uint32_t pair,
	struct stat_row_executions *row)
{
	if (row->waits && row->is_new)
		runs->count(runs->arg, pair, row->row, row->type);
	row->waits = false;
}

static void
add_id(struct stat_executions *runs, uint32_t pair, const struct record *r,
	struct stat_row_executions *row)
{
	bool has_type = row->has_type;

	settle(runs, pair, row);
	row->has_type = false;
	if (r->value == VALUE_NONE || r->value == VALUE_LOST)
		return;
	row->is_new = is_first(runs, pair, r);
	row->waits = true;
	if (has_type)
		settle(runs, pair, row);
}

static void
add_type(struct stat_executions *runs, uint32_t pair, const struct record *r,
	struct stat_row_executions *row)
{
	bool waited = row->waits;

	row->type = r->value;
	if (waited && r->value != VALUE_NONE)
		settle(runs, pair, row);
	row->has_type = !waited && r->value != VALUE_NONE;
}

void
stat_executions_add(struct stat_executions *runs, struct stat_role role,
	const struct record *r)
{
	struct stat_row_executions *row = row_at(runs, role.pair, r->row);

	if (r->time != row->time) {
		settle(runs, role.pair, row);
		row->has_type = false;
		row->time = r->time;
	}
	if (role.tells == ROLE_TASK_ID)
		add_id(runs, role.pair, r, row);
	else
		add_type(runs, role.pair, r, row);
}

void
stat_executions_end(struct stat_executions *runs)
{
	uint64_t key, index;
	size_t pos = 0;

	while (map_next(&runs->row_of, &pos, &key, &index))
		settle(runs, (uint32_t)key, &runs->rows.at[index - 1]);
}

void
stat_executions_fini(struct stat_executions *runs)
{
	map_fini(&runs->seen);
	map_fini(&runs->row_of);
}
