/* SPDX-License-Identifier: MIT */
#include "cli/run/watch_proc.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"
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
read_ran(struct watch_task *task, const char *folder)
{
	char path[96], text[128];

	snprintf(path, sizeof path, "%s/schedstat", folder);
	task->before = task->ran;
	if (smallfile_read(path, text, sizeof text))
		task->ran = strtoull(text, NULL, 10);
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

static void look_at_process(struct watch_proc *p, int pid, int depth);

static void
look_at_children(struct watch_proc *p, const char *folder, int depth)
{
	char path[96], text[4096], *at = text, *end;

	snprintf(path, sizeof path, "%s/children", folder);
	if (depth == DEPTH_MAX || !smallfile_read(path, text, sizeof text))
		return;
	end = strrchr(text, ' '); /* the last number may be cut */
	text[end == NULL ? 0 : end - text] = '\0';
	for (long pid = strtol(at, &end, 10); end != at;
		pid = strtol(at, &end, 10)) {
		at = end;
		look_at_process(p, (int)pid, depth + 1);
	}
}

static void
look_at_thread(struct watch_proc *p, int pid, int tid, int depth)
{
	struct watch_task *task = find_or_add(p, pid, tid);
	char folder[64];

	snprintf(folder, sizeof folder, "/proc/%d/task/%d", pid, tid);
	task->is_here = read_stat(task, folder);
	if (!task->is_here)
		return;
	read_ran(task, folder);
	look_at_children(p, folder, depth);
}

static void
look_at_process(struct watch_proc *p, int pid, int depth)
{
	char path[64];
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	d = opendir(path);
	for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
		int tid = (int)strtol(e->d_name, NULL, 10);

		if (tid > 0)
			look_at_thread(p, pid, tid, depth);
	}
	if (d)
		closedir(d);
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
	look_at_process(p, p->pid, 0);
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
