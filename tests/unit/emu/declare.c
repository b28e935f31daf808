/* SPDX-License-Identifier: MIT */
/*
 * declare.c - what the emulator declares to a sink before the first record:
 * rows, types, labels.
 */
#include "test.h"
#include "world.h"

#define TH "TH 1.1"
#define CPU0 " CPU 0.0"
#define CPU1 " CPU 0.1"
#define VCPU "vCPU 0.*"

static struct world w;

/* Two threads of which one starts, and marks of type 3. */
static void
begin(void)
{
	struct trace *t = &w.from.source.trace;

	world_open(&w, 2);
	world_start(&w, 0, 0, 0);
	trace_add_mark(t, 3, "Phase", true, "meta");
	trace_add_mark_label(t, &t->marks.at[0], 5, "Five", "meta");
}

static void
end(void)
{
	CHECK_INT(world_findings(&w), 0);
	world_close(&w);
}

TEST(rows_are_threads_then_cpus)
{
	static const char *const want[] = { TH, "TH 1.2", CPU0, CPU1, VCPU };

	begin();
	world_run(&w);
	CHECK_INT(w.to.rows.n, 5);
	for (int i = 0; i < w.to.rows.n; i++) {
		CHECK_STR(w.to.rows.at[i].name, want[i]);
		CHECK_INT(w.to.rows.at[i].id, i);
		CHECK_INT(w.to.rows.at[i].parent, ROW_NONE);
		CHECK_STR(w.to.rows.at[i].class, i < 2 ? "thread" : "cpu");
	}
	end();
}

static const char *
title(const char *row, const char *key)
{
	return world_type_of(&w, world_row_id(&w, row), key)->title;
}

TEST(titles_say_whose_value_it_is)
{
	begin();
	world_run(&w);
	CHECK_STR(title(TH, "nanos6.subsystem"),
		"Nanos6 subsystem of the ACTIVE thread");
	CHECK_STR(title(CPU0, "nanos6.subsystem"),
		"Nanos6 subsystem of the RUNNING thread");
	CHECK_STR(title(TH, "nanos6.idle"),
		"Nanos6 idle state of the RUNNING thread");
	CHECK_STR(title(TH, "nanos6.thread_type"), "Nanos6 thread type");
	CHECK_STR(title(CPU0, "nanos6.thread_type"),
		"Nanos6 thread type of the RUNNING thread");
	CHECK_STR(title(TH, "ovni.mark3"), "Phase");
	CHECK_STR(title(CPU0, "ovni.mark3"), "Phase");
	end();
}

TEST(types_are_counted_and_have_one_key_a_class)
{
	begin();
	world_run(&w);
	for (int i = 0; i < w.to.types.n; i++) {
		const struct type *a = &w.to.types.at[i];

		CHECK_INT(a->id, i);
		for (int j = 0; j < i; j++) {
			const struct type *b = &w.to.types.at[j];

			if (strcmp(a->class, b->class) != 0)
				continue;
			CHECK(strcmp(a->key, b->key) != 0);
			CHECK(a->number != b->number);
		}
	}
	end();
}

/* Counts the types of this key that give the value this label. */
static int
labelled(const char *key, int64_t value, const char *text)
{
	int n = 0;

	for (int i = 0; i < w.to.labels.n; i++) {
		const struct world_label *l = &w.to.labels.at[i];

		n += l->value == value && strcmp(l->text, text) == 0 &&
			strcmp(w.to.types.at[l->type].key, key) == 0;
	}
	return n;
}

TEST(labels_are_told_for_threads_and_cpus)
{
	begin();
	world_event(&w, 1, 0, "6Yc", "+is", 1, "lab");
	world_event(&w, 1, 0, "6Yc", "+is", 2, "type1");
	world_run(&w);
	CHECK_INT(labelled("nanos6.subsystem", 19, "Worker: Looking for work"),
		2);
	CHECK_INT(labelled("nanos6.subsystem", 1, "Task: Running body"), 2);
	CHECK_INT(labelled("nanos6.idle", 101, "Resting"), 2);
	CHECK_INT(labelled("ovni.mark3", 5, "Five"), 2);
	CHECK_INT(labelled("nanos6.task_type", 727222985, "lab"), 2);
	CHECK_INT(labelled("nanos6.task_type", 1788094555, "type1"), 2);
	CHECK_INT(labelled("ovni.state", 5, "Warming"), 1);
	CHECK_INT(labelled("ovni.cpu", 3, VCPU), 1);
	end();
}

/* "No subsystem" for a row that shows nothing. */
TEST(types_may_have_a_label_of_nothing)
{
	uint32_t row;

	begin();
	world_run(&w);
	row = world_row_id(&w, TH);
	CHECK_STR(world_type_of(&w, row, "nanos6.subsystem")->none,
		"No subsystem");
	CHECK(world_type_of(&w, row, "nanos6.idle")->none == NULL);
	end();
}

/* The types of a model that is off are not declared. */
TEST(only_models_that_are_required_have_types)
{
	begin();
	w.from.source.trace.requires.n = 0;
	world_run(&w);
	CHECK(world_type_of(&w, 0, "nanos6.idle") == NULL);
	CHECK(world_type_of(&w, 0, "ovni.flush") != NULL);
	end();
}

TEST_MAIN(RUN(rows_are_threads_then_cpus), RUN(titles_say_whose_value_it_is),
	RUN(types_are_counted_and_have_one_key_a_class),
	RUN(labels_are_told_for_threads_and_cpus),
	RUN(types_may_have_a_label_of_nothing),
	RUN(only_models_that_are_required_have_types))
