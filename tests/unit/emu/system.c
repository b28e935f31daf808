/* SPDX-License-Identifier: MIT */
#include "emu/system.h"

#include <inttypes.h>

#include "base/arena.h"
#include "test.h"
#include "trace/trace.h"

#define NCHANS 3
#define MANY 1000

/* A trace being declared, and the system that was built from it. */
static struct arena arena;
static struct findings findings;
static struct trace trace;
static struct system sys;
static char text[1024];

static void
begin(void)
{
	findings_init(&findings, &arena, 10);
	trace_init(&trace, &arena, &findings);
}

static int
process(const char *node, int64_t pid, int64_t app, int64_t rank)
{
	int p = trace_add_process(
		&trace, trace_add_node(&trace, node), pid, "meta");

	trace_set_app(&trace, p, app, "meta");
	if (rank >= 0)
		trace_set_rank(&trace, p, rank, 100, "meta");
	return p;
}

static void
thread(int p, int64_t tid)
{
	int stream = trace.streams.n;

	VEC_PUSH(&trace.streams, &arena, ((struct stream){ .file = "meta" }));
	trace.streams.at[stream].thread =
		trace_add_thread(&trace, p, tid, stream);
}

static void
cpu(const char *node, int64_t index, int64_t phyid)
{
	trace_add_cpu(
		&trace, trace_add_node(&trace, node), index, phyid, "meta");
}

static void
build(void)
{
	system_init(&sys, &arena, &trace, NCHANS, 1);
}

static void
end(void)
{
	system_fini(&sys);
	trace_fini(&trace);
	arena_fini(&arena);
}

static const char *
join_names(const char *name(int i), int n)
{
	size_t at = 0;

	text[0] = '\0';
	for (int i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof text - at, "%s%s",
			i > 0 ? "|" : "", name(i));
	return text;
}

static const char *
thread_name(int i)
{
	return sys.threads[i].name;
}

static const char *
cpu_name(int i)
{
	return sys.cpus[i].name;
}

static const char *
node_name(int i)
{
	CHECK_INT(sys.nodes[i].index, i);
	return sys.nodes[i].name;
}

/* Returns the names of all rows, in row order: "TH 1.2|TH 1.3". */
#define ROWS(kind) join_names(kind##_name, sys.n##kind##s)

TEST(nodes_are_ordered_by_lowest_rank_if_all_have_ranks)
{
	begin();
	process("a", 10, 1, 4);
	process("a", 11, 1, 5);
	process("b", 20, 1, 9);
	process("b", 21, 1, 1);
	process("c", 30, 1, 2);
	build();
	CHECK_STR(ROWS(node), "b|c|a");
	end();
}

TEST(nodes_are_ordered_by_name_without_ranks)
{
	begin();
	process("node10", 10, 1, -1);
	process("node2", 20, 1, -1);
	process("Node3", 30, 1, -1);
	build();
	CHECK_STR(ROWS(node), "Node3|node10|node2");
	end();
}

TEST(nodes_are_ordered_by_name_if_one_has_no_rank)
{
	begin();
	process("b", 20, 1, 0);
	process("a", 10, 1, 1);
	process("c", 30, 1, -1);
	build();
	CHECK_STR(ROWS(node), "a|b|c");
	end();
}

TEST(nodes_of_equal_rank_are_ordered_by_name)
{
	begin();
	process("b", 20, 2, 0);
	process("a", 10, 1, 0);
	build();
	CHECK_STR(ROWS(node), "a|b");
	end();
}

TEST(processes_are_ordered_by_rank)
{
	begin();
	thread(process("a", 10, 1, 2), 10);
	thread(process("a", 11, 2, 0), 11);
	thread(process("a", 12, 3, 1), 12);
	build();
	CHECK_STR(ROWS(thread), "TH 2.11|TH 3.12|TH 1.10");
	end();
}

TEST(processes_are_ordered_by_pid_without_ranks)
{
	begin();
	thread(process("a", 100, 1, -1), 1);
	thread(process("a", 9, 2, -1), 2);
	thread(process("a", 20, 3, -1), 3);
	build();
	CHECK_STR(ROWS(thread), "TH 2.2|TH 3.3|TH 1.1");
	end();
}

TEST(each_node_orders_its_processes_by_what_it_has)
{
	begin();
	thread(process("b", 1, 1, 8), 1);
	thread(process("b", 2, 2, 7), 2);
	thread(process("a", 4, 3, -1), 4);
	thread(process("a", 3, 4, -1), 3);
	build();
	CHECK_STR(ROWS(thread), "TH 4.3|TH 3.4|TH 2.2|TH 1.1");
	end();
}

TEST(threads_are_ordered_by_tid_within_their_process)
{
	int p, q;

	begin();
	p = process("a", 2, 1, -1);
	q = process("a", 1, 2, -1);
	thread(p, 30);
	thread(q, 100);
	thread(p, 4);
	thread(q, 20);
	build();
	CHECK_STR(ROWS(thread), "TH 2.20|TH 2.100|TH 1.4|TH 1.30");
	end();
}

TEST(cpus_are_ordered_by_the_kernels_number_and_the_virtual_one_is_last)
{
	begin();
	process("b", 1, 1, 0);
	process("a", 2, 1, 1);
	cpu("a", 0, 10);
	cpu("a", 1, 2);
	cpu("b", 0, 7);
	cpu("a", 2, 30);
	build();
	CHECK_STR(ROWS(cpu),
		" CPU 0.7|vCPU 0.*| CPU 1.2| CPU 1.10| CPU 1.30|vCPU 1.*");
	end();
}

TEST(a_node_without_cpus_has_its_virtual_one)
{
	begin();
	process("a", 1, 1, -1);
	build();
	CHECK_STR(ROWS(cpu), "vCPU 0.*");
	CHECK(system_cpu(&sys, sys.nodes, -1) == &sys.cpus[0]);
	CHECK(system_cpu(&sys, sys.nodes, 0) == NULL);
	end();
}

TEST(a_trace_without_anything_is_a_system_without_anything)
{
	begin();
	build();
	CHECK_INT(sys.nnodes + sys.nprocesses + sys.nthreads + sys.ncpus, 0);
	end();
}

TEST(events_name_cpus_by_index_within_their_node)
{
	begin();
	process("a", 1, 1, -1);
	process("b", 1, 1, -1);
	cpu("a", 0, 10);
	cpu("a", 1, 2);
	cpu("b", 0, 3);
	build();
	CHECK_INT(system_cpu(&sys, &sys.nodes[0], 0)->phyid, 10);
	CHECK_INT(system_cpu(&sys, &sys.nodes[0], 1)->phyid, 2);
	CHECK_INT(system_cpu(&sys, &sys.nodes[1], 0)->phyid, 3);
	CHECK_STR(system_cpu(&sys, &sys.nodes[0], -1)->name, "vCPU 0.*");
	CHECK_STR(system_cpu(&sys, &sys.nodes[1], -1)->name, "vCPU 1.*");
	CHECK(system_cpu(&sys, &sys.nodes[1], 1) == NULL);
	CHECK(system_cpu(&sys, &sys.nodes[0], 2) == NULL);
	CHECK(system_cpu(&sys, &sys.nodes[0], -2) == NULL);
	CHECK(system_cpu(&sys, &sys.nodes[0], INT64_MIN) == NULL);
	end();
}

TEST(a_thread_is_looked_for_in_its_process_then_in_the_node)
{
	begin();
	thread(process("a", 1, 1, -1), 5);
	thread(process("a", 2, 2, -1), 5);
	thread(process("a", 2, 2, -1), 6);
	thread(process("b", 3, 3, -1), 7);
	build();
	CHECK_STR(system_thread(&sys.processes[0], 5)->name, "TH 1.5");
	CHECK_STR(system_thread(&sys.processes[1], 5)->name, "TH 2.5");
	CHECK_STR(system_thread(&sys.processes[0], 6)->name, "TH 2.6");
	CHECK(system_thread(&sys.processes[0], 7) == NULL);
	CHECK(system_thread(&sys.processes[2], 5) == NULL);
	CHECK(system_thread(&sys.processes[0], -1) == NULL);
	end();
}

TEST(streams_lead_to_their_threads)
{
	begin();
	thread(process("b", 1, 1, -1), 5);
	VEC_PUSH(&trace.streams, &arena,
		((struct stream){ .file = "odd", .thread = TRACE_NONE }));
	thread(process("a", 2, 2, -1), 6);
	build();
	CHECK_STR(sys.of_stream[0]->name, "TH 1.5");
	CHECK(sys.of_stream[1] == NULL);
	CHECK_STR(sys.of_stream[2]->name, "TH 2.6");
	end();
}

TEST(everybody_begins_unknown_and_on_no_cpu)
{
	begin();
	thread(process("a", 1, 1, -1), 5);
	cpu("a", 0, 0);
	build();
	CHECK_INT(sys.threads[0].state, THREAD_UNKNOWN);
	CHECK_INT(sys.threads[0].active, 0);
	CHECK(sys.threads[0].cpu == NULL);
	for (int i = 0; i < NCHANS; i++) {
		CHECK_INT(sys.threads[0].has.chan[i].depth, 0);
		CHECK(sys.threads[0].has.shown[i].begun == 0);
		CHECK(sys.cpus[1].shown[i].begun == 0);
	}
	CHECK(sys.cpus[0].running.n == 0 && sys.cpus[0].active.n == 0);
	end();
}

/* Compares a CPU's list of threads with the states of all threads. */
static void
check_crew(const struct cpu *c, const struct crew *crew, uint8_t active)
{
	const struct thread *one = NULL;
	uint32_t n = 0;

	for (int i = 0; i < sys.nthreads; i++) {
		const struct thread *th = &sys.threads[i];

		if (th->cpu != c || !(th->active & active))
			continue;
		one = th;
		n++;
	}
	CHECK_INT(crew->n, n);
	CHECK(crew->only == (n == 1 ? one : NULL));
}

static void
check_cpu(const struct cpu *c)
{
	check_crew(c, &c->running, ACTIVE_RUNNING);
	check_crew(c, &c->active, ACTIVE_ACTIVE);
}

/* Makes so many threads 0, 1, ... on a node with CPUs 0, 1 and the virtual one.
 */
static void
populate(int nthreads)
{
	int p;

	begin();
	p = process("a", 1, 1, -1);
	for (int i = 0; i < nthreads; i++)
		thread(p, i);
	cpu("a", 0, 0);
	cpu("a", 1, 1);
	build();
}

static void
place(int th, enum thread_state state, int on)
{
	thread_place(
		&sys, &sys.threads[th], state, on < 0 ? NULL : &sys.cpus[on]);
	for (int i = 0; i < sys.ncpus; i++)
		check_cpu(&sys.cpus[i]);
}

static void
forget_changes(void)
{
	for (int i = 0; i < sys.nthreads; i++)
		sys.threads[i].changed = false;
	for (int i = 0; i < sys.ncpus; i++)
		sys.cpus[i].running.changed = sys.cpus[i].active.changed =
			sys.cpus[i].touched = false;
}

/* Returns for each CPU '1' if another thread runs there now, else '0': "10"
 * means that only the first of two changed. */
static const char *
changed_cpus(void)
{
	for (int i = 0; i < sys.ncpus; i++)
		text[i] = sys.cpus[i].running.changed ? '1' : '0';
	text[sys.ncpus] = '\0';
	return text;
}

static const char *
touched_cpus(void)
{
	for (int i = 0; i < sys.ncpus; i++)
		text[i] = sys.cpus[i].touched ? '1' : '0';
	text[sys.ncpus] = '\0';
	return text;
}

TEST(a_running_thread_is_the_only_one_of_its_cpu)
{
	populate(1);
	place(0, THREAD_RUNNING, 0);
	CHECK(sys.cpus[0].running.only == &sys.threads[0]);
	CHECK(sys.threads[0].changed);
	CHECK_STR(changed_cpus(), "100");
	CHECK_STR(touched_cpus(), "100");
	end();
}

TEST(states_say_whether_a_thread_is_active)
{
	static const uint8_t want[] = { [THREAD_RUNNING] = ACTIVE_RUNNING |
			ACTIVE_ACTIVE | ACTIVE_ALIVE,
		[THREAD_PAUSED] = ACTIVE_ALIVE,
		[THREAD_COOLING] = ACTIVE_ACTIVE | ACTIVE_ALIVE,
		[THREAD_WARMING] = ACTIVE_ACTIVE | ACTIVE_ALIVE };

	populate(1);
	for (int s = THREAD_UNKNOWN; s <= THREAD_WARMING; s++) {
		place(0, (enum thread_state)s, 0);
		CHECK_INT(sys.threads[0].active, want[s]);
		CHECK_INT(sys.cpus[0].running.n, s == THREAD_RUNNING);
	}
	end();
}

TEST(a_second_running_thread_leaves_the_cpu_without_an_only_one)
{
	populate(2);
	place(0, THREAD_RUNNING, 0);
	forget_changes();
	place(1, THREAD_RUNNING, 0);
	CHECK(sys.cpus[0].running.only == NULL);
	CHECK_STR(changed_cpus(), "100");
	forget_changes();
	place(0, THREAD_PAUSED, 0);
	CHECK(sys.cpus[0].running.only == &sys.threads[1]);
	CHECK_STR(changed_cpus(), "100");
	end();
}

TEST(a_third_running_thread_changes_nothing_for_the_cpu)
{
	populate(3);
	place(0, THREAD_RUNNING, 0);
	place(1, THREAD_RUNNING, 0);
	forget_changes();
	place(2, THREAD_RUNNING, 0);
	CHECK_STR(changed_cpus(), "000");
	CHECK_STR(touched_cpus(), "100");
	end();
}

TEST(a_thread_that_cools_is_active_beside_the_one_that_runs)
{
	populate(2);
	place(0, THREAD_RUNNING, 0);
	place(0, THREAD_COOLING, 0);
	CHECK(sys.cpus[0].running.only == NULL);
	CHECK(sys.cpus[0].active.only == &sys.threads[0]);
	forget_changes();
	place(1, THREAD_RUNNING, 0);
	CHECK(sys.cpus[0].running.only == &sys.threads[1]);
	CHECK(sys.cpus[0].active.only == NULL && sys.cpus[0].active.changed);
	forget_changes();
	place(0, THREAD_PAUSED, 0);
	CHECK(!sys.cpus[0].running.changed && sys.cpus[0].active.changed);
	CHECK(sys.cpus[0].active.only == &sys.threads[1]);
	end();
}

TEST(a_thread_that_does_not_run_changes_nothing_for_the_cpu)
{
	populate(2);
	place(0, THREAD_RUNNING, 0);
	place(1, THREAD_PAUSED, 0);
	forget_changes();
	place(1, THREAD_WARMING, 0);
	CHECK_STR(changed_cpus(), "000");
	CHECK(sys.threads[1].changed && !sys.threads[0].changed);
	end();
}

TEST(a_move_changes_both_cpus_and_no_state)
{
	populate(1);
	place(0, THREAD_RUNNING, 0);
	forget_changes();
	place(0, THREAD_RUNNING, 2);
	CHECK_STR(changed_cpus(), "101");
	CHECK(!sys.threads[0].changed);
	forget_changes();
	place(0, THREAD_PAUSED, 2);
	forget_changes();
	place(0, THREAD_PAUSED, 1);
	CHECK_STR(changed_cpus(), "000");
	CHECK_STR(touched_cpus(), "011");
	end();
}

TEST(a_dead_thread_leaves_its_cpu)
{
	populate(1);
	place(0, THREAD_RUNNING, 1);
	forget_changes();
	place(0, THREAD_DEAD, -1);
	CHECK(sys.threads[0].cpu == NULL);
	CHECK_STR(changed_cpus(), "010");
	forget_changes();
	place(0, THREAD_RUNNING, 0);
	CHECK_STR(changed_cpus(), "100");
	end();
}

TEST(a_change_stays_marked_until_it_is_shown)
{
	populate(1);
	place(0, THREAD_RUNNING, 0);
	place(0, THREAD_RUNNING, 0);
	CHECK(sys.threads[0].changed);
	CHECK_STR(changed_cpus(), "100");
	end();
}

TEST(any_number_of_threads_runs_on_a_virtual_cpu)
{
	struct cpu *c;

	populate(MANY);
	c = system_cpu(&sys, sys.nodes, -1);
	for (int i = 0; i < MANY; i++)
		thread_place(&sys, &sys.threads[i], THREAD_RUNNING, c);
	check_cpu(c);
	CHECK_INT(c->running.n, MANY);
	for (int i = 0; i < MANY; i++)
		if (i != MANY / 3)
			thread_place(&sys, &sys.threads[i], THREAD_COOLING, c);
	check_cpu(c);
	CHECK(c->running.only == &sys.threads[MANY / 3]);
	thread_place(&sys, c->running.only, THREAD_DEAD, NULL);
	check_cpu(c);
	end();
}

TEST(crews_stay_right_whatever_happens)
{
	uint32_t random = 7;

	populate(8);
	for (int i = 0; i < 3000; i++) {
		random = random * 1664525 + 1013904223;
		place((int)(random >> 8) % 8,
			(enum thread_state)((random >> 16) % 6),
			(int)(random >> 24) % 4 - 1);
	}
	end();
}

TEST(states_have_names)
{
	CHECK_STR(thread_state_name(THREAD_UNKNOWN), "Unknown");
	CHECK_STR(thread_state_name(THREAD_RUNNING), "Running");
	CHECK_STR(thread_state_name(THREAD_PAUSED), "Paused");
	CHECK_STR(thread_state_name(THREAD_DEAD), "Dead");
	CHECK_STR(thread_state_name(THREAD_COOLING), "Cooling");
	CHECK_STR(thread_state_name(THREAD_WARMING), "Warming");
}

TEST_MAIN(RUN(nodes_are_ordered_by_lowest_rank_if_all_have_ranks),
	RUN(nodes_are_ordered_by_name_without_ranks),
	RUN(nodes_are_ordered_by_name_if_one_has_no_rank),
	RUN(nodes_of_equal_rank_are_ordered_by_name),
	RUN(processes_are_ordered_by_rank),
	RUN(processes_are_ordered_by_pid_without_ranks),
	RUN(each_node_orders_its_processes_by_what_it_has),
	RUN(threads_are_ordered_by_tid_within_their_process),
	RUN(cpus_are_ordered_by_the_kernels_number_and_the_virtual_one_is_last),
	RUN(a_node_without_cpus_has_its_virtual_one),
	RUN(a_trace_without_anything_is_a_system_without_anything),
	RUN(events_name_cpus_by_index_within_their_node),
	RUN(a_thread_is_looked_for_in_its_process_then_in_the_node),
	RUN(streams_lead_to_their_threads),
	RUN(everybody_begins_unknown_and_on_no_cpu),
	RUN(a_running_thread_is_the_only_one_of_its_cpu),
	RUN(states_say_whether_a_thread_is_active),
	RUN(a_second_running_thread_leaves_the_cpu_without_an_only_one),
	RUN(a_third_running_thread_changes_nothing_for_the_cpu),
	RUN(a_thread_that_cools_is_active_beside_the_one_that_runs),
	RUN(a_thread_that_does_not_run_changes_nothing_for_the_cpu),
	RUN(a_move_changes_both_cpus_and_no_state),
	RUN(a_dead_thread_leaves_its_cpu),
	RUN(a_change_stays_marked_until_it_is_shown),
	RUN(any_number_of_threads_runs_on_a_virtual_cpu),
	RUN(crews_stay_right_whatever_happens), RUN(states_have_names))
