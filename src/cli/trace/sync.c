/* SPDX-License-Identifier: MIT */
#include "cli/trace/sync.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "perf/boot_id.h"
#include "trace/probe.h"

enum { TRIPS = 32, WARM = 8 };

static void
describe(struct sync_machine *m, int rank)
{
	memset(m, 0, sizeof *m);
	m->rank = rank;
	if (gethostname(m->host, sizeof m->host - 1) != 0 || m->host[0] == '\0')
		strcpy(m->host, "node");
	boot_id_read(m->boot, sizeof m->boot);
}

static bool
is_same(const struct sync_machine *a, const struct sync_machine *b)
{
	return a->boot[0] != '\0' || b->boot[0] != '\0'
		? strcmp(a->boot, b->boot) == 0
		: strcmp(a->host, b->host) == 0;
}

void
sync_find(struct sync *s, struct arena *a, struct team *t)
{
	size_t n = (size_t)t->size;
	struct sync_machine mine;
	struct sync_machine *all = ARENA_ARRAY(a, struct sync_machine, n);
	size_t *size = ARENA_ARRAY(a, size_t, n);
	size_t *at = ARENA_ARRAY(a, size_t, n);

	*s = (struct sync){ .arena = a, .team = t, .own = -1 };
	for (size_t i = 0; i < n; i++) {
		size[i] = sizeof mine;
		at[i] = i * sizeof mine;
	}
	describe(&mine, t->rank);
	all[t->rank] = mine;
	if (t->size > 1)
		team_allgatherv(
			t, &mine, &(struct team_parts){ all, size, at });
	for (size_t i = 0; i < n; i++) {
		int known = 0;

		while (known < s->machines.n &&
			!is_same(&s->machines.at[known], &all[i]))
			known++;
		if (known < s->machines.n)
			continue;
		if ((int)i == t->rank)
			s->own = s->machines.n;
		VEC_PUSH(&s->machines, a, all[i]);
	}
}

/* Returns the machine that another one probes. */
static int
reference_of(const struct sync *s, int machine)
{
	int group = s->machines.n > SYNC_STAR
		? (int)ceil(sqrt((double)s->machines.n))
		: s->machines.n;

	return machine % group == 0 ? 0 : machine - machine % group;
}

static struct align_probe
measure(struct sync *s, int reference)
{
	struct probe p[TRIPS], *best = p;

	probe_burst(s->team, s->machines.at[reference].rank, WARM, p, TRIPS);
	for (int i = 1; i < TRIPS; i++)
		if (p[i].delay < best->delay)
			best = &p[i];
	return (struct align_probe){ s->own, reference, best->local,
		probe_offset(best), best->delay };
}

/* Makes the bursts of the machines that probe `reference`. */
static void
serve(struct sync *s, int reference, struct align_probe *mine)
{
	for (int i = 1; i < s->machines.n; i++) {
		if (reference_of(s, i) != reference)
			continue;
		if (s->own == i)
			*mine = measure(s, reference);
		else if (s->own == reference)
			probe_answer(
				s->team, s->machines.at[i].rank, WARM, TRIPS);
	}
}

/* Rank 0 is the process of the first machine that works. */
static void
collect(struct sync *s, const struct align_probe *mine, struct align *probes)
{
	struct align_probe p;

	if (s->own > 0)
		team_send(s->team, 0, mine, sizeof *mine);
	for (int i = 1; s->own == 0 && i < s->machines.n; i++) {
		team_receive(s->team, s->machines.at[i].rank, &p, sizeof p);
		align_probe(probes, &p);
	}
}

void
sync_round(struct sync *s, struct align *probes)
{
	struct align_probe mine = { 0 };

	serve(s, 0, &mine);
	team_barrier(s->team);
	for (int i = 1; i < s->machines.n; i++)
		if (reference_of(s, i) == 0)
			serve(s, i, &mine);
	collect(s, &mine, probes);
	team_barrier(s->team);
}
