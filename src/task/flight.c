/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "sim/hook.h"
#include "task/tracer.h"

/* An event of a task. */
struct moment {
	enum { STARTED, STEPPED, TAGGED, WAITED, ENDED } kind;
	int64_t time;
	struct weft_task task;
	const char *what; /* text of a step or tag */
	struct weft_milestone milestone;
};

enum { TOLD = 1, LEFT_OUT };

/* The last events, in a ring: `n` of them, the newest before `next`. */
struct weft_flight {
	struct moment *ring;
	uint32_t next, n;
	struct map told; /* open tasks whose start was passed to the target */
	uint64_t left;   /* tasks that must end before the recorder goes back
	                  * to the ring */
	bool passes_on;
};

/* Copies a text so that it outlives the task. */
static const char *
keep(struct weft_tracer *t, const char *text)
{
	return text == NULL ? NULL : weft_sim_string(t->engine, text);
}

/* Calls the target's start(), unless the target does not want the task or has
 * reached its limit. */
static uint64_t
begin(struct weft_tracer *to, const struct weft_task *task)
{
	if (!tracer_wants(to, task))
		return LEFT_OUT;
	if (to->max_tasks != 0 && to->tasks >= to->max_tasks) {
		to->dropped++;
		return LEFT_OUT;
	}
	to->tasks++;
	if (to->ops->start != NULL)
		to->ops->start(to, task);
	return TOLD;
}

/* Calls the target's function for an event of a task that it knows. */
static void
pass_on(struct weft_tracer *to, const struct moment *m)
{
	const struct weft_tracer_ops *ops = to->ops;

	if (m->kind == STEPPED && ops->step != NULL)
		ops->step(to, &m->task, m->what);
	else if (m->kind == TAGGED && ops->tag != NULL)
		ops->tag(to, &m->task, m->what);
	else if (m->kind == WAITED && ops->milestone != NULL)
		ops->milestone(to, &m->task, &m->milestone);
	else if (m->kind == ENDED && ops->end != NULL)
		ops->end(to, &m->task);
}

/* Passes an event to the target. For a task that the target does not know,
 * passes its start first. */
static void
tell(struct weft_tracer_flight *t, const struct moment *m)
{
	struct weft_tracer *to = t->target;
	uint64_t *told = map_put(&t->flight->told, m->task.id);

	to->now = m->time;
	if (*told == 0)
		*told = begin(to, &m->task);
	if (*told == TOLD)
		pass_on(to, m);
	if (m->kind == ENDED)
		map_remove(&t->flight->told, m->task.id);
}

static void
remember(struct weft_tracer_flight *t, const struct moment *m)
{
	struct weft_flight *f = t->flight;
	struct moment *at = &f->ring[f->next];

	*at = *m;
	at->task.kind = keep(&t->tracer, m->task.kind);
	at->task.what = keep(&t->tracer, m->task.what);
	at->task.location = keep(&t->tracer, m->task.location);
	at->task.detail = NULL;
	at->task.detail_text = NULL;
	at->what = keep(&t->tracer, m->what);
	at->milestone.kind = keep(&t->tracer, m->milestone.kind);
	at->milestone.what = keep(&t->tracer, m->milestone.what);
	at->milestone.location = keep(&t->tracer, m->milestone.location);
	f->next = f->next + 1 < t->moments ? f->next + 1 : 0;
	f->n += f->n < t->moments;
}

static void
free_flight(void *arg, int64_t now)
{
	struct weft_flight *f = arg;

	(void)now;
	map_fini(&f->told);
}

static struct weft_flight *
flight_of(struct weft_tracer_flight *t)
{
	struct weft_sim_engine *e = t->tracer.engine;

	if (t->flight == NULL) {
		t->flight = ARENA_NEW(sim_arena(e), struct weft_flight);
		t->flight->ring =
			ARENA_ARRAY(sim_arena(e), struct moment, t->moments);
		if (t->target->engine == NULL) {
			t->target->engine = e;
			t->target->next = book_of(e)->targets;
			book_of(e)->targets = t->target;
		}
		if (t->target->name == NULL)
			t->target->name = "tracer";
		weft_sim_at_end(e, free_flight, t->flight);
	}
	return t->flight;
}

void
weft_tracer_flight_trigger(struct weft_tracer_flight *t)
{
	struct weft_flight *f;
	uint32_t at;

	if (t->tracer.engine == NULL)
		return;
	sim_take_turn(t->tracer.engine);
	f = flight_of(t);
	t->triggers++;
	f->left = t->after;
	f->passes_on = true;
	at = f->next + t->moments - f->n;
	for (uint32_t i = 0; i < f->n; i++)
		tell(t, &f->ring[(at + i) % t->moments]);
	f->n = 0;
}

static void
happens(struct weft_tracer *tracer, const struct moment *m)
{
	struct weft_tracer_flight *t = (void *)tracer;
	struct weft_flight *f = flight_of(t);

	/* The target also gets the end of a task whose start it got. */
	if (f->passes_on || map_get(&f->told, m->task.id) != NULL)
		tell(t, m);
	else
		remember(t, m);
	if (m->kind != ENDED)
		return;
	if (f->passes_on && t->after != 0 && --f->left == 0)
		f->passes_on = false;
	if (t->when != NULL && t->when(&m->task, t->when_arg))
		weft_tracer_flight_trigger(t);
}

static void
start(struct weft_tracer *t, const struct weft_task *task)
{
	happens(t,
		&(struct moment){
			.kind = STARTED, .time = t->now, .task = *task });
}

static void
step(struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	happens(t,
		&(struct moment){ .kind = STEPPED,
			.time = t->now,
			.task = *task,
			.what = what });
}

static void
tag(struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	happens(t,
		&(struct moment){ .kind = TAGGED,
			.time = t->now,
			.task = *task,
			.what = what });
}

static void
milestone(struct weft_tracer *t, const struct weft_task *task,
	const struct weft_milestone *m)
{
	happens(t,
		&(struct moment){ .kind = WAITED,
			.time = t->now,
			.task = *task,
			.milestone = *m });
}

static void
end(struct weft_tracer *t, const struct weft_task *task)
{
	happens(t,
		&(struct moment){
			.kind = ENDED, .time = t->now, .task = *task });
}

static void
share(void *arg, struct task_entry *entry)
{
	struct weft_tracer_flight *t = arg;
	uint64_t *told;

	entry->given &= ~TARGET_BIT;
	told = map_get(&t->flight->told, entry->task.id);
	if (told != NULL && *told == TOLD)
		entry->given |= TARGET_BIT;
}

static void
finish(struct weft_tracer *tracer, int64_t now)
{
	struct weft_tracer_flight *t = (void *)tracer;

	flight_of(t);
	t->target->bit = TARGET_BIT;
	book_each(book_of(tracer->engine), tracer->bit, true, share, t);
	if (t->target->ops->finish != NULL)
		t->target->ops->finish(t->target, now);
	t->target->finished = true;
	t->target->bit = 0;
}

static const struct weft_tracer_ops ops = {
	.start = start,
	.step = step,
	.tag = tag,
	.milestone = milestone,
	.end = end,
	.finish = finish,
};

void
weft_tracer_flight_init(struct weft_tracer_flight *t,
	struct weft_tracer *target, uint32_t moments)
{
	*t = (struct weft_tracer_flight){ .tracer = { .ops = &ops,
						  .name = "flight recorder" },
		.target = target,
		.moments = moments > 0 ? moments : 1 };
}
