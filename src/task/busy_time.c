/* SPDX-License-Identifier: MIT */
#include "task/book.h"

/* Calls come in time order, so an interval ends when no task is open. */

static void
start(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_busy_time *t = (void *)tracer;

	if (t->open++ == 0)
		t->since = task->start > t->border ? task->start : t->border;
}

static void
end(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_busy_time *t = (void *)tracer;

	if (--t->open == 0 && !t->stopped)
		t->busy += task->end - t->since;
}

static void
window(struct weft_tracer *tracer, int64_t time, bool open)
{
	struct weft_tracer_busy_time *t = (void *)tracer;

	if (open) {
		t->border = time;
		t->since = time;
	} else {
		t->busy = weft_tracer_busy_time_at(t, time);
	}
	t->stopped = !open;
}

static const struct weft_tracer_ops ops = {
	.start = start,
	.end = end,
	.window = window,
};

void
weft_tracer_busy_time_init(struct weft_tracer_busy_time *t)
{
	*t = (struct weft_tracer_busy_time){ .tracer = { .ops = &ops,
						     .name = "busy time" } };
}

int64_t
weft_tracer_busy_time_at(const struct weft_tracer_busy_time *t, int64_t now)
{
	tracer_take_turn(&t->tracer);
	return t->busy + (t->open > 0 && !t->stopped ? now - t->since : 0);
}
