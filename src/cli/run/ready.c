/* SPDX-License-Identifier: MIT */
#include "cli/run/ready.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/now.h"
#include "cli/run/proc_tree.h"
#include "perf/smallfile.h"

enum {
	WAIT_MOST_MS = 50, /* while no thread runs, and of an old program */
	AGE_SHARE = 50,    /* a pause beyond the least one lasts at most 1/50 of
	                    * the time since the program began */
	SHARE = 30,        /* a round may take 1/30 of the time */
	FDS_MAX = 500,     /* files that stay open */
	CHILDREN_EACH = 5, /* rounds between two searches for children */
	SAMPLES_MAX = 4 << 20,
	NS_PER_MS = 1000000,
	PROCESSES_MAX = 4096,
};

void
ready_open(struct ready *r, int pid, int least_ms, bool may_grow)
{
	*r = (struct ready){ .step = 1,
		.least_ms = least_ms,
		.wait_ms = least_ms,
		.may_grow = may_grow,
		.begin = now_ns() };
	VEC_PUSH(&r->processes, &r->arena, pid);
}

/* Keeps every second sample of all threads, and takes half as many from now
 * on. */
static void
thin_out(struct ready *r)
{
	r->total = 0;
	r->step *= 2;
	for (int i = 0; i < r->threads.n; i++) {
		struct ready_thread *th = &r->threads.at[i];
		int to = 0;

		/* the newest one stays */
		for (int j = (th->n - 1) % 2; j >= 0 && j < th->n; j += 2)
			th->sample[to++] = th->sample[j];
		th->n = to;
		r->total += to;
	}
}

/* Returns false if the thread has done nothing since the last sample. */
static bool
add(struct ready *r, struct ready_thread *th, const struct ready_sample *s)
{
	const struct ready_sample *last =
		th->n == 0 ? NULL : &th->sample[th->n - 1];

	if (last != NULL && last->ran == s->ran && last->waited == s->waited)
		return false;
	if (th->n == th->cap) {
		th->cap = th->cap == 0 ? 16 : 2 * th->cap;
		th->sample = mem_resize(
			th->sample, (size_t)th->cap, sizeof *th->sample);
	}
	th->sample[th->n++] = *s;
	if (++r->total > SAMPLES_MAX)
		thin_out(r);
	return true;
}

static struct ready_thread *
find_or_add(struct ready *r, int pid, int tid)
{
	uint64_t key = ready_key((uint64_t)pid, (uint64_t)tid);
	uint64_t *at = map_put(&r->index, key);
	struct ready_thread *th;

	if (*at != 0)
		return &r->threads.at[*at - 1];
	th = VEC_ADD(&r->threads, &r->arena);
	*at = (uint64_t)r->threads.n;
	th->key = key;
	th->pid = pid;
	th->tid = tid;
	th->fd = -1;
	if (r->nfds < FDS_MAX) {
		th->fd = proc_times_open(pid, tid);
		r->nfds += th->fd >= 0;
	}
	return th;
}

/* Reads the thread's name, which it may change: after 1, 2, 4, 8... samples. */
static void
read_name(struct ready_thread *th)
{
	char path[64];

	if ((th->n & (th->n - 1)) != 0)
		return;
	snprintf(path, sizeof path, "/proc/%d/task/%d/comm", th->pid, th->tid);
	if (smallfile_read(path, th->name, sizeof th->name))
		th->name[strcspn(th->name, "\n")] = '\0';
}

static void
close_file(struct ready *r, struct ready_thread *th)
{
	if (th->fd < 0)
		return;
	close(th->fd);
	th->fd = -1;
	r->nfds--;
}

/* A thread that is stopped runs for a moment before and after that, so it is
 * enough to look once when it ceases to run. */
static void
look_for_stop(struct ready *r, struct ready_thread *th)
{
	if (!th->is_still) {
		th->is_still = true;
		th->is_stopped = proc_is_stopped(th->pid, th->tid);
		if (th->is_stopped)
			VEC_PUSH(&th->stop, &r->arena,
				((struct ready_stop){ th->looked, 0 }));
	}
	if (th->is_stopped)
		th->stop.at[th->stop.n - 1].last = th->looked;
}

static void
take_sample(struct ready *r, int pid, int tid)
{
	struct ready_thread *th = find_or_add(r, pid, tid);
	struct ready_sample s = { .time = now_ns() };
	struct proc_times times;

	th->seen = r->round;
	if (!proc_times_read(th->fd, pid, tid, &times)) {
		close_file(r, th);
		return;
	}
	s.ran = times.ran;
	s.waited = times.waited;
	th->looked = s.time;
	if (add(r, th, &s)) {
		th->is_still = false;
		read_name(th);
	} else
		look_for_stop(r, th);
}

static void
add_process(void *arg, int pid)
{
	struct ready *r = arg;

	for (int i = 0; i < r->processes.n; i++)
		if (r->processes.at[i] == pid)
			return;
	if (r->processes.n < PROCESSES_MAX)
		VEC_PUSH(&r->processes, &r->arena, pid);
}

struct round {
	struct ready *ready;
	bool seeks; /* children */
};

static void
look_at_thread(void *arg, int pid, int tid)
{
	const struct round *now = arg;

	take_sample(now->ready, pid, tid);
	if (now->seeks)
		proc_each_child(pid, tid, add_process, now->ready);
}

/* Returns the pause of a program whose threads run. */
static int
pause_ms(const struct ready *r, int64_t now)
{
	int64_t share = (now - r->begin) / NS_PER_MS / AGE_SHARE;

	if (!r->may_grow || share < r->least_ms)
		return r->least_ms;
	return share < WAIT_MOST_MS ? (int)share : WAIT_MOST_MS;
}

int
ready_look(struct ready *r)
{
	int64_t begin = now_ns(), took, before = r->total;
	struct round now = { .ready = r };

	r->round++;
	if (r->round % (uint32_t)r->step != 0)
		return r->wait_ms;
	now.seeks = r->round / (uint32_t)r->step % CHILDREN_EACH == 1;
	/* the list grows behind i */
	for (int i = 0; i < r->processes.n; i++)
		if (!proc_each_thread(r->processes.at[i], look_at_thread, &now))
			r->processes.at[i--] =
				r->processes.at[--r->processes.n];
	for (int i = 0; i < r->threads.n && r->nfds == FDS_MAX; i++)
		if (r->threads.at[i].seen != r->round)
			close_file(r, &r->threads.at[i]);
	took = (now_ns() - begin) / NS_PER_MS * SHARE;
	r->wait_ms = r->total != before ? pause_ms(r, begin) : 2 * r->wait_ms;
	if (r->wait_ms > WAIT_MOST_MS)
		r->wait_ms = WAIT_MOST_MS;
	return took > r->wait_ms ? (int)took : r->wait_ms;
}

void
ready_finish(struct ready *r)
{
	for (int i = 0; i < r->threads.n; i++) {
		struct ready_thread *th = &r->threads.at[i];
		struct ready_sample s;

		if (th->n == 0)
			continue;
		s = th->sample[th->n - 1];
		s.waited += (uint64_t)(th->looked - s.time);
		s.time = th->looked;
		add(r, th, &s);
	}
}

const struct ready_thread *
ready_find(const struct ready *r, uint64_t key)
{
	const uint64_t *at = map_get(&r->index, key);

	return at == NULL || r->threads.at[*at - 1].n == 0
		? NULL
		: &r->threads.at[*at - 1];
}

bool
ready_was_stopped(const struct ready_thread *th, int64_t from, int64_t to)
{
	int low = 0, high = th == NULL ? 0 : th->stop.n;

	/* the first stop that lasts until `from` */
	while (low < high) {
		int middle = low + (high - low) / 2;

		if (th->stop.at[middle].last < from)
			low = middle + 1;
		else
			high = middle;
	}
	return th != NULL && low < th->stop.n && th->stop.at[low].first < to;
}

void
ready_close(struct ready *r)
{
	for (int i = 0; i < r->threads.n; i++) {
		close_file(r, &r->threads.at[i]);
		mem_free(r->threads.at[i].sample);
	}
	map_fini(&r->index);
	arena_fini(&r->arena);
}
