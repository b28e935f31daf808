/* SPDX-License-Identifier: MIT */
/*
 * direct - a store's tracer is told of tasks in two ways: directly if it is the
 * only one that a component has, else by hooks. A stream tells no difference.
 */
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
	bool stores_stop; /* now and then */
	struct weft_tracer *tracer;
};

static struct weft_sim_engine *e;
static struct part part[COMPONENTS];

static uint64_t
chance(struct part *p, uint64_t n)
{
	p->random = p->random * 6364136223846793005u + 1442695040888963407u;
	return (p->random >> 33) % n;
}

/* Literals, strings of the engine, a text that changes, one that is missing. */
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
	/* Now and then what another component has started. */
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

/* What a simulation was, and what it gave. */
struct setup {
	const char *kind;
	uint64_t max_tasks, max_bytes;
	bool stops;
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

static char *
contents(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	struct stat st;
	char *bytes;

	CHECK(file != NULL && fstat(fileno(file), &st) == 0);
	*size = (size_t)st.st_size;
	bytes = malloc(*size);
	CHECK_INT(fread(bytes, 1, *size, file), *size);
	fclose(file);
	return bytes;
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
	e = weft_sim_engine_open(&(struct weft_sim_setup){ .fault = be_told });
	weft_tracer_store_init(&store, e, place);
	store.tracer.kind = setup->kind;
	store.tracer.max_tasks = setup->max_tasks;
	store.max_bytes = setup->max_bytes;
	other = (struct weft_tracer){ .ops = &nothing };
	for (int i = 0; i < COMPONENTS; i++) {
		struct part *p = &part[i];

		weft_sim_handler_init(&p->handler, e, NULL, "Component[%d]", i);
		p->handler.handle = handle;
		p->random = (uint64_t)i;
		p->left = STEPS / COMPONENTS;
		p->stores_stop = setup->stops;
		p->tracer = &store.tracer;
		weft_task_collect(&p->handler.domain, &store.tracer);
		if (!alone)
			weft_task_collect(&p->handler.domain, &other);
		weft_sim_schedule(&p->handler, 0, NULL);
	}
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
compare(const struct setup *setup)
{
	struct result alone = run(setup, true), among = run(setup, false);

	CHECK(alone.stored > 1000);
	CHECK(alone.faults > 1000);
	CHECK_INT(alone.stored, among.stored);
	CHECK_INT(alone.faults, among.faults);
	CHECK_INT(alone.tasks, among.tasks);
	CHECK_INT(alone.dropped, among.dropped);
	CHECK_INT(alone.now, among.now);
	CHECK_INT(alone.size, among.size);
	CHECK(memcmp(alone.bytes, among.bytes, alone.size) == 0);
	free(alone.bytes);
	free(among.bytes);
}

TEST(a_tracer_that_is_alone_gives_the_same_stream)
{
	compare(&(struct setup){ .kind = NULL });
}

TEST(so_does_one_of_a_kind)
{
	compare(&(struct setup){ .kind = "read" });
}

TEST(so_does_one_with_a_limit)
{
	compare(&(struct setup){ .max_tasks = 2000 });
	compare(&(struct setup){ .max_bytes = 200000 });
}

TEST(so_does_one_that_stops_and_starts)
{
	compare(&(struct setup){ .stops = true });
}

TEST_MAIN(RUN(a_tracer_that_is_alone_gives_the_same_stream),
	RUN(so_does_one_of_a_kind), RUN(so_does_one_with_a_limit),
	RUN(so_does_one_that_stops_and_starts))
