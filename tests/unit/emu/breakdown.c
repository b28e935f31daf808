/* SPDX-License-Identifier: MIT */
#include "emu/breakdown.h"

#include <stdlib.h>

#include "emu/label_id.h"
#include "test.h"
#include "world.h"

#define LOW "~CPU    2" /* row 1: the smaller value */
#define HIGH "~CPU    1"
#define KEY "nanos6.breakdown"
#define MAX_CPUS 200

static struct world w;

#define SHOWS(row, want) CHECK_STR(world_history(&w, (row), KEY), (want))

/* Two CPUs; a thread starts on CPU 0 at 0. */
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

/* Creates a task of type "lab" and executes it. */
static void
execute(int64_t time)
{
	world_event(&w, time, 0, "6Yc", "+is", 1, "lab");
	world_event(&w, time, 0, "6Tc", "ii", 1, 1);
	world_event(&w, time, 0, "6Tx", "i", 1);
}

static void
task(int64_t time, const char *event)
{
	world_event(&w, time, 0, event, "i", 1);
}

static void
emulate(bool breakdown)
{
	w.emu = emu_open(&w.arena, &w.from.source, &w.to.sink,
		&(struct emu_options){ .breakdown = breakdown },
		&(struct err){ 0 });
	emu_run(w.emu, NULL);
}

static void
end(void)
{
	CHECK_INT(world_findings(&w), 0);
	world_close(&w);
}

static const char *
label_of(int64_t value)
{
	uint32_t id = world_type_of(&w, world_row_id(&w, LOW), KEY)->id;

	for (int i = 0; i < w.to.labels.n; i++)
		if (w.to.labels.at[i].type == id &&
			w.to.labels.at[i].value == value)
			return w.to.labels.at[i].text;
	return NULL;
}

TEST(a_row_for_each_physical_cpu)
{
	const struct row *row;

	begin();
	emulate(true);
	for (int i = 0; i < 2; i++) {
		row = &w.to.rows.at[w.to.rows.n - 2 + i];
		CHECK_STR(row->class, "nanos6-breakdown");
		CHECK_STR(row->name, i == 0 ? LOW : HIGH);
	}
	end();
}

TEST(nothing_of_it_unless_asked_for)
{
	begin();
	emulate(false);
	CHECK_INT(world_row_id(&w, LOW), ROW_NONE);
	CHECK_INT(world_row_id(&w, "nosuch"), ROW_NONE);
	end();
}

TEST(all_rows_begin_with_the_first_value)
{
	begin();
	emulate(true);
	SHOWS(LOW, "0:-");
	SHOWS(HIGH, "0:2"); /* no subsystem */
	end();
}

TEST(the_top_of_the_subsystem_shows)
{
	begin();
	at(10, "6W[");
	at(20, "6S[");
	at(30, "6S]");
	at(40, "6W]");
	emulate(true);
	SHOWS(LOW, "0:-");
	SHOWS(HIGH, "0:2 10:19 20:9 30:19 40:2");
	end();
}

TEST(a_cpu_that_is_idle_shows_that)
{
	begin();
	at(10, "6W[");
	at(20, "6Pr");
	at(30, "6W]"); /* the thread leaves the subsystem while the CPU is idle
	                */
	at(40, "6Pa");
	at(50, "6Pp");
	at(60, "OHp"); /* the thread pauses: nothing runs on the CPU, which
	                * shows "resting" */
	emulate(true);
	SHOWS(HIGH, "0:2 10:19 20:101 40:102 50:2 60:101");
	end();
}

TEST(a_task_shows_its_type)
{
	begin();
	execute(10);
	at(20, "6W["); /* the task calls the runtime */
	at(30, "6W]");
	task(40, "6Te");
	emulate(true);
	CHECK_INT(label_id("lab"), 727222985);
	SHOWS(HIGH, "0:2 10:727222985 20:19 30:727222985 40:2");
	end();
}

TEST(a_paused_task_leaves_a_hole)
{
	begin();
	execute(10);
	task(20, "6Tp");
	task(30, "6Tr");
	emulate(true);
	SHOWS(HIGH, "0:2 10:727222985 20:- 30:727222985");
	end();
}

/* While the type is nothing, the row shows the subsystem again. */
TEST(a_task_that_resumes_later_stays_a_body)
{
	begin();
	execute(10);
	task(20, "6Tp");
	at(30, "6W[");
	at(40, "6W]");
	task(50, "6Tr");
	at(60, "6W[");
	at(70, "6W]");
	emulate(true);
	SHOWS(HIGH, "0:2 10:727222985 20:- 30:19 40:1 60:19 70:727222985");
	end();
}

TEST(rows_are_sorted_by_value)
{
	begin();
	world_start(&w, 5, 1, 1);
	at(10, "6W[");                     /* 2 19 */
	world_event(&w, 20, 1, "6Wg", ""); /* 19 24 */
	at(30, "6Wr");                     /* 23 24 */
	world_event(&w, 40, 1, "6WG", ""); /* 2 23 */
	emulate(true);
	SHOWS(LOW, "0:- 5:2 20:19 30:23 40:2");
	SHOWS(HIGH, "0:2 10:19 20:24 40:23");
	end();
}

TEST(a_thread_that_moves_changes_two_cpus)
{
	begin();
	at(10, "6W[");
	world_event(&w, 20, 0, "OAs", "i", 1);
	emulate(true);
	SHOWS(LOW, "0:- 20:19");
	SHOWS(HIGH, "0:2 10:19 20:101");
	end();
}

TEST(a_virtual_cpu_does_not_count)
{
	world_open(&w, 1);
	world_start(&w, 0, 0, -1);
	at(10, "6W[");
	emulate(true);
	SHOWS(LOW, "");
	SHOWS(HIGH, "");
	end();
}

TEST(all_values_have_labels)
{
	begin();
	execute(10);
	emulate(true);
	CHECK_STR(label_of(2), "Unknown subsystem");
	CHECK_STR(label_of(19), "Worker: Looking for work");
	CHECK_STR(label_of(102), "Absorbing noise");
	CHECK_STR(label_of(727222985), "lab");
	CHECK(label_of(4) != NULL && strcmp(label_of(4), "External") != 0);
	end();
}

/* Computes the rows by the definition: sorts all values. */

static uint32_t seed;

static int
draw(int n)
{
	seed = seed * 1664525 + 1013904223;
	return (int)((seed >> 8) % (uint32_t)n);
}

static int
compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The values that a reader of the reported changes would show, and the true
 * values. */
struct pair {
	struct breakdown_order order;
	int64_t cpu[MAX_CPUS], sorted[MAX_CPUS], shown[MAX_CPUS];
};

static int
sort_and_count_changes(struct pair *p)
{
	int64_t before[MAX_CPUS];
	int n = p->order.n, changes = 0;

	memcpy(before, p->sorted, sizeof before);
	memcpy(p->sorted, p->cpu, sizeof p->sorted);
	qsort(p->sorted, (size_t)n, sizeof *p->sorted, compare);
	for (int i = 0; i < n; i++)
		changes += p->sorted[i] != before[i];
	return changes;
}

/* Gives some CPUs new values. Returns whether rows show what the definition
 * says, and every reported change was one. */
static bool
agrees_after(struct pair *p, int updates, int nvalues)
{
	struct breakdown_order *o = &p->order;
	int changes;
	bool same;

	for (int i = 0; i < updates; i++) {
		int64_t *cpu = &p->cpu[draw(o->n)];
		int64_t value = draw(nvalues) - nvalues / 4;

		breakdown_order_replace(o, *cpu, value);
		*cpu = value;
	}
	changes = sort_and_count_changes(p);
	same = updates > 1 ? o->nchanged >= changes : o->nchanged == changes;
	for (int i = 0; i < o->nchanged; i++) {
		int at = o->changed[i].at;

		same = same && p->shown[at] == o->changed[i].before;
		p->shown[at] = o->value[at];
	}
	breakdown_order_seen(o);
	return same && memcmp(p->shown, p->sorted, sizeof p->shown) == 0;
}

static void
try_size(int ncpus, int nvalues)
{
	struct arena a = { 0 };
	struct pair p = { 0 };
	int wrong = 0;

	seed = (uint32_t)(ncpus * 1000 + nvalues);
	breakdown_order_init(&p.order, &a, ncpus);
	for (int i = 0; i < 200; i++)
		wrong += !agrees_after(&p, i % 4 == 0 ? 3 : 1, nvalues);
	if (wrong > 0)
		printf("# %d CPUs, %d values\n", ncpus, nvalues);
	CHECK_INT(wrong, 0);
	arena_fini(&a);
}

TEST(rows_equal_a_sort_of_all_values)
{
	for (int ncpus = 1; ncpus <= MAX_CPUS; ncpus++) {
		try_size(ncpus, 2);
		try_size(ncpus, 12);
		try_size(ncpus, 1000000);
	}
}

TEST(only_borders_of_runs_change)
{
	struct arena a = { 0 };
	struct breakdown_order o;

	breakdown_order_init(&o, &a, MAX_CPUS);
	for (int i = 0; i < MAX_CPUS / 2; i++)
		breakdown_order_replace(&o, 0, 7);
	breakdown_order_seen(&o);
	breakdown_order_replace(&o, 0, 9);
	CHECK_INT(o.nchanged, 2);
	CHECK_INT(o.changed[0].at, MAX_CPUS / 2 - 1);
	CHECK_INT(o.changed[1].at, MAX_CPUS - 1);
	breakdown_order_seen(&o);
	breakdown_order_replace(&o, 7, 7);
	CHECK_INT(o.nchanged, 0);
	arena_fini(&a);
}

TEST_MAIN(RUN(a_row_for_each_physical_cpu), RUN(nothing_of_it_unless_asked_for),
	RUN(all_rows_begin_with_the_first_value),
	RUN(the_top_of_the_subsystem_shows), RUN(a_cpu_that_is_idle_shows_that),
	RUN(a_task_shows_its_type), RUN(a_paused_task_leaves_a_hole),
	RUN(a_task_that_resumes_later_stays_a_body),
	RUN(rows_are_sorted_by_value),
	RUN(a_thread_that_moves_changes_two_cpus),
	RUN(a_virtual_cpu_does_not_count), RUN(all_values_have_labels),
	RUN(rows_equal_a_sort_of_all_values), RUN(only_borders_of_runs_change))
