/* SPDX-License-Identifier: MIT */
#include "task/schema.h"

#include <string.h>

/* clang-format off */
static const struct store_column tasks[TASKS_COLUMNS] = {
	[TASKS_ID]       = { "id",       STORE_UINT, .index = true },
	[TASKS_PARENT]   = { "parent",   STORE_UINT, .nullable = true,
	                     .index = true },
	[TASKS_KIND]     = { "kind",     STORE_NAME, .nullable = false },
	[TASKS_WHAT]     = { "what",     STORE_NAME, .nullable = false },
	[TASKS_LOCATION] = { "location", STORE_NAME, .index = true },
	[TASKS_START]    = { "start",    STORE_INT,  .nullable = false },
	[TASKS_END]      = { "end",      STORE_INT,  .nullable = false },
	[TASKS_OPEN]     = { "open",     STORE_FLAG, .nullable = false },
	[TASKS_RUN]      = { "run",      STORE_UINT, .nullable = false },
};

static const struct store_column tags[TAGS_COLUMNS] = {
	[TAGS_TASK] = { "task", STORE_UINT, .index = true },
	[TAGS_TIME] = { "time", STORE_INT,  .nullable = false },
	[TAGS_WHAT] = { "what", STORE_NAME, .nullable = false },
	[TAGS_STEP] = { "step", STORE_FLAG, .nullable = false },
	[TAGS_RUN]  = { "run",  STORE_UINT, .nullable = false },
};

static const struct store_column milestones[MILESTONES_COLUMNS] = {
	[MILESTONES_TASK]     = { "task",     STORE_UINT, .index = true },
	[MILESTONES_TIME]     = { "time",     STORE_INT,  .nullable = false },
	[MILESTONES_KIND]     = { "kind",     STORE_NAME, .nullable = false },
	[MILESTONES_WHAT]     = { "what",     STORE_NAME, .nullable = false },
	[MILESTONES_LOCATION] = { "location", STORE_NAME, .nullable = true },
	[MILESTONES_RUN]      = { "run",      STORE_UINT, .nullable = false },
};

static const struct store_column meta[META_COLUMNS] = {
	[META_KEY]   = { "property", STORE_TEXT, .nullable = false },
	[META_VALUE] = { "value",    STORE_TEXT, .nullable = false },
	[META_RUN]   = { "run",      STORE_UINT, .nullable = false },
};

const struct store_table
	schema_tasks      = { "tasks",      tasks,      TASKS_COLUMNS },
	schema_tags       = { "tags",       tags,       TAGS_COLUMNS },
	schema_milestones = { "milestones", milestones, MILESTONES_COLUMNS },
	schema_meta       = { "meta",       meta,       META_COLUMNS };
/* clang-format on */

bool
schema_fits(const struct store_table *t, const struct store_table *want)
{
	if (t == NULL || (t->n != want->n && t->n != want->n - 1))
		return false;
	for (uint32_t i = 0; i < t->n; i++)
		if (t->column[i].type != want->column[i].type ||
			t->column[i].nullable > want->column[i].nullable ||
			strcmp(t->column[i].name, want->column[i].name) != 0)
			return false;
	return true;
}

/* Finds the least and the greatest number of a run; 0: there is no run. */
static void
find_runs(struct store_reader *r, uint64_t *first, uint64_t *last)
{
	const struct store_table *t = store_read_find(r, schema_meta.name);
	struct store_value row[META_COLUMNS];

	*first = *last = 0;
	if (!schema_fits(t, &schema_meta) || t->n != META_COLUMNS)
		return;
	store_read_start(r, t, NULL);
	while (store_read_next(r, row)) {
		uint64_t run = row[META_RUN].u;

		*last = run > *last ? run : *last;
		*first = *first == 0 || run < *first ? run : *first;
	}
}

uint64_t
schema_last_run(struct store_reader *r)
{
	uint64_t first, last;

	find_runs(r, &first, &last);
	return last;
}

uint64_t
schema_first_run(struct store_reader *r)
{
	uint64_t first, last;

	find_runs(r, &first, &last);
	return first;
}

bool
schema_has_run(struct store_reader *r, uint64_t run)
{
	const struct store_table *t = store_read_find(r, schema_meta.name);
	struct store_value row[META_COLUMNS];
	bool has = false;

	if (!schema_fits(t, &schema_meta) || t->n != META_COLUMNS)
		return run == 1;
	store_read_start(r, t, NULL);
	while (store_read_next(r, row))
		has |= row[META_RUN].u == run;
	return has;
}
