/* SPDX-License-Identifier: MIT */
/* A task's life: created, submitted, run, suspended and resumed, ended. */
#include <string.h>

#include "events.h"

static atomic_uint last_id;
static pthread_mutex_t type_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t last_type;

static uint32_t
type_id(struct mt_type *type)
{
	uint32_t id = __atomic_load_n(&type->id, __ATOMIC_ACQUIRE);

	if (id != 0)
		return id;
	pthread_mutex_lock(&type_lock);
	if (type->id == 0) {
		ev_type_create(type, ++last_type);
		__atomic_store_n(&type->id, last_type, __ATOMIC_RELEASE);
		count(TYPES);
	}
	pthread_mutex_unlock(&type_lock);
	return type->id;
}

/* One block of memory: the task, its list of addresses, its argument. */
struct mt_task *
task_create(struct mt_type *type, const void *arg, int nplaces)
{
	size_t places = (size_t)nplaces * sizeof(struct datum *);
	size_t begin = (sizeof(struct mt_task) + places + 15) / 16 * 16;
	uint32_t kind = type_id(type), id = atomic_fetch_add(&last_id, 1) + 1;
	struct mt_task *task;

	ev_create_begin(kind, id);
	task = mem_get(begin + type->arg_size);
	task->work.task = task;
	task->type = type;
	task->id = id;
	task->parent = mt_me ? mt_me->task : NULL;
	task->place = (struct datum **)(task + 1);
	task->nplaces = nplaces;
	task->nbefore = 1;
	task->arg = (char *)task + begin;
	if (type->arg_size > 0 && arg)
		memcpy(task->arg, arg, type->arg_size);
	pthread_mutex_init(&task->lock, NULL);
	count(TASKS);
	ev_create_end(kind, id);
	return task;
}

static void
add_child(struct mt_task *parent)
{
	pthread_mutex_lock(&parent->lock);
	parent->nchildren++;
	pthread_mutex_unlock(&parent->lock);
}

void
task_submit(struct mt_task *task, const struct mt_access *accesses)
{
	bool is_ready = true;

	ev_submit_begin();
	if (task->parent) {
		add_child(task->parent);
		if (task->nplaces > 0)
			deps_register(task, accesses);
		pthread_mutex_lock(&task->parent->lock);
		is_ready = --task->nbefore == 0;
		pthread_mutex_unlock(&task->parent->lock);
	}
	if (is_ready)
		sched_add_one(&task->work);
	ev_submit_end();
}

void
mt_spawn(
	struct mt_type *type, const void *arg, const struct mt_access *accesses)
{
	task_submit(task_create(type, arg, deps_count(accesses)), accesses);
}

void
mt_inline(struct mt_type *type, const void *arg)
{
	struct mt_task *task = task_create(type, arg, 0);

	add_child(task->parent);
	ev_submit_begin();
	ev_submit_end();
	ev_cover();
	task_run(task);
	ev_uncover();
}

void
task_child_ends(struct mt_task *parent)
{
	bool resumes;

	pthread_mutex_lock(&parent->lock);
	resumes = --parent->nchildren == 0 && parent->waits;
	if (resumes)
		parent->waits = false;
	pthread_mutex_unlock(&parent->lock);
	if (resumes)
		sched_add_one(&parent->work);
}

static void
end(struct mt_task *task)
{
	if (task->nplaces > 0)
		deps_unregister(task);
	if (task->parent)
		task_child_ends(task->parent);
	if (task->done)
		task->done(task->done_arg);
	if (!task->parent)
		outside_end();
	deps_free(task);
	pthread_mutex_destroy(&task->lock);
	mem_put(task->after.at);
	mem_put(task->help);
	mem_put(task);
}

void
task_run(struct mt_task *task)
{
	struct worker *me = mt_me;

	task->worker = me;
	task->below = me->task;
	me->task = task;
	count(EXECUTED);
	count_most(NESTING, ++me->depth);
	ev_handle_begin();
	ev_task_begin(task);
	if (task->type->range)
		for_run(task);
	else
		task->type->run(task->arg);
	ev_body_end(task);
	mt_taskwait();
	ev_task_end(task);
	count(ENDED);
	me->depth--;
	me->task = task->below;
	end(task);
	ev_handle_end();
}

/* From here on another CPU may find the task ready and wake this thread, even
 * before this thread sleeps. */
void
task_suspend(struct mt_task *task)
{
	count(PAUSES);
	ev_task_pause(task);
	worker_yield();
	ev_task_resume(task);
}

void
mt_taskwait(void)
{
	struct mt_task *task = mt_me->task;

	pthread_mutex_lock(&task->lock);
	task->waits = task->nchildren > 0;
	if (!task->waits) {
		pthread_mutex_unlock(&task->lock);
		return;
	}
	pthread_mutex_unlock(&task->lock);
	count(TASKWAITS);
	ev_taskwait_begin();
	task_suspend(task);
	ev_taskwait_end();
}

struct mt_task *
mt_self(void)
{
	return mt_me->task;
}

void
mt_block(void)
{
	struct mt_task *task = mt_me->task;

	count(BLOCKS);
	ev_block_begin();
	pthread_mutex_lock(&task->lock);
	task->blocks = task->unblocks == 0;
	if (task->blocks) {
		pthread_mutex_unlock(&task->lock);
		task_suspend(task);
	} else {
		task->unblocks--;
		pthread_mutex_unlock(&task->lock);
	}
	ev_block_end();
}

void
mt_unblock(struct mt_task *task)
{
	bool resumes;

	count(UNBLOCKS);
	ev_unblock_begin();
	pthread_mutex_lock(&task->lock);
	resumes = task->blocks;
	task->blocks = false;
	task->unblocks += !resumes;
	pthread_mutex_unlock(&task->lock);
	if (resumes)
		sched_add_one(&task->work);
	ev_unblock_end();
}

void
mt_wait_for(uint64_t ns)
{
	struct mt_task *task = mt_me->task;

	count(DEADLINES);
	ev_wait_for_begin();
	task->deadline = now_ns() + ns;
	leader_add(task);
	task_suspend(task);
	ev_wait_for_end();
}
