/* SPDX-License-Identifier: MIT */
/*
 * sim.c - measures the cost of the simulation engine, its hooks and tracers,
 * each row together with its floor: an empty call, or a bare heap with a call.
 *
 * The floor and the library run in turns; the median of seven rounds counts. A
 * malloc() in this file counts the allocations after the first round.
 */
#include <stdbool.h>

#include "base/heap.h"
#include "bench.h"
#include "weft/task.h"

#define ROUNDS 7
#define CALLS 2000000

static uint64_t allocations;
static volatile uint64_t sink;

/* glibc's names of the functions that this file wraps. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

void *
malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *
calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *
realloc(void *p, size_t size)
{
	allocations++;
	return __libc_realloc(p, size);
}

/* ---- hooks and tasks ---- */

static struct weft_sim_engine *e;
static struct weft_sim_domain component;
static const struct weft_sim_hook_pos walked = WEFT_SIM_HOOK_POS("Walk");

__attribute__((noinline)) static void
empty(struct weft_sim_domain *d)
{
	__asm__ volatile("" : : "r"(d) : "memory");
}

__attribute__((noinline)) static void
with_hook(struct weft_sim_domain *d)
{
	__asm__ volatile("" : : "r"(d) : "memory");
	weft_sim_hook_call(d, &walked, d, NULL);
}

static void
run_empty(void)
{
	for (int i = 0; i < CALLS; i++)
		empty(&component);
}

static void
run_hook(void)
{
	for (int i = 0; i < CALLS; i++)
		with_hook(&component);
}

/* 16 tasks in flight, as in a real component. */
static void
run_tasks(void)
{
	static const struct weft_task task = { .kind = "req_in",
		.what = "read" };
	uint64_t id[16] = { 0 };

	for (int i = 0; i < CALLS; i++) {
		if (id[i % 16] != 0)
			weft_task_end(&component, id[i % 16]);
		id[i % 16] = weft_task_start(&component, &task);
	}
	for (int i = 0; i < 16; i++)
		weft_task_end(&component, id[i]);
}

static void
count(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	(void)ctx;
	hook->arg = (char *)hook->arg + 1;
}

/* ---- engine ---- */

struct looper {
	struct weft_sim_handler handler;
	uint64_t left, state;
};

static struct looper loopers[1024];
static int depth;

static int
loop(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct looper *l = (struct looper *)h;

	l->state = l->state * 6364136223846793005u + 1442695040888963407u;
	if (--l->left > 0)
		weft_sim_schedule(
			h, ev->time + 1 + (int64_t)(l->state >> 54), NULL);
	return 0;
}

static void
run_engine(void)
{
	for (int i = 0; i < depth; i++) {
		loopers[i].left = (uint64_t)(CALLS / depth);
		weft_sim_schedule(
			&loopers[i].handler, weft_sim_now(e) + i, NULL);
	}
	weft_sim_run(e);
}

typedef int loop_fn(struct looper *l, struct heap *h, int64_t time);

static int
loop_bare(struct looper *l, struct heap *h, int64_t time)
{
	l->state = l->state * 6364136223846793005u + 1442695040888963407u;
	if (--l->left > 0)
		heap_push(
			h, time + 1 + (int64_t)(l->state >> 54), (uintptr_t)l);
	return 0;
}

static void
run_heap(void)
{
	static loop_fn *volatile fn = loop_bare;
	static struct heap h;

	for (int i = 0; i < depth; i++) {
		loopers[i].left = (uint64_t)(CALLS / depth);
		heap_push(&h, i, (uintptr_t)&loopers[i]);
	}
	while (h.n > 0) {
		struct heap_item item = heap_pop(&h);

		sink += (uint64_t)fn(
			(struct looper *)(uintptr_t)item.value, &h, item.key);
	}
}

/* ---- ports ---- */

#define HOPS 400000

struct station {
	struct weft_sim_ticker ticker;
	struct weft_sim_port port;
	struct weft_sim_msg msg;
	struct station *other;
	int left;
	bool client;
};

static struct station stations[2];
static struct weft_sim_wire wire;

/* The server answers; the client sends its next request when it has the
 * answer. */
static bool
serve(struct weft_sim_ticker *t)
{
	struct station *s = (struct station *)t;
	struct weft_sim_domain *d = &t->handler.domain;
	struct weft_sim_msg *msg = weft_sim_receive(&s->port);

	if (msg == NULL)
		return false;
	if (s->client) {
		weft_task_req_finalize(d, &s->msg);
		if (--s->left == 0)
			return false;
		s->msg.id = 0;
		weft_task_req_initiate(d, &s->msg, 0);
	} else {
		weft_task_req_receive(d, msg);
		weft_task_tag(d, weft_task_id_at(d, msg), "hit");
		weft_task_req_complete(d, msg);
		s->msg.id = 0;
		s->msg.response_to = msg->id;
	}
	weft_sim_send(&s->port, &s->msg);
	return false;
}

static void
run_hops(void)
{
	struct station *c = &stations[0];

	c->left = HOPS / 2;
	c->msg.id = 0;
	weft_task_req_initiate(&c->ticker.handler.domain, &c->msg, 0);
	weft_sim_send(&c->port, &c->msg);
	weft_sim_run(e);
}

static void
make_stations(void)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };

	weft_sim_wire_init(&wire, e, NULL, &ghz, "Wire");
	for (int i = 0; i < 2; i++) {
		struct station *s = &stations[i];

		weft_sim_ticker_init(
			&s->ticker, e, NULL, &ghz, "Station[%d]", i);
		s->ticker.tick = serve;
		weft_sim_port_init(&s->port, &s->ticker, 4, 4, "Port");
		weft_sim_plug(&wire, &s->port);
		s->client = i == 0;
		s->msg.type = i == 0 ? "ReadReq" : "DataRsp";
		s->msg.dst = &stations[1 - i].port;
	}
}

/* ---- threads ---- */

struct busy {
	struct weft_sim_ticker ticker;
	int left;
	uint64_t state;
};

static struct busy busies[64];
static uint64_t spins_per_us;
static uint64_t work_spins;

static void
spin(uint64_t *state, uint64_t n)
{
	for (uint64_t i = 0; i < n; i++)
		*state = *state * 6364136223846793005u + 1442695040888963407u;
}

static bool
tick_busy(struct weft_sim_ticker *t)
{
	struct busy *b = (struct busy *)t;

	spin(&b->state, work_spins);
	return --b->left > 0;
}

static void
calibrate(void)
{
	uint64_t state = 1;
	double t = bench_wall();

	spin(&state, 20000000);
	sink += state;
	spins_per_us = (uint64_t)(20 / (bench_wall() - t));
}

/* Returns the seconds that 64 tickers take, with `ns` of work in each tick. */
static double
run_threads(int threads, uint64_t ns)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };
	struct weft_sim_engine *many = weft_sim_engine_open(
		&(struct weft_sim_setup){ .threads = threads });
	double t;

	work_spins = spins_per_us * ns / 1000;
	for (int i = 0; i < 64; i++) {
		weft_sim_ticker_init(
			&busies[i].ticker, many, NULL, &ghz, "Busy[%d]", i);
		busies[i].ticker.tick = tick_busy;
		busies[i].left = (int)(3000000 / ns) + 1;
		weft_sim_tick_now(&busies[i].ticker);
	}
	t = bench_wall();
	weft_sim_run(many);
	t = bench_wall() - t;
	weft_sim_engine_close(many);
	return t;
}

/* ---- table ---- */

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double
median(double *t)
{
	qsort(t, ROUNDS, sizeof *t, by_value);
	return t[ROUNDS / 2];
}

static double
seconds(void (*fn)(void))
{
	double t = bench_wall();

	fn();
	return bench_wall() - t;
}

/* Prints a row: ns per call, ns of the floor, and allocations after the first
 * round. */
static void
row(const char *name, void (*fn)(void), void (*floor_fn)(void), double calls,
	const char *aim)
{
	double t[ROUNDS], t_floor[ROUNDS], ns, floor_ns = 0;
	uint64_t before = 0;

	for (int i = 0; i < ROUNDS; i++) {
		t_floor[i] = floor_fn == NULL ? 0 : seconds(floor_fn);
		if (i == 1)
			before = allocations;
		t[i] = seconds(fn);
	}
	ns = 1e9 * median(t) / calls;
	floor_ns = 1e9 * median(t_floor) / calls;
	printf("%-34s %8.2f %8.2f %8.2f %8.1f %6llu  %s\n", name, ns, floor_ns,
		ns - floor_ns, 1e3 / ns,
		(unsigned long long)(allocations - before), aim);
}

static void
begin(void)
{
	e = weft_sim_engine_open(NULL);
	weft_sim_domain_init(&component, e, NULL, "Component");
}

static void
hook_rows(void)
{
	static struct weft_sim_hook hook[4] = { { count, NULL },
		{ count, NULL }, { count, NULL }, { count, NULL } };

	begin();
	row("hook point, nothing attached", run_hook, run_empty, CALLS,
		"<= 0.5 above");
	weft_sim_hook_attach(&component, &hook[0], WEFT_SIM_ON_ALL);
	row("hook point, one hook", run_hook, run_empty, CALLS, "<= 6 above");
	for (int i = 1; i < 4; i++)
		weft_sim_hook_attach(&component, &hook[i], WEFT_SIM_ON_ALL);
	row("hook point, four hooks", run_hook, run_empty, CALLS, "");
	weft_sim_engine_close(e);
}

static struct weft_tracer_busy_time busy_time;
static struct weft_tracer_total_time total_time;
static struct weft_tracer_average_time average_time;
static struct weft_tracer_step_count step_count;
static struct weft_tracer_back_trace back_trace;

static void
make_tracers(void)
{
	weft_tracer_busy_time_init(&busy_time);
	weft_tracer_total_time_init(&total_time);
	weft_tracer_average_time_init(&average_time);
	weft_tracer_step_count_init(&step_count);
	weft_tracer_back_trace_init(&back_trace);
}

static void
task_rows(void)
{
	begin();
	make_tracers();
	row("task start + end, untraced", run_tasks, run_empty, CALLS, "");
	weft_task_collect(&component, &total_time.tracer);
	row("task start + end, one tracer", run_tasks, run_empty, CALLS,
		"<= 40");
	weft_task_collect(&component, &busy_time.tracer);
	weft_task_collect(&component, &average_time.tracer);
	weft_task_collect(&component, &step_count.tracer);
	weft_task_collect(&component, &back_trace.tracer);
	row("task start + end, five tracers", run_tasks, run_empty, CALLS,
		"<= 150");
	weft_sim_engine_close(e);
}

static void
engine_rows(void)
{
	begin();
	for (int i = 0; i < 1024; i++) {
		weft_sim_handler_init(
			&loopers[i].handler, e, NULL, "Loop[%d]", i);
		loopers[i].handler.handle = loop;
		loopers[i].state = (uint64_t)i;
	}
	depth = 1;
	row("event, depth 1", run_engine, run_heap, CALLS, "<= 40 (25 M/s)");
	depth = 1024;
	row("event, depth 1024", run_engine, run_heap, CALLS, "<= 83 (12 M/s)");
	weft_sim_engine_close(e);
}

static void
hop_rows(void)
{
	begin();
	make_stations();
	row("hop over ports, untraced", run_hops, NULL, HOPS, "<= 100");
	make_tracers();
	weft_task_collect_all(e, "Station[?]", &total_time.tracer);
	weft_task_collect_all(e, "Station[?]", &busy_time.tracer);
	weft_task_collect_all(e, "Station[?]", &average_time.tracer);
	weft_task_collect_all(e, "Station[?]", &step_count.tracer);
	weft_task_collect_all(e, "Station[?]", &back_trace.tracer);
	row("hop over ports, five tracers", run_hops, NULL, HOPS, "<= 300");
	weft_sim_engine_close(e);
}

static void
thread_rows(void)
{
	static const uint64_t ns[] = { 100, 1000, 10000 };

	calibrate();
	printf("\n64 tickers, all at every edge: speed of two threads by that "
	       "of one\n");
	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
		double ratio[ROUNDS];

		for (int k = 0; k < ROUNDS; k++)
			ratio[k] =
				run_threads(1, ns[i]) / run_threads(2, ns[i]);
		printf("%8.1f us of work a tick        %6.2f x  %s\n",
			(double)ns[i] / 1000, median(ratio),
			ns[i] == 10000          ? ">= 1.7"
				: ns[i] == 1000 ? ">= 1"
						: "");
	}
}

int
main(int argc, char **argv)
{
	bool help = argc > 1 && strcmp(argv[1], "--help") == 0;

	if (argc > 1) {
		fprintf(help ? stdout : stderr,
			"usage: sim\n"
			"Prints what the engine for simulators costs.\n");
		return help ? 0 : BENCH_USAGE;
	}
	printf("%-34s %8s %8s %8s %8s %6s  %s\n", "row", "ns", "floor", "above",
		"M/s", "allocs", "aim (ns)");
	hook_rows();
	task_rows();
	engine_rows();
	hop_rows();
	thread_rows();
	return 0;
}
