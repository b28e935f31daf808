/* SPDX-License-Identifier: MIT */
#include "task/schema.h"

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
};

static const struct store_column tags[TAGS_COLUMNS] = {
	[TAGS_TASK] = { "task", STORE_UINT, .index = true },
	[TAGS_TIME] = { "time", STORE_INT,  .nullable = false },
	[TAGS_WHAT] = { "what", STORE_NAME, .nullable = false },
	[TAGS_STEP] = { "step", STORE_FLAG, .nullable = false },
};

static const struct store_column milestones[MILESTONES_COLUMNS] = {
	[MILESTONES_TASK]     = { "task",     STORE_UINT, .index = true },
	[MILESTONES_TIME]     = { "time",     STORE_INT,  .nullable = false },
	[MILESTONES_KIND]     = { "kind",     STORE_NAME, .nullable = false },
	[MILESTONES_WHAT]     = { "what",     STORE_NAME, .nullable = false },
	[MILESTONES_LOCATION] = { "location", STORE_NAME, .nullable = true },
};

static const struct store_column meta[META_COLUMNS] = {
	[META_KEY]   = { "property", STORE_TEXT, .nullable = false },
	[META_VALUE] = { "value",    STORE_TEXT, .nullable = false },
};

const struct store_table
	schema_tasks      = { "tasks",      tasks,      TASKS_COLUMNS },
	schema_tags       = { "tags",       tags,       TAGS_COLUMNS },
	schema_milestones = { "milestones", milestones, MILESTONES_COLUMNS },
	schema_meta       = { "meta",       meta,       META_COLUMNS };
/* clang-format on */
