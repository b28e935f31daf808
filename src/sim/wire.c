/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <string.h>

#include "sim/engine.h"
#include "sim/port.h"

/* Moves what the receivers have room for; the first one that does not fit
 * holds up those behind it. */
static bool
forward(struct weft_sim_wire *w, struct weft_sim_port *from)
{
	struct weft_sim_domain *d = &w->ticker.handler.domain;
	struct weft_sim_msg *msg;
	bool any = false;

	while ((msg = weft_sim_peek(&from->out)) != NULL) {
		struct weft_sim_port *to = msg->dst;

		weft_sim_hook_call(d, &weft_sim_wire_start_send, msg, from);
		if (!weft_sim_can_push(&to->in))
			break;
		weft_sim_hook_call(d, &weft_sim_wire_start_trans, msg, to);
		port_deliver(to, msg);
		weft_sim_hook_call(d, &weft_sim_wire_done_trans, msg, to);
		port_take_out(from);
		weft_sim_hook_call(d, &weft_sim_wire_deliver, msg, from);
		any = true;
	}
	return any;
}

static bool
tick(struct weft_sim_ticker *t)
{
	struct weft_sim_wire *w = (struct weft_sim_wire *)t;
	uint32_t i = w->turn;
	bool any = false;

	for (uint32_t k = 0; k < w->n; k++) {
		any |= forward(w, w->port[i]);
		i = i + 1 < w->n ? i + 1 : 0;
	}
	w->turn = w->turn + 1 < w->n ? w->turn + 1 : 0;
	return any;
}

int
weft_sim_wire_init(struct weft_sim_wire *w, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const struct weft_sim_clock *clock,
	const char *name, ...)
{
	char text[300]; /* more than a name may have: also cut, it is refused */
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
	return fault;
}

int
weft_sim_plug(struct weft_sim_wire *w, struct weft_sim_port *p)
{
	struct weft_sim_engine *e = p->domain.engine;

	sim_take_turn(e);
	if (p->wire != NULL)
		return sim_fault(e, WEFT_SIM_TWICE,
			"%s: plugged into %s already", p->domain.name,
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
	w->port[w->n++] = p;
	p->wire = w;
	return WEFT_SIM_OK;
}
