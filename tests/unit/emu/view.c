/* SPDX-License-Identifier: MIT */
#include "emu/view.h"

#include "test.h"
#include "world.h"

#define TH "TH 1.1"
#define CPU0 " CPU 0.0"
#define CPU1 " CPU 0.1"
#define VCPU "vCPU 0.*"

static struct world w;

/* Checks the history that a row has for a type, by its key. */
#define SHOWS(row, key, want) CHECK_STR(world_history(&w, (row), (key)), (want))
#define STACKS(row, key, want) CHECK_STR(world_stacks(&w, (row), (key)), (want))

/* Makes a trace of one thread, started on CPU 0 at time 0. */
static void
begin(void)
{
	world_open(&w, 2);
	world_start(&w, 0, 0, 0);
}

static void
at(int64_t time, const char *event)
{
	world_event(&w, time, 0, event, "");
}

static void
end(void)
{
	CHECK_INT(world_findings(&w), 0);
	world_close(&w);
}

/* Declares marks of type 3 as a stack and of type 4 as a single value. */
static void
declare_marks(void)
{
	struct trace *t = &w.from.source.trace;

	trace_add_mark(t, 3, "Phase", true, "meta");
	trace_add_mark(t, 4, "Step", false, "meta");
}

static void
mark(int64_t time, const char *event, int value, int type)
{
	world_event(&w, time, 0, event, "li", value, type);
}

/* At that time, creates tasks 1 and 2 of one type and task 3 of another. */
static void
create_tasks(int64_t time)
{
	world_event(&w, time, 0, "6Yc", "+is", 1, "lab");
	world_event(&w, time, 0, "6Yc", "+is", 2, "type1");
	for (int i = 1; i <= 3; i++)
		world_event(&w, time, 0, "6Tc", "ii", i, i < 3 ? 1 : 2);
}

static void
task(int64_t time, const char *event, int id)
{
	world_event(&w, time, 0, event, "i", id);
}

/* Takes a thread through Running, Cooling, Paused, Warming, Running, Dead. */
static void
pass_all_states(void)
{
	at(10, "OHc");
	at(20, "OHp");
	at(30, "OHw");
	at(40, "OHr");
	at(50, "OHe");
}

TEST(core_rows_of_a_thread)
{
	begin();
	pass_all_states();
	world_run(&w);
	SHOWS(TH, "ovni.state", "0:1 10:4 20:2 30:5 40:1 50:3");
	SHOWS(TH, "ovni.tid", "0:1 20:- 30:1 50:-");
	SHOWS(TH, "ovni.cpu", "0:1 50:-");
	end();
}

TEST(core_rows_of_a_cpu)
{
	begin();
	pass_all_states();
	world_run(&w);
	SHOWS(CPU0, "ovni.running", "0:1 10:0 40:1 50:0");
	SHOWS(CPU0, "ovni.pid", "0:100 10:- 40:100 50:-");
	SHOWS(CPU0, "ovni.tid", "0:1 10:- 40:1 50:-");
	end();
}

TEST(no_row_has_a_record_before_it_is_looked_at)
{
	begin();
	at(10, "6W[");
	world_run(&w);
	for (int i = 0; i < w.to.records.n; i++) {
		uint32_t row = w.to.records.at[i].r.row;

		CHECK(row == world_row_id(&w, TH) ||
			row == world_row_id(&w, CPU0));
	}
	end();
}

TEST(the_first_look_is_written_though_it_is_nothing)
{
	begin();
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:-");
	SHOWS(TH, "nanos6.taskid", "0:-");
	SHOWS(TH, "nanos6.task_type", "0:-");
	SHOWS(CPU0, "nanos6.subsystem", "0:-");
	SHOWS(CPU0, "nanos6.thread_type", "0:-");
	end();
}

TEST(rows_that_are_always_shown_begin_with_their_first_write)
{
	begin();
	at(10, "6Hw");
	at(20, "OF[");
	world_run(&w);
	SHOWS(TH, "nanos6.thread_type", "10:3");
	SHOWS(TH, "ovni.flush", "20:1");
	end();
}

TEST(a_cpu_without_a_running_thread_shows_how_many_and_no_more)
{
	begin();
	at(10, "OHp");
	world_event(&w, 20, 0, "OAr", "ii", 1, 1);
	world_run(&w);
	SHOWS(CPU1, "ovni.running", "20:0");
	SHOWS(CPU1, "ovni.tid", "");
	SHOWS(CPU1, "nanos6.subsystem", "");
	SHOWS(CPU1, "nanos6.idle", "");
	SHOWS(TH, "ovni.cpu", "0:1 20:2");
	end();
}

TEST(values_from_before_the_start_show_at_the_start)
{
	world_open(&w, 1);
	world_event(&w, 0, 0, "OF[", "");
	world_start(&w, 10, 0, 0);
	world_run(&w);
	SHOWS(TH, "ovni.flush", "0:1");
	SHOWS(CPU0, "ovni.flush", "10:1");
	end();
}

TEST(tracking_running_shows_while_running)
{
	begin();
	pass_all_states();
	world_run(&w);
	SHOWS(TH, "nanos6.idle", "0:100 10:- 40:100 50:-");
	end();
}

TEST(tracking_active_shows_while_running_cooling_and_warming)
{
	begin();
	at(5, "6W[");
	pass_all_states();
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 5:19 20:- 30:19 50:-");
	end();
}

TEST(tracking_none_shows_always)
{
	begin();
	at(5, "6Hw");
	pass_all_states();
	at(60, "OF[");
	world_run(&w);
	SHOWS(TH, "nanos6.thread_type", "5:3");
	SHOWS(TH, "ovni.flush", "60:1");
	end();
}

TEST(what_changes_unseen_shows_later)
{
	begin();
	declare_marks();
	mark(5, "OM[", 7, 3);
	at(10, "OHp");
	mark(20, "OM[", 8, 3);
	at(30, "OHr");
	world_run(&w);
	SHOWS(TH, "ovni.mark3", "0:- 5:7 10:- 30:8");
	SHOWS(CPU0, "ovni.mark3", "0:- 5:7 10:- 30:8");
	end();
}

TEST(skipdup_leaves_out_what_was_written_last)
{
	begin();
	at(5, "6W[");
	at(10, "OHc");
	at(20, "OHp");
	at(30, "OHw");
	at(35, "6W]");
	at(40, "OHr");
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 5:19 20:- 30:19 35:-");
	SHOWS(CPU0, "nanos6.subsystem", "0:- 5:19 10:-");
	end();
}

TEST(skipdupnull_repeats_values_but_not_nothing)
{
	begin();
	declare_marks();
	mark(5, "OM=", 7, 4);
	mark(6, "OM=", 7, 4);
	at(10, "OHc");
	at(20, "OHp");
	at(30, "OHw");
	at(40, "OHr");
	world_run(&w);
	SHOWS(TH, "ovni.mark4", "0:- 5:7 6:7 10:7 20:- 30:7 40:7");
	SHOWS(TH, "ovni.mark3", "0:-");
	SHOWS(CPU0, "ovni.mark4", "0:- 5:7 6:7 10:- 40:7");
	end();
}

TEST(emitdup_repeats_nothing_too)
{
	begin();
	pass_all_states();
	world_run(&w);
	SHOWS(TH, "nanos6.task_type", "0:- 10:- 20:- 30:- 40:- 50:-");
	SHOWS(CPU0, "nanos6.task_type", "0:- 10:- 40:- 50:-");
	end();
}

TEST(emitdup_repeats_values)
{
	begin();
	create_tasks(1);
	task(10, "6Tx", 1);
	task(20, "6Tx", 2);
	task(30, "6Te", 2);
	task(40, "6Te", 1);
	world_run(&w);
	SHOWS(TH, "nanos6.task_type",
		"0:- 10:727222985 20:727222985 30:727222985 40:-");
	SHOWS(TH, "nanos6.rank", "0:- 10:5 20:5 30:5 40:-");
	SHOWS(TH, "nanos6.taskid", "0:- 10:1 20:2 30:1 40:-");
	SHOWS(CPU0, "nanos6.rank", "0:- 10:5 20:5 30:5 40:-");
	SHOWS(CPU0, "nanos6.taskid", "0:- 10:1 20:2 30:1 40:-");
	end();
}

TEST(a_task_that_pauses_leaves_its_section)
{
	begin();
	create_tasks(1);
	task(10, "6Tx", 3);
	task(20, "6Tp", 3);
	task(30, "6Tr", 3);
	task(40, "6Te", 3);
	world_run(&w);
	SHOWS(TH, "nanos6.taskid", "0:- 10:3 20:- 30:3 40:-");
	SHOWS(TH, "nanos6.subsystem", "0:- 10:1 40:-");
	end();
}

TEST(a_cpu_follows_its_running_thread)
{
	begin();
	at(5, "6W[");
	pass_all_states();
	world_run(&w);
	SHOWS(CPU0, "nanos6.subsystem", "0:- 5:19 10:- 40:19 50:-");
	end();
}

TEST(a_thread_that_moves_takes_its_values_along)
{
	begin();
	at(5, "6W[");
	world_event(&w, 10, 0, "OAs", "i", 1);
	at(20, "6W]");
	world_event(&w, 30, 0, "OAs", "i", -1);
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 5:19 20:-");
	SHOWS(CPU0, "nanos6.subsystem", "0:- 5:19 10:-");
	SHOWS(CPU1, "nanos6.subsystem", "10:19 20:-");
	SHOWS(VCPU, "nanos6.subsystem", "30:-");
	SHOWS(TH, "ovni.cpu", "0:1 10:2 30:3");
	end();
}

TEST(a_move_is_no_second_look_at_the_rows_of_the_thread)
{
	begin();
	declare_marks();
	mark(5, "OM=", 7, 4);
	world_event(&w, 10, 0, "OAs", "i", 1);
	world_run(&w);
	SHOWS(TH, "ovni.mark4", "0:- 5:7");
	SHOWS(TH, "nanos6.task_type", "0:-");
	SHOWS(CPU1, "ovni.mark4", "10:7");
	end();
}

TEST(a_physical_cpu_with_two_running_threads_shows_that)
{
	begin();
	at(5, "6W[");
	world_start(&w, 10, 1, 0);
	world_event(&w, 20, 1, "OHe", "");
	world_run(&w);
	SHOWS(CPU0, "nanos6.subsystem", "0:- 5:19 10:2147483647 20:19");
	SHOWS(CPU0, "ovni.running", "0:1 10:2 20:1");
	CHECK_INT(world_findings(&w), 1);
	world_close(&w);
}

TEST(a_cpu_shows_the_next_thread)
{
	begin();
	at(5, "6W[");
	at(10, "OHp");
	world_start(&w, 20, 1, 0);
	world_event(&w, 30, 1, "6Ma", "");
	world_event(&w, 40, 1, "OHe", "");
	at(50, "OHr");
	world_run(&w);
	SHOWS(CPU0, "nanos6.subsystem", "0:- 5:19 10:- 30:16 40:- 50:19");
	SHOWS(CPU0, "ovni.tid", "0:1 10:- 20:2 40:- 50:1");
	end();
}

TEST(a_thread_that_cools_on_a_cpu_is_not_its_running_one)
{
	begin();
	at(5, "6W[");
	at(10, "OHc");
	world_start(&w, 20, 1, 0);
	at(25, "6Ma");
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 5:19 25:16");
	SHOWS(CPU0, "nanos6.subsystem", "0:- 5:19 10:-");
	SHOWS(CPU0, "ovni.tid", "0:1 10:- 20:2");
	end();
}

TEST(a_virtual_cpu_with_two_running_threads_shows_neither)
{
	world_open(&w, 2);
	world_start(&w, 0, 0, -1);
	at(5, "6W[");
	world_start(&w, 10, 1, -1);
	at(15, "6Ma");
	world_event(&w, 20, 1, "OHe", "");
	world_run(&w);
	SHOWS(VCPU, "nanos6.subsystem", "0:- 5:19 10:- 20:16");
	SHOWS(VCPU, "nanos6.idle", "0:100 10:101 20:100");
	SHOWS(VCPU, "ovni.running", "0:1 10:2 20:1");
	SHOWS(VCPU, "ovni.tid", "0:1 10:- 20:1");
	SHOWS(VCPU, "ovni.pid", "0:100 10:- 20:100");
	end();
}

TEST(a_cpu_without_a_thread_is_resting)
{
	begin();
	at(10, "6Pa");
	at(20, "OHp");
	at(30, "OHr");
	at(40, "6Pr");
	at(50, "OHe");
	world_run(&w);
	SHOWS(CPU0, "nanos6.idle", "0:100 10:102 20:101 30:102 40:101");
	SHOWS(TH, "nanos6.idle", "0:100 10:102 20:- 30:102 40:101 50:-");
	end();
}

TEST(records_have_the_whole_stack)
{
	begin();
	at(10, "6W[");
	at(20, "6S[");
	at(30, "6Sa");
	at(40, "6SA");
	at(50, "6S]");
	at(60, "6W]");
	world_run(&w);
	STACKS(TH, "nanos6.subsystem",
		"0: 10:19 20:19,9 30:19,9,7 40:19,9 50:19 60:");
	STACKS(CPU0, "nanos6.subsystem",
		"0: 10:19 20:19,9 30:19,9,7 40:19,9 50:19 60:");
	end();
}

TEST(a_row_that_shows_nothing_has_no_stack)
{
	begin();
	at(10, "6W[");
	at(20, "6S[");
	at(30, "OHp");
	at(40, "OHr");
	world_run(&w);
	STACKS(TH, "nanos6.subsystem", "0: 10:19 20:19,9 30: 40:19,9");
	STACKS(CPU0, "nanos6.subsystem", "0: 10:19 20:19,9 30: 40:19,9");
	end();
}

TEST(single_channels_have_no_stack)
{
	begin();
	at(10, "6Pa");
	world_run(&w);
	STACKS(TH, "nanos6.idle", "0: 10:");
	SHOWS(TH, "nanos6.idle", "0:100 10:102");
	end();
}

static bool
is_same_place(const struct record *a, const struct record *b)
{
	return a->time == b->time && a->row == b->row && a->type == b->type;
}

TEST(an_event_writes_a_row_and_type_once)
{
	begin();
	declare_marks();
	create_tasks(1);
	task(3, "6Tx", 1);
	task(4, "6Tx", 2);
	mark(5, "OM=", 1, 4);
	pass_all_states();
	world_run(&w);
	for (int i = 0; i < w.to.records.n; i++)
		for (int j = 0; j < i; j++)
			CHECK(!is_same_place(
				&w.to.records.at[i].r, &w.to.records.at[j].r));
	end();
}

TEST(two_events_at_one_time_both_write)
{
	begin();
	at(10, "6W[");
	at(10, "6S[");
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 10:19 10:9");
	end();
}

TEST(times_count_from_the_first_event)
{
	world_open(&w, 1);
	world_start(&w, 1000, 0, 0);
	at(1010, "6W[");
	at(1033, "OHe");
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 10:19 33:-");
	CHECK_INT(w.to.end, 33);
	CHECK_INT(emu_time(w.emu), 33);
	CHECK_INT(emu_events(w.emu), 3);
	end();
}

TEST(a_trace_without_events_writes_nothing)
{
	world_open(&w, 1);
	world_run(&w);
	CHECK_INT(w.to.records.n, 0);
	CHECK_INT(w.to.end, 0);
	CHECK_INT(emu_events(w.emu), 0);
	end();
}

TEST(a_wrong_pop_writes_nothing)
{
	begin();
	at(10, "6W[");
	at(20, "6S]");
	at(30, "6W[");
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:- 10:19");
	CHECK_INT(world_findings(&w), 2);
	world_close(&w);
}

TEST(events_of_a_stream_without_thread_are_reported_once)
{
	struct trace *t = &w.from.source.trace;

	begin();
	VEC_PUSH(&t->streams, &w.arena,
		((struct stream){ .file = "odd", .thread = TRACE_NONE }));
	world_event(&w, 10, 2, "6W[", "");
	world_event(&w, 20, 2, "6W]", "");
	world_run(&w);
	SHOWS(TH, "nanos6.subsystem", "0:-");
	CHECK_INT(world_findings(&w), 1);
	world_close(&w);
}

TEST_MAIN(RUN(core_rows_of_a_thread), RUN(core_rows_of_a_cpu),
	RUN(no_row_has_a_record_before_it_is_looked_at),
	RUN(the_first_look_is_written_though_it_is_nothing),
	RUN(rows_that_are_always_shown_begin_with_their_first_write),
	RUN(a_cpu_without_a_running_thread_shows_how_many_and_no_more),
	RUN(values_from_before_the_start_show_at_the_start),
	RUN(tracking_running_shows_while_running),
	RUN(tracking_active_shows_while_running_cooling_and_warming),
	RUN(tracking_none_shows_always), RUN(what_changes_unseen_shows_later),
	RUN(skipdup_leaves_out_what_was_written_last),
	RUN(skipdupnull_repeats_values_but_not_nothing),
	RUN(emitdup_repeats_nothing_too), RUN(emitdup_repeats_values),
	RUN(a_task_that_pauses_leaves_its_section),
	RUN(a_cpu_follows_its_running_thread),
	RUN(a_thread_that_moves_takes_its_values_along),
	RUN(a_move_is_no_second_look_at_the_rows_of_the_thread),
	RUN(a_physical_cpu_with_two_running_threads_shows_that),
	RUN(a_cpu_shows_the_next_thread),
	RUN(a_thread_that_cools_on_a_cpu_is_not_its_running_one),
	RUN(a_virtual_cpu_with_two_running_threads_shows_neither),
	RUN(a_cpu_without_a_thread_is_resting),
	RUN(records_have_the_whole_stack),
	RUN(a_row_that_shows_nothing_has_no_stack),
	RUN(single_channels_have_no_stack),
	RUN(an_event_writes_a_row_and_type_once),
	RUN(two_events_at_one_time_both_write),
	RUN(times_count_from_the_first_event),
	RUN(a_trace_without_events_writes_nothing),
	RUN(a_wrong_pop_writes_nothing),
	RUN(events_of_a_stream_without_thread_are_reported_once))
