/* SPDX-License-Identifier: MIT */
#include "base/heap.h"

#include "scratch.h"
#include "test.h"

/*
 * A literal model of the contract: an array, with a line for each rule. It
 * shares no code with heap.c, so that the order of equal keys is checked, too.
 */
static struct heap_item literal[2000];
static int literal_n;

static void
literal_push(int64_t key, uint64_t value)
{
	int at = literal_n++;

	while (at > 0 && key < literal[(at - 1) / 2].key) {
		literal[at] = literal[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	literal[at] = (struct heap_item){ key, value };
}

static struct heap_item
literal_pop(void)
{
	struct heap_item top = literal[0], last = literal[--literal_n];
	int at = 0;

	for (;;) {
		int left = 2 * at + 1, right = left + 1, go = at;
		int64_t least = last.key;

		if (left < literal_n && literal[left].key < least) {
			go = left;
			least = literal[left].key;
		}
		if (right < literal_n && literal[right].key < least)
			go = right;
		if (go == at)
			break;
		literal[at] = literal[go];
		at = go;
	}
	literal[at] = last;
	return top;
}

static void
push_both(struct heap *h, int64_t key, uint64_t value)
{
	heap_push(h, key, value);
	literal_push(key, value);
}

static void
pop_both(struct heap *h)
{
	struct heap_item want = literal_pop(), top = *heap_top(h);
	struct heap_item got = heap_pop(h);

	CHECK_INT(got.key, want.key);
	CHECK_INT(got.value, want.value);
	CHECK_INT(got.value, top.value);
	CHECK_INT(h->n, literal_n);
}

TEST(pops_in_the_order_of_the_contract)
{
	struct heap h = { 0 };
	uint64_t seed = 3;

	literal_n = 0;
	for (uint64_t i = 0; i < 30000; i++) {
		bool push = h.n == 0 || scratch_random(&seed) % 5 < 3;

		/* Few keys, so that most are equal. */
		if (push && h.n < 2000)
			push_both(&h, (int64_t)(seed % 40) - 20, i);
		else
			pop_both(&h);
	}
	heap_fini(&h);
}

TEST(sorts)
{
	struct heap h = { 0 };
	uint64_t seed = 9;
	int64_t last = INT64_MIN;

	heap_push(&h, INT64_MAX, 0);
	heap_push(&h, INT64_MIN, 0);
	for (uint64_t i = 0; i < 1000; i++)
		heap_push(&h, (int64_t)scratch_random(&seed), i);
	while (h.n > 0) {
		int64_t key = heap_pop(&h).key;

		CHECK(key >= last);
		last = key;
	}
	CHECK_INT(last, INT64_MAX);
	heap_fini(&h);
}

TEST(three_equal_keys_come_out_first_last_middle)
{
	struct heap h = { 0 };

	for (uint64_t i = 0; i < 3; i++)
		heap_push(&h, 5, i);
	CHECK_INT(heap_pop(&h).value, 0);
	CHECK_INT(heap_pop(&h).value, 2);
	CHECK_INT(heap_pop(&h).value, 1);
	heap_fini(&h);
}

static void
pop_empty(void)
{
	struct heap h = { 0 };

	heap_pop(&h);
}

TEST(an_empty_heap_has_no_top)
{
	char text[1];

	CHECK_INT(scratch_child(pop_empty, text, 1), 134);
}

TEST_MAIN(RUN(pops_in_the_order_of_the_contract), RUN(sorts),
	RUN(three_equal_keys_come_out_first_last_middle),
	RUN(an_empty_heap_has_no_top))
