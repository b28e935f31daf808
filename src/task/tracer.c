/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/tell.h"
#include "sim/hook.h"
#include "task/tracer.h"

bool
tracer_picks(const struct weft_tracer *t, const struct weft_task *task)
{
	if (t->kind != NULL && strcmp(t->kind, task->kind) != 0)
		return false;
	if (t->what != NULL && strcmp(t->what, task->what) != 0)
		return false;
	return t->filter == NULL || t->filter(task, t->filter_arg);
}

static void
give_open(void *arg, struct task_entry *entry)
{
	struct weft_tracer *t = arg;

	if ((entry->given & t->bit) == 0)
		tracer_give(t, entry);
}

static void
turn_on(struct weft_tracer *t, int64_t time)
{
	t->off = false;
	if (t->ops->window != NULL)
		t->ops->window(t, time, true);
	book_each(book_of(t->engine), t->bit, false, give_open, t);
}

static void
turn_off(struct weft_tracer *t, int64_t time)
{
	t->off = true;
	if (t->ops->window != NULL)
		t->ops->window(t, time, false);
}

void
tracer_pass_borders(struct weft_tracer *t, int64_t now)
{
	if (t->change == t->from) {
		t->change = t->to;
		turn_on(t, t->from);
	}
	if (t->change == t->to && now >= t->to) {
		t->change = WEFT_SIM_NEVER;
		turn_off(t, t->to);
	}
}

void
tracer_call(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	struct weft_tracer *t = hook->arg;
	bool step = ctx->pos == &weft_task_pos_step;
	int64_t now = sim_core(t->engine)->now;

	if (ctx->pos == &weft_task_pos_start)
		tracer_start(t, ctx->item, now);
	else if (ctx->pos == &weft_task_pos_end)
		tracer_end(t, ctx->item, now);
	else if (ctx->pos == &weft_task_pos_milestone)
		tracer_milestone(t, ctx->item, ctx->detail, now);
	else
		tracer_tag(t, ctx->item, ctx->detail, step, now);
}

/* Gives the tracer a bit of the engine's book. */
static int
enter(struct weft_tracer *t, struct weft_sim_engine *e)
{
	struct task_book *b = book_of(e);
	struct weft_tracer **last = &b->tracers;

	if (b->ntracers == TRACERS_MAX)
		return sim_fault(e, WEFT_SIM_LIMIT, "%s: more than %d tracers",
			t->name, TRACERS_MAX);
	while (*last != NULL)
		last = &(*last)->next;
	*last = t;
	t->next = NULL;
	t->engine = e;
	t->bit = UINT64_C(1) << b->ntracers++;
	t->hook.call = tracer_call;
	t->hook.arg = t;
	/* The window may have been set before the engine was known. */
	t->change = t->to > t->from ? t->from : WEFT_SIM_NEVER;
	t->off |= t->to > t->from;
	if (t->off && t->ops->window != NULL)
		t->ops->window(t, 0, false);
	return WEFT_SIM_OK;
}

static int
collect(struct weft_sim_domain *d, struct weft_tracer *t, bool below)
{
	int fault = WEFT_SIM_OK;

	sim_take_turn(d->engine);
	if (t->name == NULL)
		t->name = "tracer";
	if (t->finished && t->engine == NULL)
		return sim_fault(d->engine, WEFT_SIM_LIMIT,
			"%s: %s was used in a simulation that is closed: "
			"initialize it again",
			d->name, t->name);
	if (t->engine == NULL)
		fault = enter(t, d->engine);
	if (fault != WEFT_SIM_OK)
		return fault;
	if (t->engine != d->engine)
		return sim_fault(d->engine, WEFT_SIM_LIMIT,
			"%s: %s collects from another simulation", d->name,
			t->name);
	if (sim_hook_has(d, &t->hook))
		return sim_fault(d->engine, WEFT_SIM_TWICE,
			"%s: %s collects from it already", d->name, t->name);
	return (below ? weft_sim_hook_attach_below : weft_sim_hook_attach)(
		d, &t->hook, WEFT_SIM_ON_TASK);
}

int
weft_task_collect(struct weft_sim_domain *d, struct weft_tracer *t)
{
	return collect(d, t, false);
}

int
weft_task_collect_below(struct weft_sim_domain *d, struct weft_tracer *t)
{
	return collect(d, t, true);
}

int
weft_task_collect_all(
	struct weft_sim_engine *e, const char *pattern, struct weft_tracer *t)
{
	int n = 0;

	sim_take_turn(e);
	for (struct weft_sim_domain *d = sim_domains(e); d != NULL;
		d = d->older)
		if (sim_name_matches(pattern, d->name) &&
			!sim_hook_has(d, &t->hook))
			n += collect(d, t, false) == WEFT_SIM_OK;
	return n;
}

void
weft_tracer_stop(struct weft_tracer *t)
{
	if (t->engine == NULL) {
		t->off = true;
		return;
	}
	sim_take_turn(t->engine);
	if (!t->off)
		turn_off(t, sim_core(t->engine)->now);
	t->change = WEFT_SIM_NEVER;
}

void
weft_tracer_start(struct weft_tracer *t)
{
	if (t->engine == NULL) {
		t->off = false;
		return;
	}
	sim_take_turn(t->engine);
	if (t->off)
		turn_on(t, sim_core(t->engine)->now);
	t->change = WEFT_SIM_NEVER;
}

void
weft_tracer_window(struct weft_tracer *t, int64_t from, int64_t to)
{
	int64_t now;

	t->from = from;
	t->to = to;
	if (t->engine == NULL || to <= from)
		return;
	weft_tracer_stop(t);
	/* A window cannot include the past: what happened before now was
	 * recorded already, or is lost. */
	now = sim_core(t->engine)->now;
	t->from = from > now ? from : now;
	if (t->from < to)
		t->change = t->from;
}

struct visit {
	void (*fn)(void *arg, const struct weft_task *task);
	void *arg;
};

static void
visit(void *arg, struct task_entry *entry)
{
	const struct visit *v = arg;

	v->fn(v->arg, &entry->task);
}

void
weft_tracer_open_tasks(struct weft_tracer *t,
	void (*fn)(void *arg, const struct weft_task *task), void *arg)
{
	if (!tracer_reads(t) || t->engine == NULL)
		return;
	book_each(book_of(t->engine), t->bit, true, visit,
		&(struct visit){ fn, arg });
}

void
tracers_finish(void *arg, int64_t now)
{
	struct task_book *b = arg;

	for (struct weft_tracer *t = b->tracers; t != NULL; t = t->next) {
		if (now >= t->change)
			tracer_pass_borders(t, now);
		if (t->ops->finish != NULL && !t->finished)
			t->ops->finish(t, now);
		t->finished = true;
	}
}

void
tracers_close(struct task_book *b)
{
	for (struct weft_tracer *t = b->tracers; t != NULL; t = t->next)
		t->engine = NULL;
	for (struct weft_tracer *t = b->targets; t != NULL; t = t->next)
		t->engine = NULL;
}

bool
tracer_reads(const struct weft_tracer *t)
{
	tracer_take_turn(t);
	if (t->engine != NULL || !t->finished)
		return true;
	tell_user("weft: the tracer \"%s\" is read after its engine was "
		  "closed: read it before weft_sim_engine_close()",
		t->name);
	return false;
}
