/* SPDX-License-Identifier: MIT */
/* share.c - a share returns what was written; several become one timeline. */
#include "export/share.h"

#include "export/join.h"
#include "streams.h"
#include "tape.h"
#include "test.h"

/* Passes the items of a share to a sink. */
static void
replay(struct share *s, struct sink *to)
{
	struct share_item item;

	share_read(s);
	while (share_next(s, &item)) {
		if (item.kind == SHARE_STATE)
			sink_state(to, &item.record);
		else if (item.kind == SHARE_LINK)
			sink_link(to, &item.link);
		else
			sink_gap(to, &item.gap);
	}
}

/* Returns the index of the next call that a share keeps as an item. */
static int
next_item(const struct tape *t, int i)
{
	while (i < t->calls.n &&
		(t->calls.at[i].kind == TAPE_OTHER ||
			t->calls.at[i].kind == TAPE_LABEL))
		i++;
	return i;
}

static void
same_items(const char *what, const struct tape *got, const struct tape *want)
{
	int i = next_item(want, 0), k = next_item(got, 0);

	for (; i < want->calls.n && k < got->calls.n;
		i = next_item(want, i + 1), k = next_item(got, k + 1)) {
		if (strcmp(want->calls.at[i].text, got->calls.at[k].text) == 0)
			continue;
		printf("# %s\n", what);
		CHECK_STR(got->calls.at[k].text, want->calls.at[i].text);
		return;
	}
	CHECK(i == want->calls.n && k == got->calls.n);
}

static void
through_share(size_t memory)
{
	for (size_t i = 0; i < STREAMS; i++) {
		struct tape want = TAPE, got = TAPE;
		struct arena a = { 0 };
		const struct share_options o = { .memory = memory,
			.spill_dir = "/tmp",
			.takes_stacks = true };
		struct share *s = share_open(&a, &o);

		want.base.takes_stacks = got.base.takes_stacks = true;
		streams[i].make(&want.base);
		streams[i].make(share_sink(s));
		CHECK(s->end == want.end || s->end < 0);
		replay(s, &got.base);
		same_items(streams[i].name, &got, &want);
		CHECK(share_error(s) == NULL);
		share_fini(s);
		arena_fini(&a);
		arena_fini(&want.a);
		arena_fini(&got.a);
	}
}

TEST(a_share_in_memory_returns_all_items)
{
	through_share(1 << 20);
}

TEST(a_share_in_a_file_returns_all_items)
{
	through_share(0);
}

/* Writes a timeline with a row, a type and a state from 10 to 20. */
static struct share *
small(struct arena *a, const char *row, const char *label, int64_t number)
{
	const struct share_options o = { .memory = 1 << 20,
		.spill_dir = "/tmp" };
	struct share *s = share_open(a, &o);
	struct sink *to = share_sink(s);

	sink_row(to,
		&(struct row){
			.class = "thread", .parent = ROW_NONE, .name = row });
	sink_type(to,
		&(struct type){ .class = "thread",
			.key = number == 5 ? "m.five" : "m.other",
			.title = "T",
			.number = 5 });
	sink_label(to, 0, 1, label, MEANS_TASK);
	sink_state(to, &(struct record){ .time = 10, .value = 1 });
	sink_advance(to, 20);
	return s;
}

static int64_t
later(void *arg, int64_t time)
{
	return time + *(int64_t *)arg;
}

/* Returns the text of a call of the joint timeline, or "". */
static const char *
call(const struct tape *t, int i)
{
	return i < t->calls.n ? t->calls.at[i].text : "";
}

TEST(two_shares_are_one_timeline)
{
	struct arena a = { 0 };
	struct tape got = TAPE;
	int64_t by = 5;
	struct join_input in[] = {
		{ .share = small(&a, "r", "one", 5), .name = "a" },
		{ .share = small(&a, "r", "two", 5),
			.name = "b",
			.time = later,
			.arg = &by },
	};
	struct join *j = join_open(&a, in, 2);
	struct err err = { 0 };

	join_declare(j, &got.base);
	CHECK(join_records(j, &got.base, NULL, &err));
	CHECK_INT(join_renumbered(j), 0);
	CHECK_STR(call(&got, 0), "row 0 4294967295 thread a:r - -1");
	CHECK_STR(call(&got, 1), "row 1 4294967295 thread b:r - -1");
	CHECK_STR(call(&got, 2), "type 0 thread m.five T (null) 5 0 0");
	CHECK(strncmp(call(&got, 3), "label 0 1 one ", 14) == 0);
	CHECK(strncmp(call(&got, 4), "label 0 2 two ", 14) == 0);
	CHECK(strncmp(call(&got, 5), "state 10 0 0 1 ", 15) == 0);
	CHECK(strncmp(call(&got, 6), "state 15 1 0 2 ", 15) == 0);
	/* the first input ends before the other */
	CHECK(strncmp(call(&got, 7), "state 20 0 0 -92", 16) == 0);
	CHECK_INT(got.calls.n, 8);
	CHECK_INT(got.end, 25);
	join_fini(j);
	for (int i = 0; i < 2; i++)
		share_fini(in[i].share);
	arena_fini(&got.a);
	arena_fini(&a);
}

static struct share *
with_id(struct arena *a, const char *row, const char *label)
{
	const struct share_options o = { .memory = 1 << 20,
		.spill_dir = "/tmp" };
	struct share *s = share_open(a, &o);
	struct sink *to = share_sink(s);

	sink_row(to,
		&(struct row){
			.class = "thread", .parent = ROW_NONE, .name = row });
	sink_type(to,
		&(struct type){ .class = "thread",
			.key = "m.id",
			.title = "T",
			.kind = TYPE_ID,
			.number = 5 });
	sink_label(to, 0, 1, label, MEANS_TASK);
	sink_state(to, &(struct record){ .time = 10, .value = 1 });
	sink_state(to, &(struct record){ .time = 15, .value = 2 });
	sink_advance(to, 20);
	return s;
}

TEST(an_id_with_two_labels_is_two_ids)
{
	struct arena a = { 0 };
	struct tape got = TAPE;
	struct join_input in[] = {
		{ .share = with_id(&a, "r", "thread 7"), .name = "a" },
		{ .share = with_id(&a, "s", "thread 8"), .name = "b" },
	};
	struct join *j = join_open(&a, in, 2);
	struct err err = { 0 };

	join_declare(j, &got.base);
	CHECK(join_records(j, &got.base, NULL, &err));
	CHECK(strncmp(call(&got, 3), "label 0 1 thread 7 ", 19) == 0);
	CHECK(strncmp(call(&got, 4), "label 0 9000000 thread 8 ", 25) == 0);
	CHECK(strncmp(call(&got, 5), "state 10 0 0 1 ", 15) == 0);
	CHECK(strncmp(call(&got, 6), "state 10 1 0 9000000 ", 21) == 0);
	/* ids without a label stay */
	CHECK(strncmp(call(&got, 7), "state 15 0 0 2 ", 15) == 0);
	CHECK(strncmp(call(&got, 8), "state 15 1 0 2 ", 15) == 0);
	join_fini(j);
	for (int i = 0; i < 2; i++)
		share_fini(in[i].share);
	arena_fini(&got.a);
	arena_fini(&a);
}

TEST(two_types_with_one_number_get_two)
{
	struct arena a = { 0 };
	struct tape got = TAPE;
	struct join_input in[] = {
		{ .share = small(&a, "r", "one", 5), .name = "a" },
		{ .share = small(&a, "s", "one", 6), .name = "b" },
	};
	struct join *j = join_open(&a, in, 2);

	join_declare(j, &got.base);
	CHECK_INT(join_renumbered(j), 1);
	CHECK_STR(call(&got, 1), "row 1 4294967295 thread s - -1");
	CHECK_STR(call(&got, 3), "type 1 thread m.other T (null) 9000000 0 0");
	join_fini(j);
	for (int i = 0; i < 2; i++)
		share_fini(in[i].share);
	arena_fini(&got.a);
	arena_fini(&a);
}

static void
declare(struct share *s, const char *class, const char *key)
{
	sink_type(share_sink(s),
		&(struct type){ .class = class,
			.id = (uint32_t)s->types.n,
			.key = key,
			.title = "T",
			.number = 5 });
}

TEST(a_new_number_is_free_in_all_classes_of_the_type)
{
	struct arena a = { 0 };
	const struct share_options o = { .spill_dir = "/tmp" };
	struct tape got = TAPE;
	struct join_input in[] = {
		{ .share = share_open(&a, &o), .name = "a" },
		{ .share = share_open(&a, &o), .name = "b" },
	};
	struct join *j;

	/* The second input's type is free in its first class, not in the
	 * second one. */
	declare(in[0].share, "cpu", "m.one");
	declare(in[1].share, "thread", "m.two");
	declare(in[1].share, "cpu", "m.two");
	/* A class that only one of both has is no reason for another. */
	declare(in[1].share, "node", "m.one");
	j = join_open(&a, in, 2);
	join_declare(j, &got.base);
	CHECK_INT(join_renumbered(j), 1);
	CHECK_STR(call(&got, 1), "type 1 thread m.two T (null) 9000000 0 0");
	CHECK_STR(call(&got, 2), "type 2 cpu m.two T (null) 9000000 0 0");
	CHECK_STR(call(&got, 3), "type 3 node m.one T (null) 5 0 0");
	join_fini(j);
	for (int i = 0; i < 2; i++)
		share_fini(in[i].share);
	arena_fini(&got.a);
	arena_fini(&a);
}

TEST(a_second_text_of_one_input_moves_no_records)
{
	struct arena a = { 0 };
	struct tape got = TAPE;
	struct join_input in[] = {
		{ .share = small(&a, "r", "one", 5), .name = "a" },
		{ .share = small(&a, "s", "one", 5), .name = "b" },
	};
	struct join *j;
	struct err err = { 0 };

	for (int i = 0; i < 2; i++)
		sink_label(share_sink(in[i].share), 0, 1, "uno", MEANS_TASK);
	j = join_open(&a, in, 2);
	join_declare(j, &got.base);
	CHECK(join_records(j, &got.base, NULL, &err));
	CHECK(strncmp(call(&got, 3), "label 0 1 one ", 14) == 0);
	CHECK(strncmp(call(&got, 4), "state 10 0 0 1 ", 15) == 0);
	CHECK(strncmp(call(&got, 5), "state 10 1 0 1 ", 15) == 0);
	join_fini(j);
	for (int i = 0; i < 2; i++)
		share_fini(in[i].share);
	arena_fini(&got.a);
	arena_fini(&a);
}

TEST(a_gap_of_a_lent_block_has_no_reason)
{
	struct arena a = { 0 };
	const struct share_options o = { .memory = 1 << 20,
		.spill_dir = "/tmp" };
	struct share *from = share_open(&a, &o), *to = share_open(&a, &o);
	struct share_item item;
	char bytes[256];

	sink_gap(share_sink(from),
		&(struct gap){ .from = 10, .to = 20, .why = "ring" });
	share_read(from);
	CHECK(share_next(from, &item));
	CHECK_STR(item.gap.why, "ring");
	CHECK(from->blocks.at[0].size <= sizeof bytes);
	CHECK(share_copy_block(from, 0, bytes));
	share_lend_block(to, bytes, from->blocks.at[0].size, 10);
	share_read(to);
	CHECK(share_next(to, &item));
	CHECK_INT(item.gap.to, 20);
	CHECK(item.gap.why == NULL);
	share_fini(from);
	share_fini(to);
	arena_fini(&a);
}

/* What is done with a share whose blocks are read as they become full. */
struct reader {
	struct share *share;
	int64_t sum, calls, last;
};

static void
read_all(void *arg)
{
	struct reader *r = arg;
	struct share_item item = { 0 };

	r->last = share_last(r->share);
	share_read(r->share);
	while (share_next(r->share, &item))
		r->sum += item.record.value;
	CHECK_INT(item.time, r->last);
	share_drop(r->share, r->share->blocks.n);
	CHECK_INT(r->share->bytes, 0);
	r->calls++;
}

TEST(blocks_can_be_read_and_dropped_while_items_are_written)
{
	for (size_t memory = 0; memory < 2; memory++) {
		struct arena a = { 0 };
		struct reader r = { 0 };
		const struct share_options o = { .memory = memory << 20,
			.spill_dir = "/tmp",
			.block = 4096,
			.full = read_all,
			.full_arg = &r };

		r.share = share_open(&a, &o);
		for (int i = 0; i < 10000; i++)
			sink_state(share_sink(r.share),
				&(struct record){ .time = i, .value = i });
		share_read(r.share);
		read_all(&r);
		CHECK_INT(r.last, 9999);
		CHECK_INT(r.sum, 9999 * 5000);
		CHECK(r.calls > 10);
		share_fini(r.share);
		arena_fini(&a);
	}
}

TEST(a_link_is_not_older_than_what_was_dropped)
{
	struct arena a = { 0 };
	const struct share_options o = { .memory = 1 << 20,
		.spill_dir = "/tmp" };
	struct share *s = share_open(&a, &o);
	struct share_item item;

	sink_state(share_sink(s), &(struct record){ .time = 70, .value = 1 });
	share_read(s);
	CHECK_INT(share_last(s), 70);
	share_drop(s, s->blocks.n);
	sink_link(share_sink(s),
		&(struct link){ .from_time = 20, .to_time = 60 });
	share_read(s);
	CHECK(share_next(s, &item));
	CHECK_INT(item.time, 70);
	CHECK_INT(item.link.from_time, 20);
	CHECK_INT(item.link.to_time, 60);
	share_fini(s);
	arena_fini(&a);
}

/* Numbers at the limits of what a flat state holds, each in a state whose other
 * numbers are small. */
static const struct limit {
	int64_t time, value;
	uint32_t stream, row, type, depth;
} limits[] = {
	{ 1, 1, 1, 0, 0, 0 },
	{ 2, VALUE_NONE, 1, 0, 0, 0 },
	{ 3, VALUE_NONE + 1, 1, 0, 0, 0 },
	{ 4, -1, 1, 0, 0, 0 },
	{ 5, INT32_MAX, 1, 0, 0, 0 },
	{ 6, (int64_t)INT32_MAX + 1, 1, 0, 0, 0 },
	{ 7, INT64_MAX, 1, 0, 0, 0 },
	{ 8, 1, (1 << 24) - 1, 0, 0, 0 },
	{ 9, 1, 1 << 24, 0, 0, 0 },
	{ 10, 1, UINT32_MAX, (1 << 24) - 1, 0, 0 },
	{ 11, 1, 1, 1 << 24, 0, 0 },
	{ 12, 1, 1, 0, 255, 63 },
	{ 13, 1, 1, 0, 256, 64 },
	{ 13 + (int64_t)UINT32_MAX, 1, 1, 0, 0, 0 },
	{ 14 + 2 * (int64_t)UINT32_MAX, 1, 1, 0, 0, 0 },
};
#define LIMITS (sizeof limits / sizeof limits[0])

TEST(states_keep_numbers_of_any_size)
{
	struct arena a = { 0 };
	uint32_t stream = 0;
	const struct share_options o = {
		.memory = 1 << 20, .spill_dir = "/tmp", .stream = &stream
	};
	struct share *s = share_open(&a, &o);
	struct share_item item;

	for (size_t i = 0; i < LIMITS; i++) {
		const struct limit *l = &limits[i];

		stream = l->stream;
		sink_state(share_sink(s),
			&(struct record){ .time = l->time,
				.row = l->row,
				.type = l->type,
				.depth = l->depth,
				.value = l->value });
	}
	share_read(s);
	for (size_t i = 0; i < LIMITS; i++) {
		const struct limit *l = &limits[i];

		CHECK(share_next(s, &item));
		CHECK_INT(item.time, l->time);
		CHECK_INT(item.record.time, l->time);
		CHECK_INT(item.stream, l->stream);
		CHECK_INT(item.record.row, l->row);
		CHECK_INT(item.record.type, l->type);
		CHECK_INT(item.record.depth, l->depth);
		CHECK_INT(item.record.value, l->value);
	}
	CHECK(!share_next(s, &item));
	share_fini(s);
	arena_fini(&a);
}

TEST_MAIN(RUN(a_share_in_memory_returns_all_items),
	RUN(blocks_can_be_read_and_dropped_while_items_are_written),
	RUN(a_link_is_not_older_than_what_was_dropped),
	RUN(a_share_in_a_file_returns_all_items),
	RUN(two_shares_are_one_timeline), RUN(an_id_with_two_labels_is_two_ids),
	RUN(two_types_with_one_number_get_two),
	RUN(a_new_number_is_free_in_all_classes_of_the_type),
	RUN(a_second_text_of_one_input_moves_no_records),
	RUN(a_gap_of_a_lent_block_has_no_reason),
	RUN(states_keep_numbers_of_any_size))
