/* SPDX-License-Identifier: MIT */
#include "trace/trace.h"

#include "base/arena.h"
#include "test.h"

static struct arena arena;
static struct findings findings;
static struct trace trace;

static void
start(void)
{
	findings_init(&findings, &arena, 100);
	trace_init(&trace, &arena, &findings);
	trace.path = "trace";
}

/* Checks for exactly these findings, in this order; then frees everything. */
static void
finish(const char *const want[])
{
	int n = 0;

	for (; want[n] != NULL; n++) {
		char text[500] = "nothing";

		if (n < findings.list.n)
			finding_text(&findings.list.at[n], text, sizeof text);
		if (strstr(text, want[n]) == NULL)
			CHECK_STR(text, want[n]);
	}
	CHECK_INT(findings.list.n, n);
	trace_fini(&trace);
	arena_fini(&arena);
}
#define FINISH(...) finish((const char *const[]){ __VA_ARGS__ NULL })

TEST(losses_lie_in_the_trace)
{
	char text[TRACE_WHEN_MAX];

	CHECK_STR(
		trace_lost_when(&(struct trace_lost){ .from = 150, .to = 170 },
			100, text),
		"between 50 ns and 70 ns");
	CHECK_STR(trace_lost_when(&(struct trace_lost){ .from = 60, .to = 170 },
			  100, text),
		"between 0 ns and 70 ns");
	CHECK_STR(trace_lost_when(&(struct trace_lost){ .from = 60, .to = 80 },
			  100, text),
		"before the first event");
	CHECK_STR(trace_lost_when(&(struct trace_lost){ .from = 60, .to = 100 },
			  100, text),
		"before the first event");
}

/* A thread in its own stream. */
static int
add_thread(int process, int64_t tid)
{
	VEC_PUSH(&trace.streams, &arena,
		((struct stream){ .file = "s.obs", .name = "s" }));
	return trace_add_thread(&trace, process, tid, trace.streams.n - 1);
}

TEST(a_sound_trace_has_no_findings)
{
	int node, process, th;

	start();
	node = trace_add_node(&trace, "host.3.a");
	CHECK_INT(trace_add_node(&trace, "host.3.a"), node);
	CHECK_STR(trace.nodes.at[node].host, "host");
	CHECK_STR(trace.nodes.at[node].name, "host.3.a");
	trace_add_cpu(&trace, node, 1, 8, "x");
	trace_add_cpu(&trace, node, 0, 4, "x");
	trace_add_cpu(&trace, node, 1, 8, "y");
	CHECK_INT(trace.nodes.at[node].cpus.n, 2);
	process = trace_add_process(&trace, node, 9, "x");
	CHECK_INT(trace_add_process(&trace, node, 9, "y"), process);
	trace_set_app(&trace, process, 2, "x");
	trace_set_app(&trace, process, 2, "y");
	trace_set_rank(&trace, process, 0, 2, "x");
	trace_set_rank(&trace, process, 0, 2, "y");
	th = add_thread(process, 10);
	CHECK_INT(trace.threads.at[th].tid, 10);
	CHECK(add_thread(process, 11) != th);
	trace_check(&trace);
	FINISH();
}

TEST(same_pid_on_another_node_is_another_process)
{
	int a, b;

	start();
	a = trace_add_node(&trace, "a");
	b = trace_add_node(&trace, "b");
	CHECK(trace_add_process(&trace, a, 9, "x") !=
		trace_add_process(&trace, b, 9, "x"));
	CHECK_INT(trace_add_process(&trace, a, 9, "x"), 0);
	FINISH();
}

TEST(cpu_numbers_have_limits)
{
	int node;

	start();
	node = trace_add_node(&trace, "n");
	trace_add_cpu(&trace, node, -1, 0, "x");
	trace_add_cpu(&trace, node, 0, -1, "x");
	trace_add_cpu(&trace, node, INT64_MAX, 0, "x");
	trace_add_cpu(&trace, node, 0, INT64_MIN, "x");
	CHECK_INT(trace.nodes.at[node].cpus.n, 0);
	FINISH("x: ovni.loom_cpus: cpu index -1 is not in 0..",
		"cpu with index 0 has phyid -1",
		"cpu index 9223372036854775807", "does not fit in 32 bits", );
}

TEST(a_cpu_index_is_taken_once)
{
	int node;

	start();
	node = trace_add_node(&trace, "n");
	trace_add_cpu(&trace, node, 0, 0, "x");
	trace_add_cpu(&trace, node, 0, 1, "y");
	FINISH("y: ovni.loom_cpus: cpu with index 0 already taken", );
}

TEST(a_phyid_has_one_index)
{
	int node;

	start();
	node = trace_add_node(&trace, "n");
	trace_add_cpu(&trace, node, 0, 5, "x");
	trace_add_cpu(&trace, node, 1, 5, "y");
	FINISH("cpu with phyid 5 has index 1 here and index 0 in x", );
}

TEST(nodes_have_their_own_cpus)
{
	start();
	trace_add_node(&trace, "a");
	trace_add_node(&trace, "b");
	trace_add_cpu(&trace, 0, 0, 7, "x");
	trace_add_cpu(&trace, 1, 0, 3, "x");
	trace_check(&trace);
	FINISH();
}

TEST(cpu_indexes_start_at_0_without_gaps)
{
	start();
	trace_add_node(&trace, "a");
	trace_add_node(&trace, "b");
	trace_add_cpu(&trace, 0, 1, 0, "x");
	trace_add_cpu(&trace, 0, 2, 1, "x");
	trace_add_cpu(&trace, 1, 0, 0, "x");
	trace_add_cpu(&trace, 1, 2, 1, "x");
	trace_check(&trace);
	FINISH("loom a has 2 CPUs, but none with index 0",
		"loom b has 2 CPUs, but none with index 1", );
}

TEST(a_node_needs_a_cpu)
{
	start();
	trace_add_node(&trace, "a");
	trace_check(&trace);
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	FINISH("loom a has no physical CPUs", );
}

TEST(a_killed_writer_explains_missing_cpus)
{
	int process;

	start();
	process =
		trace_add_process(&trace, trace_add_node(&trace, "a"), 9, "x");
	trace_set_app(&trace, process, 1, "x");
	add_thread(process, 10);
	trace_check(&trace);
	CHECK_INT(findings.count[FINDING_WARNING], 1);
	FINISH("loom a has no physical CPUs", );
}

TEST(app_ids_agree_and_are_positive)
{
	int p;

	start();
	p = trace_add_process(&trace, trace_add_node(&trace, "n"), 9, "x");
	trace_set_app(&trace, p, 0, "x");
	trace_set_app(&trace, p, -4, "x");
	trace_set_app(&trace, p, 1, "x");
	trace_set_app(&trace, p, 5, "y");
	CHECK_INT(trace.processes.at[p].app_id, 1);
	FINISH("app_id of process 9 is 0", "is -4, it must be greater than 0",
		"y: ovni.app_id: app_id of process 9 is 5 here and 1 in", );
}

TEST(a_process_has_an_app_id)
{
	start();
	trace_add_process(&trace, trace_add_node(&trace, "n"), 9, "x");
	trace_add_cpu(&trace, 0, 0, 0, "x");
	trace_check(&trace);
	FINISH("x: ovni.app_id: no thread of process 9 says its app_id", );
}

TEST(ranks_agree_and_are_below_nranks)
{
	int p;

	start();
	p = trace_add_process(&trace, trace_add_node(&trace, "n"), 9, "x");
	trace_set_rank(&trace, p, 2, 2, "x");
	trace_set_rank(&trace, p, -1, 2, "x");
	CHECK_INT(trace.processes.at[p].rank, TRACE_NONE);
	trace_set_rank(&trace, p, 0, 2, "x");
	trace_set_rank(&trace, p, 1, 2, "y");
	trace_set_rank(&trace, p, 0, 3, "y");
	FINISH("rank 2 of process 9 is not in 0..nranks-1 with nranks 2",
		"rank -1 of process 9", "is rank 1 of 2 here and rank 0 of 2",
		"is rank 0 of 3 here and rank 0 of 2", );
}

TEST(all_processes_of_a_node_have_ranks_or_none)
{
	start();
	for (int i = 0; i < 3; i++) {
		int node = trace_add_node(&trace, i < 2 ? "a" : "b");
		int p = trace_add_process(&trace, node, 1 + i, "x");

		trace_set_app(&trace, p, 1, "x");
		trace_add_cpu(&trace, node, 0, 0, "x");
	}
	trace_set_rank(&trace, 1, 1, 2, "x");
	trace_check(&trace);
	FINISH("process 1 has no rank, but process 2 of the same loom a", );
}

TEST(a_tid_is_unique_in_its_process)
{
	int a, b;

	start();
	a = trace_add_process(&trace, trace_add_node(&trace, "n"), 1, "x");
	b = trace_add_process(&trace, 0, 2, "x");
	CHECK_INT(add_thread(a, 7), 0);
	CHECK_INT(add_thread(b, 7), 1);
	CHECK_INT(add_thread(a, 7), TRACE_NONE);
	CHECK_INT(add_thread(a, INT64_C(7) + (INT64_C(1) << 32)), TRACE_NONE);
	CHECK_INT(add_thread(a, -7), 2);
	FINISH("process 1 already has a thread with tid 7, in s.obs",
		"tid 4294967303 does not fit in 32 bits", );
}

TEST(mark_types_agree)
{
	struct trace_mark *m;

	start();
	m = trace_add_mark(&trace, 5, "phase", true, "x");
	CHECK(trace_add_mark(&trace, 5, "phase", true, "y") == m);
	CHECK(trace_add_mark(&trace, 5, "other", true, "y") == NULL);
	CHECK(trace_add_mark(&trace, 5, "phase", false, "y") == NULL);
	CHECK(trace_add_mark(&trace, 100, "t", false, "y") == NULL);
	CHECK(trace_add_mark(&trace, -1, "t", false, "y") == NULL);
	CHECK(trace_add_mark(&trace, 99, "", false, "y") != NULL);
	CHECK(trace_add_mark(&trace, 0, "t", false, "y") != NULL);
	FINISH("mark type 5 has title \"other\" here and \"phase\" in x",
		"mark type 5 has chan_type single here and stack in x",
		"mark type 100 is not in 0..99",
		"mark type -1 is not in 0..99", );
}

TEST(mark_labels_agree)
{
	struct trace_mark *m;

	start();
	m = trace_add_mark(&trace, 5, "phase", true, "x");
	trace_add_mark_label(&trace, m, 1, "one", "x");
	trace_add_mark_label(&trace, m, 1, "one", "y");
	trace_add_mark_label(&trace, m, -3, "minus", "y");
	trace_add_mark_label(&trace, m, 0, "zero", "y");
	trace_add_mark_label(&trace, m, 1, "uno", "y");
	trace_add_mark_label(&trace, m, INT64_C(0x500000001), "far", "y");
	CHECK_INT(m->labels.n, 3);
	m = trace_add_mark(&trace, 6, "other", true, "x");
	trace_add_mark_label(&trace, m, 1, "uno", "y");
	FINISH("mark type 5 labels value 1 \"uno\" here and \"one\"",
		"labels the values 1 and 21474836481", );
}

TEST(requires_are_kept_as_said)
{
	char model[] = "nanos6";

	start();
	trace_add_require(&trace, 4, model, "nonsense", "x");
	model[0] = 'x';
	CHECK_INT(trace.requires.n, 1);
	CHECK_STR(trace.requires.at[0].model, "nanos6");
	CHECK_STR(trace.requires.at[0].version, "nonsense");
	FINISH();
}

TEST(classes_are_numbered)
{
	start();
	CHECK_INT(
		trace_add_class(&trace, (struct event_class){ .name = "OHx" }),
		0);
	CHECK_INT(
		trace_add_class(&trace, (struct event_class){ .name = "OHe" }),
		1);
	CHECK_STR(trace.classes.at[1].name, "OHe");
	FINISH();
}

TEST_MAIN(RUN(a_sound_trace_has_no_findings),
	RUN(same_pid_on_another_node_is_another_process),
	RUN(cpu_numbers_have_limits), RUN(a_cpu_index_is_taken_once),
	RUN(a_phyid_has_one_index), RUN(nodes_have_their_own_cpus),
	RUN(cpu_indexes_start_at_0_without_gaps), RUN(a_node_needs_a_cpu),
	RUN(a_killed_writer_explains_missing_cpus),
	RUN(app_ids_agree_and_are_positive), RUN(a_process_has_an_app_id),
	RUN(ranks_agree_and_are_below_nranks),
	RUN(all_processes_of_a_node_have_ranks_or_none),
	RUN(a_tid_is_unique_in_its_process), RUN(mark_types_agree),
	RUN(mark_labels_agree), RUN(requires_are_kept_as_said),
	RUN(classes_are_numbered), RUN(losses_lie_in_the_trace))
