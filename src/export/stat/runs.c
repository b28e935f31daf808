/* SPDX-License-Identifier: MIT */
#include "export/stat/runs.h"

#include <string.h>

struct stat_role
stat_runs_role(const struct stat_runs *runs, const struct type *type)
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

static uint64_t
begun_key(struct stat_role role, const struct record *r)
{
	return (uint64_t)r->row << 32 | role.pair;
}

void
stat_runs_id(
	struct stat_runs *runs, struct stat_role role, const struct record *r)
{
	/* Ids of tasks have 32 bits. */
	uint64_t key = (uint64_t)r->row << 32 | (uint32_t)r->value;
	uint64_t *seen;

	if (r->value == VALUE_NONE)
		return;
	seen = map_put(&runs->seen, key);
	if ((*seen >> role.pair & 1) != 0)
		return;
	*seen |= UINT64_C(1) << role.pair;
	*map_put(&runs->begun, begun_key(role, r)) = 1;
}

bool
stat_runs_begin(
	struct stat_runs *runs, struct stat_role role, const struct record *r)
{
	return r->value != VALUE_NONE &&
		map_remove(&runs->begun, begun_key(role, r));
}

void
stat_runs_fini(struct stat_runs *runs)
{
	map_fini(&runs->seen);
	map_fini(&runs->begun);
}
