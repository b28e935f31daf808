/* SPDX-License-Identifier: MIT */
#include "parts.h"

void
request_send(struct request *r, struct weft_sim_domain *d,
	struct weft_sim_port *from, struct weft_sim_port *to)
{
	r->is_used = true;
	r->msg = (struct weft_sim_msg){ .dst = to,
		.type = r->write ? "write" : "read",
		.bytes = r->write ? LINE : 0 };
	weft_task_req_initiate(d, &r->msg, r->cause);
	weft_sim_send(from, &r->msg);
}

void
request_answer(struct request *r, struct weft_sim_domain *d,
	struct weft_sim_port *from)
{
	r->response = (struct response){ .msg = { .dst = r->msg.src,
						 .type = "done",
						 .bytes = r->write ? 0 : LINE,
						 .response_to = r->msg.id },
		.to = r };
	weft_task_req_complete(d, &r->msg);
	weft_sim_send(from, &r->response.msg);
}

struct request *
request_finish(struct weft_sim_domain *d, struct weft_sim_port *at)
{
	struct response *response = (struct response *)weft_sim_receive(at);

	if (response == NULL)
		return NULL;
	weft_task_req_finalize(d, &response->to->msg);
	response->to->is_used = false;
	return response->to;
}

static struct request *
unused(struct core *c)
{
	for (int i = 0; i < WINDOW; i++)
		if (!c->request[i].is_used)
			return &c->request[i];
	return NULL;
}

static bool
issue(struct core *c)
{
	const struct access *access = &c->trace.access[c->next];
	struct request *r = unused(c);

	if (c->next == c->trace.n || r == NULL || !weft_sim_can_send(&c->port))
		return false;
	r->line = access->address;
	r->write = access->write;
	r->cause = 0;
	request_send(r, &c->ticker.handler.domain, &c->port, c->memory);
	c->next++;
	return true;
}

static bool
tick(struct weft_sim_ticker *t)
{
	struct core *c = (struct core *)t;
	bool done = request_finish(&t->handler.domain, &c->port) != NULL;

	return issue(c) || done;
}

void
core_init(struct core *c, struct weft_sim_engine *e, int i,
	const struct weft_sim_clock *clock)
{
	weft_sim_ticker_init(&c->ticker, e, NULL, clock, "Core[%d]", i);
	weft_sim_port_init(&c->port, &c->ticker, 4, 4, "Memory");
	c->ticker.tick = tick;
	weft_sim_tick_now(&c->ticker);
}
