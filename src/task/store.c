/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "sim/hook.h"
#include "store/store.h"
#include "task/schema.h"
#include "weft/task.h"

struct weft_store_state {
	struct weft_sim_engine *engine;
	struct store *store; /* owned; NULL when closed */
	int tasks, tags, milestones, meta;
	uint64_t run; /* the number of this one */
};

/* What the limit counts. */
static void
count_bytes(struct weft_tracer_store *t, uint32_t columns)
{
	t->bytes += 8 * (uint64_t)columns;
	if (t->max_bytes != 0 && t->bytes >= t->max_bytes)
		t->tracer.max_tasks = t->tracer.tasks;
}

static struct store_value
name(struct store *s, const char *text)
{
	return store_name(store_intern(s, text, strlen(text)));
}

static void
put_task(struct weft_tracer_store *t, const struct weft_task *task, int64_t end,
	bool open)
{
	struct store *s = t->state->store;
	const struct store_value row[TASKS_COLUMNS] = {
		[TASKS_ID] = store_uint(task->id),
		[TASKS_PARENT] = task->parent != 0 ? store_uint(task->parent)
						   : store_null(),
		[TASKS_KIND] = name(s, task->kind),
		[TASKS_WHAT] = name(s, task->what),
		[TASKS_LOCATION] = name(s, task->location),
		[TASKS_START] = store_int(task->start),
		[TASKS_END] = store_int(end),
		[TASKS_OPEN] = store_flag(open),
		[TASKS_RUN] = store_uint(t->state->run),
	};

	store_put(s, t->state->tasks, row);
	count_bytes(t, TASKS_COLUMNS);
}

static void
end(struct weft_tracer *tracer, const struct weft_task *task)
{
	struct weft_tracer_store *t = (void *)tracer;

	if (t->state->store != NULL)
		put_task(t, task, task->end, false);
}

static void
put_tag(struct weft_tracer *tracer, const struct weft_task *task,
	const char *what, bool step)
{
	struct weft_tracer_store *t = (void *)tracer;
	struct store *s = t->state->store;

	if (s == NULL)
		return;
	store_put(s, t->state->tags,
		(const struct store_value[TAGS_COLUMNS]){
			[TAGS_TASK] = store_uint(task->id),
			[TAGS_TIME] = store_int(tracer->now),
			[TAGS_WHAT] = name(s, what),
			[TAGS_STEP] = store_flag(step),
			[TAGS_RUN] = store_uint(t->state->run),
		});
	count_bytes(t, TAGS_COLUMNS);
}

static void
step(struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	put_tag(t, task, what, true);
}

static void
tag(struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	put_tag(t, task, what, false);
}

static void
milestone(struct weft_tracer *tracer, const struct weft_task *task,
	const struct weft_milestone *m)
{
	struct weft_tracer_store *t = (void *)tracer;
	struct store *s = t->state->store;

	if (s == NULL)
		return;
	store_put(s, t->state->milestones,
		(const struct store_value[MILESTONES_COLUMNS]){
			[MILESTONES_TASK] = store_uint(task->id),
			[MILESTONES_TIME] = store_int(m->time),
			[MILESTONES_KIND] = name(s, m->kind),
			[MILESTONES_WHAT] = name(s, m->what),
			[MILESTONES_LOCATION] = m->location != NULL
				? name(s, m->location)
				: store_null(),
			[MILESTONES_RUN] = store_uint(t->state->run),
		});
	count_bytes(t, MILESTONES_COLUMNS);
}

static void
put_open(void *arg, const struct weft_task *task)
{
	struct weft_tracer_store *t = arg;

	put_task(t, task, sim_core(t->tracer.engine)->now, true);
}

static void
put_fact(struct weft_tracer_store *t, const char *property, const char *value)
{
	store_put(t->state->store, t->state->meta,
		(const struct store_value[META_COLUMNS]){
			[META_KEY] = store_text(
				property, (uint32_t)strlen(property)),
			[META_VALUE] =
				store_text(value, (uint32_t)strlen(value)),
			[META_RUN] = store_uint(t->state->run),
		});
}

static void
put_number(struct weft_tracer_store *t, const char *property, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	put_fact(t, property, text);
}

static void
close_store(struct weft_tracer_store *t)
{
	struct store_report report = { 0 };
	struct err err = { 0 };

	if (!store_close(t->state->store, &report, &err))
		sim_fault(t->state->engine, WEFT_SIM_STORE, "%s", err.text);
	t->state->store = NULL;
	t->stored = report.stored;
	t->spooled = report.spooled;
	t->lost = report.lost;
}

static void
finish(struct weft_tracer *tracer, int64_t now)
{
	struct weft_tracer_store *t = (void *)tracer;

	if (t->state->store == NULL)
		return;
	weft_tracer_open_tasks(tracer, put_open, t);
	put_number(t, "end", (uint64_t)now);
	put_number(t, "dropped", tracer->dropped);
	put_number(t, "faults", weft_sim_faults(tracer->engine, WEFT_SIM_OK));
	close_store(t);
}

static const struct weft_tracer_ops ops = {
	.step = step,
	.tag = tag,
	.milestone = milestone,
	.end = end,
	.finish = finish,
};

/* A tracer that was never attached is not finished: its store is closed. */
static void
close_unused(void *arg, int64_t now)
{
	struct weft_tracer_store *t = arg;

	(void)now;
	if (t->tracer.engine == NULL && t->state->store != NULL)
		close_store(t);
}

/* False with err: the database has tables that this build does not write. */
static bool
find_run(struct weft_store_state *st, const char *place, struct err *err)
{
	struct err ignored = { 0 };
	struct store_reader *r = store_read(place, &ignored);
	const struct store_table *t;
	bool ok = true;

	st->run = 1;
	if (r == NULL)
		return true; /* it is new */
	t = store_read_find(r, schema_tasks.name);
	if (t != NULL && t->n != TASKS_COLUMNS)
		ok = err_set(err, ERR_INPUT,
			"%s: its tables are those of an older version, which "
			"holds one run: give another database",
			place);
	st->run = schema_last_run(r) + 1;
	store_read_close(r);
	return ok;
}

/* A file is replaced, a database gets one more run. */
static bool
open_store(struct weft_store_state *st, const char *place, struct err *err)
{
	struct store_options options = { .append = strstr(place, "://") };
	struct err ignored = { 0 };

	st->run = 1;
	st->store = store_open(place, &options, err);
	if (st->store == NULL || !options.append || find_run(st, place, err))
		return st->store != NULL;
	store_close(st->store, NULL, &ignored);
	st->store = NULL;
	return false;
}

int
weft_tracer_store_init(struct weft_tracer_store *t, struct weft_sim_engine *e,
	const char *place)
{
	struct weft_store_state *state;
	struct err err = { 0 };

	sim_take_turn(e);
	state = ARENA_NEW(sim_arena(e), struct weft_store_state);
	*t = (struct weft_tracer_store){
		.tracer = { .ops = &ops, .name = "store" }, .state = state
	};
	state->engine = e;
	if (!open_store(state, place, &err))
		return sim_fault(e, WEFT_SIM_STORE, "%s", err.text);
	state->tasks = store_table(state->store, &schema_tasks);
	state->tags = store_table(state->store, &schema_tags);
	state->milestones = store_table(state->store, &schema_milestones);
	state->meta = store_table(state->store, &schema_meta);
	put_fact(t, "unit", "ps");
	store_flush(state->store);
	weft_sim_at_end(e, close_unused, t);
	return WEFT_SIM_OK;
}
