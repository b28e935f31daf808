/* SPDX-License-Identifier: MIT */
/* Mutexes of tasks: a task that waits leaves its CPU to others. */
#include "events.h"

void
mt_lock(struct mt_mutex *mutex)
{
	struct mt_task *task = mt_me->task;
	bool is_ours;

	count(LOCKS);
	ev_lock_begin();
	pthread_mutex_lock(&mutex->lock);
	is_ours = !mutex->owner;
	if (is_ours) {
		mutex->owner = task;
	} else {
		task->later = NULL;
		*(mutex->first ? &mutex->last->later : &mutex->first) = task;
		mutex->last = task;
	}
	pthread_mutex_unlock(&mutex->lock);
	if (!is_ours)
		task_suspend(task);
	ev_lock_end();
}

/* Gives the mutex to the first task that waits. */
void
mt_unlock(struct mt_mutex *mutex)
{
	struct mt_task *next;

	ev_unlock_begin();
	pthread_mutex_lock(&mutex->lock);
	next = mutex->first;
	mutex->owner = next;
	if (next)
		mutex->first = next->later;
	pthread_mutex_unlock(&mutex->lock);
	if (next)
		sched_add_one(&next->work);
	ev_unlock_end();
}
