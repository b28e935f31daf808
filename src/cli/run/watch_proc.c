/* SPDX-License-Identifier: MIT */
#include "cli/run/watch_proc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"
#include "cli/run/proc_tree.h"
#include "cli/run/watch.h"
#include "perf/smallfile.h"

enum { DEPTH_MAX = 64, FIELD_PROCESSOR = 39 };

void
watch_proc_open(struct watch_proc *p, const struct watch *w, int pid)
{
	*p = (struct watch_proc){ .pid = pid };
	p->busiest = ARENA_ARRAY(&p->arena, int64_t, w->ncpus);
}

/* Reads state and CPU. Returns false if the thread is gone. */
static bool
read_stat(struct watch_task *task, const char *folder)
{
	char path[96], text[1024];
	const char *at;

	snprintf(path, sizeof path, "%s/stat", folder);
	if (!smallfile_read(path, text, sizeof text))
		return false;
	/* The second field may contain any character between its
	 * parentheses. */
	at = strrchr(text, ')');
	if (at == NULL || at[1] != ' ' || strchr("ZXx", at[2]) != NULL)
		return false;
	task->is_runnable = at[2] == 'R';
	for (int i = 2; at != NULL && i < FIELD_PROCESSOR; i++)
		at = strchr(at + 1, ' ');
	if (at != NULL)
		task->cpu = (int32_t)strtol(at, NULL, 10);
	return true;
}

/* Reads the CPU time so far, if the kernel counts it. */
static void
read_ran(struct watch_task *task)
{
	struct proc_times times;

	task->before = task->ran;
	if (proc_times_read(-1, task->pid, task->tid, &times))
		task->ran = times.ran;
}

static struct watch_task *
find_or_add(struct watch_proc *p, int pid, int tid)
{
	uint64_t *at = map_put(
		&p->index, (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid);
	struct watch_task *task;

	if (*at != 0)
		return &p->tasks.at[*at - 1];
	task = VEC_ADD(&p->tasks, &p->arena);
	task->pid = pid;
	task->tid = tid;
	*at = (uint64_t)p->tasks.n;
	return task;
}

/* A process to look at. */
struct visit {
	struct watch_proc *watch;
	int depth;
};

static void look_at_process(void *arg, int pid);

static void
look_at_thread(void *arg, int pid, int tid)
{
	const struct visit *v = arg;
	struct watch_task *task = find_or_add(v->watch, pid, tid);
	struct visit below = { v->watch, v->depth + 1 };
	char folder[64];

	snprintf(folder, sizeof folder, "/proc/%d/task/%d", pid, tid);
	task->is_here = read_stat(task, folder);
	if (!task->is_here)
		return;
	read_ran(task);
	if (v->depth < DEPTH_MAX)
		proc_each_child(pid, tid, look_at_process, &below);
}

static void
look_at_process(void *arg, int pid)
{
	proc_each_thread(pid, look_at_thread, arg);
}

/* Of the runnable threads on a CPU, assumes that the one with the most CPU time
 * runs. */
static void
find_busiest(struct watch_proc *p, int ncpus)
{
	for (int i = 0; i < ncpus; i++)
		p->busiest[i] = -1;
	for (int i = 0; i < p->tasks.n; i++) {
		const struct watch_task *task = &p->tasks.at[i];
		int64_t *best;

		if (!task->is_here || !task->is_runnable || task->cpu < 0 ||
			task->cpu >= ncpus)
			continue;
		best = &p->busiest[task->cpu];
		if (*best < 0 ||
			task->ran - task->before > p->tasks.at[*best].ran -
					p->tasks.at[*best].before)
			*best = i;
	}
}

void
watch_proc_look(struct watch_proc *p, struct watch *w)
{
	int64_t now = now_ns();

	for (int i = 0; i < p->tasks.n; i++)
		p->tasks.at[i].is_here = false;
	look_at_process(&(struct visit){ .watch = p }, p->pid);
	find_busiest(p, w->ncpus);
	/* Threads that stop or leave their CPU come first, so that the CPU is
	 * free. */
	for (int i = 0; i < p->tasks.n; i++) {
		const struct watch_task *task = &p->tasks.at[i];

		if (!task->is_here)
			watch_ends(w, task->pid, task->tid, now);
		else if (!watch_is_on(w, task->pid, task->tid, task->cpu) ||
			p->busiest[task->cpu] != i)
			watch_stops(w, task->pid, task->tid, now);
	}
	for (int i = 0; i < w->ncpus; i++)
		if (p->busiest[i] >= 0) {
			const struct watch_task *task =
				&p->tasks.at[p->busiest[i]];

			watch_runs(w, task->pid, task->tid, i, now);
		}
}

void
watch_proc_close(struct watch_proc *p)
{
	map_fini(&p->index);
	arena_fini(&p->arena);
}
