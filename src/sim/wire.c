/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/port.h"

/*
 * Each receiver has a queue of the ports whose first message is for it. A port
 * that was served goes to the end of the queue of its next message's receiver,
 * so no other port is served twice while the first one waits.
 */

/* Puts the port at the end of the queue of its first message's receiver. */
static void
queue_up(struct weft_sim_wire *w, struct weft_sim_port *from)
{
	struct weft_sim_msg *msg = weft_sim_peek(&from->out);
	struct weft_sim_port *to = msg->dst;

	from->waits = true;
	from->behind = NULL;
	if (to->first == NULL)
		to->first = from;
	else
		to->last->behind = from;
	to->last = from;
	if (!to->waited) {
		to->waited = true;
		to->more = NULL;
		if (w->waited == NULL)
			w->waited = to;
		else
			w->last_waited->more = to;
		w->last_waited = to;
	}
	weft_sim_hook_call(&w->ticker.handler.domain, &weft_sim_wire_start_send,
		msg, from);
}

static void
move(struct weft_sim_wire *w, struct weft_sim_port *from,
	struct weft_sim_port *to)
{
	struct weft_sim_domain *d = &w->ticker.handler.domain;
	struct weft_sim_msg *msg = weft_sim_peek(&from->out);

	weft_sim_hook_call(d, &weft_sim_wire_start_trans, msg, to);
	port_deliver(to, msg);
	weft_sim_hook_call(d, &weft_sim_wire_done_trans, msg, to);
	port_take_out(from);
	weft_sim_hook_call(d, &weft_sim_wire_deliver, msg, from);
}

/* Serves the queue of a receiver while the receiver has room. */
static bool
serve(struct weft_sim_wire *w, struct weft_sim_port *to)
{
	bool any = false;

	while (to->first != NULL && weft_sim_can_push(&to->in)) {
		struct weft_sim_port *from = to->first;

		to->first = from->behind;
		from->waits = false;
		if (from->out.size == 0)
			continue; /* another caller took the message out of
			           * the port */
		move(w, from, to);
		w->turn = from->index + 1 < w->n ? from->index + 1 : 0;
		if (from->out.size > 0)
			queue_up(w, from);
		any = true;
	}
	return any;
}

/* Serves all receivers. Receivers with an empty queue leave the list. */
static bool
serve_all(struct weft_sim_wire *w)
{
	struct weft_sim_port **at = &w->waited, *before = NULL, *to;
	bool any = false;

	while ((to = *at) != NULL) {
		any |= serve(w, to);
		if (to->first != NULL) {
			before = to;
			at = &to->more;
			continue;
		}
		*at = to->more;
		to->waited = false;
		if (w->last_waited == to)
			w->last_waited = before;
	}
	return any;
}

static bool
tick(struct weft_sim_ticker *t)
{
	struct weft_sim_wire *w = (struct weft_sim_wire *)t;
	uint32_t i = w->turn;

	for (uint32_t k = 0; k < w->n; k++) {
		struct weft_sim_port *p = w->port[i];

		if (p->out.size > 0 && !p->waits)
			queue_up(w, p);
		i = i + 1 < w->n ? i + 1 : 0;
	}
	return serve_all(w);
}

int
weft_sim_wire_init(struct weft_sim_wire *w, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const struct weft_sim_clock *clock,
	const char *name, ...)
{
	char text[300]; /* longer than a name may be, so that a cut name is
	                 * refused */
	va_list ap;
	int fault;

	va_start(ap, name);
	vsnprintf(text, sizeof text, name, ap);
	va_end(ap);
	fault = weft_sim_ticker_init(&w->ticker, e, parent, clock, "%s", text);
	w->ticker.handler.secondary = true;
	w->ticker.tick = tick;
	w->port = NULL;
	w->n = 0;
	w->cap = 0;
	w->turn = 0;
	w->waited = NULL;
	w->last_waited = NULL;
	w->older = e->wires;
	e->wires = w;
	return fault;
}

int
weft_sim_plug(struct weft_sim_wire *w, struct weft_sim_port *p)
{
	struct weft_sim_engine *e = p->domain.engine;

	sim_take_turn(e);
	if (p->wire != NULL)
		return sim_fault(e, WEFT_SIM_TWICE,
			"%s: is plugged into %s already", p->domain.name,
			p->wire->ticker.handler.domain.name);
	if (w->n == w->cap) {
		uint32_t cap = w->cap == 0 ? 8 : 2 * w->cap;
		struct weft_sim_port **port =
			ARENA_ARRAY(&e->arena, struct weft_sim_port *, cap);

		if (w->n > 0)
			memcpy(port, w->port, w->n * sizeof *port);
		w->port = port;
		w->cap = cap;
	}
	p->index = w->n;
	w->port[w->n++] = p;
	p->wire = w;
	return WEFT_SIM_OK;
}
