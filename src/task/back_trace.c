/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "base/map.h"
#include "sim/hook.h"
#include "task/book.h"

#define DEPTH_MAX 1000 /* a longer chain is assumed to be a cycle */

/* A text that also counts the bytes for which it has no room. */
struct text {
	char *at;
	size_t size, n;
	struct task_book *book;
	struct map *shown; /* ids of the tasks in the text; or NULL */
};

__attribute__((format(printf, 2, 3))) static void
put(struct text *text, const char *fmt, ...)
{
	size_t room = text->n < text->size ? text->size - text->n : 0;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room > 0 ? text->at + text->n : NULL, room, fmt, ap);
	va_end(ap);
	text->n += n > 0 ? (size_t)n : 0;
}

static void
put_detail(struct text *text, const struct weft_task *task)
{
	char detail[256] = "";

	if (task->detail_text == NULL)
		return;
	task->detail_text(task->detail, detail, sizeof detail);
	put(text, ": %s", detail);
}

static void
chain(struct text *text, const struct task_entry *entry)
{
	struct weft_sim_engine *e = text->book->engine;

	for (int i = 0; entry != NULL; i++) {
		const struct weft_task *task = &entry->task;

		if (i == DEPTH_MAX) {
			put(text, "(its ancestors are a cycle)\n");
			sim_fault(e, WEFT_SIM_TASK,
				"task %llu: its ancestors are a cycle",
				(unsigned long long)task->id);
			return;
		}
		put(text, "%s-%s@%s, %lld ps", task->kind, task->what,
			task->location,
			(long long)(sim_core(e)->now - task->start));
		put_detail(text, task);
		put(text, "\n");
		if (text->shown != NULL)
			*map_put(text->shown, task->id) = 1;
		entry = book_find(text->book, task->parent);
	}
}

static const struct weft_tracer_ops ops = { .start = NULL };

void
weft_tracer_back_trace_init(struct weft_tracer_back_trace *t)
{
	*t = (struct weft_tracer_back_trace){ .tracer = { .ops = &ops,
						      .name = "back trace" } };
}

static struct text
text_for(const struct weft_tracer_back_trace *t, char *at, size_t size)
{
	struct text text = { .at = at, .size = size };

	if (size > 0)
		at[0] = '\0';
	if (tracer_reads(&t->tracer) && t->tracer.engine != NULL)
		text.book = book_of(t->tracer.engine);
	return text;
}

size_t
weft_tracer_back_trace_text(
	struct weft_tracer_back_trace *t, uint64_t id, char *text, size_t size)
{
	struct text to = text_for(t, text, size);

	if (to.book != NULL)
		chain(&to, book_find(to.book, id));
	return to.n;
}

struct leaves {
	struct text *text;
	struct map parents; /* ids of the parents of open tasks */
	struct map shown;
};

static void
parent(void *arg, const struct weft_task *task)
{
	struct leaves *l = arg;

	*map_put(&l->parents, task->parent) = 1;
}

static void
leaf(void *arg, const struct weft_task *task)
{
	struct leaves *l = arg;

	if (map_get(&l->parents, task->id) == NULL)
		chain(l->text, (const struct task_entry *)task);
}

/* Shows tasks that are in no chain yet: a cycle of parents has no leaf. */
static void
rest(void *arg, const struct weft_task *task)
{
	struct leaves *l = arg;

	if (map_get(&l->shown, task->id) == NULL)
		chain(l->text, (const struct task_entry *)task);
}

size_t
weft_tracer_back_trace_open(
	struct weft_tracer_back_trace *t, char *text, size_t size)
{
	struct text to = text_for(t, text, size);
	struct leaves l = { .text = &to };

	if (to.book == NULL)
		return 0;
	to.shown = &l.shown;
	weft_tracer_open_tasks(&t->tracer, parent, &l);
	weft_tracer_open_tasks(&t->tracer, leaf, &l);
	weft_tracer_open_tasks(&t->tracer, rest, &l);
	map_fini(&l.parents);
	map_fini(&l.shown);
	return to.n;
}
