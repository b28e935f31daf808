/* SPDX-License-Identifier: MIT */
#include "kit.h"

/* Runs the script and returns the busy time at a given time. */
static int64_t
busy(const char *script, int64_t at)
{
	struct weft_tracer_busy_time t;
	int64_t time;

	begin();
	weft_tracer_busy_time_init(&t);
	CHECK_INT(weft_task_collect(&component.domain, &t.tracer), 0);
	play(script);
	time = weft_tracer_busy_time_at(&t, at);
	weft_sim_engine_close(e);
	return time;
}

TEST(busy_time_is_a_union)
{
	CHECK_INT(busy("10+a 20-a", 50), 10);
	CHECK_INT(busy("10+a 20-a 30+b 40-b", 50), 20);
	CHECK_INT(busy("10+a 20-a 20+b 30-b", 50), 20);
	CHECK_INT(busy("10+a 20+b 20-a 30-b", 50), 20);
	CHECK_INT(busy("10+a 15+b 20-a 25-b", 50), 15);
	CHECK_INT(busy("10+a 11+b 12-b 19+c 20-a 21-c 31+d 32-d", 50), 12);
	CHECK_INT(busy("10+a 11+b 19+c 21-c", 35), 25);
	CHECK_INT(busy("0+a 5+b 10-a 15+c 20-b 30-c", 50), 30);
}

TEST(busy_time_keeps_to_its_window)
{
	struct weft_tracer_busy_time t;

	begin();
	weft_tracer_busy_time_init(&t);
	weft_tracer_window(&t.tracer, 12, 30);
	weft_task_collect(&component.domain, &t.tracer);
	play("5+z 10+a 11-z 15-a 20+b 40-b 50+c 60-c");
	CHECK_INT(weft_tracer_busy_time_at(&t, 99), 3 + 10);
	weft_sim_engine_close(e);
}

TEST(a_window_of_the_past_is_not_counted_again)
{
	struct weft_tracer_busy_time t;

	begin();
	weft_tracer_busy_time_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	play("0+a 100+b 100-b");
	weft_tracer_window(&t.tracer, 50, 200);
	play("150-a");
	CHECK_INT(weft_tracer_busy_time_at(&t, 150), 150);
	weft_tracer_window(&t.tracer, 20, 140);
	play("160+a 170-a");
	CHECK_INT(weft_tracer_busy_time_at(&t, 170), 150);
	weft_sim_engine_close(e);
}

/* a triggers; then b and c start, and one of them ends. */
TEST(a_flight_recorder_follows_tasks_to_their_end)
{
	struct weft_tracer_busy_time busy;
	struct weft_tracer_flight t;

	begin();
	weft_tracer_busy_time_init(&busy);
	weft_tracer_flight_init(&t, &busy.tracer, 16);
	t.after = 1;
	weft_task_collect(&component.domain, &t.tracer);
	play("0+a 10-a");
	weft_tracer_flight_trigger(&t);
	play("20+b 25+c 30-b 40-c 1000+d 1001-d");
	CHECK_INT(weft_tracer_busy_time_at(&busy, 1001), 10 + 20);
	weft_sim_engine_close(e);
}

TEST(the_target_of_a_flight_recorder_has_its_filter)
{
	struct weft_tracer_total_time reads;
	struct weft_tracer_flight t;

	begin();
	weft_tracer_total_time_init(&reads);
	reads.tracer.what = "read";
	weft_tracer_flight_init(&t, &reads.tracer, 16);
	weft_task_collect(&component.domain, &t.tracer);
	play("0+a:k:read 10-a 20+b:k:write 70-b");
	weft_tracer_flight_trigger(&t);
	play("80+a:k:write 90-a 100+b:k:read 103-b");
	CHECK_INT(reads.total, 13);
	CHECK_INT(reads.count, 2);
	weft_sim_engine_close(e);
}

TEST(average_is_exact)
{
	struct weft_tracer_average_time t;
	struct weft_task task = { .start = 0 };

	weft_tracer_average_time_init(&t);
	for (int i = 0; i < 1000 + 1000000; i++) {
		task.end = i < 1000 ? 1000 : 1999;
		t.tracer.ops->end(&t.tracer, &task);
	}
	CHECK(weft_tracer_average_time_mean(&t) > 1998.0019);
	CHECK(weft_tracer_average_time_mean(&t) < 1998.0021);
	CHECK_INT(t.min, 1000);
	CHECK_INT(t.max, 1999);
	CHECK(sizeof t <= 16384);
}

/* |got - want| <= 1 % of want. */
static bool
near(int64_t got, int64_t want)
{
	double off = (double)(got - want), allowed = (double)want / 100;

	return off <= allowed && off >= -allowed;
}

TEST(percentiles_are_within_one_percent)
{
	static const int percent[] = { 1, 10, 50, 90, 99, 100 };
	static int64_t sorted[10000];
	struct weft_tracer_average_time t;
	struct weft_task task = { .start = 0 };
	double v = 1;

	weft_tracer_average_time_init(&t);
	for (int i = 0; i < 10000; i++, v *= 1.003) {
		sorted[i] = task.end = (int64_t)v;
		t.tracer.ops->end(&t.tracer, &task);
	}
	for (size_t i = 0; i < sizeof percent / sizeof *percent; i++)
		CHECK(near(weft_tracer_average_time_percentile(&t, percent[i]),
			sorted[percent[i] * 100 - 1]));
	CHECK_INT(weft_tracer_average_time_percentile(&t, 0), t.min);
}

/* 3.5 % of 400 is exactly 14, but in floating point 3.5 / 100 * 400 is a little
 * more. */
TEST(a_percentile_has_an_exact_rank)
{
	struct weft_tracer_average_time t;
	struct weft_task task = { .start = 0 };

	weft_tracer_average_time_init(&t);
	for (int i = 0; i < 400; i++) {
		task.end = i < 14 ? 10 : 20;
		t.tracer.ops->end(&t.tracer, &task);
	}
	CHECK_INT(weft_tracer_average_time_percentile(&t, 3.5), 10);
	CHECK_INT(weft_tracer_average_time_percentile(&t, 3.6), 20);
}

TEST(a_full_bucket_halves_all)
{
	struct weft_tracer_average_time t;
	struct weft_task task = { .end = INT64_MAX };

	weft_tracer_average_time_init(&t);
	t.tracer.ops->end(&t.tracer, &task);
	CHECK_INT(t.max, INT64_MAX);
	t.bucket[5] = UINT32_MAX - 1;
	task.end = 5;
	t.tracer.ops->end(&t.tracer, &task);
	CHECK_INT(t.scale, 1);
	CHECK_INT(t.bucket[5], UINT32_MAX / 2);
	CHECK_INT(weft_tracer_average_time_percentile(&t, 50), 5);
}

TEST(averages_are_filtered)
{
	struct weft_tracer_average_time reads, writes;

	begin();
	weft_tracer_average_time_init(&reads);
	weft_tracer_average_time_init(&writes);
	reads.tracer.kind = writes.tracer.kind = "req_in";
	reads.tracer.what = "read";
	writes.tracer.what = "write";
	weft_task_collect(&component.domain, &reads.tracer);
	weft_task_collect(&component.domain, &writes.tracer);
	play("0+a:req_in:read 10-a 10+b:req_in:read 20-b 5+c:req_in:read 15-c "
	     "0+d:req_in:write 25-d 30+e:req_in:write 55-e "
	     "0+f:req_out:read 99-f 0+g:req_in:flush 99-g");
	CHECK(weft_tracer_average_time_mean(&reads) == 10);
	CHECK(weft_tracer_average_time_mean(&writes) == 25);
	CHECK_INT(reads.count, 3);
	CHECK_INT(writes.count, 2);
	weft_sim_engine_close(e);
}

TEST(total_time_adds)
{
	struct weft_tracer_total_time t;

	begin();
	weft_tracer_total_time_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	play("0+a 5+b 10-a 25-b 30+c");
	CHECK_INT(t.total, 30);
	CHECK_INT(t.count, 2);
	weft_sim_engine_close(e);
}

TEST(steps_and_tags_are_counted)
{
	struct weft_tracer_step_count t;

	begin();
	weft_tracer_step_count_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	play("0+a 1#ahit 2#ahit 3/amiss 4-a");
	CHECK_INT(weft_tracer_step_count_of(&t, "hit"), 2);
	CHECK_INT(weft_tracer_step_count_tasks(&t, "hit"), 1);
	play("5+b 6#bhit 7-b 8+a 8#ahit 9-a");
	CHECK_INT(weft_tracer_step_count_of(&t, "hit"), 4);
	CHECK_INT(weft_tracer_step_count_tasks(&t, "hit"), 3);
	CHECK_INT(weft_tracer_step_count_of(&t, "miss"), 1);
	CHECK_INT(weft_tracer_step_count_of(&t, "none"), 0);
	CHECK_STR(weft_tracer_step_count_name(&t, 1), "miss");
	CHECK(weft_tracer_step_count_name(&t, 2) == NULL);
	weft_sim_engine_close(e);
}

TEST(many_names_are_counted)
{
	struct weft_tracer_step_count t;
	char name[16];

	begin();
	weft_tracer_step_count_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	for (int round = 0; round < 4; round++) {
		if (round % 2 == 0)
			act("+a");
		for (int i = 0; i < 200; i++) {
			snprintf(name, sizeof name, "#aname%d", i);
			act(name);
		}
		if (round % 2 == 1)
			act("-a");
	}
	for (int i = 0; i < 200; i += 50) {
		snprintf(name, sizeof name, "name%d", i);
		CHECK_INT(weft_tracer_step_count_of(&t, name), 4);
		CHECK_INT(weft_tracer_step_count_tasks(&t, name), 2);
	}
	weft_sim_engine_close(e);
}

/* Starts a task with a parent. */
static void
child(uint64_t id, uint64_t parent, const char *kind, const char *what)
{
	weft_task_start(&component.domain,
		&(struct weft_task){ .id = id,
			.parent = parent,
			.kind = kind,
			.what = what });
}

TEST(a_back_trace_follows_open_parents)
{
	struct weft_tracer_back_trace t;
	char text[200];

	begin();
	weft_tracer_back_trace_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	child(1, 9, "job", "all");
	child(2, 1, "req_in", "read");
	child(3, 2, "pipeline", "Stage");
	child(4, 1, "x", "y");
	play("100+z 100-z");
	weft_tracer_back_trace_text(&t, 3, text, sizeof text);
	CHECK_STR(text,
		"pipeline-Stage@Stage, 100 ps\n"
		"req_in-read@Component.req_in, 100 ps\n"
		"job-all@Component, 100 ps\n");
	weft_task_end(&component.domain, 3);
	weft_task_end(&component.domain, 2);
	weft_tracer_back_trace_open(&t, text, sizeof text);
	CHECK_STR(text, "x-y@Component, 100 ps\njob-all@Component, 100 ps\n");
	CHECK_INT(weft_tracer_back_trace_open(&t, text, 4), 48);
	CHECK_STR(text, "x-y");
	weft_task_end(&component.domain, 4);
	weft_task_end(&component.domain, 1);
	CHECK_INT(weft_tracer_back_trace_open(&t, text, sizeof text), 0);
	weft_sim_engine_close(e);
}

static int
address_text(const void *detail, char *text, size_t size)
{
	return snprintf(text, size, "address %d", *(const int *)detail);
}

TEST(a_detail_may_have_a_text)
{
	struct weft_tracer_back_trace t;
	char text[100];
	int address = 64;

	begin();
	weft_tracer_back_trace_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	weft_task_start(&component.domain,
		&(struct weft_task){ .id = 1,
			.kind = "k",
			.what = "w",
			.detail = &address,
			.detail_text = address_text });
	weft_tracer_back_trace_text(&t, 1, text, sizeof text);
	CHECK_STR(text, "k-w@Component, 0 ps: address 64\n");
	weft_sim_engine_close(e);
}

TEST(a_cycle_of_parents_ends)
{
	struct weft_tracer_back_trace t;
	static char text[40000];

	begin();
	weft_tracer_back_trace_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	child(1, 2, "k", "w");
	child(2, 1, "k", "w");
	weft_tracer_back_trace_text(&t, 1, text, sizeof text);
	CHECK(strstr(text, "(its ancestors are a cycle)\n") != NULL);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_TASK), 1);
	/* The open tasks form a cycle, so none of them is a leaf. */
	weft_tracer_back_trace_open(&t, text, sizeof text);
	CHECK(strstr(text, "(its ancestors are a cycle)\n") != NULL);
	weft_sim_engine_close(e);
}

TEST_MAIN(RUN(busy_time_is_a_union), RUN(busy_time_keeps_to_its_window),
	RUN(a_window_of_the_past_is_not_counted_again),
	RUN(a_flight_recorder_follows_tasks_to_their_end),
	RUN(the_target_of_a_flight_recorder_has_its_filter),
	RUN(a_percentile_has_an_exact_rank), RUN(average_is_exact),
	RUN(percentiles_are_within_one_percent), RUN(a_full_bucket_halves_all),
	RUN(averages_are_filtered), RUN(total_time_adds),
	RUN(steps_and_tags_are_counted), RUN(many_names_are_counted),
	RUN(a_back_trace_follows_open_parents), RUN(a_detail_may_have_a_text),
	RUN(a_cycle_of_parents_ends))
