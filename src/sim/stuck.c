/* SPDX-License-Identifier: MIT */
/*
 * stuck.c - reports messages, tasks and circular waits that remain when no
 * event is left.
 *
 * Component A waits for component B if the first message of a port of A finds
 * no room at B, or if a task of B is a child of a task of A.
 */
#include <stdlib.h>

#include "base/tell.h"
#include "sim/engine.h"

#define SAID 4  /* ports and tasks that the report names */
#define ROUND 8 /* components of a circle that the report names */

struct wait {
	struct weft_sim_domain *who, *on;
	const struct weft_sim_port *room; /* the full port; NULL: the wait is
	                                   * for a task */
	struct sim_open_task task;
};

struct judge {
	struct weft_sim_engine *e;
	struct arena arena;
	VEC(struct weft_sim_port *) ports; /* ports with messages */
	VEC(struct sim_open_task) named;
	VEC(struct wait) waits;
	uint64_t messages, tasks;
	const char *text;
};

static struct weft_sim_domain *
component(struct weft_sim_port *p)
{
	return p->owner != NULL ? &p->owner->handler.domain : p->domain.parent;
}

static int
by_id(const void *pa, const void *pb)
{
	const struct weft_sim_port *a = *(struct weft_sim_port *const *)pa,
				   *b = *(struct weft_sim_port *const *)pb;

	return a->domain.id < b->domain.id ? -1 : a->domain.id > b->domain.id;
}

static void
look_at_ports(struct judge *j)
{
	for (struct weft_sim_wire *w = j->e->wires; w != NULL; w = w->older) {
		for (uint32_t i = 0; i < w->n; i++) {
			struct weft_sim_port *p = w->port[i];

			j->messages += p->in.size + p->out.size;
			if (p->in.size + p->out.size > 0)
				VEC_PUSH(&j->ports, &j->arena, p);
		}
	}
	if (j->ports.n > 0)
		qsort(j->ports.at, (size_t)j->ports.n, sizeof *j->ports.at,
			by_id);
	for (int i = 0; i < j->ports.n; i++) {
		struct weft_sim_port *p = j->ports.at[i];
		struct weft_sim_msg *msg = weft_sim_peek(&p->out);

		if (msg != NULL && component(p) != component(msg->dst))
			VEC_PUSH(&j->waits, &j->arena,
				((struct wait){ .who = component(p),
					.on = component(msg->dst),
					.room = msg->dst }));
	}
}

static void
look_at_task(void *arg, const struct sim_open_task *task)
{
	struct judge *j = arg;

	if (j->tasks++ < SAID)
		VEC_PUSH(&j->named, &j->arena, *task);
	if (task->asker != NULL && task->asker != task->domain)
		VEC_PUSH(&j->waits, &j->arena,
			((struct wait){ .who = task->asker,
				.on = task->domain,
				.task = *task }));
}

/* The waits sorted by waiting domain: those of domain d are order[first[d]] to
 * order[first[d + 1] - 1]. */
struct graph {
	uint32_t *first, *order;
	uint32_t *next; /* by domain: the wait to follow next */
	uint32_t *path; /* the waits on the way to the current domain */
	bool *seen, *on_path;
};

static struct graph
make_graph(struct judge *j)
{
	uint32_t n = j->e->ndomains + 2;
	struct graph g = {
		.first = ARENA_ARRAY(&j->arena, uint32_t, n + 1),
		.next = ARENA_ARRAY(&j->arena, uint32_t, n + 1),
		.order = ARENA_ARRAY(&j->arena, uint32_t, j->waits.n),
		.path = ARENA_ARRAY(&j->arena, uint32_t, n),
		.seen = ARENA_ARRAY(&j->arena, bool, n),
		.on_path = ARENA_ARRAY(&j->arena, bool, n),
	};

	for (int i = 0; i < j->waits.n; i++)
		g.first[j->waits.at[i].who->id + 1]++;
	for (uint32_t d = 0; d < n; d++)
		g.first[d + 1] += g.first[d];
	for (uint32_t d = 0; d <= n; d++)
		g.next[d] = g.first[d];
	for (int i = 0; i < j->waits.n; i++)
		g.order[g.next[j->waits.at[i].who->id]++] = (uint32_t)i;
	for (uint32_t d = 0; d <= n; d++)
		g.next[d] = g.first[d];
	return g;
}

/* Follows waits from a domain, depth first. Returns the length of the path when
 * the path reaches a domain twice and stores that domain in *back; returns 0 if
 * it never does. */
static uint32_t
follow(struct judge *j, struct graph *g, uint32_t from, uint32_t *back)
{
	uint32_t n = 0, at = from;

	g->seen[at] = g->on_path[at] = true;
	for (;;) {
		if (g->next[at] == g->first[at + 1]) {
			g->on_path[at] = false;
			if (n == 0)
				return 0;
			at = j->waits.at[g->path[--n]].who->id;
			continue;
		}
		g->path[n++] = g->order[g->next[at]++];
		at = j->waits.at[g->path[n - 1]].on->id;
		if (g->on_path[at]) {
			*back = at;
			return n;
		}
		if (g->seen[at])
			at = j->waits.at[g->path[--n]].who->id;
		else
			g->seen[at] = g->on_path[at] = true;
	}
}

static void
say_wait(struct judge *j, const struct wait *w)
{
	if (w->room != NULL)
		j->text = arena_printf(&j->arena, "%s %s waits for room at %s",
			j->text, w->who->name, w->room->domain.name);
	else
		j->text = arena_printf(&j->arena,
			"%s %s waits for %s to end %s-%s (task %llu)", j->text,
			w->who->name, w->on->name, w->task.kind, w->task.what,
			(unsigned long long)w->task.id);
}

/* Names the components of the first circle. Returns false if there is no
 * circle. */
static bool
say_circle(struct judge *j)
{
	struct graph g = make_graph(j);
	uint32_t n = 0, back = 0, first, said;

	for (uint32_t d = 1; d <= j->e->ndomains && n == 0; d++)
		if (!g.seen[d] && g.first[d] < g.first[d + 1])
			n = follow(j, &g, d, &back);
	if (n == 0)
		return false;
	for (first = n; j->waits.at[g.path[first - 1]].who->id != back;)
		first--;
	first--;
	said = n - first <= ROUND ? n : first + ROUND;
	j->text = arena_printf(&j->arena,
		"%s; %u components wait for each other:", j->text, n - first);
	for (uint32_t i = first; i < said; i++) {
		say_wait(j, &j->waits.at[g.path[i]]);
		if (i + 1 < said)
			j->text = arena_printf(&j->arena, "%s,", j->text);
	}
	if (said < n)
		j->text = arena_printf(&j->arena, "%s, and so on", j->text);
	return true;
}

static void
say_ports(struct judge *j)
{
	int n = j->ports.n < SAID ? j->ports.n : SAID;

	for (int i = 0; i < n; i++) {
		struct weft_sim_port *p = j->ports.at[i];

		if (p->in.size > 0)
			j->text = arena_printf(&j->arena,
				"%s; %s has not taken %u from %s", j->text,
				component(p)->name, p->in.size, p->domain.name);
		if (p->out.size > 0)
			j->text = arena_printf(&j->arena,
				"%s; %s waits for room at %s", j->text,
				p->domain.name,
				((struct weft_sim_msg *)weft_sim_peek(&p->out))
					->dst->domain.name);
	}
	if (n < j->ports.n)
		j->text = arena_printf(&j->arena, "%s; %d more ports", j->text,
			j->ports.n - n);
}

static void
say_tasks(struct judge *j)
{
	for (int i = 0; i < j->named.n; i++) {
		const struct sim_open_task *t = &j->named.at[i];

		j->text = arena_printf(&j->arena,
			"%s; %s has not ended %s-%s (task %llu)", j->text,
			t->domain->name, t->kind, t->what,
			(unsigned long long)t->id);
	}
	if ((uint64_t)j->named.n < j->tasks)
		j->text =
			arena_printf(&j->arena, "%s; %llu more tasks", j->text,
				(unsigned long long)j->tasks -
					(unsigned long long)j->named.n);
}

static void
say_count(struct judge *j, const char *join, uint64_t n, const char *one,
	const char *then)
{
	if (n > 0)
		j->text = arena_printf(&j->arena, "%s %s %llu %s%s %s", j->text,
			join, (unsigned long long)n, one, n == 1 ? "" : "s",
			then);
}

static void
say(struct judge *j)
{
	j->text = arena_printf(&j->arena, "the run ended at %lld ps",
		(long long)j->e->core.now);
	say_count(j, "with", j->messages, "message", "in buffers");
	say_count(
		j, j->messages > 0 ? "and" : "with", j->tasks, "task", "open");
	if (say_circle(j))
		return;
	say_ports(j);
	say_tasks(j);
}

int
sim_judge(struct weft_sim_engine *e)
{
	struct judge j = { .e = e };
	bool stuck;

	if (__atomic_load_n(&e->stop, __ATOMIC_RELAXED) != STOP_NO ||
		e->count == 0 || e->queue.n - e->queue.hole > 0)
		return WEFT_SIM_OK;
	look_at_ports(&j);
	if (e->core.book != NULL && e->core.book_open != NULL)
		e->core.book_open(e->core.book, look_at_task, &j);
	stuck = j.messages > 0 || j.tasks > 0;
	if (stuck && e->count != e->judged) {
		e->judged = e->count;
		say(&j);
		sim_fault_text(e, WEFT_SIM_STUCK, j.text);
		if (e->setup.fault == NULL)
			tell_user("weft: %s", j.text);
	}
	arena_fini(&j.arena);
	return stuck ? WEFT_SIM_STUCK : WEFT_SIM_OK;
}
