/* SPDX-License-Identifier: MIT */
/* Task-for: the CPUs that are free help the thread that runs the task. */
#include "events.h"

/* Version 1.2.0 added the task's id to the beginning of a chunk. Tools that
 * read only version 1.1.0 can still read traces without task-for. */
static void
require(void)
{
	static atomic_bool is_done;

	if (!atomic_exchange(&is_done, true))
		EV_OVNI(weft_require("nanos6", "1.2.0"));
}

void
mt_for(struct mt_type *type, const void *arg, long n, long chunk,
	const struct mt_access *accesses)
{
	struct mt_task *task = task_create(type, arg, deps_count(accesses));

	require();
	task->n = n;
	task->chunk = chunk > 0 ? chunk : 1;
	task_submit(task, accesses);
}

/* Returns false if other threads have run all chunks already. */
static bool
run_chunks(struct mt_task *task, bool is_helper)
{
	bool any = false;
	long begin;

	while ((begin = atomic_fetch_add(&task->next_chunk, task->chunk)) <
		task->n) {
		long end = begin + task->chunk;

		ev_chunk_begin(task, is_helper);
		task->type->range(
			task->arg, begin, end < task->n ? end : task->n);
		ev_chunk_end(task, is_helper);
		count(CHUNKS);
		if (is_helper)
			count(HELPED);
		any = true;
	}
	return any;
}

/* Adds n helpers as children of the task, so that the task ends after them. */
static void
call_help(struct mt_task *task, int n)
{
	struct queue helpers = { 0 };

	task->help = mem_get((size_t)n * sizeof(struct work));
	for (int i = 0; i < n; i++) {
		task->help[i] = (struct work){ NULL, task, true };
		queue_add(&helpers, &task->help[i]);
	}
	pthread_mutex_lock(&task->lock);
	task->nchildren += n;
	pthread_mutex_unlock(&task->lock);
	sched_add(helpers);
}

void
for_run(struct mt_task *task)
{
	long parts = (task->n - 1) / task->chunk; /* parts left for other
	                                           * threads */
	int n = mt_ncpus() - 1;

	if (parts < n)
		n = (int)parts;
	if (n > 0)
		call_help(task, n);
	run_chunks(task, false);
}

void
for_help(struct mt_task *task)
{
	ev_handle_begin();
	ev_help_begin(task);
	if (run_chunks(task, true))
		count(HELPS);
	task_child_ends(task);
	ev_handle_end();
}
