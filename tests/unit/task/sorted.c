/* SPDX-License-Identifier: MIT */
#include "task/sorted.h"

#include "base/arena.h"
#include "test.h"

/* Tasks as a store has them: by their ends, some with long durations, whose
 * starts lie far back. */
static struct sorted_task
task_of(uint32_t i)
{
	int64_t end = 1000 + (int64_t)(i / 3) * 10;
	int64_t lasts = i % 1000 == 0 ? end : i % 97 * 7;

	return (struct sorted_task){
		.start = end > lasts ? end - lasts : 0, .end = end, .what = i
	};
}

static void
walk(struct sorted *s, uint32_t n)
{
	const struct sorted_task *t;
	struct sorted_task last = { .start = -1 };
	uint64_t sum = 0, seen = 0;

	for (sorted_start(s); (t = sorted_next(s)) != NULL; last = *t) {
		if (t->start < last.start ||
			(t->start == last.start && t->index < last.index))
			break;
		CHECK(t->what == t->index);
		sum += t->index;
		seen++;
	}
	CHECK(t == NULL);
	CHECK_INT(seen, n);
	CHECK_INT(sum, (uint64_t)n * (n - 1) / 2);
}

static void
check(uint32_t n)
{
	struct arena a = { 0 };
	struct sorted s;
	struct err err = { 0 };

	sorted_init(&s, &a, "/tmp");
	for (uint32_t i = 0; i < n; i++) {
		struct sorted_task t = task_of(i);

		sorted_add(&s, &t);
	}
	walk(&s, n);
	walk(&s, n);
	CHECK(!sorted_failed(&s, &err));
	CHECK_INT(s.file.fd >= 0, n > SORTED_ROOM);
	sorted_fini(&s);
	arena_fini(&a);
}

TEST(tasks_come_by_their_starts)
{
	check(1);
	check(1000);
}

TEST(more_than_fit_in_memory_are_merged)
{
	check(SORTED_ROOM);
	check(SORTED_ROOM + 1);
	check(2 * SORTED_ROOM + 12345);
}

TEST(a_folder_that_takes_no_file_is_an_error)
{
	struct arena a = { 0 };
	struct sorted s;
	struct err err = { 0 };

	sorted_init(&s, &a, "/nowhere/at/all");
	for (uint32_t i = 0; i <= SORTED_ROOM; i++) {
		struct sorted_task t = task_of(i);

		sorted_add(&s, &t);
	}
	sorted_start(&s);
	CHECK(sorted_next(&s) == NULL);
	CHECK(sorted_failed(&s, &err));
	CHECK(strstr(err.text, "/nowhere/at/all") != NULL);
	sorted_fini(&s);
	arena_fini(&a);
}

TEST_MAIN(RUN(tasks_come_by_their_starts),
	RUN(more_than_fit_in_memory_are_merged),
	RUN(a_folder_that_takes_no_file_is_an_error))
