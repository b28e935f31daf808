/* SPDX-License-Identifier: MIT */
#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"
#include "task/book.h"

/*
 * For the first 63 names a task has one bit each. Its other names form a list:
 * `last` has the last name, and `others` maps task and name to the previous
 * name. So the end of a task takes time in proportion to its own names, not to
 * all names.
 */
#define FIRST 63

struct step_count {
	uint64_t times, tasks;
};

struct weft_step_counts {
	struct intern names;
	VEC(struct step_count) count; /* by name */
	struct map had;               /* task id to its bits */
	struct map last;              /* task id to name + 1 */
	struct map others;            /* task and name to previous name + 1,
	                               * or 1 */
};

static uint64_t
other(uint64_t id, uint32_t name)
{
	return id * UINT64_C(0x9e3779b97f4a7c15) + name;
}

/* Returns true if the task has the name for the first time. */
static bool
is_new(struct weft_step_counts *c, uint64_t id, uint32_t name)
{
	uint64_t *bits, *before, *last;
	uint64_t bit = UINT64_C(1) << (name % 64);
	bool had;

	if (name < FIRST) {
		bits = map_put(&c->had, id);
		had = (*bits & bit) != 0;
		*bits |= bit;
		return !had;
	}
	before = map_put(&c->others, other(id, name));
	if (*before != 0)
		return false;
	last = map_put(&c->last, id);
	*before = *last + 1;
	*last = name + UINT64_C(1);
	return true;
}

static void
free_counts(void *arg, int64_t now)
{
	struct weft_step_counts *c = arg;

	(void)now;
	map_fini(&c->had);
	map_fini(&c->last);
	map_fini(&c->others);
}

static struct weft_step_counts *
counts_of(struct weft_tracer_step_count *t)
{
	struct arena *a = sim_arena(t->tracer.engine);

	if (t->counts == NULL) {
		t->counts = ARENA_NEW(a, struct weft_step_counts);
		intern_init(&t->counts->names, a);
		weft_sim_at_end(t->tracer.engine, free_counts, t->counts);
	}
	return t->counts;
}

static void
tag(struct weft_tracer *tracer, const struct weft_task *task, const char *what)
{
	struct weft_tracer_step_count *t = (void *)tracer;
	struct weft_step_counts *c = counts_of(t);
	uint32_t name = intern_add(&c->names, what);

	if (name == (uint32_t)c->count.n)
		(void)VEC_ADD(&c->count, sim_arena(tracer->engine));
	c->count.at[name].times++;
	c->count.at[name].tasks += is_new(c, task->id, name);
}

static void
end(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_step_counts *c =
		((struct weft_tracer_step_count *)tracer)->counts;
	uint64_t name, *last, *before;

	if (c == NULL)
		return;
	map_remove(&c->had, task->id);
	if (c->count.n <= FIRST || (last = map_get(&c->last, task->id)) == NULL)
		return;
	for (name = *last; name != 0;) {
		uint64_t key = other(task->id, (uint32_t)(name - 1));

		before = map_get(&c->others, key);
		name = before == NULL ? 0 : *before - 1;
		map_remove(&c->others, key);
	}
	map_remove(&c->last, task->id);
}

static const struct weft_tracer_ops ops = {
	.step = tag,
	.tag = tag,
	.end = end,
};

void
weft_tracer_step_count_init(struct weft_tracer_step_count *t)
{
	*t = (struct weft_tracer_step_count){ .tracer = { .ops = &ops,
						      .name = "step count" } };
}

static const struct step_count *
find(const struct weft_tracer_step_count *t, const char *what)
{
	static const struct step_count none;
	uint32_t name = INTERN_NONE;

	if (tracer_reads(&t->tracer) && t->counts != NULL)
		name = intern_find(&t->counts->names, what);
	return name == INTERN_NONE ? &none : &t->counts->count.at[name];
}

uint64_t
weft_tracer_step_count_of(
	const struct weft_tracer_step_count *t, const char *what)
{
	return find(t, what)->times;
}

uint64_t
weft_tracer_step_count_tasks(
	const struct weft_tracer_step_count *t, const char *what)
{
	return find(t, what)->tasks;
}

const char *
weft_tracer_step_count_name(const struct weft_tracer_step_count *t, uint32_t i)
{
	if (!tracer_reads(&t->tracer) || t->counts == NULL ||
		i >= t->counts->names.n)
		return NULL;
	return intern_name(&t->counts->names, i);
}
