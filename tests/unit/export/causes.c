/* SPDX-License-Identifier: MIT */
#include "test.h"

#include "base/arena.h"
#include "export/causes/causes.h"
#include "export/short_calls.h"

enum { LIFE, WAIT, OBJECT, LINE, REASON, OPENMP, PLACE, SHORT };
enum { RUNS = 1, PAUSED = 2, DEAD = 3, COOLING = 4, WARMING = 5 };
enum { TURN = 40, MUTEX = 1, JOIN = 9, READ = 20 };
enum { READY = 2, BLOCKED = 4, STOPPED = 6 }; /* of the kernel */

static const struct stat_life life = { "ovni.state", { 0, DEAD } };

static void
type(struct sink *s, uint32_t id, const char *key)
{
	sink_type(s,
		&(struct type){ .id = id,
			.class = "thread",
			.key = key,
			.title = key,
			.number = 1 + id });
}

static struct sink *
open_with(
	struct arena *a, bool has_reason, const struct short_calls *short_calls)
{
	struct sink *s = causes_open(a, &life, short_calls);

	sink_row(s, &(struct row){ 0, ROW_NONE, "thread", "A", NULL });
	sink_row(s, &(struct row){ 1, ROW_NONE, "cpu", "CPU", NULL });
	sink_row(s, &(struct row){ 2, ROW_NONE, "thread", "B", NULL });
	type(s, LIFE, "ovni.state");
	type(s, WAIT, "wait.wait");
	type(s, OBJECT, "wait.object");
	type(s, LINE, "wait.line");
	type(s, REASON, has_reason ? "wait.reason" : "other");
	type(s, OPENMP, "openmp.subsystem");
	type(s, PLACE, "wait.place");
	type(s, SHORT, "wait.short");
	sink_label(s, LIFE, RUNS, "Running", MEANS_TASK);
	sink_label(s, LIFE, PAUSED, "Paused", MEANS_IDLE);
	sink_label(s, LIFE, COOLING, "Cooling", MEANS_OVERHEAD);
	sink_label(s, LIFE, WARMING, "Warming", MEANS_OVERHEAD);
	sink_label(s, WAIT, MUTEX, "Mutex", MEANS_LOCK);
	sink_label(s, WAIT, TURN, "OpenMP ordered", MEANS_SYNC);
	sink_label(s, WAIT, JOIN, "Join", MEANS_SYNC);
	sink_label(s, WAIT, READ, "Read", MEANS_IO);
	sink_label(s, OBJECT, 5, "queue", MEANS_SYNC);
	sink_label(s, LINE, 6, "q.c:40", MEANS_SYNC);
	sink_label(s, REASON, RUNS, "Running", MEANS_TASK);
	sink_label(s, REASON, READY, "Ready", MEANS_READY);
	sink_label(s, REASON, BLOCKED, "Blocked", MEANS_SYNC);
	sink_label(s, OPENMP, 1, "Barrier", MEANS_SYNC);
	sink_label(s, OPENMP, 2, "Chunk", MEANS_TASK);
	sink_label(s, OPENMP, 3, "Fork", MEANS_OVERHEAD);
	return s;
}

static struct sink *
open_some(struct arena *a, bool has_reason)
{
	return open_with(a, has_reason, NULL);
}

static struct sink *
open_two(struct arena *a)
{
	return open_some(a, true);
}

static void
set(struct sink *s, int64_t time, uint32_t row, uint32_t of, int64_t value)
{
	sink_state(s,
		&(struct record){
			.time = time, .row = row, .type = of, .value = value });
}

static void
wait_on(struct sink *s, int64_t time, uint32_t row, bool begins)
{
	set(s, time, row, WAIT, begins ? MUTEX : VALUE_NONE);
	set(s, time, row, OBJECT, begins ? 5 : VALUE_NONE);
	set(s, time, row, LINE, begins ? 6 : VALUE_NONE);
}

TEST(each_moment_of_a_life_has_one_class)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 10, 0, LIFE, RUNS);
	set(s, 20, 0, OPENMP, 2);
	wait_on(s, 30, 0, true);
	wait_on(s, 50, 0, false);
	set(s, 60, 0, OPENMP, 1);
	set(s, 65, 0, OPENMP, VALUE_NONE);
	set(s, 90, 0, LIFE, DEAD);
	sink_advance(s, 200);
	c = causes_result(s);
	CHECK_INT(c->nthreads, 2);
	CHECK_INT(c->life, 80);
	CHECK_INT(c->time[CAUSE_LOCK], 20);
	CHECK_INT(c->time[CAUSE_OPENMP], 5);
	CHECK_INT(c->time[CAUSE_COMPUTE], 55);
	CHECK_INT(c->ncauses, 2);
	CHECK_STR(c->cause[0].what, "Mutex");
	CHECK_STR(c->cause[0].object, "queue");
	CHECK_STR(c->cause[0].line, "q.c:40");
	CHECK_INT(c->cause[0].times, 1);
	CHECK_STR(c->cause[1].what, "Barrier");
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(the_kernel_divides_waits_and_work)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 0, REASON, RUNS);
	set(s, 10, 0, REASON, READY);
	set(s, 15, 0, REASON, RUNS);
	wait_on(s, 20, 0, true);
	set(s, 20, 0, REASON, BLOCKED);
	set(s, 40, 0, REASON, READY);
	set(s, 47, 0, REASON, RUNS);
	wait_on(s, 50, 0, false);
	set(s, 60, 0, REASON, BLOCKED);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK(c->has_ready);
	CHECK_INT(c->time[CAUSE_READY], 12);
	CHECK_INT(c->time[CAUSE_LOCK], 23);
	CHECK_INT(c->time[CAUSE_BLOCKED], 40);
	CHECK_INT(c->time[CAUSE_COMPUTE], 25);
	CHECK_INT(c->ncauses, 2);
	CHECK_INT(c->cause[0].time, 23);
	CHECK_STR(c->cause[1].what, "Ready");
	CHECK_INT(c->cause[1].time, 12);
	CHECK_INT(c->cause[1].times, 1);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(a_link_at_the_end_of_a_wait_names_the_culprit)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	for (int i = 0; i < 3; i++) {
		wait_on(s, 10 + 20 * i, 0, true);
		/* the second link is older than its wait */
		sink_link(s,
			&(struct link){ i == 1 ? 5 : 14 + 20 * i, 15 + 20 * i,
				2, 0, 1, 0, 0 });
		wait_on(s, 15 + 20 * i, 0, false);
	}
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 1);
	CHECK_INT(c->cause[0].time, 15);
	CHECK_INT(c->cause[0].times, 3);
	CHECK_STR(c->cause[0].culprit, "B");
	CHECK_INT(c->cause[0].culprit_time, 10);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(each_line_of_a_barrier_is_a_cause_ended_by_the_last_thread)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	sink_label(s, PLACE, 6, "q.c:40", MEANS_SYNC);
	sink_label(s, PLACE, 7, "q.c:50", MEANS_SYNC);
	/* A comes first and leaves first */
	for (int i = 0; i < 2; i++) {
		set(s, 10 + 30 * i, 0, OPENMP, 1);
		set(s, 10 + 30 * i, 0, PLACE, 6 + i);
		set(s, 20 + 30 * i, 2, OPENMP, 1);
		set(s, 20 + 30 * i, 2, PLACE, 6 + i);
		set(s, 22 + 30 * i, 0, OPENMP, VALUE_NONE);
		set(s, 22 + 30 * i, 0, PLACE, VALUE_NONE);
		set(s, 23 + 31 * i, 2, OPENMP, VALUE_NONE);
		set(s, 23 + 31 * i, 2, PLACE, VALUE_NONE);
	}
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 2);
	CHECK_STR(c->cause[0].line, "q.c:50");
	CHECK_STR(c->cause[1].line, "q.c:40");
	for (int i = 0; i < 2; i++) {
		CHECK_INT(c->cause[i].time, 16 - i);
		CHECK_INT(c->cause[i].culprit_time, 12);
		CHECK_STR(c->cause[i].culprit, "B");
	}
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(who_has_the_lock_at_the_end_holds_it)
{
	static const struct link_kind held = { 13, "held", LINK_HOLD };
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_link_kind(s, &held);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	wait_on(s, 10, 0, true);
	wait_on(s, 20, 0, false);
	wait_on(s, 40, 0, true);
	set(s, 90, 0, LIFE, VALUE_NONE);
	sink_advance(s, 100);
	sink_link(s, &(struct link){ 30, 100, 2, 0, 13, 0, 0 });
	c = causes_result(s);
	CHECK_INT(c->ncauses, 1);
	CHECK_INT(c->cause[0].time, 60);
	CHECK_INT(c->cause[0].open_time, 50);
	CHECK_STR(c->cause[0].holder, "B");
	CHECK(c->cause[0].culprit == NULL);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(who_woke_a_thread_ended_its_wait)
{
	static const struct link_kind woken = { 9, "woken", LINK_WAKEUP },
				      other = { 10, "begins", LINK_CREATE };
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_link_kind(s, &woken);
	sink_link_kind(s, &other);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	/* woken in the second wait, and before the third */
	for (int i = 0; i < 3; i++) {
		wait_on(s, 10 + 20 * i, 0, true);
		if (i < 2)
			sink_link(s,
				&(struct link){ 14 + 20 * i, 14 + 20 * i, 2, 0,
					i == 1 ? 9 : 10, 0, 0 });
		wait_on(s, 16 + 20 * i, 0, false);
	}
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 1);
	CHECK_INT(c->cause[0].time, 18);
	CHECK_STR(c->cause[0].culprit, "B");
	CHECK_INT(c->cause[0].culprit_time, 6);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(a_link_of_another_kind_does_not_hide_who_woke_a_thread)
{
	static const struct link_kind woken = { 9, "woken", LINK_WAKEUP },
				      other = { 10, "begins", LINK_CREATE };
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_link_kind(s, &woken);
	sink_link_kind(s, &other);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	wait_on(s, 10, 0, true);
	sink_link(s, &(struct link){ 14, 14, 2, 0, 9, 0, 0 });
	sink_link(s, &(struct link){ 15, 15, 0, 0, 10, 0, 0 });
	wait_on(s, 16, 0, false);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_STR(c->cause[0].culprit, "B");
	CHECK_INT(c->cause[0].culprit_time, 6);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(an_active_thread_is_not_blocked)
{
	struct arena a = { 0 };
	struct sink *s = open_some(&a, false);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 10, 0, LIFE, COOLING);
	set(s, 15, 0, LIFE, PAUSED);
	set(s, 35, 0, LIFE, WARMING);
	set(s, 38, 0, LIFE, RUNS);
	/* the runtime of OpenMP works: no wait */
	set(s, 40, 0, OPENMP, 3);
	set(s, 40, 0, LIFE, COOLING);
	set(s, 45, 0, LIFE, DEAD);
	sink_advance(s, 50);
	c = causes_result(s);
	CHECK_INT(c->time[CAUSE_COMPUTE], 25);
	CHECK_INT(c->time[CAUSE_BLOCKED], 20);
	CHECK_INT(c->time[CAUSE_OPENMP], 0);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

/* A trace of switches with wakeups declares the states of the kernel, but has
 * none. */
TEST(without_a_state_of_the_kernel_that_of_the_thread_counts)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 10, 0, LIFE, PAUSED);
	set(s, 90, 0, LIFE, RUNS);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK(!c->has_ready);
	CHECK_INT(c->time[CAUSE_COMPUTE], 20);
	CHECK_INT(c->time[CAUSE_BLOCKED], 80);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(a_wait_of_no_length_is_no_cause)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 10, 0, OPENMP, 1);
	sink_advance(s, 10);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 0);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(waits_for_the_ends_of_threads_are_one_cause)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_label(s, OBJECT, 71, "thread 71", MEANS_SYNC);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	for (int i = 0; i < 3; i++) {
		set(s, 10 + 20 * i, 0, WAIT, JOIN);
		set(s, 10 + 20 * i, 0, OBJECT, 70 + i);
		set(s, 10 + 20 * i, 0, LINE, 6);
		set(s, 15 + 20 * i, 0, WAIT, VALUE_NONE);
		set(s, 15 + 20 * i, 0, OBJECT, VALUE_NONE);
		set(s, 15 + 20 * i, 0, LINE, VALUE_NONE);
	}
	/* one thread alone, at another line */
	set(s, 80, 2, WAIT, JOIN);
	set(s, 80, 2, OBJECT, 71);
	set(s, 90, 2, WAIT, VALUE_NONE);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 2);
	CHECK_INT(c->cause[0].time, 15);
	CHECK_INT(c->cause[0].times, 3);
	CHECK(c->cause[0].follows);
	CHECK_STR(c->cause[0].object, "3 threads");
	CHECK_STR(c->cause[0].line, "q.c:40");
	CHECK_STR(c->cause[1].object, "thread 71");
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(busy_threads_are_counted_while_any_is_ready)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	for (uint32_t row = 0; row <= 2; row += 2) {
		set(s, 0, row, LIFE, RUNS);
		set(s, 0, row, REASON, RUNS);
	}
	set(s, 10, 0, REASON, READY);
	set(s, 20, 2, REASON, READY);
	set(s, 20, 0, REASON, RUNS);
	/* the last 10 of 40 nobody runs */
	set(s, 40, 0, REASON, BLOCKED);
	set(s, 50, 2, REASON, RUNS);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->time[CAUSE_READY], 40);
	CHECK_INT((int)(100 * c->busy), 175);
	CHECK_INT((int)(100 * c->running), 75);
	CHECK_INT(c->cause[0].times, 2);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(nobody_ended_a_wait_that_lasted_until_the_end)
{
	static const struct link_kind woken = { 9, "woken", LINK_WAKEUP };
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_link_kind(s, &woken);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	/* one that ended, one until the end of the trace, one until that of
	 * its thread */
	wait_on(s, 5, 0, true);
	wait_on(s, 8, 0, false);
	wait_on(s, 10, 0, true);
	wait_on(s, 20, 2, true);
	sink_link(s, &(struct link){ 60, 60, 0, 2, 9, 0, 0 });
	set(s, 60, 2, LIFE, DEAD);
	wait_on(s, 60, 2, false);
	sink_link(s, &(struct link){ 100, 100, 2, 0, 9, 0, 0 });
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 1);
	CHECK_INT(c->cause[0].time, 133);
	CHECK_INT(c->cause[0].open, 2);
	CHECK_INT(c->cause[0].open_time, 130);
	CHECK(c->cause[0].culprit == NULL);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(a_thread_that_ends_at_the_end_of_a_region_waits_no_more)
{
	enum { OPENMP_JOIN = 2 };
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_label(s, OPENMP, OPENMP_JOIN, "Barrier: Join", MEANS_SYNC);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 0, 2, LIFE, RUNS);
	set(s, 10, 0, OPENMP, OPENMP_JOIN);
	set(s, 30, 2, OPENMP, OPENMP_JOIN);
	set(s, 35, 0, LIFE, DEAD);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->ncauses, 1);
	CHECK_INT(c->cause[0].time, 95);
	CHECK_INT(c->cause[0].open, 1);
	CHECK_INT(c->cause[0].open_time, 70);
	CHECK_STR(c->cause[0].culprit, "B");
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(a_wait_for_its_turn_is_one_in_openmp)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	set(s, 0, 0, LIFE, RUNS);
	set(s, 10, 0, WAIT, TURN);
	set(s, 30, 0, WAIT, VALUE_NONE);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->time[CAUSE_OPENMP], 20);
	CHECK_INT(c->time[CAUSE_SYNC], 0);
	CHECK_INT(c->cause[0].open, 0);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(the_texts_of_labels_do_not_matter)
{
	struct arena a = { 0 };
	struct sink *s = open_two(&a);
	const struct causes *c;

	sink_label(s, WAIT, TURN, "Reihenfolge", MEANS_SYNC);
	sink_label(s, WAIT, JOIN, "Ende", MEANS_SYNC);
	sink_label(s, REASON, STOPPED, "Angehalten", MEANS_IDLE);
	sink_label(s, REASON, BLOCKED, "Stopped", MEANS_SYNC);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 10, 0, WAIT, TURN);
	set(s, 15, 0, WAIT, JOIN);
	set(s, 45, 0, WAIT, VALUE_NONE);
	set(s, 50, 0, REASON, STOPPED);
	set(s, 57, 0, REASON, BLOCKED);
	set(s, 60, 0, REASON, RUNS);
	sink_advance(s, 100);
	c = causes_result(s);
	CHECK_INT(c->time[CAUSE_OPENMP], 5);
	CHECK_INT(c->time[CAUSE_SYNC], 30);
	CHECK_INT(c->time[CAUSE_STOPPED], 7);
	CHECK_INT(c->time[CAUSE_BLOCKED], 3);
	CHECK_STR(c->cause[0].what, "Ende");
	CHECK(c->cause[0].follows);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

/* The times of these two lines are no quotients of floating-point numbers. */
TEST(short_calls_of_all_places_add_up)
{
	static const struct short_calls_sum sums[] = {
		{ "Read", "a (c.c:9)", 5, 1977158621 },
		{ "Read", "b (c.c:10)", 7, 4649067850 },
	};
	struct arena a = { 0 };
	struct short_calls all = { .arena = &a };
	struct sink *s;
	const struct causes *c;

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		VEC_PUSH(&all.sum, &a, sums[i]);
	s = open_with(&a, true, &all);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 900, 0, SHORT, (int64_t)(sums[0].time + sums[1].time));
	sink_advance(s, INT64_C(10000000000));
	c = causes_result(s);
	CHECK_INT(c->ncauses, 2);
	CHECK_INT(c->cause[0].time, sums[1].time);
	CHECK_INT(c->cause[1].time, sums[0].time);
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST(places_with_many_short_calls_are_causes)
{
	static const struct short_calls_sum sums[] = {
		{ "Read", "copy (c.c:9)", 3000, 300 },
		{ "Write", "copy (c.c:10)", 500, 100 },
		{ "Read", "rare (c.c:30)", 5, 4 },
		{ "Write", NULL, 7, 90 },
		{ "Read", NULL, 2, 6 },
	};
	struct arena a = { 0 };
	struct short_calls all = { .arena = &a };
	struct sink *s;
	const struct causes *c;

	for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
		VEC_PUSH(&all.sum, &a, sums[i]);
	s = open_with(&a, true, &all);
	set(s, 0, 0, LIFE, RUNS);
	set(s, 900, 0, SHORT, 500);
	sink_advance(s, 1000);
	c = causes_result(s);
	CHECK_INT(c->time[CAUSE_IO], 500);
	CHECK_INT(c->ncauses, 3);
	CHECK_INT(c->cause[0].time, 300);
	CHECK_STR(c->cause[0].what, "Short calls");
	CHECK_STR(c->cause[0].object, "3000 Read");
	CHECK_STR(c->cause[0].line, "copy (c.c:9)");
	/* places with little time and those without a line are one cause */
	for (int i = 1; i < 3; i++)
		CHECK_INT(c->cause[i].time, 100);
	CHECK_STR(c->cause[1].object, "7 Write, 7 Read");
	CHECK(c->cause[1].line == NULL);
	CHECK_STR(c->cause[2].object, "500 Write");
	CHECK(sink_close(s, &(struct err){ 0 }));
	arena_fini(&a);
}

TEST_MAIN(RUN(a_thread_that_ends_at_the_end_of_a_region_waits_no_more),
	RUN(places_with_many_short_calls_are_causes),
	RUN(short_calls_of_all_places_add_up),
	RUN(the_texts_of_labels_do_not_matter),
	RUN(each_moment_of_a_life_has_one_class),
	RUN(the_kernel_divides_waits_and_work),
	RUN(a_link_at_the_end_of_a_wait_names_the_culprit),
	RUN(who_has_the_lock_at_the_end_holds_it),
	RUN(each_line_of_a_barrier_is_a_cause_ended_by_the_last_thread),
	RUN(who_woke_a_thread_ended_its_wait),
	RUN(a_link_of_another_kind_does_not_hide_who_woke_a_thread),
	RUN(an_active_thread_is_not_blocked),
	RUN(without_a_state_of_the_kernel_that_of_the_thread_counts),
	RUN(waits_for_the_ends_of_threads_are_one_cause),
	RUN(busy_threads_are_counted_while_any_is_ready),
	RUN(nobody_ended_a_wait_that_lasted_until_the_end),
	RUN(a_wait_for_its_turn_is_one_in_openmp),
	RUN(a_wait_of_no_length_is_no_cause))
