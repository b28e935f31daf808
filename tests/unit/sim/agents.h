/* SPDX-License-Identifier: MIT */
/* agents.h - components that send each other random messages over a wire. */
#ifndef WEFT_TESTS_SIM_AGENTS_H
#define WEFT_TESTS_SIM_AGENTS_H

#include "kit.h"

struct agent {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	struct agents *all;
	struct weft_sim_msg *msg; /* the messages that the agent sends */
	int sent, received;
	uint64_t random, heard; /* heard: a sum of messages in order */
};

struct agents {
	struct weft_sim_engine *e;
	struct weft_sim_wire wire;
	struct agent *agent;
	int n, each;
};

static const struct weft_sim_clock agents_clock = { 1000000000, 1 };

static bool
agent_receive(struct agent *a)
{
	struct weft_sim_msg *msg = weft_sim_receive(&a->port);

	if (msg == NULL)
		return false;
	a->received++;
	a->heard = a->heard * 31 + msg->id + msg->src->domain.id;
	return true;
}

static bool
agent_send(struct agent *a)
{
	struct weft_sim_msg *msg = &a->msg[a->sent];
	int to;

	if (a->sent == a->all->each || !weft_sim_can_send(&a->port))
		return false;
	a->random = a->random * 6364136223846793005u + 1442695040888963407u;
	to = (int)((a->random >> 33) % (uint64_t)a->all->n);
	if (&a->all->agent[to] == a)
		to = (to + 1) % a->all->n;
	*msg = (struct weft_sim_msg){ .dst = &a->all->agent[to].port,
		.type = "Hello" };
	CHECK_INT(weft_sim_send(&a->port, msg), 0);
	a->sent++;
	return true;
}

static bool
agent_tick(struct weft_sim_ticker *t)
{
	struct agent *a = (struct agent *)t;
	bool received = agent_receive(a);

	return agent_send(a) || received;
}

static void
agents_open(
	struct agents *s, int n, int each, const struct weft_sim_setup *setup)
{
	s->e = weft_sim_engine_open(setup);
	s->n = n;
	s->each = each;
	s->agent = calloc((size_t)n, sizeof *s->agent);
	weft_sim_wire_init(&s->wire, s->e, NULL, &agents_clock, "Wire");
	for (int i = 0; i < n; i++) {
		struct agent *a = &s->agent[i];

		a->all = s;
		a->random = (uint64_t)i;
		a->msg = calloc((size_t)each, sizeof *a->msg);
		weft_sim_ticker_init(
			&a->ticker, s->e, NULL, &agents_clock, "Agent[%d]", i);
		a->ticker.tick = agent_tick;
		weft_sim_port_init(&a->port, &a->ticker, 4, 4, "Port");
		weft_sim_plug(&s->wire, &a->port);
		weft_sim_tick_now(&a->ticker);
	}
}

__attribute__((unused)) static int
agents_received(const struct agents *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++)
		n += s->agent[i].received;
	return n;
}

/* Returns a number made of all that the agents heard. */
__attribute__((unused)) static uint64_t
agents_sum(const struct agents *s)
{
	uint64_t sum = (uint64_t)weft_sim_now(s->e);

	for (int i = 0; i < s->n; i++)
		sum = sum * 1099511628211u + s->agent[i].heard;
	return sum;
}

static void
agents_close(struct agents *s)
{
	weft_sim_engine_close(s->e);
	for (int i = 0; i < s->n; i++)
		free(s->agent[i].msg);
	free(s->agent);
}

#endif
