/* SPDX-License-Identifier: MIT */
/*
 * Dependencies among siblings. For each address the parent keeps the last task
 * that writes it and the tasks that read what this task writes. A reader runs
 * after the writer; the next writer runs after these readers. Tasks that have
 * ended are in no list.
 */
#include "events.h"

int
deps_count(const struct mt_access *accesses)
{
	int n = 0;

	while (accesses && accesses[n].mode)
		n++;
	return n;
}

static struct datum *
find_place(struct mt_task *parent, const void *address)
{
	uintptr_t hash = (uintptr_t)address * 0x9e3779b97f4a7c15u >> 56;
	struct datum *place;

	if (!parent->children)
		parent->children = mem_get(PLACES * sizeof(struct datum *));
	for (place = parent->children[hash]; place; place = place->next)
		if (place->address == address)
			return place;
	place = mem_get(sizeof(*place));
	place->address = address;
	place->next = parent->children[hash];
	parent->children[hash] = place;
	return place;
}

static void
comes_after(struct mt_task *task, struct mt_task *before)
{
	if (!before || before == task)
		return;
	list_add(&before->after, task);
	task->nbefore++;
}

static void
add_access(struct mt_task *task, struct datum *place, enum mt_mode mode)
{
	comes_after(task, place->writer);
	if (mode == MT_IN) {
		list_add(&place->readers, task);
		return;
	}
	for (int i = 0; i < place->readers.n; i++)
		comes_after(task, place->readers.at[i]);
	place->readers.n = 0;
	place->writer = task;
}

void
deps_register(struct mt_task *task, const struct mt_access *accesses)
{
	ev_register_begin();
	pthread_mutex_lock(&task->parent->lock);
	for (int i = 0; i < task->nplaces; i++) {
		task->place[i] = find_place(task->parent, accesses[i].address);
		add_access(task, task->place[i], accesses[i].mode);
	}
	pthread_mutex_unlock(&task->parent->lock);
	ev_register_end();
}

static void
leave_place(struct mt_task *task, struct datum *place)
{
	struct task_list *readers = &place->readers;

	if (place->writer == task)
		place->writer = NULL;
	for (int i = 0; i < readers->n; i++)
		if (readers->at[i] == task)
			readers->at[i--] = readers->at[--readers->n];
}

void
deps_unregister(struct mt_task *task)
{
	struct queue ready = { 0 };

	ev_unregister_begin();
	pthread_mutex_lock(&task->parent->lock);
	for (int i = 0; i < task->nplaces; i++)
		leave_place(task, task->place[i]);
	for (int i = 0; i < task->after.n; i++)
		if (--task->after.at[i]->nbefore == 0)
			queue_add(&ready, &task->after.at[i]->work);
	pthread_mutex_unlock(&task->parent->lock);
	ev_unregister_end();
	sched_add(ready);
}

void
deps_free(struct mt_task *parent)
{
	if (!parent->children)
		return;
	for (int i = 0; i < PLACES; i++)
		while (parent->children[i]) {
			struct datum *place = parent->children[i];

			parent->children[i] = place->next;
			mem_put(place->readers.at);
			mem_put(place);
		}
	mem_put(parent->children);
}
