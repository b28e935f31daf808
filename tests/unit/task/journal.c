/* SPDX-License-Identifier: MIT */
#include "task/journal.h"

#include <stdlib.h>

#include "task/stream.h"
#include "test.h"

#define TASKS 40000u /* several times as many records as the tail holds */

static struct journal *
open_journal(void)
{
	struct err err = { 0 };
	struct journal *j = journal_open(NULL, "", 1, NULL, &err);

	CHECK(j != NULL);
	return j;
}

static struct weft_task
task_of(uint64_t id, uint64_t parent, int64_t start, const char *what)
{
	return (struct weft_task){ .id = id,
		.parent = parent,
		.kind = "kind",
		.what = what,
		.location = "place",
		.start = start };
}

/* Checks what a reader finds now, as if the writer were dead: starts of
 * consecutive tasks, and ends. */
static void
check_events(const struct journal *j, uint64_t starts, uint64_t ends)
{
	struct stream s;
	struct stream_event ev;
	struct err err = { 0 };
	uint64_t started = 0, ended = 0;

	CHECK(stream_open(&s, journal_file(j), &err));
	while (stream_next(&s, &ev)) {
		if (ev.kind == JOURNAL_END)
			ended++;
		else if (ev.task.id == started + 1)
			started++;
	}
	CHECK(!s.damaged);
	CHECK_INT(started, starts);
	CHECK_INT(ended, ends);
	stream_close(&s);
}

/* Records of one to four words, so that some end at each distance from where
 * the tail is emptied. */
TEST(all_is_read_however_a_record_meets_the_border)
{
	struct journal *j = open_journal();
	uint64_t flushed = 0, emptied = 0, ends = 0;

	for (uint64_t id = 1; id <= TASKS; id++) {
		int64_t now = (int64_t)id * 10;
		struct weft_task task = task_of(id, id % 5 == 0 ? 7777777 : 0,
			id % 7 == 0 ? now - 5 : now, "what");

		journal_put_start(j, &task, now);
		if (id % 3 != 0) {
			journal_put_end(j, id, now);
			ends++;
		}
		if (journal_flushed(j) == flushed)
			continue;
		flushed = journal_flushed(j);
		emptied++;
		check_events(j, id, ends);
	}
	CHECK(emptied > 4);
	check_events(j, TASKS, ends);
	journal_flush(j);
	check_events(j, TASKS, ends);
	journal_close(j);
}

/* The name is longer than the part of the tail that is used before a flush. */
TEST(a_long_name_fits_wherever_the_tail_stands)
{
	static char name[40000];
	struct journal *j = open_journal();
	uint64_t id = 0;

	/* Not UTF-8: each byte becomes three. */
	memset(name, 0xff, sizeof name - 1);
	for (uint64_t round = 0; round < 12; round++) {
		struct weft_task task;

		for (uint64_t i = 0; i < 700 * round; i++) {
			task = task_of(++id, 0, 10, "what");
			journal_put_start(j, &task, 10);
		}
		name[0] = (char)('a' + round);
		task = task_of(++id, 0, 10, name);
		journal_put_start(j, &task, 10);
		check_events(j, id, 0);
	}
	journal_close(j);
}

TEST_MAIN(RUN(all_is_read_however_a_record_meets_the_border),
	RUN(a_long_name_fits_wherever_the_tail_stands))
