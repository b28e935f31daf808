/* SPDX-License-Identifier: MIT */
/*
 * events.c - payloads of wrong size, and tasks in impossible states: each is a
 * finding and changes nothing.
 */
#include "test.h"
#include "world.h"

#define TH "TH 1.1"

static struct world w;

#define SHOWS(key, want) CHECK_STR(world_history(&w, TH, (key)), (want))

/* Makes a trace of one thread, started at time 0. */
static void
begin(void)
{
	world_open(&w, 1);
	world_start(&w, 0, 0, 0);
}

/* Ends the case and checks that there is exactly one finding, with this text;
 * NULL: no finding. */
static void
end(const char *finding)
{
	CHECK_INT(world_findings(&w), finding != NULL);
	if (finding != NULL && world_findings(&w) > 0) {
		const char *text = w.findings.list.at[0].text;

		if (strstr(text, finding) == NULL)
			CHECK_STR(text, finding);
	}
	world_close(&w);
}

static void
create(int type, const char *label)
{
	world_event(&w, 1, 0, "6Yc", "+is", type, label);
}

static void
task(int64_t time, const char *event, int id)
{
	world_event(&w, time, 0, event, "i", id);
}

TEST(a_payload_that_is_short_is_a_finding)
{
	begin();
	world_event(&w, 10, 0, "OAs", "");
	world_run(&w);
	SHOWS("ovni.cpu", "0:1");
	end("missing payload: 0 bytes, needs 4");
}

TEST(an_exact_payload_that_is_long_is_a_finding)
{
	begin();
	world_event(&w, 10, 0, "OAs", "ii", 1, 1);
	world_run(&w);
	SHOWS("ovni.cpu", "0:1");
	end("payload of 8 bytes, must be 4");
}

TEST(other_payloads_may_be_longer)
{
	begin();
	create(1, "lab");
	world_event(&w, 2, 0, "6Tc", "ii", 1, 1);
	world_event(&w, 10, 0, "6Tx", "il", 1, 99);
	world_run(&w);
	SHOWS("nanos6.taskid", "0:- 10:1");
	end(NULL);
}

TEST(payloads_of_events_that_need_none_do_not_matter)
{
	begin();
	world_event(&w, 10, 0, "6W[", "+ls", 1, "text");
	world_event(&w, 20, 0, "OHp", "l", 1);
	world_run(&w);
	SHOWS("nanos6.subsystem", "0:- 10:19 20:-");
	end(NULL);
}

TEST(the_start_of_a_thread_needs_its_cpu_only)
{
	world_open(&w, 1);
	world_event(&w, 0, 0, "OHx", "i", 1);
	world_run(&w);
	SHOWS("ovni.cpu", "0:2");
	end(NULL);
}

TEST(a_task_type_comes_as_a_jumbo)
{
	begin();
	world_event(&w, 10, 0, "6Yc", "is", 1, "lab");
	world_event(&w, 20, 0, "6Yc", "+is", 1, "lab");
	world_run(&w);
	CHECK_INT(w.findings.list.at[0].time, 10);
	end("expecting a jumbo event");
}

TEST(a_label_of_a_task_type_has_an_end)
{
	begin();
	create(1, "lab");
	w.from.queue.at[1].size--;
	world_run(&w);
	end("has no end");
}

TEST(a_label_of_a_task_type_has_up_to_511_bytes)
{
	char label[513] = "";

	memset(label, 'x', 511);
	begin();
	create(1, label);
	world_run(&w);
	end(NULL);
	label[511] = 'x';
	begin();
	create(1, label);
	world_run(&w);
	end("too long");
}

TEST(a_task_without_number_is_not_executed)
{
	begin();
	create(1, "lab");
	world_event(&w, 2, 0, "6Tc", "ii", 0, 1);
	task(10, "6Tx", 0);
	world_run(&w);
	SHOWS("nanos6.taskid", "0:-");
	end("task id cannot be 0");
}

TEST(a_process_without_rank_shows_none)
{
	begin();
	w.from.source.trace.processes.at[0].rank = TRACE_NONE;
	create(1, "lab");
	world_event(&w, 2, 0, "6Tc", "ii", 7, 1);
	task(10, "6Tx", 7);
	task(20, "6Te", 7);
	world_run(&w);
	SHOWS("nanos6.taskid", "0:- 10:7 20:-");
	SHOWS("nanos6.rank", "0:-");
	end(NULL);
}

TEST(a_task_that_cannot_begin_changes_nothing)
{
	begin();
	create(1, "lab");
	world_event(&w, 2, 0, "6Tc", "ii", 7, 1);
	task(10, "6Tx", 7);
	task(20, "6Tx", 7);
	task(30, "6Te", 7);
	world_run(&w);
	SHOWS("nanos6.taskid", "0:- 10:7 30:-");
	SHOWS("nanos6.subsystem", "0:- 10:1 30:-");
	end("task 7 cannot be executed");
}

TEST(a_task_ends_on_the_thread_that_runs_it)
{
	world_open(&w, 2);
	world_start(&w, 0, 0, 0);
	world_start(&w, 0, 1, 1);
	create(1, "lab");
	world_event(&w, 2, 0, "6Tc", "ii", 7, 1);
	task(10, "6Tx", 7);
	world_event(&w, 20, 1, "6Te", "i", 7);
	world_run(&w);
	SHOWS("nanos6.taskid", "0:- 10:7");
	end("task 7 cannot be ended here");
}

TEST(marks_are_declared_and_0_is_not_pushed)
{
	begin();
	trace_add_mark(&w.from.source.trace, 3, "Mark", true, "meta");
	world_event(&w, 10, 0, "OM[", "li", 0, 3);
	world_run(&w);
	SHOWS("ovni.mark3", "0:-");
	end("is 0");
	begin();
	world_event(&w, 10, 0, "OM=", "li", 1, 3);
	world_run(&w);
	end("mark type 3 is not declared");
	begin();
	world_event(&w, 10, 0, "OM=", "li", 1, -1);
	world_run(&w);
	end("mark type -1 is not declared");
}

TEST(events_of_a_model_that_is_off_are_findings)
{
	begin();
	w.from.source.trace.requires.n = 0;
	world_event(&w, 10, 0, "6W[", "");
	world_run(&w);
	end("model nanos6 not enabled");
}

TEST(events_that_no_model_has_are_findings)
{
	begin();
	world_event(&w, 10, 0, "6ZZ", "");
	world_run(&w);
	end("model nanos6 has no such event");
	begin();
	world_event(&w, 10, 0, "zzz", "");
	world_run(&w);
	end("no model of this build has it");
}

TEST(an_event_that_needs_an_active_thread_is_left_out_otherwise)
{
	begin();
	world_event(&w, 10, 0, "OHp", "");
	world_event(&w, 20, 0, "6W[", "");
	world_event(&w, 30, 0, "OHr", "");
	world_run(&w);
	SHOWS("nanos6.subsystem", "0:-");
	end("the thread is Paused; only active threads emit this event");
}

TEST_MAIN(RUN(a_payload_that_is_short_is_a_finding),
	RUN(an_exact_payload_that_is_long_is_a_finding),
	RUN(other_payloads_may_be_longer),
	RUN(payloads_of_events_that_need_none_do_not_matter),
	RUN(the_start_of_a_thread_needs_its_cpu_only),
	RUN(a_task_type_comes_as_a_jumbo),
	RUN(a_label_of_a_task_type_has_an_end),
	RUN(a_label_of_a_task_type_has_up_to_511_bytes),
	RUN(a_task_without_number_is_not_executed),
	RUN(a_process_without_rank_shows_none),
	RUN(a_task_that_cannot_begin_changes_nothing),
	RUN(a_task_ends_on_the_thread_that_runs_it),
	RUN(marks_are_declared_and_0_is_not_pushed),
	RUN(events_of_a_model_that_is_off_are_findings),
	RUN(events_that_no_model_has_are_findings),
	RUN(an_event_that_needs_an_active_thread_is_left_out_otherwise))
