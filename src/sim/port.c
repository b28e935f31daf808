/* SPDX-License-Identifier: MIT */
#include "sim/port.h"

#include <stdarg.h>

#include "sim/engine.h"

int
weft_sim_port_init(struct weft_sim_port *p, struct weft_sim_ticker *owner,
	uint32_t in, uint32_t out, const char *name, ...)
{
	struct weft_sim_domain *parent = &owner->handler.domain;
	va_list ap;
	int fault, of_in, of_out;

	va_start(ap, name);
	fault = domain_init(&p->domain, parent->engine, parent, name, ap);
	va_end(ap);
	of_in = buffer_init(
		&p->in, &p->domain, parent->engine, in, "%s", "Incoming");
	of_out = buffer_init(
		&p->out, &p->domain, parent->engine, out, "%s", "Outgoing");
	p->owner = owner;
	p->notify = NULL;
	p->wire = NULL;
	p->tasks = NULL;
	p->waits = false;
	p->waited = false;
	p->was_full = false;
	p->first = NULL;
	if (fault != WEFT_SIM_OK)
		return fault;
	return of_in != WEFT_SIM_OK ? of_in : of_out;
}

static void
notify(struct weft_sim_port *p, bool received)
{
	if (p->notify != NULL)
		p->notify(p, received);
	else
		weft_sim_tick_later(p->owner);
}

static int
nowhere(const struct weft_sim_port *p, const struct weft_sim_msg *msg)
{
	return sim_fault(p->domain.engine, WEFT_SIM_NOWHERE,
		"%s: a message to %s, which is not on its wire", p->domain.name,
		msg->dst == NULL        ? "nobody"
			: msg->dst == p ? "itself"
					: msg->dst->domain.name);
}

int
weft_sim_send(struct weft_sim_port *p, struct weft_sim_msg *msg)
{
	bool was_empty = p->out.size == 0;

	if (p->wire == NULL || msg->dst == NULL || msg->dst == p ||
		msg->dst->wire != p->wire)
		return nowhere(p, msg);
	if (!weft_sim_can_send(p))
		return sim_fault(p->domain.engine, WEFT_SIM_FULL,
			"%s: full, with %u elements", p->out.domain.name,
			p->out.size);
	msg->src = p;
	if (msg->id == 0)
		msg->id = weft_sim_id(p->domain.engine);
	weft_sim_push(&p->out, msg);
	weft_sim_hook_call(&p->domain, &weft_sim_port_send, msg, NULL);
	if (was_empty)
		weft_sim_tick_now(&p->wire->ticker);
	return WEFT_SIM_OK;
}

struct weft_sim_msg *
weft_sim_receive_peek(const struct weft_sim_port *p)
{
	return weft_sim_peek(&p->in);
}

struct weft_sim_msg *
weft_sim_receive(struct weft_sim_port *p)
{
	bool was_full = !weft_sim_can_push(&p->in);
	struct weft_sim_msg *msg = weft_sim_pop(&p->in);

	if (msg == NULL)
		return NULL;
	if (was_full && p->wire != NULL)
		weft_sim_tick_now(&p->wire->ticker);
	weft_sim_hook_call(&p->domain, &weft_sim_port_take_in, msg, NULL);
	return msg;
}

void
port_deliver(struct weft_sim_port *p, struct weft_sim_msg *msg)
{
	weft_sim_hook_call(&p->domain, &weft_sim_port_recvd, msg, NULL);
	weft_sim_push(&p->in, msg);
	notify(p, true);
}

void
port_take_out(struct weft_sim_port *p)
{
	struct weft_sim_msg *msg;

	p->was_full |= !weft_sim_can_send(p);
	msg = weft_sim_pop(&p->out);
	if (p->was_full)
		notify(p, false);
	p->was_full &= p->out.size > 0;
	weft_sim_hook_call(&p->domain, &weft_sim_port_take_out, msg, NULL);
}
