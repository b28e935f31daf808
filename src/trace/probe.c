/* SPDX-License-Identifier: MIT */
#include "trace/probe.h"

#include <math.h>
#include <sched.h>

#include "base/bug.h"
#include "base/now.h"
#include "base/team.h"

/* The answer to a request, which has as many bytes. */
struct answer {
	int64_t received, sent;
};

/* Returns the earlier middle of two times. */
static int64_t
middle(int64_t from, int64_t to)
{
	return from + (to - from) / 2;
}

static struct probe
round_trip(struct team *t, int reference)
{
	struct answer a = { 0 };
	int64_t begin = now_ns(), end;

	team_send(t, reference, &a, sizeof a);
	team_receive(t, reference, &a, sizeof a);
	end = now_ns();
	return (struct probe){ .reference = middle(a.received, a.sent),
		.local = middle(begin, end),
		.delay = (end - begin) - (a.sent - a.received) };
}

/*
 * Binds the thread to the first or to the last CPU that it may run on, and
 * returns those in `all`. Two processes on one CPU would measure the scheduler:
 * each waits until the other leaves the CPU, 100 us instead of 1.
 */
static bool
bind_to_one(cpu_set_t *all, bool is_first)
{
	cpu_set_t one;
	size_t cpu = is_first ? 0 : CPU_SETSIZE - 1;

	if (sched_getaffinity(0, sizeof *all, all) != 0 || CPU_COUNT(all) < 2)
		return false;
	while (!CPU_ISSET(cpu, all))
		cpu = is_first ? cpu + 1 : cpu - 1;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	return sched_setaffinity(0, sizeof one, &one) == 0;
}

void
probe_burst(struct team *t, int reference, int warm, struct probe *p, int n)
{
	cpu_set_t all;
	bool is_bound = bind_to_one(&all, false);

	for (int i = 0; i < warm; i++)
		round_trip(t, reference);
	for (int i = 0; i < n; i++)
		p[i] = round_trip(t, reference);
	if (is_bound)
		sched_setaffinity(0, sizeof all, &all);
}

void
probe_answer(struct team *t, int rank, int warm, int n)
{
	cpu_set_t all;
	bool is_bound = bind_to_one(&all, true);

	for (int64_t i = 0; i < (int64_t)warm + n; i++) {
		struct answer a;

		team_receive(t, rank, &a, sizeof a);
		a.received = now_ns();
		a.sent = now_ns();
		team_send(t, rank, &a, sizeof a);
	}
	if (is_bound)
		sched_setaffinity(0, sizeof all, &all);
}

struct probe_summary
probe_summarize(const struct probe *p, int n)
{
	const struct probe *best = p;
	struct probe_summary s;
	double sum = 0, squares = 0, mean;

	BUG_ON(n < 1);
	for (int i = 1; i < n; i++)
		if (p[i].delay < best->delay)
			best = &p[i];
	s.offset = probe_offset(best);
	s.delay = best->delay;
	/* Offsets are as large as the time since boot, of which a double drops
	 * the last digits: sum up their distances from the best. */
	for (int i = 0; i < n; i++)
		sum += (double)(probe_offset(&p[i]) - s.offset);
	mean = sum / n;
	for (int i = 0; i < n; i++) {
		double d = (double)(probe_offset(&p[i]) - s.offset) - mean;

		squares += d * d;
	}
	s.mean = (double)s.offset + mean;
	s.deviation = n > 1 ? sqrt(squares / (n - 1)) : 0;
	return s;
}
