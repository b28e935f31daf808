/* SPDX-License-Identifier: MIT */
/* Compares the trace that the watcher writes with the threads that ran. */
#include "cli/run/watch.h"

#include <stdio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/json.h"
#include "perf/boot_id.h"
#include "test.h"
#include "trace/source.h"

#include "../base/scratch.h"

#define PID 9

static struct watch watch;
static char home[64];

static void
begin(void)
{
	scratch_enter(home);
	watch_init(&watch, "t", 0, 0);
	watch.ncpus = 2; /* the machine has at least two */
}

/* Reads the events back as "thread code time ". */
static void
read_back(struct arena *a, char *text, size_t room, struct trace_lost *lost)
{
	const struct source_options options = { 0 };
	struct findings quiet;
	struct err err = { 0 };
	struct source *source;
	struct event ev;
	size_t n = 0;

	findings_init(&quiet, a, 0);
	source = sources_open(a, "t", &options, &quiet, &err);
	if (source == NULL) {
		CHECK_STR(err.text, "");
		return;
	}
	while (source_next(source, &ev) == SOURCE_EVENT && n < room) {
		const struct trace *t = &source->trace;
		int thread = t->streams.at[ev.stream].thread;

		n += (size_t)snprintf(text + n, room - n, "%d%s@%d ",
			(int)t->threads.at[thread].tid,
			t->classes.at[ev.class].name, (int)ev.time);
	}
	for (int i = 0; i < source->trace.streams.n; i++)
		if (source->trace.streams.at[i].lost.n > 0)
			*lost = source->trace.streams.at[i].lost.at[0];
	source_close(source);
}

static struct trace_lost
gives(const char *want)
{
	struct trace_lost lost = { 0 };
	struct arena a = { 0 };
	struct err err = { 0 };
	char text[1024] = "";

	if (!watch_close(&watch, 90, &err))
		CHECK_STR(err.text, "");
	read_back(&a, text, sizeof text, &lost);
	CHECK_STR(text, want);
	arena_fini(&a);
	watch_fini(&watch);
	scratch_leave(home);
	return lost;
}

TEST(a_thread_runs_stops_moves_and_ends)
{
	begin();
	watch_runs(&watch, PID, 1, 0, 10);
	watch_stops(&watch, PID, 1, 20);
	watch_runs(&watch, PID, 1, 0, 30);
	watch_stops(&watch, PID, 1, 40);
	watch_runs(&watch, PID, 1, 1, 50);
	watch_ends(&watch, PID, 1, 60);
	gives("1OHx@10 1OHp@20 1OHr@30 1OHp@40 1OHw@50 1OAs@50 1OHr@50 "
	      "1OHe@60 ");
}

TEST(a_stop_that_was_lost_is_made_when_the_cpu_has_another)
{
	begin();
	watch_runs(&watch, PID, 2, 0, 10);
	watch_runs(&watch, PID, 1, 0, 20);
	watch_runs(&watch, PID, 2, 1, 30);
	watch_ends(&watch, PID, 2, 40);
	watch_ends(&watch, PID, 1, 50);
	gives("2OHx@10 2OHp@20 1OHx@21 2OHw@30 2OAs@30 2OHr@30 2OHe@40 "
	      "1OHe@50 ");
}

TEST(a_preemption_is_a_pause_with_a_payload)
{
	begin();
	watch_runs(&watch, PID, 1, 0, 10);
	watch_preempted(&watch, PID, 1, 20);
	CHECK_INT(watch.threads.at[0].n, 2 * 12 + 16 + 4);
	watch_runs(&watch, PID, 1, 0, 30);
	watch_stops(&watch, PID, 1, 40);
	CHECK_INT(watch.threads.at[0].n, 4 * 12 + 16 + 4);
	watch_runs(&watch, PID, 1, 0, 50);
	watch_ends(&watch, PID, 1, 60);
	gives("1OHx@10 1OHp@20 1OHr@30 1OHp@40 1OHr@50 1OHe@60 ");
}

/* Streams of equal time come in the order of their names. */
TEST(of_one_time_a_cpu_is_free_before_another_has_it)
{
	begin();
	watch_runs(&watch, PID, 2, 0, 10);
	watch_stops(&watch, PID, 2, 20);
	watch_runs(&watch, PID, 1, 0, 20);
	watch_ends(&watch, PID, 1, 30);
	watch_runs(&watch, PID, 2, 0, 30);
	watch_ends(&watch, PID, 2, 40);
	gives("2OHx@10 2OHp@20 1OHx@21 1OHe@30 2OHr@31 2OHe@40 ");
}

TEST(what_was_lost_is_in_the_trace)
{
	struct trace_lost lost;

	begin();
	watch_runs(&watch, PID, 1, 0, 10);
	for (int i = 0; i < 2 * WATCH_LOST_MAX; i++)
		watch_lost(&watch, 10, 20, 3);
	watch_ends(&watch, PID, 1, 40);
	CHECK_INT(watch.lost, 6 * WATCH_LOST_MAX);
	CHECK_INT(watch.gaps.n, WATCH_LOST_MAX);
	lost = gives("1OHx@10 1OHe@40 ");
	CHECK_INT(lost.from, 10);
	CHECK_INT(lost.to, 20);
	CHECK_INT(lost.count, 3);
}

TEST(only_a_thread_that_has_stopped_is_woken)
{
	begin();
	watch_runs(&watch, PID, 1, 0, 10);
	watch_woken(&watch, 1, 2, 15);
	watch_stops(&watch, PID, 1, 20);
	watch_woken(&watch, 7, 2, 21);
	watch_woken(&watch, 1, 2, 25);
	watch_runs(&watch, PID, 1, 0, 30);
	watch_woken(&watch, 1, 0, 35);
	watch_ends(&watch, PID, 1, 60);
	watch_woken(&watch, 1, 2, 70);
	gives("1OHx@10 1OHp@20 1WHk@25 1OHr@30 1OHe@60 ");
}

TEST(the_name_of_a_host_may_hold_quotes)
{
	struct json_object *doc;
	struct arena a = { 0 };
	struct err err = { 0 };

	begin();
	watch.loom = "a\"b\\";
	watch_runs(&watch, PID, 1, 0, 10);
	watch_ends(&watch, PID, 1, 40);
	CHECK(watch_close(&watch, 90, &err));
	doc = json_read(&a, "t/loom.a\"b\\/proc.9/thread.1/stream.json", &err);
	CHECK_STR(json_str(json_get(doc, "ovni.loom")), "a\"b\\");
	json_close(doc);
	arena_fini(&a);
	watch_fini(&watch);
	scratch_leave(home);
}

TEST(the_first_thread_tells_the_boot_and_the_clocks)
{
	struct json_object *doc;
	struct arena a = { 0 };
	struct err err = { 0 };
	char boot[64];

	begin();
	watch_runs(&watch, PID, 1, 0, 10);
	watch_ends(&watch, PID, 1, 40);
	CHECK(watch_close(&watch, 90, &err));
	doc = json_read(&a,
		arena_printf(&a, "t/loom.%s/proc.9/thread.1/stream.json",
			watch.loom),
		&err);
	boot_id_read(boot, sizeof boot);
	if (boot[0] != '\0')
		CHECK_STR(json_str(json_get(doc, "weft.clocks.boot")), boot);
	CHECK(json_get(doc, "weft.clocks.timens") != NULL);
	CHECK_INT(json_length(json_get(doc, "weft.clocks.snap")), WATCH_SNAPS);
	json_close(doc);
	arena_fini(&a);
	watch_fini(&watch);
	scratch_leave(home);
}

TEST(ended_threads_wait_in_memory_and_the_trace_may_move)
{
	begin();
	watch_hold(&watch, 4096);
	CHECK(watch_place(&watch, "s"));
	watch_runs(&watch, PID, 1, 0, 10);
	watch_ends(&watch, PID, 1, 20);
	watch_runs(&watch, PID, 1, 0, 30);
	watch_ends(&watch, PID, 1, 40);
	CHECK(access("s", F_OK) != 0);
	CHECK(watch_place(&watch, "t"));
	gives("1OHx@10 1OHe@20 1OHx@30 1OHe@40 ");
}

TEST(a_thread_with_many_events_waits_too)
{
	begin();
	watch_hold(&watch, 1 << 20);
	for (int i = 0; i < 5000; i++) {
		watch_runs(&watch, PID, 1, 0, 10 * i);
		watch_stops(&watch, PID, 1, 10 * i + 5);
	}
	CHECK(access("t", F_OK) != 0);
	CHECK(watch_place(&watch, "t"));
	for (int i = 5000; i < 50000; i++) {
		watch_runs(&watch, PID, 1, 0, 10 * i);
		watch_stops(&watch, PID, 1, 10 * i + 5);
	}
	CHECK(access("t", F_OK) == 0);
	watch_fini(&watch);
	scratch_leave(home);
}

TEST(no_more_threads_wait_than_fit)
{
	begin();
	watch_hold(&watch, 600);
	for (int i = 1; i < 4; i++) {
		watch_runs(&watch, PID, i, 0, 10 * i);
		watch_ends(&watch, PID, i, 10 * i + 5);
		CHECK_INT(access("t", F_OK) == 0, i > 1);
	}
	CHECK(!watch_place(&watch, "s"));
	gives("1OHx@10 1OHe@15 2OHx@20 2OHe@25 3OHx@30 3OHe@35 ");
}

TEST_MAIN(RUN(a_thread_runs_stops_moves_and_ends),
	RUN(a_stop_that_was_lost_is_made_when_the_cpu_has_another),
	RUN(a_preemption_is_a_pause_with_a_payload),
	RUN(of_one_time_a_cpu_is_free_before_another_has_it),
	RUN(what_was_lost_is_in_the_trace),
	RUN(only_a_thread_that_has_stopped_is_woken),
	RUN(the_name_of_a_host_may_hold_quotes),
	RUN(the_first_thread_tells_the_boot_and_the_clocks),
	RUN(ended_threads_wait_in_memory_and_the_trace_may_move),
	RUN(a_thread_with_many_events_waits_too),
	RUN(no_more_threads_wait_than_fit))
