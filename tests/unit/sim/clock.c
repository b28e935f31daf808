/* SPDX-License-Identifier: MIT */
#include "kit.h"

static const struct weft_sim_clock ghz = { 1000000000, 1 },
				   ghz3 = { 3000000000, 1 };

TEST(edges_of_1_ghz)
{
	CHECK_INT(weft_sim_this_tick(&ghz, 0), 0);
	CHECK_INT(weft_sim_this_tick(&ghz, 1), 1000);
	CHECK_INT(weft_sim_this_tick(&ghz, 1000), 1000);
	CHECK_INT(weft_sim_next_tick(&ghz, 0), 1000);
	CHECK_INT(weft_sim_next_tick(&ghz, 999), 1000);
	CHECK_INT(weft_sim_next_tick(&ghz, 1000), 2000);
	CHECK_INT(weft_sim_cycle(&ghz, 999), 0);
	CHECK_INT(weft_sim_cycle(&ghz, 1000), 1);
}

TEST(edges_of_3_ghz_never_drift)
{
	int64_t t = 0;

	for (int k = 1; k <= 3000; k++) {
		t = weft_sim_next_tick(&ghz3, t);
		CHECK_INT(t, (int64_t)k * 1000 / 3);
		CHECK_INT(weft_sim_cycle(&ghz3, t), k);
		CHECK_INT(weft_sim_this_tick(&ghz3, t), t);
	}
	CHECK_INT(weft_sim_edge(&ghz3, 3000000000), 1000000000000);
	CHECK_INT(weft_sim_cycle(&ghz3, 1000000000000), 3000000000);
}

TEST(clocks_are_rational)
{
	/* A third of a hertz, and 60 Hz of television: 60000 / 1001. */
	static const struct weft_sim_clock third = { 1, 3 },
					   tv = { 60000, 1001 };

	CHECK_INT(weft_sim_edge(&third, 2), 6000000000000);
	CHECK_INT(weft_sim_edge(&tv, 60000), 1001000000000000);
	CHECK_INT(weft_sim_edge(&third, INT64_MAX), WEFT_SIM_NEVER);
	CHECK_INT(weft_sim_next_tick(&third, INT64_MAX - 1), WEFT_SIM_NEVER);
}

/* Ticks `left` times, then sleeps. */
struct worker {
	struct weft_sim_ticker ticker;
	int left;
};

static bool
work(struct weft_sim_ticker *t)
{
	struct worker *w = (struct worker *)t;

	say("%lld ", (long long)weft_sim_now(t->handler.domain.engine));
	return --w->left > 0;
}

TEST(tickers_sleep_and_wake)
{
	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
	struct worker w = { .left = 4 };

	CHECK_INT(weft_sim_ticker_init(&w.ticker, e, NULL, &ghz3, "Worker"), 0);
	w.ticker.tick = work;
	weft_sim_tick_now(&w.ticker);
	weft_sim_tick_now(&w.ticker);
	weft_sim_tick_later(&w.ticker);
	weft_sim_run(e);
	CHECK_STR(heard(), "0 333 666 1000 ");
	/* Ticks once a cycle, also if woken after its tick. */
	w.left = 2;
	weft_sim_tick_now(&w.ticker);
	weft_sim_run(e);
	CHECK_STR(heard(), "1333 1666 ");
	CHECK_INT(weft_sim_ticker_init(&w.ticker, e, NULL,
			  &(struct weft_sim_clock){ 0, 1 }, "Still"),
		WEFT_SIM_LIMIT);
	weft_sim_engine_close(e);
}

static struct weft_sim_hook watch = { say_letter, (void *)"" };

TEST(ticks_have_positions)
{
	struct weft_sim_engine *e = weft_sim_engine_open(NULL);
	struct worker w = { .left = 1 };

	weft_sim_ticker_init(&w.ticker, e, NULL, &ghz, "Worker");
	w.ticker.tick = work;
	weft_sim_hook_attach(
		&w.ticker.handler.domain, &watch, WEFT_SIM_ON_TICK);
	weft_sim_tick_now(&w.ticker);
	weft_sim_run(e);
	CHECK_STR(heard(), "B 0 A ");
	weft_sim_engine_close(e);
}

TEST_MAIN(RUN(edges_of_1_ghz), RUN(edges_of_3_ghz_never_drift),
	RUN(clocks_are_rational), RUN(tickers_sleep_and_wake),
	RUN(ticks_have_positions))
