/* SPDX-License-Identifier: MIT */
#include "parts.h"

#define ROW_HIT_PS 15000
#define ROW_MISS_PS 45000

/* Starts the oldest request if its bank is free. */
static bool
start(struct dram *m, int64_t now)
{
	struct weft_sim_domain *d = &m->ticker.handler.domain;
	struct request *r = (struct request *)weft_sim_receive_peek(&m->port);
	uint64_t row;
	int i;

	if (r == NULL)
		return false;
	row = r->line / (ROW / LINE);
	i = (int)(row % BANKS);
	if (m->bank[i].now != NULL)
		return false;
	weft_sim_receive(&m->port);
	weft_task_req_receive(d, &r->msg);
	m->accesses++;
	if (m->bank[i].is_open && m->bank[i].row == row) {
		m->row_hits++;
		weft_task_tag(d, weft_task_id_at(d, &r->msg), "row hit");
		m->bank[i].ready = now + ROW_HIT_PS;
	} else {
		weft_task_tag(d, weft_task_id_at(d, &r->msg), "row miss");
		m->bank[i].ready = now + ROW_MISS_PS;
	}
	m->bank[i].is_open = true;
	m->bank[i].row = row;
	m->bank[i].now = r;
	return true;
}

/* Ticks as long as a bank works. */
static bool
tick(struct weft_sim_ticker *t)
{
	struct dram *m = (struct dram *)t;
	struct weft_sim_domain *d = &t->handler.domain;
	int64_t now = weft_sim_now(d->engine);
	bool works = false;

	for (int i = 0; i < BANKS; i++) {
		if (m->bank[i].now == NULL)
			continue;
		works = true;
		if (now < m->bank[i].ready || !weft_sim_can_send(&m->port))
			continue;
		request_answer(m->bank[i].now, d, &m->port);
		m->bank[i].now = NULL;
	}
	return start(m, now) || works;
}

void
dram_init(struct dram *d, struct weft_sim_engine *e,
	const struct weft_sim_clock *clock)
{
	weft_sim_ticker_init(&d->ticker, e, NULL, clock, "DRAM");
	weft_sim_port_init(&d->port, &d->ticker, 8, 8, "Top");
	d->ticker.tick = tick;
}
