/* SPDX-License-Identifier: MIT */
#include "emu/task_table.h"

#include "test.h"

#define N 5000

static struct task task[N];

static uint32_t
id_of(int i)
{
	return i % 2 == 0 ? (uint32_t)i : (uint32_t)i << 18;
}

TEST(an_empty_table_has_nothing)
{
	struct task_table t = { 0 };

	CHECK(task_table_get(&t, 0, 0) == NULL);
	CHECK(task_table_get(&t, 3, UINT32_MAX) == NULL);
	task_table_fini(&t);
}

TEST(two_models_may_use_one_id)
{
	struct task_table t = { 0 };
	struct task a = { .id = 7, .slot = 0 }, b = { .id = 7, .slot = 1 };

	task_table_add(&t, &a);
	CHECK(task_table_get(&t, 1, 7) == NULL);
	task_table_add(&t, &b);
	CHECK(task_table_get(&t, 0, 7) == &a);
	CHECK(task_table_get(&t, 1, 7) == &b);
	task_table_remove(&t, &a);
	CHECK(task_table_get(&t, 0, 7) == NULL);
	CHECK(task_table_get(&t, 1, 7) == &b);
	task_table_fini(&t);
}

TEST(finds_what_is_there_after_it_grew)
{
	struct task_table t = { 0 };

	for (int i = 0; i < N; i++) {
		task[i] = (struct task){ .id = id_of(i) };
		task_table_add(&t, &task[i]);
	}
	for (int i = 0; i < N; i += 3)
		task_table_remove(&t, &task[i]);
	for (int i = 0; i < N; i++)
		CHECK(task_table_get(&t, 0, id_of(i)) ==
			(i % 3 == 0 ? NULL : &task[i]));
	task_table_fini(&t);
}

TEST(a_million_bodies_that_ended_take_few_pages)
{
	const uint32_t many = 1000000;
	struct task_ended e = { 0 };
	struct task a = { .id = 7 }, b = { .id = 8 },
		    c = { .id = 7, .slot = 1 };

	for (uint32_t body = 1; body <= many; body++)
		task_ended_add(&e, &a, body);
	task_ended_add(&e, &c, 65);
	CHECK(task_ended_has(&e, &a, 1));
	CHECK(task_ended_has(&e, &a, 64));
	CHECK(task_ended_has(&e, &a, 65));
	CHECK(task_ended_has(&e, &a, many));
	CHECK(!task_ended_has(&e, &a, many + 1));
	CHECK(!task_ended_has(&e, &b, 65));
	CHECK(task_ended_has(&e, &c, 65));
	CHECK(!task_ended_has(&e, &c, 66));
	CHECK(map_count(&e.bodies.pages) + map_count(&e.bodies.full) < 20);
	task_ended_fini(&e);
}

TEST(a_live_task_takes_64_bytes_at_most)
{
	struct task_table t = { 0 };

	for (int i = 0; i < N; i++) {
		task[i] = (struct task){ .id = id_of(i) };
		task_table_add(&t, &task[i]);
		if (i >= 16)
			CHECK(t.nheads * sizeof *t.head <= (t.n - 1) * 16);
	}
	CHECK(sizeof(struct task) + 16 <= 64);
	task_table_fini(&t);
}

/* Ids may be consecutive, or multiples of anything. */
TEST(chains_are_short)
{
	for (int shift = 0; shift <= 19; shift++) {
		struct task_table t = { 0 };
		size_t steps = 0;

		for (int i = 0; i < N; i++) {
			task[i] = (struct task){ .id = (uint32_t)i << shift };
			task_table_add(&t, &task[i]);
		}
		for (size_t i = 0; i < t.nheads; i++) {
			size_t depth = 0;

			for (const struct task *k = t.head[i]; k != NULL;
				k = k->next)
				steps += ++depth;
		}
		CHECK(steps < 2 * N);
		task_table_fini(&t);
	}
}

TEST_MAIN(RUN(an_empty_table_has_nothing), RUN(two_models_may_use_one_id),
	RUN(finds_what_is_there_after_it_grew),
	RUN(a_million_bodies_that_ended_take_few_pages),
	RUN(a_live_task_takes_64_bytes_at_most), RUN(chains_are_short))
