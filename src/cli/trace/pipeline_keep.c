/* SPDX-License-Identifier: MIT */
/* The files of an input, which no output may replace. Readers of records add
 * the files that they read beside it. */
#include <string.h>

#include "base/arena.h"
#include "base/keep.h"
#include "cli/trace/pipeline.h"
#include "cli/trace/task_trace.h"

static void
keep_list(struct arena *a, const char *files)
{
	char *rest = files != NULL ? arena_strdup(a, files) : NULL;

	while (rest != NULL)
		keep_add(strsep(&rest, ","));
}

void
pipeline_keep_files(const struct pipeline *r, const char *path)
{
	const struct trace *t = &r->source->trace;
	struct arena scratch = { 0 };

	if (!r->keeps_files)
		return;
	keep_add(task_trace_path(path));
	keep_add(t->path);
	for (int i = 0; i < t->streams.n; i++) {
		if (t->streams.at[i].file != NULL)
			keep_add(t->streams.at[i].file);
		if (t->streams.at[i].meta != NULL)
			keep_add(t->streams.at[i].meta);
	}
	keep_list(&scratch, r->model_files);
	keep_list(&scratch, r->clock_table);
	arena_fini(&scratch);
}
