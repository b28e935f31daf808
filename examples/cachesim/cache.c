/* SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "parts.h"

/* Returns the way that has the line. If no way has it, returns NULL and the way
 * to replace in *victim. */
static struct line *
find(struct cache *c, uint64_t tag, struct line **victim)
{
	struct line *set = &c->line[tag % c->sets * c->ways];

	*victim = &set[0];
	for (uint32_t i = 0; i < c->ways; i++) {
		if (set[i].valid && set[i].tag == tag)
			return &set[i];
		if (!set[i].valid ? (*victim)->valid
				  : (*victim)->valid &&
					set[i].used < (*victim)->used)
			*victim = &set[i];
	}
	return NULL;
}

static uint64_t
task_now(const struct cache *c)
{
	return weft_task_id_at(&c->ticker.handler.domain, &c->now->msg);
}

static void
look_up(struct cache *c)
{
	struct weft_sim_domain *d = &c->ticker.handler.domain;
	struct line *victim, *line = find(c, c->now->line, &victim);

	if (line != NULL) {
		c->hits++;
		weft_task_tag(d, task_now(c), "hit");
		c->victim = line;
		c->state = ANSWER;
		return;
	}
	c->misses++;
	weft_task_tag(d, task_now(c), "miss");
	c->victim = victim;
	c->state = victim->valid && victim->dirty ? WRITE_BACK : FETCH;
}

/* Writes the victim's line to the memory below. The miss does not wait for the
 * answer. */
static bool
write_back(struct cache *c)
{
	struct request *r = &c->write_back;

	if (r->is_used || !weft_sim_can_send(&c->bottom))
		return false;
	r->line = c->victim->tag;
	r->write = true;
	r->whole = true;
	r->cause = task_now(c);
	request_send(r, &c->ticker.handler.domain, &c->bottom, c->memory);
	c->write_backs++;
	c->state = FETCH;
	return true;
}

static bool
fetch(struct cache *c)
{
	struct request *r = &c->fetch;

	c->victim->valid = false;
	c->victim->dirty = false;
	c->victim->tag = c->now->line;
	if (c->now->whole) {
		c->state = ANSWER;
		return true;
	}
	if (!weft_sim_can_send(&c->bottom))
		return false;
	r->line = c->now->line;
	r->write = false;
	r->cause = task_now(c);
	request_send(r, &c->ticker.handler.domain, &c->bottom, c->memory);
	c->state = WAIT;
	return true;
}

static bool
answer(struct cache *c)
{
	struct weft_sim_domain *d = &c->ticker.handler.domain;

	if (!weft_sim_can_send(&c->top))
		return false;
	c->victim->valid = true;
	c->victim->dirty |= c->now->write;
	c->victim->used = ++c->uses;
	request_answer(c->now, d, &c->top);
	c->now = NULL;
	return true;
}

/* Takes the next request, which costs the latency of a look-up. */
static bool
take(struct cache *c, int64_t cycle)
{
	c->now = (struct request *)weft_sim_receive(&c->top);
	if (c->now == NULL)
		return false;
	weft_task_req_receive(&c->ticker.handler.domain, &c->now->msg);
	c->state = LOOK_UP;
	c->ready = cycle + c->latency;
	return true;
}

static bool
work(struct cache *c, int64_t cycle)
{
	if (c->now == NULL)
		return take(c, cycle);
	if (c->state == LOOK_UP) {
		if (cycle >= c->ready)
			look_up(c);
		return true;
	}
	if (c->state == WRITE_BACK)
		return write_back(c);
	if (c->state == FETCH)
		return fetch(c);
	return c->state == ANSWER && answer(c);
}

static bool
tick(struct weft_sim_ticker *t)
{
	struct cache *c = (struct cache *)t;
	struct weft_sim_domain *d = &t->handler.domain;
	int64_t cycle = weft_sim_cycle(&t->clock, weft_sim_now(d->engine));
	struct request *done = request_finish(d, &c->bottom);

	if (done == &c->fetch) {
		weft_task_milestone(d, task_now(c), WEFT_WAIT_DATA,
			c->memory->domain.parent->name);
		c->state = ANSWER;
	}
	return work(c, cycle) || done != NULL;
}

int
cache_init(struct cache *c, struct weft_sim_engine *e,
	const struct weft_sim_clock *clock, const char *name, uint64_t bytes)
{
	weft_sim_ticker_init(&c->ticker, e, NULL, clock, "%s", name);
	weft_sim_port_init(&c->top, &c->ticker, 4, 4, "Top");
	weft_sim_port_init(&c->bottom, &c->ticker, 4, 4, "Bottom");
	c->ticker.tick = tick;
	c->sets = (uint32_t)(bytes / LINE / c->ways);
	c->line = calloc((size_t)c->sets * c->ways, sizeof *c->line);
	return c->line == NULL ? -1 : 0;
}
