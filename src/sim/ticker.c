/* SPDX-License-Identifier: MIT */
#include <stdarg.h>

#include "sim/engine.h"

/*
 * At most one tick is pending (next), and an event of a ticker is always this
 * tick. A tick pending for the next cycle also satisfies a request to tick now.
 */

/* Moves the base to the first clock edge at or after the time. */
static void
seek(struct weft_sim_ticker *t, int64_t time)
{
	if (t->edge == time)
		return;
	t->cycle = weft_sim_cycle(&t->clock, time);
	t->edge = weft_sim_edge(&t->clock, t->cycle);
	if (t->edge < time)
		t->edge = weft_sim_edge(&t->clock, ++t->cycle);
}

/* Moves the base from the edge of the last tick to the edge after it. */
static void
step(struct weft_sim_ticker *t)
{
	t->cycle++;
	t->edge = t->period != 0 && t->edge < WEFT_SIM_NEVER - t->period
		? t->edge + t->period
		: weft_sim_edge(&t->clock, t->cycle);
}

void
ticker_apply(struct weft_sim_engine *e, const struct op *op)
{
	struct weft_sim_ticker *t = (struct weft_sim_ticker *)op->handler;

	if (op->kind == OP_TICKED) {
		t->last = t->next;
		t->next = -1;
		return;
	}
	if (t->next >= 0)
		return;
	seek(t, e->core.now);
	if (t->edge == t->last ||
		(op->kind == OP_TICK_LATER && t->edge == e->core.now))
		step(t);
	if (t->edge < 0 || t->edge == WEFT_SIM_NEVER) {
		sim_fault(e, WEFT_SIM_PAST,
			"%s: the next tick is after the greatest time",
			t->handler.domain.name);
		return;
	}
	t->next = t->edge;
	queue_push(&e->queue, t->next, &t->handler, NULL);
}

static void
wish(struct weft_sim_ticker *t, enum op_kind kind)
{
	sim_do(t->handler.domain.engine,
		&(struct op){ .kind = kind, .handler = &t->handler });
}

void
weft_sim_tick_now(struct weft_sim_ticker *t)
{
	wish(t, OP_TICK_NOW);
}

void
weft_sim_tick_later(struct weft_sim_ticker *t)
{
	wish(t, OP_TICK_LATER);
}

static int
handle(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct weft_sim_ticker *t = (struct weft_sim_ticker *)h;
	bool progress;

	(void)ev;
	wish(t, OP_TICKED);
	weft_sim_hook_call(&h->domain, &weft_sim_before_tick, t, NULL);
	progress = t->tick(t);
	weft_sim_hook_call(
		&h->domain, &weft_sim_after_tick, t, progress ? t : NULL);
	if (progress)
		wish(t, OP_TICK_LATER);
	return 0;
}

int
ticker_init(struct weft_sim_ticker *t, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const char *fmt, va_list ap)
{
	int fault = handler_init(&t->handler, e, parent, fmt, ap);
	uint64_t second = UINT64_C(1000000000000);

	t->handler.handle = handle;
	t->handler.secondary = false;
	t->next = -1;
	t->last = -1;
	t->cycle = 0;
	t->edge = 0;
	t->period = 0;
	if (t->clock.den <= 1 && second % t->clock.hz == 0)
		t->period = (int64_t)(second / t->clock.hz);
	return fault;
}

int
weft_sim_ticker_init(struct weft_sim_ticker *t, struct weft_sim_engine *e,
	struct weft_sim_domain *parent, const struct weft_sim_clock *clock,
	const char *name, ...)
{
	va_list ap;
	int fault, wrong = WEFT_SIM_OK;

	t->clock = *clock;
	if (t->clock.hz == 0 || t->clock.den >= WEFT_SIM_DEN_MAX) {
		t->clock = (struct weft_sim_clock){ .hz = 1 };
		wrong = WEFT_SIM_LIMIT;
	}
	va_start(ap, name);
	fault = ticker_init(t, e, parent, name, ap);
	va_end(ap);
	if (wrong != WEFT_SIM_OK)
		return sim_fault(e, WEFT_SIM_LIMIT,
			"%s: invalid clock of %llu / %llu Hz; it gets 1 Hz",
			t->handler.domain.name, (unsigned long long)clock->hz,
			(unsigned long long)clock->den);
	return fault;
}
