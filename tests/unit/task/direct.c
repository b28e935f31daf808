/* SPDX-License-Identifier: MIT */
/*
 * direct - a tracer that stores tasks is called directly if it is the only
 * tracer of a component, and through hooks otherwise. Both ways must write the
 * same stream.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"
#include "weft/task.h"

#define COMPONENTS 3
#define IDS 60u
#define STEPS 30000

struct part {
	struct weft_sim_handler handler; /* first */
	uint64_t random;
	int left;
	bool stores_stop; /* stops storing at a random event */
	struct weft_tracer *tracer;
};

static struct weft_sim_engine *e;
static struct part part[COMPONENTS];

static uint64_t
dice(uint64_t *random, uint64_t n)
{
	*random = *random * 6364136223846793005u + 1442695040888963407u;
	return (*random >> 33) % n;
}

static uint64_t
chance(struct part *p, uint64_t n)
{
	return dice(&p->random, n);
}

/* Texts: literals, strings of the engine, one that changes, NULL. */
static const char *
text(struct part *p)
{
	static const char *const literal[] = { "read", "write", "req_in",
		"req_out", "pipeline", "", NULL, "r", "p" };
	static char changing[2][16];
	uint64_t i = chance(p, 14);

	if (i < 9)
		return literal[i];
	if (i < 12)
		return weft_sim_string(e, i == 9 ? "kept" : "read");
	snprintf(changing[i - 12], sizeof changing[0], "changes %d",
		(int)chance(p, 3));
	return changing[i - 12];
}

static void
start(struct part *p, struct weft_sim_domain *d, uint64_t id)
{
	struct weft_task task = { .id = id,
		.parent = chance(p, 2) ? chance(p, IDS) : 0,
		.kind = text(p),
		.what = text(p) };

	if (chance(p, 3) == 0)
		task.location = text(p);
	weft_task_start(d, &task);
}

static void
act(struct part *p)
{
	/* Sometimes the call comes from a component that did not start the
	 * task. */
	struct part *at = &part[chance(p, 20) ? p - part : 0];
	struct weft_sim_domain *d = &at->handler.domain;
	uint64_t id = 1 + chance(p, IDS), what = chance(p, 12);

	if (what < 5)
		start(p, d, id);
	else if (what < 8)
		weft_task_end(d, id);
	else if (what == 8)
		weft_task_tag(d, id, text(p));
	else if (what == 9)
		weft_task_step(d, id, text(p));
	else
		weft_task_milestone(d, id, text(p), text(p));
	if (p->stores_stop && chance(p, 100) == 0)
		(chance(p, 2) ? weft_tracer_stop : weft_tracer_start)(
			p->tracer);
}

static int
handle(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct part *p = (struct part *)h;
	int64_t far = chance(p, 200) == 0 ? (int64_t)1 << 34 : 0;

	for (uint64_t n = chance(p, 4); n > 0; n--)
		act(p);
	if (p->left-- > 0)
		weft_sim_schedule(
			h, ev->time + far + (int64_t)chance(p, 3000), NULL);
	return 0;
}

/* ---- components that send messages through ports ---- */

#define NODES 6
#define MESSAGES 150

struct node {
	struct weft_sim_ticker ticker; /* first */
	struct weft_sim_port port;
	struct node *next;
	uint64_t random;
	struct weft_sim_msg msg[MESSAGES];
	int sent, got;
};

static struct node node[NODES];
static struct weft_sim_wire wire;

static bool
node_tick(struct weft_sim_ticker *t)
{
	struct node *n = (struct node *)t;
	struct weft_sim_domain *d = &t->handler.domain;
	struct weft_sim_msg *msg = NULL;

	if (dice(&n->random, 2) && (msg = weft_sim_receive(&n->port)) != NULL) {
		weft_task_req_receive(d, msg);
		weft_task_tag(d, weft_task_id_at(d, msg), "hit");
		if (dice(&n->random, 10))
			weft_task_req_complete(d, msg);
		n->got++;
	}
	if (n->sent < MESSAGES && weft_sim_can_send(&n->port)) {
		msg = &n->msg[n->sent++];
		*msg = (struct weft_sim_msg){ .dst = &n->next->port,
			.type = dice(&n->random, 9) ? "read" : NULL };
		weft_task_req_initiate(d, msg, 0);
		if (n->sent > 20 && dice(&n->random, 3))
			msg->response_to = n->msg[n->sent - 20].id;
		weft_sim_send(&n->port, msg);
	}
	return n->sent < MESSAGES || n->got < MESSAGES;
}

static void
make_nodes(struct weft_tracer *t, struct weft_tracer *other)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };

	memset(node, 0, sizeof node);
	weft_sim_wire_init(&wire, e, NULL, &ghz, "Wire");
	for (int i = 0; i < NODES; i++) {
		struct node *n = &node[i];

		weft_sim_ticker_init(&n->ticker, e, NULL, &ghz, "Node[%d]", i);
		n->ticker.tick = node_tick;
		n->random = (uint64_t)i;
		n->next = &node[(i + 1) % NODES];
		weft_sim_port_init(&n->port, &n->ticker, 3, 2, "Port");
		weft_sim_plug(&wire, &n->port);
		weft_task_port(&n->port);
		weft_task_collect(&n->ticker.handler.domain, t);
		if (other != NULL)
			weft_task_collect(&n->ticker.handler.domain, other);
		weft_sim_tick_now(&n->ticker);
	}
}

/* ---- the input of a simulation, and its results ---- */

struct setup {
	const char *kind;
	uint64_t max_tasks, max_bytes;
	bool stops, sends;
	int threads;
};

struct result {
	char *bytes;
	size_t size;
	uint64_t faults, stored, tasks, dropped;
	int64_t now;
};

static void
be_told(void *arg, enum weft_sim_fault kind, const char *said)
{
	(void)arg;
	(void)kind;
	(void)said;
}

/* Returns the bytes of a file, which the caller frees. */
static char *
contents(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat st = { 0 };
	char *bytes;

	CHECK(fstat(fd, &st) == 0);
	*size = (size_t)st.st_size;
	bytes = calloc(*size + 1, 1);
	CHECK_INT(read(fd, bytes, *size), *size);
	close(fd);
	return bytes;
}

static void
make_parts(const struct setup *setup, struct weft_tracer *t,
	struct weft_tracer *other)
{
	for (int i = 0; i < COMPONENTS; i++) {
		struct part *p = &part[i];

		weft_sim_handler_init(&p->handler, e, NULL, "Component[%d]", i);
		p->handler.handle = handle;
		p->random = (uint64_t)i;
		p->left = STEPS / COMPONENTS;
		p->stores_stop = setup->stops;
		p->tracer = t;
		weft_task_collect(&p->handler.domain, t);
		if (other != NULL)
			weft_task_collect(&p->handler.domain, other);
		weft_sim_schedule(&p->handler, 0, NULL);
	}
}

static struct result
run(const struct setup *setup, bool alone)
{
	static const struct weft_tracer_ops nothing;
	static struct weft_tracer_store store;
	static struct weft_tracer other;
	char path[] = "/tmp/weft-direct-XXXXXX", place[64];
	struct result r;

	close(mkstemp(path));
	snprintf(place, sizeof place, "stream:%s", path);
	e = weft_sim_engine_open(&(struct weft_sim_setup){
		.threads = setup->threads, .spread = true, .fault = be_told });
	weft_tracer_store_init(&store, e, place);
	store.tracer.kind = setup->kind;
	store.tracer.max_tasks = setup->max_tasks;
	store.max_bytes = setup->max_bytes;
	other = (struct weft_tracer){ .ops = &nothing };
	if (setup->sends)
		make_nodes(&store.tracer, alone ? NULL : &other);
	else
		make_parts(setup, &store.tracer, alone ? NULL : &other);
	weft_sim_run(e);
	r.faults = weft_sim_faults(e, WEFT_SIM_OK);
	r.now = store.tracer.now;
	weft_sim_engine_close(e);
	r.stored = store.stored;
	r.tasks = store.tracer.tasks;
	r.dropped = store.tracer.dropped;
	r.bytes = contents(path, &r.size);
	unlink(path);
	return r;
}

static void
compare(const struct setup *a, bool alone, const struct setup *b)
{
	struct result one = run(a, alone), two = run(b, false);

	CHECK(one.stored > 1000);
	CHECK_INT(one.stored, two.stored);
	CHECK_INT(one.faults, two.faults);
	CHECK_INT(one.tasks, two.tasks);
	CHECK_INT(one.dropped, two.dropped);
	CHECK_INT(one.now, two.now);
	CHECK_INT(one.size, two.size);
	CHECK(memcmp(one.bytes, two.bytes, one.size) == 0);
	free(one.bytes);
	free(two.bytes);
}

static void
compare_ways(const struct setup *setup)
{
	compare(setup, true, setup);
}

TEST(a_tracer_that_is_alone_gives_the_same_stream)
{
	compare_ways(&(struct setup){ .kind = NULL });
}

TEST(so_does_one_of_a_kind)
{
	compare_ways(&(struct setup){ .kind = "read" });
}

TEST(so_does_one_with_a_limit)
{
	compare_ways(&(struct setup){ .max_tasks = 2000 });
	compare_ways(&(struct setup){ .max_bytes = 200000 });
}

TEST(so_does_one_that_stops_and_starts)
{
	compare_ways(&(struct setup){ .stops = true });
}

TEST(so_does_one_of_ports_with_any_number_of_threads)
{
	const struct setup one = { .sends = true },
			   four = { .sends = true, .threads = 4 };

	compare_ways(&one);
	compare(&four, true, &one);
	compare(&four, false, &one);
}

TEST_MAIN(RUN(a_tracer_that_is_alone_gives_the_same_stream),
	RUN(so_does_one_of_a_kind), RUN(so_does_one_with_a_limit),
	RUN(so_does_one_that_stops_and_starts),
	RUN(so_does_one_of_ports_with_any_number_of_threads))
