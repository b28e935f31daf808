/* SPDX-License-Identifier: MIT */
/*
 * past.c - values that hold since an earlier time: with the ordering sink
 * behind the emulator, the same records come out in time order for any size of
 * its window; without such a row there is nothing between emulator and sink.
 */
#include "export/order.h"

#include <stdlib.h>
#include <unistd.h>

#include "emu/model_file.h"
#include "test.h"
#include "world.h"

#define EVENTS 4000

static struct world w;

static const char past_model[] =
	"model past 1.0.0 X \"what was before\"\n"
	"need nothing\n"
	"channel wait stack 900 \"Wait\" track=none\n"
	"channel load single 901 \"Load\" of=system show=number dup\n"
	"XWt(i64 ns) point wait 1 \"Waiting\" since=-ns\n"
	"XLs(i64 n, i64 ns) set load %n since=-ns\n";

static const char plain_model[] = "model past 1.0.0 X \"what is\"\n"
				  "need nothing\n"
				  "channel wait stack 900 \"Wait\" track=none\n"
				  "XWt(i64 ns) push wait 1 \"Waiting\"\n";

static void
load(struct model_list *list, const char *text)
{
	char path[] = "/tmp/weft-past-XXXXXX";
	int fd = mkstemp(path);
	struct err err = { 0 };

	CHECK_INT(write(fd, text, strlen(text)), strlen(text));
	CHECK(model_file_read(&w.arena, list, path, &err));
	CHECK_STR(err.text, "");
	close(fd);
	unlink(path);
}

/* Queues waits of two threads; each wait reaches back nearly to the thread's
 * previous wait. */
static void
queue_events(void)
{
	world_open(&w, 2);
	world_start(&w, 0, 0, 0);
	world_start(&w, 0, 1, 1);
	for (int i = 1; i <= EVENTS; i++) {
		world_event(&w, 10 * i, i & 1, "XWt", "l", 10 * (i * 7 % 13));
		if (i % 5 == 0)
			world_event(&w, 10 * i + 1, i & 1, "XLs", "ll", i,
				i * 31 % 40000 % (10 * i));
	}
}

static bool
is_sorted(void)
{
	for (int i = 1; i < w.to.records.n; i++)
		if (w.to.records.at[i].r.time < w.to.records.at[i - 1].r.time)
			return false;
	return true;
}

/* Emulates into an ordering sink with that window, or without one if it is 0.
 * Returns the number of records, and a sum over them in their order. */
static uint64_t
emulate(size_t window, int *n, bool *sorted)
{
	struct model_list list = { 0 };
	struct emu_options options = { 0 };
	struct sink *sink = &w.to.sink;
	struct err err = { 0 };
	uint64_t sum = 0;
	struct emu *emu;

	queue_events();
	load(&list, past_model);
	options.extra = list.model.at;
	options.nextra = list.model.n;
	CHECK(emu_writes_past(list.model.at[0]));
	if (window > 0)
		sink = order_open(&w.arena, sink, window, "/tmp", &err);
	emu = emu_open(&w.arena, &w.from.source, sink, &options, &err);
	emu_run(emu, NULL);
	emu_close(emu);
	if (window > 0)
		CHECK(order_finish(sink, &err));
	*sorted = is_sorted();
	*n = w.to.records.n;
	for (int i = 0; i < w.to.records.n; i++) {
		const struct record *r = &w.to.records.at[i].r;

		sum = sum * 31 + (uint64_t)r->time;
		sum = sum * 31 + r->row + r->type * 7u;
		sum = sum * 31 + (uint64_t)r->value;
	}
	CHECK_INT(world_findings(&w), 0);
	return sum;
}

TEST(records_of_the_past_come_out_in_time_order)
{
	bool sorted;
	int all, kept, spilled;
	uint64_t a, b;

	emulate(0, &all, &sorted);
	CHECK(!sorted);
	world_close(&w);
	a = emulate(ORDER_WINDOW_BYTES, &kept, &sorted);
	CHECK(sorted);
	world_close(&w);
	b = emulate(4096, &spilled, &sorted);
	CHECK(sorted);
	world_close(&w);
	CHECK_INT(kept, all);
	CHECK_INT(spilled, all);
	CHECK(all > 2 * EVENTS);
	CHECK(a == b);
}

/* The emulator's records of one row and type are in the order of time even
 * without the ordering sink. */
TEST(a_row_is_in_order_by_itself)
{
	int64_t last[16][32] = { 0 };
	bool sorted;
	int n;

	emulate(0, &n, &sorted);
	CHECK(w.to.rows.n <= 16 && w.to.types.n <= 32);
	for (int i = 0; i < n; i++) {
		const struct record *r = &w.to.records.at[i].r;

		CHECK(r->time >= last[r->row][r->type]);
		last[r->row][r->type] = r->time;
	}
	world_close(&w);
}

TEST(a_model_without_since_needs_no_order)
{
	struct model_list list = { 0 };

	world_open(&w, 1);
	load(&list, plain_model);
	CHECK(!emu_writes_past(list.model.at[0]));
	for (const struct model *const *m = models; *m != NULL; m++)
		CHECK((*m)->prefix != NULL || !emu_writes_past(*m));
	world_close(&w);
}

TEST_MAIN(RUN(records_of_the_past_come_out_in_time_order),
	RUN(a_row_is_in_order_by_itself),
	RUN(a_model_without_since_needs_no_order))
