/* SPDX-License-Identifier: MIT */
#include "weft/task.h"

static void
end(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_total_time *t = (void *)tracer;

	t->count++;
	if (__builtin_add_overflow(
		    t->total, task->end - task->start, &t->total))
		t->total = INT64_MAX;
}

static const struct weft_tracer_ops ops = { .end = end };

void
weft_tracer_total_time_init(struct weft_tracer_total_time *t)
{
	*t = (struct weft_tracer_total_time){ .tracer = { .ops = &ops,
						      .name = "total time" } };
}
