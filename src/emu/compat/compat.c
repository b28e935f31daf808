/* SPDX-License-Identifier: MIT */
#include "emu/compat/compat.h"

#include "base/arena.h"
#include "emu/compat/state.h"
#include "emu/ctf/ctf.h"
#include "emu/models/counters.h"
#include "emu/models/models.h"
#include "export/sink.h"

#define IDLE 0

static bool
is_fast(const struct compat *c)
{
	return c->kind != COMPAT_PYTHON;
}

static void
put(struct compat *c, int type, int64_t value)
{
	compat_put(c, c->time, (uint32_t)type, value);
}

static int64_t
top(const struct compat_thread *th)
{
	return th->sections.n == 0 ? IDLE : th->sections.at[th->sections.n - 1];
}

static void
put_top(struct compat *c)
{
	if (c->thread != NULL)
		put(c, ctf_chans.subsystem, top(c->thread));
}

static void
push(struct compat *c, int64_t section)
{
	if (c->thread != NULL)
		VEC_PUSH(&c->thread->sections, c->arena, section);
}

/* Pops the top section, whatever it is. */
static void
pop(struct compat *c)
{
	if (c->thread != NULL && c->thread->sections.n > 0)
		c->thread->sections.n--;
}

static void
put_counters(struct compat *c)
{
	const struct event_class *k =
		&c->source->trace.classes.at[c->event->class];

	for (int i = 0; i < c->class->ncounters; i++) {
		int field = c->class->first_counter + i;
		int64_t number;
		uint64_t *type;

		if (k->field[field].name == NULL ||
			k->field[field].type > FIELD_I64)
			continue;
		number = counter_number(k->field[field].name);
		type = map_put(&c->counters, (uint64_t)number);
		if (*type == 0) {
			*type = ++c->ntypes;
			sink_type(c->sink,
				&(struct type){ .id = c->ntypes - 1,
					.class = COMPAT_CLASS,
					.key = k->field[field].name,
					.title = k->field[field].name,
					.number = number,
					.kind = TYPE_NUMBER });
		}
		put(c, (int)*type - 1, c->event->value[field].i);
	}
}

/* Shows the number and the type of the task that the thread began last, or
 * 0. */
static void
put_task(struct compat *c, bool shown)
{
	const struct compat_thread *th = c->thread;
	const struct compat_task *task;
	uint64_t *type;

	if (th == NULL || th->tasks.n == 0)
		return;
	task = &th->tasks.at[th->tasks.n - 1];
	type = map_get(&c->stream->rank->types, task->id);
	put(c, ctf_chans.id, shown ? task->id : 0);
	put(c, ctf_chans.label, shown && type != NULL ? (int64_t)*type : 0);
	put(c, ctf_chans.source, shown && type != NULL ? (int64_t)*type : 0);
}

static struct compat_task *
top_task(const struct compat_thread *th)
{
	return th == NULL || th->tasks.n == 0 ? NULL
					      : &th->tasks.at[th->tasks.n - 1];
}

/* Begins or ends the task code of the thread; the fast converter then also
 * shows the task itself. */
static void
put_code(struct compat *c, int chan, int64_t value)
{
	bool moves = c->class->verb == VERB_START || c->class->verb == VERB_END;

	put(c, chan, value);
	if (is_fast(c) && !moves)
		put_task(c, value != 0);
}

static void
put_count(struct compat *c, int chan, int64_t n)
{
	int64_t *count = &c->stream->rank->count[chan];

	*count += n;
	if (!is_fast(c) && chan != ctf_chans.ready)
		put(c, chan, *count);
}

static void
put_point(struct compat *c, const struct binding *b)
{
	const struct model_row *d = b->row;
	int64_t since = bind_i64(b, c->event, d->since_arg);

	compat_put(c, compat_time(c, since), (uint32_t)d->chan, d->value);
	if (d->until_arg > 0)
		compat_put(c,
			compat_time(c, bind_i64(b, c->event, d->until_arg)),
			(uint32_t)d->chan, 0);
	else if (c->class->verb == VERB_CLIENT)
		put_top(c);
}

static void
set(struct compat *c, int chan, int64_t value)
{
	value = value == VALUE_NONE ? 0 : value;
	if (chan == ctf_chans.task_code) {
		put_code(c, chan, value);
	} else if (chan == ctf_chans.busy) {
		if (c->thread != NULL)
			c->thread->busy = value != 0;
		put(c, chan, value);
	} else if (is_fast(c)) {
		put(c, chan, value);
	}
}

/* Enters the next section of a task's creation. The fast converter has no
 * section "arguments": it leaves the section create where the arguments begin,
 * and enters submit. */
static void
replace(struct compat *c, int64_t section)
{
	if (!is_fast(c) || section == ctf_chans.arguments)
		pop(c);
	if (!is_fast(c) || section != ctf_chans.arguments)
		push(c, section);
	put_top(c);
}

static void
do_row(struct compat *c, const struct binding *b)
{
	const struct model_row *d = b->row;

	switch (d->action) {
	case ROW_PUSH:
		push(c, d->value);
		put_top(c);
		break;
	case ROW_POP:
		pop(c);
		put_top(c);
		break;
	case ROW_REPLACE:
		replace(c, d->value);
		break;
	case ROW_POINT:
		put_point(c, b);
		break;
	case ROW_SET:
		set(c, d->chan, d->value);
		break;
	case ROW_ADD:
		put_count(c, d->chan, d->value);
		break;
	default:
		break;
	}
}

static void
do_binding(struct compat *c, const struct binding *b)
{
	/* The fast converter has no section for task-for. */
	if (is_fast(c) && b->value == ctf_chans.task_for &&
		b->action != ACTION_ROW)
		return;
	if (b->action == ACTION_PUSH) {
		push(c, b->value);
		put_top(c);
	} else if (b->action == ACTION_POP) {
		pop(c);
		put_top(c);
	} else if (b->action == ACTION_ROW) {
		do_row(c, b);
	}
}

static struct compat_thread *
named(struct compat *c)
{
	return compat_thread(c, c->stream->rank, compat_arg(c, 0));
}

static void
create(struct compat *c, struct compat_thread *th, bool external)
{
	struct compat_thread *before = c->thread;

	if (th->created)
		return;
	th->created = true;
	th->index = ++c->stream->rank->nthreads;
	sink_label(c->sink, (uint32_t)ctf_chans.tid, th->index,
		arena_printf(c->arena, "thread %d", (int)th->tid), MEANS_TASK);
	c->thread = th;
	push(c, external ? IDLE : ctf_chans.runtime);
	if (is_fast(c)) {
		put(c, ctf_chans.runtime_code, 1);
		put(c, ctf_chans.tid, th->index);
		put_top(c);
	}
	c->thread = before;
}

static void
put_blocked(struct compat *c, struct compat_thread *th, bool blocked)
{
	if (th->blocked != blocked)
		put_count(c, ctf_chans.blocked_threads, blocked ? 1 : -1);
	th->blocked = blocked;
}

static bool
runs_task(const struct compat_thread *th)
{
	const struct compat_task *task = top_task(th);

	return task != NULL && task->running;
}

static void
resume(struct compat *c, bool external)
{
	c->thread = external ? c->thread : named(c);
	if (external && !is_fast(c))
		push(c, ctf_chans.runtime);
	put(c, ctf_chans.runtime_code, 1);
	put(c, ctf_chans.tid, c->thread->index);
	put_top(c);
	if (is_fast(c)) {
		put(c, ctf_chans.mode, 1);
	} else if (!external) {
		if (c->thread->busy)
			put(c, ctf_chans.busy, 2);
		if (runs_task(c->thread))
			put_task(c, true);
		put_blocked(c, c->thread, false);
	}
	if (!external)
		c->stream->current = c->thread;
}

static void
leave(struct compat *c, bool external, bool ends)
{
	struct compat_thread *th = c->thread;

	put(c, ctf_chans.runtime_code, 0);
	put(c, ctf_chans.tid, 0);
	if (is_fast(c)) {
		put(c, ctf_chans.mode, 0);
	} else if (th != NULL && !external) {
		if (th->busy)
			put(c, ctf_chans.busy, 0);
		if (runs_task(th) && !ends)
			put_task(c, false);
		if (!ends)
			put_blocked(c, th, true);
	}
	if (external && !is_fast(c) && !ends) {
		pop(c);
		put_top(c);
	} else {
		put(c, ctf_chans.subsystem, IDLE);
	}
	if (!external)
		c->stream->current = NULL;
}

static void
start(struct compat *c)
{
	struct compat_task task = { (uint32_t)compat_arg(c, 0), true };

	push(c, ctf_chans.task);
	put_top(c);
	if (c->thread != NULL)
		VEC_PUSH(&c->thread->tasks, c->arena, task);
	put_task(c, true);
}

/* The row that gave a task away, and the time. */
struct assigned {
	int64_t time;
	uint32_t row;
};

static void
assign(struct compat *c)
{
	uint64_t *at =
		map_put(&c->stream->rank->assigned, (uint64_t)compat_arg(c, 0));

	if (c->pool.arena == NULL)
		pool_init(&c->pool, c->arena, sizeof(struct assigned));
	if (*at == 0)
		*at = (uint64_t)(uintptr_t)pool_get(&c->pool);
	*(struct assigned *)(uintptr_t)*at =
		(struct assigned){ c->time, c->row };
}

/* Forgets a task that cannot run again; keeps tasks in which several threads
 * take part. */
static void
forget(struct compat *c, uint32_t task)
{
	struct compat_rank *rank = c->stream->rank;
	const uint64_t *type = map_get(&rank->types, task);
	const uint64_t *by = map_get(&rank->assigned, task);

	if (type != NULL && map_get(&rank->many, *type) != NULL)
		return;
	if (by != NULL)
		pool_put(&c->pool, (void *)(uintptr_t)*by);
	map_remove(&rank->assigned, task);
	map_remove(&rank->types, task);
}

static void
end(struct compat *c)
{
	pop(c);
	put_top(c);
	put_task(c, false);
	if (top_task(c->thread) == NULL)
		return;
	forget(c, top_task(c->thread)->id);
	c->thread->tasks.n--;
}

static void
block(struct compat *c, bool running)
{
	struct compat_task *task = top_task(c->thread);

	if (is_fast(c))
		put(c, ctf_chans.task_code, running ? 3 : 0);
	put_task(c, running);
	if (task != NULL)
		task->running = running;
}

static void
client(struct compat *c)
{
	uint64_t *at =
		map_get(&c->stream->rank->assigned, (uint64_t)compat_arg(c, 1));
	const struct assigned *by;

	if (at == NULL || compat_arg(c, 1) == 0 || is_fast(c))
		return;
	by = (const struct assigned *)(uintptr_t)*at;
	sink_link(c->sink,
		&(struct link){ by->time, c->time, by->row, c->row, 1, 1, 0 });
}

static void
label(struct compat *c)
{
	const struct event_class *k =
		&c->source->trace.classes.at[c->event->class];
	uint32_t type = (uint32_t)compat_arg(c, 0);
	int at = trace_class_field(k, "label");

	if (at >= 0 && k->field[at].type == FIELD_STR)
		sink_label(c->sink, (uint32_t)ctf_chans.label, type,
			c->event->value[at].s, MEANS_TASK);
	at = trace_class_field(k, "source");
	if (at >= 0 && k->field[at].type == FIELD_STR)
		sink_label(c->sink, (uint32_t)ctf_chans.source, type,
			c->event->value[at].s, MEANS_TASK);
}

static void
debug(struct compat *c)
{
	enum compat_verb verb = c->class->verb;

	if (is_fast(c) || verb < VERB_DEBUG_ENTER)
		return;
	if (verb != VERB_DEBUG_ENTER)
		pop(c);
	if (verb != VERB_DEBUG_EXIT)
		push(c, ctf_chans.debug + compat_arg(c, 0));
	put_top(c);
}

static void
do_thread_verb(struct compat *c)
{
	enum compat_verb verb = c->class->verb;
	bool external = verb >= VERB_EXTERNAL_CREATE;

	if (external && c->thread == NULL)
		return; /* present only in streams of external threads */
	switch (verb) {
	case VERB_CREATE:
	case VERB_EXTERNAL_CREATE:
		create(c, external ? c->thread : named(c), external);
		break;
	case VERB_RESUME:
	case VERB_EXTERNAL_RESUME:
		resume(c, external);
		break;
	case VERB_SUSPEND:
	case VERB_EXTERNAL_SUSPEND:
		leave(c, external, false);
		break;
	default:
		leave(c, external, true);
		break;
	}
}

static void
do_verb(struct compat *c)
{
	switch (c->class->verb) {
	case VERB_NONE:
		break;
	case VERB_LABEL:
	case VERB_SOURCE:
		label(c);
		break;
	case VERB_TASK_CREATE:
		*map_put(&c->stream->rank->types, (uint64_t)compat_arg(c, 0)) =
			(uint64_t)compat_arg(c, 1);
		break;
	case VERB_TASK_FOR:
		*map_put(&c->stream->rank->many, (uint64_t)compat_arg(c, 0)) =
			1;
		break;
	case VERB_START:
		start(c);
		break;
	case VERB_BLOCK:
	case VERB_UNBLOCK:
		block(c, c->class->verb == VERB_UNBLOCK);
		break;
	case VERB_END:
		end(c);
		break;
	case VERB_CLIENT:
		client(c);
		break;
	case VERB_ASSIGN:
		assign(c);
		break;
	case VERB_KERNEL:
		compat_kernel_event(c);
		break;
	default:
		if (c->class->verb < VERB_LABEL)
			do_thread_verb(c);
		else
			debug(c);
		break;
	}
}

/* Writes the initial counts, as the Python converter does before the first
 * event: in the row of CPU 0, or without such a CPU in an unlisted row. */
static void
begin(struct compat *c)
{
	struct compat_rank *rank = c->stream->rank;
	uint32_t row = c->row;

	if (rank->begun || is_fast(c))
		return;
	rank->begun = true;
	c->row = ROW_NONE;
	for (int i = 0; i < rank->cpus.n; i++)
		if (rank->cpus.at[i] == 0)
			c->row = rank->first_row + (uint32_t)i;
	if (c->row == ROW_NONE)
		c->row = compat_add_row(c, ROW_NONE, "");
	for (int j = 0; j < model_nanos6_ctf.nchans; j++)
		if (model_nanos6_ctf.chans[j].of == CHAN_OF_PROCESS &&
			j != ctf_chans.ready)
			compat_put(c, c->time - 1, (uint32_t)j, 0);
	c->row = row;
}

static void
take(struct compat *c, const struct event *ev)
{
	if (!compat_place(c, ev))
		return;
	begin(c);
	for (const struct binding *b = c->class->bound; b != NULL; b = b->next)
		do_binding(c, b);
	do_verb(c);
	if (c->class->ncounters > 0)
		put_counters(c);
}

bool
compat_run(struct arena *a, struct source *source, struct sink *sink,
	const struct compat_options *options, struct compat_result *result,
	struct err *err)
{
	struct compat c = { .arena = a,
		.source = source,
		.sink = sink,
		.kind = options->kind };
	int64_t first = 0;
	struct event ev;
	bool ok = compat_open(&c, err);

	while (ok && source_next(source, &ev) == SOURCE_EVENT &&
		(options->stop == NULL || !*options->stop)) {
		if (result->events++ == 0)
			first = ev.time;
		result->duration = ev.time - first;
		result->inside += result->duration >= options->from &&
			result->duration < options->to;
		take(&c, &ev);
	}
	for (int i = 0; i < c.ranks.n; i++)
		result->threads += (int)c.ranks.at[i]->nthreads;
	result->processes = c.ranks.n;
	compat_close(&c);
	return ok;
}
