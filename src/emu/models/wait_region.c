/* SPDX-License-Identifier: MIT */
#include "emu/models/wait_region.h"

#include <string.h>

#include "base/arena.h"
#include "emu/change.h"
#include "emu/models/models.h"
#include "emu/models/wait_link.h"
#include "emu/models/wait_names.h"
#include "export/wait_values.h"

/* A region that has not ended. */
struct region {
	int64_t value; /* value of its label */
	struct moment begun;
	const struct thread *master; /* the thread that began it; NULL: its
	                              * begin is lost */
	struct member *members;      /* threads of the team, newest first */
};

/* A region that a thread is in. */
struct level {
	uint32_t region; /* 0: a master section */
	int64_t value;
	struct level *outer;
};

/* A thread in the team of a region. */
struct member {
	struct thread *thread;
	struct member *next;
};

/* The regions of a thread. */
struct team {
	struct level *level; /* innermost; NULL: in none */
	bool is_idle;
	uint32_t ngaps; /* the thread's gaps when the struct was last changed */
};

static struct regions *
regions_of(struct emu *emu)
{
	struct wait *w = wait_state(emu);

	if (w->regions == NULL) {
		w->regions = ARENA_NEW(emu->arena, struct regions);
		pool_init(
			&w->regions->region, emu->arena, sizeof(struct region));
		pool_init(&w->regions->level, emu->arena, sizeof(struct level));
		pool_init(
			&w->regions->member, emu->arena, sizeof(struct member));
	}
	return w->regions;
}

static struct region *
region_of(struct emu *emu, uint32_t number)
{
	uint64_t *at = map_put(&regions_of(emu)->live, wait_key(emu, number));
	struct region *r = (struct region *)(uintptr_t)*at;

	if (r == NULL) {
		r = pool_get(&emu->wait->regions->region);
		*at = (uint64_t)(uintptr_t)r;
	}
	return r;
}

static struct team *
team_of(struct emu *emu, const struct thread *th)
{
	struct regions *all = regions_of(emu);
	uint64_t *at = map_put(&all->teams, th->has.row);
	struct team *t = (struct team *)(uintptr_t)*at;

	if (t == NULL) {
		t = ARENA_NEW(emu->arena, struct team);
		*at = (uint64_t)(uintptr_t)t;
	}
	/* after lost events it is not known which regions the thread is in */
	if (t->ngaps != th->ngaps)
		*t = (struct team){ .ngaps = th->ngaps };
	return t;
}

/* Pops the value if it is on top. */
static bool
pop_if(struct emu *emu, struct thread *th, int chan, int64_t value)
{
	const struct chan *ch = &th->has.chan[chan];

	if (ch->depth == 0 || ch->value != value)
		return false;
	emu_pop_of(emu, &th->has, chan, value);
	return true;
}

/* Finds the state of a join barrier in the rows of the model openmp. */
static void
find_join(struct emu *emu, struct regions *all)
{
	const struct model *const *on = emu->enabled.model.at;

	all->join_chan = -1;
	for (int i = 0; i < emu->enabled.model.n; i++)
		for (int j = 0; on[i] == &model_openmp && j < on[i]->nspans;
			j++) {
			const struct span_def *s = &on[i]->spans[j];

			if (strcmp(s->in, "PBj") != 0)
				continue;
			all->join_chan = emu->enabled.first.at[i] + s->chan;
			all->join = s->value;
		}
	all->has_looked = true;
}

/* The waits of other regions are elsewhere. */
static void
clear_place(struct emu *emu, struct thread *th)
{
	int chan = wait_chan(emu, PLACE);

	if (th->has.chan[chan].value != VALUE_NONE)
		emu_set_of(emu, &th->has, chan, VALUE_NONE);
}

/* Takes a thread out of its innermost region. */
static void
leave(struct emu *emu, struct thread *th, bool is_idle)
{
	struct regions *all = regions_of(emu);
	struct team *t = team_of(emu, th);
	struct level *l = t->level;

	if (l == NULL)
		return;
	if (!all->has_looked)
		find_join(emu, all);
	if (all->join_chan >= 0)
		pop_if(emu, th, all->join_chan, all->join);
	pop_if(emu, th, wait_chan(emu, REGION), l->value);
	clear_place(emu, th);
	t->level = l->outer;
	pool_put(&all->level, l);
	if (t->level != NULL || !is_idle)
		return;
	emu_push_of(emu, &th->has, wait_chan(emu, WAIT), WAIT_IDLE);
	t->is_idle = true;
}

void
wait_region_begin(struct emu *emu, const struct event *ev)
{
	struct region *r = region_of(emu, emu_arg_u32(emu, 0));

	(void)ev;
	r->master = emu->thread;
	r->begun = wait_moment(emu);
	r->value = wait_region_line(emu, emu_arg_u32(emu, 1), "parallel");
}

void
wait_region_end(struct emu *emu, const struct event *ev)
{
	struct regions *all = regions_of(emu);
	uint32_t number = emu_arg_u32(emu, 0);
	struct region *r = region_of(emu, number);

	(void)ev;
	for (struct member *m = r->members, *next; m != NULL; m = next) {
		const struct team *t = team_of(emu, m->thread);

		next = m->next;
		if (t->level != NULL && t->level->region == number)
			leave(emu, m->thread, m->thread != emu->thread);
		pool_put(&all->member, m);
	}
	map_remove(&all->live, wait_key(emu, number));
	pool_put(&all->region, r);
}

void
wait_region_enter(struct emu *emu, const struct event *ev)
{
	uint32_t number = emu_arg_u32(emu, 0);
	struct region *r = region_of(emu, number);
	struct regions *all = emu->wait->regions;
	struct team *t = team_of(emu, emu->thread);
	struct member *m = pool_get(&all->member);
	struct level *l = pool_get(&all->level);

	(void)ev;
	if (t->is_idle)
		pop_if(emu, emu->thread, wait_chan(emu, WAIT), WAIT_IDLE);
	t->is_idle = false;
	if (r->value == 0)
		r->value = wait_text(emu, REGION, "unknown");
	*m = (struct member){ emu->thread, r->members };
	r->members = m;
	*l = (struct level){ number, r->value, t->level };
	t->level = l;
	emu_push(emu, wait_chan(emu, REGION), r->value);
	clear_place(emu, emu->thread);
	if (r->master != NULL && r->master != emu->thread)
		wait_link(emu, r->begun, LINK_FORK, number);
}

void
wait_masked_enter(struct emu *emu, const struct event *ev)
{
	struct team *t = team_of(emu, emu->thread);
	struct level *l = pool_get(&emu->wait->regions->level);

	(void)ev;
	*l = (struct level){ 0,
		wait_region_line(emu, emu_arg_u32(emu, 0), "master"),
		t->level };
	t->level = l;
	emu_push(emu, wait_chan(emu, REGION), l->value);
}

void
wait_masked_leave(struct emu *emu, const struct event *ev)
{
	const struct team *t = team_of(emu, emu->thread);

	(void)ev;
	if (t->level != NULL && t->level->region == 0)
		leave(emu, emu->thread, false);
}

void
wait_place(struct emu *emu, const struct event *ev)
{
	uint32_t site = emu_arg_u32(emu, 0);

	(void)ev;
	wait_state(emu);
	emu_set(emu, wait_chan(emu, PLACE),
		site == 0
			? VALUE_NONE
			: wait_text(emu, PLACE, wait_site_text(emu, site, "")));
}

void
wait_region_leave(struct emu *emu, const struct event *ev)
{
	const struct team *t = team_of(emu, emu->thread);

	(void)ev;
	if (t->level != NULL && t->level->region == emu_arg_u32(emu, 0))
		leave(emu, emu->thread, true);
}
