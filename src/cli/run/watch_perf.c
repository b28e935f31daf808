/* SPDX-License-Identifier: MIT */
#include "cli/run/watch_perf.h"

#include <stdlib.h>

#include "base/now.h"
#include "cli/run/watch.h"

/* The longest delay until a record is in its perf ring. */
#define LATE_NS 1000000

enum { BATCH = 256, WAIT_LEAST_MS = 1, WAIT_MOST_MS = 64 };

bool
watch_perf_open(struct watch_perf *p, int pid)
{
	*p = (struct watch_perf){ .wait_ms = WAIT_LEAST_MS };
	return perf_switches_open(&p->switches, pid);
}

void
watch_perf_add_wakes(struct watch_perf *p, int pid)
{
	perf_switches_add_wakes(&p->switches, pid);
}

/* Appends new records to the list and returns their number. */
static size_t
take_one(struct watch_perf *p, int cpu)
{
	struct perf_switch batch[BATCH];
	size_t n, all = 0;

	while ((n = perf_switches_read(&p->switches, cpu, batch, BATCH)) > 0) {
		for (size_t j = 0; j < n; j++)
			VEC_PUSH(&p->list, &p->arena[p->current], batch[j]);
		all += n;
	}
	return all;
}

/* Halves the pause between two readings if a perf ring was a quarter full. */
static void
set_wait(struct watch_perf *p, size_t most)
{
	size_t room = p->switches.bytes / PERF_RECORD_BYTES;

	if (most > room / 4 && p->wait_ms > WAIT_LEAST_MS)
		p->wait_ms /= 2;
	else if (most < room / 16 && p->wait_ms < WAIT_MOST_MS)
		p->wait_ms *= 2;
}

/* Reads all perf rings; records kept from the previous call come first. The
 * arenas take turns, so that neither grows. */
static void
take_all(struct watch_perf *p)
{
	size_t most = 0;

	for (int i = 0; i < p->switches.n; i++) {
		size_t n = take_one(p, i);

		most = n > most ? n : most;
	}
	set_wait(p, most);
}

/* Orders by time; at equal times stops come before starts. */
static int
by_time(const void *pa, const void *pb)
{
	const struct perf_switch *a = pa, *b = pb;
	int order = (a->time > b->time) - (a->time < b->time);

	return order != 0 ? order : (b->kind > a->kind) - (b->kind < a->kind);
}

static void
tell(struct watch *w, const struct perf_switch *r, int64_t *last)
{
	switch (r->kind) {
	case PERF_IN:
	case PERF_EXEC:
		watch_runs(w, r->pid, r->tid, r->cpu, r->time);
		break;
	case PERF_OUT:
		if (r->by != 0)
			watch_preempted(w, r->pid, r->tid, r->time);
		else
			watch_stops(w, r->pid, r->tid, r->time);
		break;
	case PERF_WAKE:
		watch_woken(w, (int32_t)r->by, r->tid, r->time);
		break;
	case PERF_EXIT:
		watch_ends(w, r->pid, r->tid, r->time);
		break;
	case PERF_OURS:
		watch_is_ours(w, r->pid, r->tid);
		break;
	case PERF_LOST:
		watch_lost(w, *last > 0 ? *last : r->time, r->time, r->by);
		break;
	case PERF_FORK: /* a new thread begins when it first runs */
		break;
	}
	*last = r->time;
}

/* Keeps the rest for the next list. */
static void
keep(struct watch_perf *p, int from)
{
	const struct perf_switch *rest = p->list.at;
	int n = p->list.n;

	p->current = !p->current;
	arena_reset(&p->arena[p->current]);
	p->list.at = NULL;
	p->list.n = p->list.cap = 0;
	for (int i = from; i < n; i++)
		VEC_PUSH(&p->list, &p->arena[p->current], rest[i]);
}

void
watch_perf_read(struct watch_perf *p, struct watch *w, bool is_last)
{
	int64_t until = is_last ? INT64_MAX : now_ns() - LATE_NS;
	int i = 0;

	take_all(p);
	if (p->list.n > 0)
		qsort(p->list.at, (size_t)p->list.n, sizeof *p->list.at,
			by_time);
	for (; i < p->list.n && p->list.at[i].time < until; i++)
		tell(w, &p->list.at[i],
			&p->last[(uint32_t)p->list.at[i].cpu % PERF_CPUS_MAX]);
	keep(p, i);
}

void
watch_perf_close(struct watch_perf *p)
{
	perf_switches_close(&p->switches);
	arena_fini(&p->arena[0]);
	arena_fini(&p->arena[1]);
}
