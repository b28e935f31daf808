/* SPDX-License-Identifier: MIT */
/* Tests which component a task belongs to: where it started, which tracers see
 * it, and which component waits for it. */
#include <unistd.h>

#include "kit.h"

static struct weft_sim_handler fetch, commit;
static uint64_t inst;

static int
fetches(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	inst = weft_task_start(&h->domain,
		&(struct weft_task){ .kind = "inst", .what = "add" });
	return weft_sim_schedule(&commit, ev->time + 10, NULL);
}

static int
commits(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	weft_task_tag(&h->domain, inst, "done");
	weft_task_milestone(&h->domain, inst, WEFT_WAIT_DATA, "data");
	weft_task_end(&h->domain, inst);
	return ev->time < 100 ? weft_sim_schedule(&fetch, ev->time + 10, NULL)
			      : 0;
}

/* The events of six instructions that the tracers of these components saw. */
static struct {
	struct weft_tracer_busy_time busy;
	struct weft_tracer_average_time average;
	struct weft_tracer_step_count tags;
	struct weft_tracer_back_trace back;
	uint64_t tags_seen;
} seen;

static void
run_pipeline(const char *traced, int threads)
{
	e = weft_sim_engine_open(
		&(struct weft_sim_setup){ .threads = threads, .spread = true });
	weft_sim_handler_init(&fetch, e, NULL, "Fetch");
	weft_sim_handler_init(&commit, e, NULL, "Commit");
	fetch.handle = fetches;
	commit.handle = commits;
	weft_tracer_busy_time_init(&seen.busy);
	weft_tracer_average_time_init(&seen.average);
	weft_tracer_step_count_init(&seen.tags);
	weft_task_collect_all(e, traced, &seen.busy.tracer);
	weft_task_collect_all(e, traced, &seen.average.tracer);
	weft_task_collect_all(e, traced, &seen.tags.tracer);
	weft_sim_schedule(&fetch, 0, NULL);
	CHECK_INT(weft_sim_run(e), WEFT_SIM_OK);
	seen.tags_seen = weft_tracer_step_count_of(&seen.tags, "done");
}

TEST(a_task_belongs_to_where_it_started)
{
	static const char *const traced[] = { "*", "Fetch" };

	for (int i = 0; i < 4; i++) {
		run_pipeline(traced[i / 2], 1 + i % 2);
		CHECK_INT(seen.average.count, 6);
		CHECK_INT(seen.tags_seen, 6);
		CHECK_INT(weft_tracer_busy_time_at(&seen.busy, weft_sim_now(e)),
			60);
		CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 18);
		CHECK_INT(weft_sim_faults(e, WEFT_SIM_ELSEWHERE), 18);
		CHECK_STR(weft_sim_fault_text(e, 2),
			"Commit: end of task 65, which Fetch started");
		weft_sim_engine_close(e);
	}
}

TEST(a_task_of_nobody_who_is_traced_is_not_open)
{
	run_pipeline("Commit", 1);
	CHECK_INT(seen.average.count, 0);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_TASK_NONE), 18);
	weft_sim_engine_close(e);
	run_pipeline("None", 1);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 0);
	weft_sim_engine_close(e);
}

/* Tasks in a row without a gap, two at a time. */
static int
in_flight(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	static uint64_t id[2];
	int i = (int)(ev->time / 10 % 2);

	if (ev->time > 10) {
		weft_task_tag(&h->domain, id[i], "tag");
		weft_task_milestone(&h->domain, id[i], WEFT_WAIT_DATA, "data");
		weft_task_end(&h->domain, id[i]);
	}
	if (ev->time > 180) {
		weft_task_end(&h->domain, id[1 - i]);
		return 0;
	}
	id[i] = weft_task_start(
		&h->domain, &(struct weft_task){ .kind = "k", .what = "w" });
	return weft_sim_schedule(h, ev->time + 10, NULL);
}

static struct weft_tracer_busy_time busy;

static int
attaches(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	struct weft_sim_engine *engine = h->domain.engine;

	(void)ev;
	weft_task_collect_all(engine, "Worker", &busy.tracer);
	return 0;
}

TEST(a_tracer_may_come_while_tasks_are_open)
{
	static struct weft_sim_handler worker, other;

	for (int threads = 1; threads <= 2; threads++) {
		e = weft_sim_engine_open(&(struct weft_sim_setup){
			.threads = threads, .spread = true });
		weft_sim_handler_init(&worker, e, NULL, "Worker");
		weft_sim_handler_init(&other, e, NULL, "Other");
		worker.handle = in_flight;
		other.handle = attaches;
		weft_tracer_busy_time_init(&busy);
		weft_sim_schedule(&worker, 0, NULL);
		weft_sim_schedule(&other, 55, NULL);
		CHECK_INT(weft_sim_run(e), WEFT_SIM_OK);
		CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 0);
		/* The tracer counts from the first task whose start it saw. */
		CHECK_INT(weft_tracer_busy_time_at(&busy, weft_sim_now(e)),
			weft_sim_now(e) - 60);
		weft_sim_engine_close(e);
	}
}

TEST(messages_may_be_in_buffers_when_a_tracer_comes)
{
	static const struct weft_sim_clock ghz = { 1000000000, 1 };
	static struct weft_sim_ticker t[2];
	static struct weft_sim_port p[2];
	static struct weft_sim_wire wire;
	struct weft_sim_msg msg = { .dst = &p[1] };

	e = weft_sim_engine_open(NULL);
	weft_sim_wire_init(&wire, e, NULL, &ghz, "Wire");
	for (int i = 0; i < 2; i++) {
		weft_sim_ticker_init(&t[i], e, NULL, &ghz, "T[%d]", i);
		t[i].tick = NULL;
		weft_sim_port_init(&p[i], &t[i], 1, 1, "P");
		weft_task_port(&p[i]);
		weft_sim_plug(&wire, &p[i]);
	}
	weft_tracer_busy_time_init(&busy);
	weft_sim_send(&p[0], &msg);
	weft_task_collect_all(e, "T*", &busy.tracer);
	weft_sim_run_until(e, 0);
	CHECK(weft_sim_receive(&p[1]) == &msg);
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 0);
	weft_sim_stop(e);
	weft_sim_engine_close(e);
}

/* ---- tasks that stay open ---- */

static struct weft_sim_handler side[2];

/* Sends a request to the other component and receives one from it; nobody
 * answers. */
static int
asks(struct weft_sim_handler *h, const struct weft_sim_event *ev)
{
	static struct weft_sim_msg msg[2];
	int i = h == &side[1];

	if (ev->time == 0) {
		msg[i] = (struct weft_sim_msg){ .type = "read" };
		weft_task_req_initiate(&h->domain, &msg[i],
			i == 0 ? 0 : weft_task_id_at(&h->domain, &msg[0]));
	} else {
		weft_task_req_receive(&h->domain, &msg[1 - i]);
	}
	return 0;
}

static void
say_fault(void *arg, enum weft_sim_fault kind, const char *text)
{
	(void)arg;
	snprintf(arg, 1000, "%d %s", (int)kind, text);
}

TEST(components_that_wait_for_answers_are_named)
{
	char text[1000] = "";

	e = weft_sim_engine_open(
		&(struct weft_sim_setup){ .fault = say_fault, .arg = text });
	for (int i = 0; i < 2; i++) {
		weft_sim_handler_init(&side[i], e, NULL, "Side[%d]", i);
		side[i].handle = asks;
		weft_sim_schedule(&side[i], 0, NULL);
		weft_sim_schedule(&side[i], 5, NULL);
	}
	weft_tracer_back_trace_init(&seen.back);
	weft_task_collect_all(e, "*", &seen.back.tracer);
	CHECK_INT(weft_sim_run(e), WEFT_SIM_STUCK);
	CHECK(strstr(text,
		      "16 the run ended at 5 ps with 4 tasks open; 2 "
		      "components wait for each other: Side[0] waits for "
		      "Side[1] to end req_in-read (task ") == text);
	weft_sim_engine_close(e);
}

TEST(tasks_of_the_caller_may_stay_open)
{
	begin();
	weft_tracer_busy_time_init(&busy);
	weft_task_collect(&component.domain, &busy.tracer);
	act("+r");
	play("5+a 10-a");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_OK), 0);
	act("-r");
	play("15+b");
	CHECK_INT(weft_sim_faults(e, WEFT_SIM_STUCK), 1);
	CHECK_STR(weft_sim_fault_text(e, 0),
		"the run ended at 15 ps with 1 task open; Component has not "
		"ended kind-what (task 98)");
	weft_sim_engine_close(e);
}

/* ---- calls after the engine is closed ---- */

static const char *
last_line(FILE *file)
{
	static char text[4096];

	rewind(file);
	text[0] = '\0';
	while (fgets(text, sizeof text, file) != NULL)
		;
	return text;
}

TEST(what_is_read_too_late_is_said)
{
	static struct weft_tracer_total_time total;
	FILE *file = tmpfile();
	char text[100];
	int old;

	run_pipeline("*", 1);
	weft_tracer_total_time_init(&total);
	weft_tracer_back_trace_init(&seen.back);
	weft_task_collect(&fetch.domain, &seen.back.tracer);
	weft_sim_engine_close(e);
	fflush(stderr);
	old = dup(2);
	dup2(fileno(file), 2);
	/* These tracers keep their results. */
	CHECK(weft_tracer_average_time_mean(&seen.average) == 10);
	CHECK_INT(weft_tracer_average_time_percentile(&seen.average, 50), 10);
	CHECK_INT(weft_tracer_busy_time_at(&seen.busy, 110), 60);
	CHECK_STR(last_line(file), "");
	/* These tracers read the engine. */
	CHECK_INT(weft_tracer_step_count_of(&seen.tags, "done"), 0);
	CHECK_STR(last_line(file),
		"weft: the tracer \"step count\" is read after its engine was "
		"closed: read it before weft_sim_engine_close()\n");
	CHECK_INT(weft_tracer_step_count_tasks(&seen.tags, "done"), 0);
	CHECK(weft_tracer_step_count_name(&seen.tags, 0) == NULL);
	CHECK_INT(weft_tracer_back_trace_open(&seen.back, text, 100), 0);
	CHECK_STR(last_line(file),
		"weft: the tracer \"back trace\" is read after its engine was "
		"closed: read it before weft_sim_engine_close()\n");
	dup2(old, 2);
	close(old);
	fclose(file);
}

TEST(the_target_of_a_flight_recorder_is_cut_off_too)
{
	static struct weft_tracer_step_count tags;
	static struct weft_tracer_flight flight[2];
	FILE *file = tmpfile();
	int old;

	begin();
	weft_tracer_step_count_init(&tags);
	for (int i = 0; i < 2; i++) {
		weft_tracer_flight_init(&flight[i], &tags.tracer, 8);
		weft_task_collect(&component.domain, &flight[i].tracer);
	}
	play("5+a 6#ahit 7-a");
	weft_tracer_flight_trigger(&flight[0]);
	CHECK_INT(weft_tracer_step_count_of(&tags, "hit"), 1);
	weft_sim_engine_close(e);
	fflush(stderr);
	old = dup(2);
	dup2(fileno(file), 2);
	weft_tracer_flight_trigger(&flight[0]);
	CHECK_INT(weft_tracer_step_count_of(&tags, "hit"), 0);
	dup2(old, 2);
	close(old);
	CHECK(strstr(last_line(file), "\"step count\" is read after") != NULL);
	fclose(file);
}

TEST(a_tracer_is_initialized_for_each_simulation)
{
	begin();
	weft_tracer_busy_time_init(&busy);
	weft_task_collect(&component.domain, &busy.tracer);
	weft_sim_engine_close(e);
	begin();
	CHECK_INT(weft_task_collect(&component.domain, &busy.tracer),
		WEFT_SIM_LIMIT);
	weft_tracer_busy_time_init(&busy);
	CHECK_INT(weft_task_collect(&component.domain, &busy.tracer),
		WEFT_SIM_OK);
	play("5+a 9-a");
	CHECK_INT(weft_tracer_busy_time_at(&busy, 9), 4);
	weft_sim_engine_close(e);
}

TEST_MAIN(RUN(a_task_belongs_to_where_it_started),
	RUN(a_task_of_nobody_who_is_traced_is_not_open),
	RUN(a_tracer_may_come_while_tasks_are_open),
	RUN(messages_may_be_in_buffers_when_a_tracer_comes),
	RUN(components_that_wait_for_answers_are_named),
	RUN(tasks_of_the_caller_may_stay_open),
	RUN(what_is_read_too_late_is_said),
	RUN(the_target_of_a_flight_recorder_is_cut_off_too),
	RUN(a_tracer_is_initialized_for_each_simulation))
