/* SPDX-License-Identifier: MIT */
/*
 * network.h - a random network of components, ports and wires, the same for
 * equal seeds.
 *
 * Components send requests, answer them or forget to, wait for two messages at
 * once, refuse to receive while they cannot send, end the tasks of others.
 * Handlers ask the engine and tracers every question that is allowed, and the
 * answers decide what they do next: if an answer depended on the number of
 * threads, so would all later events.
 */
#ifndef WEFT_TESTS_TASK_NETWORK_H
#define WEFT_TESTS_TASK_NETWORK_H

#include <stdarg.h>
#include <stdlib.h>

#include "test.h"
#include "weft/task.h"

#define NODES_MAX 10
#define PORTS_MAX 3
#define WIRES_MAX 3
#define PULSES_MAX 4

struct network;

struct net_msg {
	struct weft_sim_msg msg; /* first */
	struct net_msg *request; /* the request that this message answers */
	struct net_msg *older;   /* list of all messages of its sender */
};

struct net_port {
	struct weft_sim_port port; /* first */
	int wire;
	uint64_t got;   /* messages that the wire delivered */
	uint64_t since; /* value of `got` when this message began to wait */
};

struct node {
	struct weft_sim_ticker ticker; /* first */
	struct network *net;
	struct net_port port[PORTS_MAX];
	int nports;
	uint32_t needs;        /* number of messages that it takes at once */
	bool selfish, forgets; /* selfish: sends before it receives; forgets:
	                        * may not answer */
	int to_send;
	struct net_msg *made, *answer[8];
	int nanswers;
	uint64_t random, heard, last_task;
};

struct pulse {
	struct weft_sim_handler handler; /* first */
	struct network *net;
	int left;
	uint64_t random, heard;
};

struct scribe {
	struct weft_tracer tracer; /* first */
	char *text;
	size_t n, cap;
	uint64_t open;
};

struct network {
	struct weft_sim_engine *e;
	struct weft_sim_wire wire[WIRES_MAX];
	int on_wire[WIRES_MAX]; /* number of ports on each wire */
	int nwires, nnodes, npulses;
	bool jams; /* most components are selfish */
	bool logs_events;
	bool partly; /* few components are traced */
	struct node node[NODES_MAX];
	struct pulse pulse[PULSES_MAX];
	struct scribe scribe;
	struct weft_tracer_busy_time busy;
	struct weft_tracer_average_time average;
	struct weft_tracer_step_count steps;
	struct weft_tracer_back_trace back;
	struct weft_sim_hook on_wires;
	uint64_t unfair; /* messages that waited for too many others */
	char *log;
	size_t log_size;
	FILE *log_file;
};

static inline uint64_t
chance(uint64_t *random, uint64_t n)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (*random >> 33) % n;
}

/* ---- questions of handlers ---- */

static uint64_t
ask_tracers(struct network *net, uint64_t what, uint64_t task)
{
	int64_t now = weft_sim_now(net->e);
	char text[64];

	if (what == 0)
		return weft_tracer_step_count_of(&net->steps, "hit");
	if (what == 1)
		return weft_tracer_step_count_tasks(&net->steps, "miss");
	if (what == 2)
		return weft_tracer_step_count_name(&net->steps, 1) != NULL;
	if (what == 3)
		return (uint64_t)weft_tracer_busy_time_at(&net->busy, now);
	if (what == 4)
		return (uint64_t)weft_tracer_average_time_mean(&net->average);
	if (what == 5)
		return (uint64_t)weft_tracer_average_time_percentile(
			&net->average, 50);
	if (what == 6)
		return weft_tracer_back_trace_open(
			&net->back, text, sizeof text);
	return weft_tracer_back_trace_text(&net->back, task, text, sizeof text);
}

static uint64_t
ask(struct network *net, uint64_t *random, uint64_t task)
{
	uint64_t what = chance(random, 16);
	const struct weft_task *found;
	const char *text;

	if (what < 8)
		return ask_tracers(net, what, task);
	if (what == 8 || what == 9)
		return weft_sim_pending(net->e);
	if (what == 10)
		return weft_sim_count(net->e);
	if (what == 11)
		return weft_sim_faults(net->e, WEFT_SIM_OK);
	if (what == 12) {
		text = weft_sim_fault_text(net->e, chance(random, 9));
		return text == NULL ? 0 : strlen(text);
	}
	if (what == 13)
		return (uint64_t)weft_sim_now(net->e);
	found = weft_task_find(net->e, what == 14 ? task : task + 64);
	return found == NULL ? 0 : (uint64_t)found->start + 1;
}

/* Mixes the answer into the random numbers. */
static void
hear(struct network *net, uint64_t *random, uint64_t *heard, uint64_t task)
{
	uint64_t answer = ask(net, random, task);

	*heard = *heard * 1099511628211u + answer;
	*random += answer;
}

/* ---- components ---- */

static struct net_msg *
make_msg(struct node *n, const char *type)
{
	struct net_msg *m = calloc(1, sizeof *m);

	m->msg.type = type;
	m->older = n->made;
	n->made = m;
	return m;
}

/* Returns a port of another component on the same wire, or NULL. */
static struct weft_sim_port *
somebody(struct node *n, const struct net_port *from)
{
	struct network *net = n->net;

	for (int tries = 0; tries < 20; tries++) {
		struct node *to =
			&net->node[chance(&n->random, (uint64_t)net->nnodes)];
		struct net_port *p =
			&to->port[chance(&n->random, (uint64_t)to->nports)];

		if (to != n && p->wire == from->wire)
			return &p->port;
	}
	return NULL;
}

static bool
send_request(struct node *n)
{
	struct net_port *p = &n->port[chance(&n->random, (uint64_t)n->nports)];
	struct weft_sim_domain *d = &n->ticker.handler.domain;
	struct weft_sim_port *to = somebody(n, p);
	struct net_msg *m;

	if (n->to_send == 0 || to == NULL || !weft_sim_can_send(&p->port))
		return false;
	n->to_send--;
	m = make_msg(n, chance(&n->random, 2) ? "read" : "write");
	m->msg.dst = to;
	n->last_task = weft_task_req_initiate(d, &m->msg, 0);
	weft_task_tag(d, n->last_task, chance(&n->random, 2) ? "hit" : "miss");
	CHECK_INT(weft_sim_send(&p->port, &m->msg), WEFT_SIM_OK);
	return true;
}

static bool
send_answer(struct node *n)
{
	struct net_msg *m =
		n->nanswers == 0 ? NULL : n->answer[n->nanswers - 1];
	struct weft_sim_domain *d = &n->ticker.handler.domain;

	if (m == NULL || !weft_sim_can_send(m->request->msg.dst))
		return false;
	n->nanswers--;
	weft_task_milestone(d, weft_task_id_at(d, &m->request->msg),
		WEFT_WAIT_DATA, "work");
	weft_task_req_complete(d, &m->request->msg);
	m->msg.dst = m->request->msg.src;
	m->msg.response_to = m->request->msg.id;
	CHECK_INT(weft_sim_send(m->request->msg.dst, &m->msg), WEFT_SIM_OK);
	return true;
}

static void
take(struct node *n, struct net_msg *m)
{
	struct weft_sim_domain *d = &n->ticker.handler.domain;
	struct net_msg *answer;

	if (m->request != NULL) {
		weft_task_req_finalize(d, &m->request->msg);
		return;
	}
	weft_task_req_receive(d, &m->msg);
	if (chance(&n->random, 20) ==
		0) /* ends the request early: the component that asked ends it
	            * again */
		weft_task_req_finalize(d, &m->msg);
	if (n->forgets && chance(&n->random, 3) == 0)
		return;
	answer = make_msg(n, "done");
	answer->request = m;
	n->answer[n->nanswers++] = answer;
}

static uint32_t
needed(const struct node *n, const struct weft_sim_port *p)
{
	return n->needs <= p->in.capacity ? n->needs : 1;
}

static bool
receive(struct node *n)
{
	bool any = false;

	if (n->selfish && (n->to_send > 0 || n->nanswers > 0) &&
		!weft_sim_can_send(&n->port[0].port))
		return false;
	for (int i = 0; i < n->nports; i++) {
		struct weft_sim_port *p = &n->port[i].port;

		if (p->in.size < needed(n, p))
			continue;
		for (uint32_t k = 0; k < n->needs && n->nanswers < 8; k++) {
			struct net_msg *m = (void *)weft_sim_receive(p);

			if (m == NULL)
				break;
			take(n, m);
			any = true;
		}
	}
	return any;
}

static bool
node_tick(struct weft_sim_ticker *t)
{
	struct node *n = (struct node *)t;
	bool any;

	hear(n->net, &n->random, &n->heard, n->last_task);
	any = n->selfish ? send_request(n) : receive(n);
	any |= send_answer(n);
	any |= n->selfish ? receive(n) : send_request(n);
	if (chance(&n->random, 30) == 0)
		weft_sim_report(&t->handler.domain, "odd");
	hear(n->net, &n->random, &n->heard, n->last_task);
	return any;
}

/* Schedules itself while other components have work, and wakes them. */
static int
pulse_handle(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct pulse *p = (struct pulse *)h;
	struct network *net = p->net;
	struct node *n;

	hear(net, &p->random, &p->heard, 64);
	n = &net->node[chance(&p->random, (uint64_t)net->nnodes)];
	weft_sim_tick_now(&n->ticker);
	if (chance(&p->random, 20) == 0)
		weft_sim_schedule(h, ev->time - 1, NULL);
	if (weft_sim_pending(net->e) > 0 && p->left-- > 0)
		weft_sim_schedule(h,
			ev->time + 500 * (int64_t)chance(&p->random, 4), NULL);
	return 0;
}

/* ---- records of what happens ---- */

__attribute__((format(printf, 2, 3))) static void
write_down(void *t, const char *fmt, ...)
{
	struct scribe *s = t;
	va_list ap;

	if (s->n + 512 > s->cap) {
		s->cap = 2 * s->cap + 4096;
		s->text = realloc(s->text, s->cap);
	}
	va_start(ap, fmt);
	s->n += (size_t)vsnprintf(s->text + s->n, 512, fmt, ap);
	va_end(ap);
}

static void
scribe_task(struct weft_tracer *t, const struct weft_task *task)
{
	((struct scribe *)t)->open += task->end < 0 ? 1 : UINT64_MAX;
	write_down(t, "%lld %lld %llu<%llu %s %s %s\n", (long long)task->start,
		(long long)task->end, (unsigned long long)task->id,
		(unsigned long long)task->parent, task->kind, task->what,
		task->location);
}

static void
scribe_tag(
	struct weft_tracer *t, const struct weft_task *task, const char *what)
{
	write_down(t, "%lld %llu#%s\n", (long long)t->now,
		(unsigned long long)task->id, what);
}

static void
scribe_milestone(struct weft_tracer *t, const struct weft_task *task,
	const struct weft_milestone *m)
{
	write_down(t, "%lld %llu!%s\n", (long long)m->time,
		(unsigned long long)task->id, m->what);
}

static const struct weft_tracer_ops scribe_ops = {
	.start = scribe_task,
	.end = scribe_task,
	.tag = scribe_tag,
	.step = scribe_tag,
	.milestone = scribe_milestone,
};

/* A message may wait for one message of each other sender, but not for more. */
static void
watch_wire(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	struct network *net = hook->arg;
	struct weft_sim_msg *msg = ctx->item;
	struct net_port *from = (struct net_port *)msg->src,
			*to = (struct net_port *)msg->dst;
	uint64_t others = (uint64_t)net->on_wire[from->wire] - 2;

	if (ctx->pos == &weft_sim_wire_start_send)
		from->since = to->got;
	else if (ctx->pos == &weft_sim_wire_start_trans)
		net->unfair += to->got++ - from->since > others;
}

/* ---- the network ---- */

static void
make_node(struct network *net, int i, uint64_t *random)
{
	static const struct weft_sim_clock clocks[] = { { 1000000000, 1 },
		{ 2000000000, 1 }, { 3000000000, 1 } };
	struct node *n = &net->node[i];

	n->net = net;
	n->random = *random + (uint64_t)i;
	n->needs = chance(random, 4) == 0 ? 2 : 1;
	n->selfish = chance(random, 4) < (net->jams ? 3 : 1);
	n->forgets = chance(random, 4) == 0;
	n->to_send = (int)chance(random, net->jams ? 60 : 20);
	n->nports = 1 + (int)chance(random, PORTS_MAX);
	weft_sim_ticker_init(&n->ticker, net->e, NULL,
		&clocks[chance(random, 3)], "Node[%d]", i);
	n->ticker.tick = node_tick;
	for (int k = 0; k < n->nports; k++) {
		struct net_port *p = &n->port[k];

		weft_sim_port_init(&p->port, &n->ticker,
			1 + (uint32_t)chance(random, 4),
			1 + (uint32_t)chance(random, 3), "Port[%d]", k);
		p->wire = (int)chance(random, (uint64_t)net->nwires);
		net->on_wire[p->wire]++;
		weft_sim_plug(&net->wire[p->wire], &p->port);
		if (chance(random, 2))
			weft_task_port(&p->port);
	}
	weft_sim_tick_now(&n->ticker);
}

static void
trace_network(struct network *net)
{
	struct weft_sim_hook *log;

	net->scribe.tracer.ops = &scribe_ops;
	weft_tracer_busy_time_init(&net->busy);
	weft_tracer_average_time_init(&net->average);
	weft_tracer_step_count_init(&net->steps);
	weft_tracer_back_trace_init(&net->back);
	for (int i = 0; i < (net->partly ? 2 : net->nnodes); i++) {
		struct weft_sim_domain *d = &net->node[i].ticker.handler.domain;

		weft_task_collect(d, &net->scribe.tracer);
		weft_task_collect(d, &net->busy.tracer);
		weft_task_collect_below(d, &net->average.tracer);
		weft_task_collect(d, &net->steps.tracer);
		weft_task_collect(d, &net->back.tracer);
	}
	net->log_file = open_memstream(&net->log, &net->log_size);
	/* A hook on events makes every handler wait for its turn at once. */
	if (net->logs_events)
		weft_sim_hook_attach(weft_sim_engine_domain(net->e),
			weft_sim_event_log(net->e, net->log_file),
			WEFT_SIM_ON_EVENT);
	log = weft_sim_msg_log(net->e, net->log_file);
	weft_sim_hook_attach_all(net->e, "*", log, WEFT_SIM_ON_PORT);
	net->on_wires = (struct weft_sim_hook){ watch_wire, net };
	weft_sim_hook_attach_all(
		net->e, "Wire*", &net->on_wires, WEFT_SIM_ON_WIRE);
}

/* Faults are read later, not printed. */
static void
be_told(void *arg, enum weft_sim_fault kind, const char *text)
{
	(void)arg;
	(void)kind;
	(void)text;
}

static struct network *
network_open(uint64_t seed, int threads, bool spread)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };
	struct network *net = calloc(1, sizeof *net);
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15);

	net->e = weft_sim_engine_open(&(struct weft_sim_setup){
		.threads = threads, .spread = spread, .fault = be_told });
	net->nwires = 1 + (int)chance(&random, WIRES_MAX);
	net->nnodes = 2 + (int)chance(&random, NODES_MAX - 1);
	net->npulses = (int)chance(&random, PULSES_MAX + 1);
	net->logs_events = chance(&random, 4) == 0;
	net->partly = chance(&random, 3) == 0;
	net->jams = chance(&random, 3) == 0;
	for (int i = 0; i < net->nwires; i++)
		weft_sim_wire_init(
			&net->wire[i], net->e, NULL, &ghz, "Wire[%d]", i);
	for (int i = 0; i < net->nnodes; i++)
		make_node(net, i, &random);
	for (int i = 0; i < net->npulses; i++) {
		struct pulse *p = &net->pulse[i];

		p->net = net;
		p->left = 60;
		p->random = random + (uint64_t)i;
		weft_sim_handler_init(
			&p->handler, net->e, NULL, "Pulse[%d]", i);
		p->handler.handle = pulse_handle;
		weft_sim_schedule(&p->handler, 0, NULL);
	}
	trace_network(net);
	return net;
}

static void
network_close(struct network *net)
{
	weft_sim_engine_close(net->e);
	fclose(net->log_file);
	for (int i = 0; i < net->nnodes; i++) {
		struct net_msg *m, *older;

		for (m = net->node[i].made; m != NULL; m = older) {
			older = m->older;
			free(m);
		}
	}
	free(net->scribe.text);
	free(net->log);
	free(net);
}

#endif
