/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "agents.h"

/* A sum over all that hooks see, which depends on the order. */
struct summing {
	struct weft_sim_hook hook;
	uint64_t sum, calls;
};

static void
add(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	struct summing *s = (struct summing *)hook;

	s->calls++;
	s->sum = s->sum * 1099511628211u + ctx->domain->id * 64 +
		ctx->pos->mask % 61 +
		(uint64_t)weft_sim_now(ctx->domain->engine);
	if ((ctx->pos->mask & WEFT_SIM_ON_PORT) != 0)
		s->sum += ((const struct weft_sim_msg *)ctx->item)->id;
}

/* Returns the sum of a run with that many threads; hooks on all or on none. */
static uint64_t
run(int threads, bool hooks)
{
	struct weft_sim_setup setup = { .threads = threads, .spread = true };
	struct summing all = { .hook.call = add };
	struct agents s;
	uint64_t sum;

	agents_open(&s, 20, 50, &setup);
	if (hooks)
		weft_sim_hook_attach_all(s.e, "*", &all.hook, WEFT_SIM_ON_ALL);
	CHECK_INT(weft_sim_run(s.e), 0);
	CHECK_INT(agents_received(&s), 1000);
	CHECK_INT(all.calls > 0, hooks);
	sum = agents_sum(&s) + all.sum;
	agents_close(&s);
	return sum;
}

TEST(threads_give_what_one_gives)
{
	static const int threads[] = { 2, 3, 8 };
	uint64_t one = run(1, false);

	for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
		CHECK(run(threads[i], false) == one);
}

TEST(hooks_see_the_order_of_one_thread)
{
	static const int threads[] = { 2, 3, 8 };
	uint64_t one = run(1, true);

	for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
		CHECK(run(threads[i], true) == one);
}

/* Events of one handler, several at one time: they never run in parallel. */
struct shy {
	struct weft_sim_handler handler;
	int inside, calls;
};

static struct shy shy[3];

static int
alone(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct shy *s = (struct shy *)h;

	CHECK_INT(__atomic_fetch_add(&s->inside, 1, __ATOMIC_SEQ_CST), 0);
	s->calls++;
	CHECK_INT(__atomic_sub_fetch(&s->inside, 1, __ATOMIC_SEQ_CST), 0);
	if (ev->time < 100)
		weft_sim_schedule(h, ev->time + 1, NULL);
	if (ev->time == 50)
		return weft_sim_schedule(h, 10, NULL) == WEFT_SIM_PAST ? 3 : 0;
	return 0;
}

TEST(a_handler_never_runs_twice_at_once)
{
	struct weft_sim_setup setup = { .threads = 4, .spread = true };
	struct weft_sim_engine *e = weft_sim_engine_open(&setup);

	for (int i = 0; i < 3; i++) {
		shy[i].calls = 0;
		weft_sim_handler_init(&shy[i].handler, e, NULL, "Shy[%d]", i);
		shy[i].handler.handle = alone;
		for (int k = 0; k < 5 * (i + 1); k++)
			weft_sim_schedule(&shy[i].handler, 0, NULL);
	}
	CHECK_INT(weft_sim_run(e), 3);
	for (int i = 0; i < 3; i++)
		CHECK_INT(shy[i].calls, 101 * 5 * (i + 1));
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_PAST), 30);
	CHECK_STR(weft_sim_fault_text(e, 1),
		"Shy[0]: its handler returned 3 at 50 ps");
	weft_sim_engine_close(e);
}

static void *
run_one(void *sum)
{
	*(uint64_t *)sum = run(1, true);
	return NULL;
}

/* Attaches a hook while others run; says how often it was called. */
static struct counting {
	struct weft_sim_hook hook;
	int calls;
} counting;

static void
count_calls(struct weft_sim_hook *hook, const struct weft_sim_hook_ctx *ctx)
{
	(void)ctx;
	((struct counting *)hook)->calls++;
}

static int
attaches(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct weft_sim_domain *d = weft_sim_engine_domain(h->domain.engine);

	if (ev->data != NULL && ev->time == 3)
		weft_sim_hook_attach(d, &counting.hook, WEFT_SIM_ON_EVENT);
	if (ev->data != NULL && ev->time == 7)
		weft_sim_hook_detach(d, &counting.hook);
	return ev->time < 10 ? weft_sim_schedule(h, ev->time + 1, ev->data) : 0;
}

TEST(hooks_change_at_the_end_of_a_round)
{
	static struct weft_sim_handler h[4];

	for (int threads = 2; threads <= 8; threads *= 2) {
		struct weft_sim_setup setup = { .threads = threads,
			.spread = threads > 2 };
		struct weft_sim_engine *e = weft_sim_engine_open(&setup);

		counting = (struct counting){ .hook.call = count_calls };
		for (int i = 0; i < 4; i++) {
			weft_sim_handler_init(&h[i], e, NULL, "H[%d]", i);
			h[i].handle = attaches;
			weft_sim_schedule(&h[i], 0, i == 1 ? e : NULL);
		}
		weft_sim_run(e);
		/* Before and after four events at 4, 5, 6 and 7. */
		CHECK_INT(counting.calls, 32);
		weft_sim_engine_close(e);
	}
}

/* Handlers of the same time; each changes something and notes what the engine
 * answers. */
static struct reader {
	struct weft_sim_handler handler;
	struct weft_sim_ticker *peer;
	uint64_t told[6][4];
} reader[8];

static int
reads(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct weft_sim_engine *e = h->domain.engine;
	struct reader *r = (struct reader *)h;
	uint64_t *told = r->told[ev->time];
	const char *text;

	told[0] = weft_sim_pending(e);
	weft_sim_tick_now(r->peer);
	if (ev->time % 2 == 0)
		weft_sim_schedule(h, ev->time - 1, NULL);
	told[1] = weft_sim_count(e);
	told[2] = weft_sim_faults(e, WEFT_SIM_OK);
	text = weft_sim_fault_text(e, told[2] - 1);
	told[3] = text == NULL ? 0 : strlen(text);
	return ev->time < 5 ? weft_sim_schedule(h, ev->time + 1, NULL) : 0;
}

static bool
tick_once(struct weft_sim_ticker *t)
{
	(void)t;
	return false;
}

static void
read_all(int threads, bool spread)
{
	static struct weft_sim_ticker peer[3];
	static const struct weft_sim_clock slow = { 1, 1 };
	struct weft_sim_setup setup = { .threads = threads, .spread = spread };
	struct weft_sim_engine *e = weft_sim_engine_open(&setup);

	for (int i = 0; i < 3; i++) {
		weft_sim_ticker_init(&peer[i], e, NULL, &slow, "Peer[%d]", i);
		peer[i].tick = tick_once;
	}
	memset(reader, 0, sizeof reader);
	for (int i = 0; i < 8; i++) {
		reader[i].peer = &peer[i % 3];
		weft_sim_handler_init(
			&reader[i].handler, e, NULL, "Reader[%d]", i);
		reader[i].handler.handle = reads;
		weft_sim_schedule(&reader[i].handler, i % 3, NULL);
	}
	weft_sim_run(e);
	weft_sim_engine_close(e);
}

TEST(handlers_are_told_what_one_thread_tells)
{
	struct reader one[8];

	read_all(1, false);
	memcpy(one, reader, sizeof one);
	CHECK(one[7].told[5][0] > 0);
	for (int threads = 2; threads <= 8; threads += 3) {
		for (int spread = 0; spread < 2; spread++) {
			read_all(threads, spread);
			for (int i = 0; i < 8; i++)
				CHECK(memcmp(one[i].told, reader[i].told,
					      sizeof one[i].told) == 0);
		}
	}
}

/* A tick at the end of time is a fault of the handler that asked for the tick,
 * although the engine finds the fault only after the round. */
static int
ticks_too_late(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct reader *r = (struct reader *)h;

	(void)ev;
	weft_sim_report(&h->domain, "before");
	weft_sim_tick_later(r->peer);
	return 0;
}

TEST(faults_have_the_order_of_one_thread)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };
	static struct weft_sim_ticker peer[4];
	char first[8][100];

	for (int threads = 1; threads <= 4; threads++) {
		struct weft_sim_setup setup = { .threads = threads,
			.spread = true };
		struct weft_sim_engine *e = weft_sim_engine_open(&setup);

		for (int i = 0; i < 4; i++) {
			weft_sim_ticker_init(
				&peer[i], e, NULL, &ghz, "Peer[%d]", i);
			reader[i].peer = &peer[i];
			weft_sim_handler_init(
				&reader[i].handler, e, NULL, "Late[%d]", i);
			reader[i].handler.handle = ticks_too_late;
			weft_sim_schedule(
				&reader[i].handler, WEFT_SIM_NEVER - 1, NULL);
		}
		weft_sim_run(e);
		CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 8);
		for (size_t i = 0; i < 8 && threads == 1; i++)
			snprintf(first[i], sizeof first[i], "%s",
				weft_sim_fault_text(e, i));
		for (size_t i = 0; i < 8; i++)
			CHECK_STR(weft_sim_fault_text(e, i), first[i]);
		weft_sim_engine_close(e);
	}
}

/* Schedules itself without end; the fifth event stops the run in the middle of
 * a time. */
static int
goes_on(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct reader *r = (struct reader *)h;

	r->told[0][0]++;
	if (ev->time == 30 && r == &reader[4])
		weft_sim_stop(h->domain.engine);
	weft_sim_tick_later(r->peer);
	return weft_sim_schedule(
		h, ev->time + 1 + (int64_t)(r - reader) % 2, NULL);
}

TEST(a_handler_stops_all_runs_at_the_same_event)
{
	static const struct weft_sim_clock clock = { 1000000000000, 1 };
	static struct weft_sim_ticker peer;
	uint64_t count = 0;

	for (int threads = 1; threads <= 4; threads++) {
		struct weft_sim_setup setup = { .threads = threads,
			.spread = threads > 2 };
		struct weft_sim_engine *e = weft_sim_engine_open(&setup);

		memset(reader, 0, sizeof reader);
		weft_sim_ticker_init(&peer, e, NULL, &clock, "Peer");
		peer.tick = tick_once;
		for (int i = 0; i < 8; i++) {
			reader[i].peer = &peer;
			weft_sim_handler_init(
				&reader[i].handler, e, NULL, "On[%d]", i);
			reader[i].handler.handle = goes_on;
			weft_sim_schedule(&reader[i].handler, 0, NULL);
		}
		CHECK_INT(weft_sim_run(e), 0);
		CHECK_INT(weft_sim_now(e), 30);
		CHECK_INT(reader[7].told[0][0], 16);
		count = threads == 1 ? weft_sim_count(e) : count;
		CHECK_INT(weft_sim_count(e), count);
		CHECK_INT(weft_sim_pending(e), 9);
		weft_sim_engine_close(e);
	}
}

TEST(two_simulations_know_nothing_of_each_other)
{
	uint64_t alone_sum = run(1, true), sum[2] = { 0, 0 };
	pthread_t thread[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, run_one, &sum[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	CHECK(sum[0] == alone_sum);
	CHECK(sum[1] == alone_sum);
}

TEST_MAIN(RUN(threads_give_what_one_gives),
	RUN(hooks_see_the_order_of_one_thread),
	RUN(a_handler_never_runs_twice_at_once),
	RUN(hooks_change_at_the_end_of_a_round),
	RUN(handlers_are_told_what_one_thread_tells),
	RUN(faults_have_the_order_of_one_thread),
	RUN(a_handler_stops_all_runs_at_the_same_event),
	RUN(two_simulations_know_nothing_of_each_other))
