/* SPDX-License-Identifier: MIT */
#include "trace/wall.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/wrap.h"
#include "trace/clock.h"
#include "trace/trace.h"

#define SNAPS_MAX \
	8192 /* per process: twice the number that our recorder \
	      * keeps */
#define SUSPENDED_MAX 1024
#define SLACK \
	1000 /* ns: readings of clocks that agree differ by less than \
	      * this */

void
wall_add_snap(struct trace *t, int process, const struct trace_snap *s)
{
	struct trace_process *p = &t->processes.at[process];
	int i = p->snaps.n;

	/* Snapshots are usually in order of time. */
	while (i > 0 && p->snaps.at[i - 1].monotonic > s->monotonic)
		i--;
	if (p->snaps.n == SNAPS_MAX ||
		(i > 0 && p->snaps.at[i - 1].monotonic == s->monotonic))
		return;
	VEC_PUSH(&p->snaps, t->arena, *s);
	memmove(&p->snaps.at[i + 1], &p->snaps.at[i],
		(size_t)(p->snaps.n - 1 - i) * sizeof *s);
	p->snaps.at[i] = *s;
}

void
wall_add_suspended(
	struct trace *t, int process, const struct trace_suspended *s)
{
	struct trace_process *p = &t->processes.at[process];

	for (int i = 0; i < p->suspended.n; i++)
		if (p->suspended.at[i].from == s->from)
			return;
	if (p->suspended.n == SUSPENDED_MAX)
		return;
	VEC_PUSH(&p->suspended, t->arena, *s);
}

void
wall_set_machine(struct trace *t, int node, const char *boot, int64_t timens)
{
	struct trace_node *n = &t->nodes.at[node];

	if (n->boot != NULL)
		return;
	n->boot = arena_strdup(t->arena, boot);
	n->timens = timens;
}

static bool
is_same_machine(const struct trace_node *a, const struct trace_node *b)
{
	return a->boot != NULL && b->boot != NULL &&
		strcmp(a->boot, b->boot) == 0;
}

bool
wall_is_one_machine(const struct trace *t)
{
	for (int i = 0; i < t->nodes.n; i++)
		if (!is_same_machine(&t->nodes.at[0], &t->nodes.at[i]))
			return false;
	return t->nodes.n > 0;
}

/* Aligns the clock of each node to that of the first node of the same boot,
 * whose offset does not change. */
void
wall_align(struct trace *t)
{
	for (int i = 0; i < t->nodes.n; i++) {
		struct trace_node *n = &t->nodes.at[i];
		int first = 0;

		while (first < i && !is_same_machine(&t->nodes.at[first], n))
			first++;
		n->clock_offset =
			wrap_minus(t->nodes.at[first].timens, n->timens);
	}
}

static int64_t
distance(const struct trace_snap *s)
{
	return wrap_minus(s->realtime, s->monotonic);
}

static const struct trace_process *
known_process(const struct trace *t, int process)
{
	const struct trace_process *p = &t->processes.at[process];

	for (int i = 0; p->snaps.n == 0 && i < t->processes.n; i++)
		if (t->processes.at[i].node == p->node &&
			t->processes.at[i].snaps.n > 0)
			return &t->processes.at[i];
	return p->snaps.n > 0 ? p : NULL;
}

int64_t
wall_time(const struct trace *t, int process, int64_t monotonic)
{
	const struct trace_process *p = known_process(t, process);
	int i = 0;

	if (p == NULL)
		return TRACE_UNKNOWN;
	while (i + 1 < p->snaps.n && p->snaps.at[i + 1].monotonic <= monotonic)
		i++;
	return wrap_plus(monotonic, distance(&p->snaps.at[i]));
}

/* Arguments common to the findings about a process. */
struct report {
	struct trace *trace;
	const struct trace_process *process;
	int64_t start; /* time of the first event */
};

static void
report(const struct report *r, struct finding f, int64_t from, int64_t to,
	const char *text)
{
	const struct trace_process *p = r->process;
	const struct trace_lost when = { .from = from, .to = to, .count = 1 };
	char words[TRACE_WHEN_MAX];

	f.file = p->file;
	f.offset = FINDING_NOWHERE;
	f.time = FINDING_NEVER;
	finding_add(r->trace->findings, f, "%s %s", text,
		trace_lost_when(&when,
			clock_local(&r->trace->nodes.at[p->node], r->start),
			words));
}

static void
report_step(const struct report *r, const struct trace_snap *a,
	const struct trace_snap *b)
{
	int64_t step = wrap_minus(distance(b), distance(a));
	int64_t width = a->width > b->width ? a->width : b->width;
	char text[96];

	if (width < 0 || width > INT64_MAX - SLACK ||
		(step <= width + SLACK && step >= -width - SLACK))
		return;
	snprintf(text, sizeof text, "the wall clock stepped by %.9g s",
		(double)step / 1e9);
	report(r,
		(struct finding){
			.severity = FINDING_NOTE, .key = "weft.clocks.snap" },
		a->monotonic, b->monotonic, text);
}

static void
report_suspended(const struct report *r, const struct trace_suspended *s)
{
	char text[128];

	snprintf(text, sizeof text,
		"the machine was suspended for %.3f s, which the trace does "
		"not show,",
		(double)s->ns / 1e9);
	report(r,
		(struct finding){
			.severity = FINDING_WARNING, .key = "weft.suspended" },
		s->from, s->to, text);
}

void
wall_report(struct trace *t, int64_t start)
{
	for (int i = 0; i < t->processes.n; i++) {
		const struct trace_process *p = &t->processes.at[i];
		const struct report r = { t, p, start };

		for (int j = 0; j < p->suspended.n; j++)
			report_suspended(&r, &p->suspended.at[j]);
		for (int j = 1; j < p->snaps.n; j++)
			report_step(&r, &p->snaps.at[j - 1], &p->snaps.at[j]);
	}
}
