/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "sim/hook.h"
#include "task/direct.h"
#include "task/tracer.h"

/* clang-format off */
const struct weft_sim_hook_pos
	weft_task_pos_start     = { "HookPosTaskStart", 1 << 14 },
	weft_task_pos_step      = { "HookPosTaskStep",  1 << 15 },
	weft_task_pos_tag       = { "HookPosTaskTag",   1 << 16 },
	weft_task_pos_milestone = { "HookPosMilestone", 1 << 17 },
	weft_task_pos_end       = { "HookPosTaskEnd",   1 << 18 };
/* clang-format on */

static const char req_in[] = "req_in", req_out[] = "req_out",
		  pipeline[] = "pipeline";

/* Returns "<domain>.req_in" or "<domain>.req_out", made once for each
 * domain. */
static const char *
of_request(struct weft_sim_domain *d, bool in)
{
	const char **at = &d->location[in];

	if (*at == NULL)
		*at = weft_sim_string(d->engine,
			arena_printf(sim_arena(d->engine), "%s.%s", d->name,
				in ? req_in : req_out));
	return *at;
}

static __attribute__((noinline)) const char *
derive_location(struct weft_sim_domain *d, const struct weft_task *task)
{
	const char *kind = task->kind;

	if (kind == NULL)
		return d->name;
	if (strcmp(kind, req_in) == 0 || strcmp(kind, req_out) == 0)
		return of_request(d, kind[4] == 'i');
	if (strcmp(kind, pipeline) == 0 && task->what != NULL)
		return task->what;
	return d->name;
}

/* Returns the location of a task, never NULL. A derived location has tasks of a
 * single kind, so that each row of a view shows a single kind. */
static inline const char *
location(struct weft_sim_domain *d, const struct weft_task *task)
{
	const char *kind = task->kind, *name = d->name;

	if (task->location != NULL && task->location[0] != '\0')
		return task->location;
	if (kind == req_in || kind == req_out)
		name = d->location[kind == req_in];
	else if (kind == NULL || kind[0] == 'r' || kind[0] == 'p')
		name = NULL;
	return name != NULL ? name : derive_location(d, task);
}

static bool
is_empty(const char *s)
{
	return s == NULL || s[0] == '\0';
}

/* Returns false after a fault if the task cannot start. */
static bool
may_start(const struct weft_sim_domain *d, const struct weft_task *task,
	uint64_t id)
{
	if (is_empty(task->kind) || is_empty(task->what)) {
		sim_fault(d->engine, WEFT_SIM_TASK,
			"%s: a task without kind or what", d->name);
		return false;
	}
	if (task->parent == id)
		sim_fault(d->engine, WEFT_SIM_TASK,
			"%s: task %llu is its own parent", d->name,
			(unsigned long long)id);
	return true;
}

/* Returns the only tracer that records the domain's tasks, which is then called
 * directly; NULL: call the hooks. */
static inline struct weft_tracer *
only_tracer(const struct weft_sim_domain *d)
{
	return sim_has_only_task_hook(d, tracer_call) ? sim_only_task_arg(d)
						      : NULL;
}

/* Starts a task of any kind. */
static __attribute__((noinline)) void
start(struct weft_sim_domain *d, const struct weft_task *task, uint64_t id)
{
	struct task_book *b;
	struct task_entry *entry, **slot;
	struct weft_tracer *tracer;

	sim_take_turn(d->engine);
	b = book_of(d->engine);
	if (!may_start(d, task, id))
		return;
	slot = book_slot(b, id);
	if (__builtin_expect(book_find_in(slot, id) != NULL, 0)) {
		sim_fault(d->engine, WEFT_SIM_TASK_OPEN,
			"%s: task %llu, %s-%s, starts, but is open already",
			d->name, (unsigned long long)id, task->kind,
			task->what);
		return;
	}
	entry = book_add(b, slot, d, task, location(d, task), id);
	tracer = only_tracer(d);
	if (__builtin_expect(tracer != NULL, 1))
		tracer_start(tracer, entry, entry->task.start);
	else
		weft_sim_hook_fire(
			d, &weft_task_pos_start, &entry->task, task->detail);
}

static __attribute__((noinline)) void
start_directly(
	struct weft_sim_domain *d, const struct weft_task *task, uint64_t id)
{
	struct direct x;

	sim_take_turn(d->engine);
	if (!direct_open(&x, d) ||
		direct_start(&x, d, task, location(d, task), id) == NULL)
		start(d, task, id);
}

void
weft_task_start_traced(
	struct weft_sim_domain *d, const struct weft_task *task, uint64_t id)
{
	if (direct_may(d))
		start_directly(d, task, id);
	else
		start(d, task, id);
}

static __attribute__((noinline, cold)) void
elsewhere(const struct weft_sim_domain *d, const struct weft_task *task,
	const char *call)
{
	sim_fault(d->engine, WEFT_SIM_ELSEWHERE,
		"%s: %s of task %llu, which %s started", d->name, call,
		(unsigned long long)task->id, task->domain->name);
}

/* Reports a fault, unless the component is not traced, or its tracing began
 * after the task may have started. */
static __attribute__((noinline, cold)) void
not_open(const struct weft_sim_domain *d, uint64_t id, const char *call)
{
	if (weft_task_traced(d) && !d->late)
		sim_fault(d->engine, WEFT_SIM_TASK_NONE,
			"%s: %s of task %llu, which is not open", d->name, call,
			(unsigned long long)id);
}

/*
 * Finds the open task with that id, of any component. Returns NULL if no such
 * task is open; reports a fault if that is an error of the caller. A task
 * belongs to the component in which it started: its hooks and tracers get all
 * events, whichever component makes the call.
 */
static inline __attribute__((always_inline)) struct task_entry *
find_open(struct weft_sim_domain *d, uint64_t id, const char *call)
{
	struct task_entry *entry;

	if (__builtin_expect((d->mask & WEFT_SIM_ON_TASK) == 0, 0) &&
		!book_may_have(d->engine, id))
		return NULL;
	sim_take_turn(d->engine);
	entry = book_find(book_of(d->engine), id);
	if (__builtin_expect(entry == NULL || entry->task.end >= 0, 0)) {
		not_open(d, id, call);
		return NULL;
	}
	if (__builtin_expect(entry->task.domain != d, 0))
		elsewhere(d, &entry->task, call);
	return entry;
}

static __attribute__((noinline)) void
put_tag(struct weft_sim_domain *d, uint64_t id, const char *what, bool step)
{
	struct task_entry *entry = find_open(d, id, step ? "step" : "tag");
	struct weft_tracer *tracer;

	if (entry == NULL)
		return;
	if (is_empty(what)) {
		sim_fault(d->engine, WEFT_SIM_TASK,
			"%s: a step or tag without a name", d->name);
		return;
	}
	tracer = only_tracer(entry->task.domain);
	if (__builtin_expect(tracer != NULL, 1))
		tracer_tag(tracer, entry, what, step, sim_core(d->engine)->now);
	else
		weft_sim_hook_fire(entry->task.domain,
			step ? &weft_task_pos_step : &weft_task_pos_tag,
			&entry->task, (void *)(uintptr_t)what);
}

static __attribute__((noinline)) void
tag_directly(
	struct weft_sim_domain *d, uint64_t id, const char *what, bool step)
{
	struct direct x;

	sim_take_turn(d->engine);
	if (!direct_open(&x, d) || !direct_tag(&x, d, id, what, step))
		put_tag(d, id, what, step);
}

void
weft_task_tag_traced(
	struct weft_sim_domain *d, uint64_t id, const char *what, bool step)
{
	if (direct_may(d))
		tag_directly(d, id, what, step);
	else
		put_tag(d, id, what, step);
}

static __attribute__((noinline)) void
put_milestone(
	struct weft_sim_domain *d, uint64_t id, const struct weft_milestone *m)
{
	struct task_entry *entry = find_open(d, id, "milestone");
	struct weft_milestone copy;
	struct weft_tracer *tracer;

	if (entry == NULL)
		return;
	if (is_empty(m->kind) || is_empty(m->what)) {
		sim_fault(d->engine, WEFT_SIM_TASK,
			"%s: a milestone without kind or what", d->name);
		return;
	}
	copy.time = sim_core(d->engine)->now;
	if (copy.time == entry->last_milestone)
		return;
	entry->last_milestone = copy.time;
	/* Copied member by member, in the sizes in which the members were
	 * stored: a wider load would have to wait for these stores. */
	copy.kind = m->kind;
	copy.what = m->what;
	copy.location = m->location;
	tracer = only_tracer(entry->task.domain);
	if (__builtin_expect(tracer != NULL, 1))
		tracer_milestone(tracer, entry, &copy, copy.time);
	else
		weft_sim_hook_fire(entry->task.domain, &weft_task_pos_milestone,
			&entry->task, &copy);
}

static __attribute__((noinline)) void
milestone_directly(
	struct weft_sim_domain *d, uint64_t id, const struct weft_milestone *m)
{
	struct direct x;
	struct task_entry **at;

	sim_take_turn(d->engine);
	if (!direct_open(&x, d) || (at = direct_find(&x, d, id)) == NULL ||
		!direct_milestone(&x, *at, m))
		put_milestone(d, id, m);
}

void
weft_task_milestone_traced(
	struct weft_sim_domain *d, uint64_t id, const struct weft_milestone *m)
{
	if (direct_may(d))
		milestone_directly(d, id, m);
	else
		put_milestone(d, id, m);
}

static __attribute__((noinline)) void
end(struct weft_sim_domain *d, uint64_t id)
{
	struct task_entry *entry = find_open(d, id, "end");
	struct weft_tracer *tracer;
	struct task_book *b;

	if (entry == NULL)
		return;
	b = book_of(d->engine);
	entry->task.end = sim_core(d->engine)->now;
	tracer = only_tracer(entry->task.domain);
	if (__builtin_expect(tracer != NULL, 1))
		tracer_end(tracer, entry, entry->task.end);
	else
		weft_sim_hook_fire(entry->task.domain, &weft_task_pos_end,
			&entry->task, entry->task.detail);
	book_remove(b, entry);
}

static __attribute__((noinline)) void
end_directly(struct weft_sim_domain *d, uint64_t id)
{
	struct direct x;

	sim_take_turn(d->engine);
	if (!direct_open(&x, d) || !direct_end(&x, d, id))
		end(d, id);
}

void
weft_task_end_traced(struct weft_sim_domain *d, uint64_t id)
{
	if (direct_may(d))
		end_directly(d, id);
	else
		end(d, id);
}

uint64_t
weft_task_id_at(const struct weft_sim_domain *d, const struct weft_sim_msg *msg)
{
	return task_id_at(d, msg);
}

static const char *
type_of(const struct weft_sim_msg *msg)
{
	return is_empty(msg->type) ? "message" : msg->type;
}

uint64_t
weft_task_req_initiate(
	struct weft_sim_domain *d, struct weft_sim_msg *msg, uint64_t parent)
{
	if (msg->id == 0)
		msg->id = weft_sim_id(d->engine);
	return weft_task_start(d,
		&(struct weft_task){ .id = msg->id,
			.parent = parent,
			.kind = req_out,
			.what = type_of(msg),
			.location = d->location[false],
			.detail = msg });
}

uint64_t
weft_task_req_receive(struct weft_sim_domain *d, struct weft_sim_msg *msg)
{
	return weft_task_start(d,
		&(struct weft_task){ .id = task_id_at(d, msg),
			.parent = msg->id,
			.kind = req_in,
			.what = type_of(msg),
			.location = d->location[true],
			.detail = msg });
}

void
weft_task_req_complete(
	struct weft_sim_domain *d, const struct weft_sim_msg *msg)
{
	weft_task_end(d, task_id_at(d, msg));
}

void
weft_task_req_finalize(
	struct weft_sim_domain *d, const struct weft_sim_msg *msg)
{
	weft_task_end(d, msg->id);
}
