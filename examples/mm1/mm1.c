/* SPDX-License-Identifier: MIT */
/*
 * mm1.c - the M/M/1 queue: customers come at random, wait, are served one by
 * one, and go. Theory knows how many are there on average (L = rho/(1 - rho))
 * and how long each stays (W = 1/(mu - lambda)); the simulation should agree.
 *
 * A customer is a task of the server, so that two tracers measure L and W: one
 * of our own (level), one of the library (average time).
 */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <weft/task.h>

#define SERVICE_PS 1e6 /* mean time of service: 1/mu */
#define RHO 0.8        /* lambda/mu */

/* A tracer of this program: the average number of open tasks over time. */
struct level {
	struct weft_tracer tracer; /* first */
	int64_t open, since;
	double area; /* tasks x ps */
};

static void
level_change(struct weft_tracer *t, int64_t change)
{
	struct level *l = (struct level *)t;

	l->area += (double)l->open * (double)(t->now - l->since);
	l->since = t->now;
	l->open += change;
}

static void
level_start(struct weft_tracer *t, const struct weft_task *task)
{
	(void)task;
	level_change(t, 1);
}

static void
level_end(struct weft_tracer *t, const struct weft_task *task)
{
	(void)task;
	level_change(t, -1);
}

static const struct weft_tracer_ops level_ops = {
	.start = level_start,
	.end = level_end,
};

/* Waiting customers are in a circular queue that grows. */
struct server {
	struct weft_sim_handler handler;
	uint64_t *customer;
	size_t n, first, room;
	uint64_t random;
};

struct source {
	struct weft_sim_handler handler;
	struct server *server;
	uint64_t left, random;
};

/* Returns an exponentially distributed time with the given mean, at least 1
 * ps. */
static int64_t
random_time(uint64_t *state, double mean)
{
	uint64_t x;

	*state += UINT64_C(0x9e3779b97f4a7c15);
	x = *state;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return (int64_t)(-mean * log(((double)(x >> 11) + 1) * 0x1p-53)) + 1;
}

static void
serve_next(struct server *s)
{
	struct weft_sim_engine *e = s->handler.domain.engine;

	weft_task_milestone(&s->handler.domain, s->customer[s->first],
		WEFT_WAIT_QUEUE, "Server");
	weft_sim_schedule(&s->handler,
		weft_sim_now(e) + random_time(&s->random, SERVICE_PS), NULL);
}

/* Ends the service of the first customer. */
static int
served(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct server *s = (struct server *)h;

	(void)ev;
	weft_task_end(&h->domain, s->customer[s->first]);
	s->first = (s->first + 1) % s->room;
	if (--s->n > 0)
		serve_next(s);
	return 0;
}

static int
make_room(struct server *s)
{
	size_t room = s->room == 0 ? 64 : 2 * s->room;
	uint64_t *ring = malloc(room * sizeof *ring);

	if (ring == NULL)
		return -1;
	for (size_t i = 0; i < s->n; i++)
		ring[i] = s->customer[(s->first + i) % s->room];
	free(s->customer);
	s->customer = ring;
	s->room = room;
	s->first = 0;
	return 0;
}

static int
arrives(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	static const struct weft_task customer = { .kind = "customer",
		.what = "visit" };
	struct source *from = (struct source *)h;
	struct server *s = from->server;

	if (s->n == s->room && make_room(s) != 0)
		return weft_sim_report(&h->domain, "no memory");
	s->customer[(s->first + s->n) % s->room] =
		weft_task_start(&s->handler.domain, &customer);
	if (s->n++ == 0)
		serve_next(s);
	if (--from->left > 0)
		weft_sim_schedule(h,
			ev->time + random_time(&from->random, SERVICE_PS / RHO),
			NULL);
	return 0;
}

/* Runs the simulation. Returns 0, or an exit code. */
static int
run(uint64_t customers, uint64_t seed, const char *place)
{
	static struct weft_tracer_average_time stay;
	static struct weft_tracer_store store;
	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
	struct level level = { .tracer = { .ops = &level_ops } };
	struct server server = { .random = seed };
	struct source source = {
		.server = &server, .left = customers, .random = ~seed
	};
	double l, w;

	weft_sim_handler_init(&server.handler, e, NULL, "Server");
	weft_sim_handler_init(&source.handler, e, NULL, "Source");
	server.handler.handle = served;
	source.handler.handle = arrives;
	weft_tracer_average_time_init(&stay);
	weft_task_collect(&server.handler.domain, &level.tracer);
	weft_task_collect(&server.handler.domain, &stay.tracer);
	if (place != NULL) {
		if (weft_tracer_store_init(&store, e, place) != WEFT_SIM_OK)
			return 3; /* the engine has said why */
		weft_task_collect(&server.handler.domain, &store.tracer);
	}
	weft_sim_schedule(&source.handler, 0, NULL);
	weft_sim_run(e);
	l = level.area / (double)weft_sim_now(e);
	w = weft_tracer_average_time_mean(&stay) / SERVICE_PS;
	printf("%" PRIu64 " customers, rho %.1f\n", stay.count, RHO);
	printf("       simulated  theory     off\n");
	printf("L %15.4f %7.1f %6.2f %%\n", l, RHO / (1 - RHO),
		100 * (l / (RHO / (1 - RHO)) - 1));
	printf("W %15.4f %7.1f %6.2f %%\n", w, 1 / (1 - RHO),
		100 * (w * (1 - RHO) - 1));
	printf("half stay less than %.2f, one in a hundred longer than %.2f\n",
		(double)weft_tracer_average_time_percentile(&stay, 50) /
			SERVICE_PS,
		(double)weft_tracer_average_time_percentile(&stay, 99) /
			SERVICE_PS);
	weft_sim_engine_close(e);
	free(server.customer);
	return 0;
}

int
main(int argc, char *argv[])
{
	uint64_t customers = 10000000, seed = 1;
	const char *place = NULL;
	int c;

	while ((c = getopt(argc, argv, "n:s:o:")) != -1) {
		if (c == 'n')
			customers = strtoull(optarg, NULL, 10);
		else if (c == 's')
			seed = strtoull(optarg, NULL, 10);
		else if (c == 'o')
			place = optarg;
		else
			customers = 0;
	}
	if (customers == 0 || optind != argc) {
		fprintf(stderr,
			"usage: mm1 [-n CUSTOMERS] [-s SEED] [-o STORE]\n");
		return 2;
	}
	return run(customers, seed, place);
}
