/* SPDX-License-Identifier: MIT */
/* The index of objects finds the block that lay at an address at a time. */
#include "inproc/mem/index.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "test.h"

static struct index ix;
static struct block pool[100000];
static int used;

/* Addresses far from those of the last case, so that each case begins empty. */
static uint64_t
fresh(void)
{
	static uint64_t next = 1ull << 40;

	return next += 64ull << 30;
}

static struct block *
add(uint64_t lo, uint64_t size, uint64_t born, uint64_t died)
{
	struct block *b = &pool[used++];

	*b = (struct block){
		.lo = lo, .size = size, .born = born, .died = died, .weight = 1
	};
	index_add(&ix, b);
	return b;
}

static struct block *
live_at(uint64_t address, uint64_t time)
{
	struct index_hit h = index_at(&ix, address, time);

	return h.is_freed ? NULL : h.block;
}

static void
take_out(struct block *b)
{
	__atomic_store_n(&b->died, BLOCK_CLAIMED, __ATOMIC_RELAXED);
	index_sweep(&ix, b);
}

TEST(finds_a_block_by_any_address_within)
{
	uint64_t at = fresh();
	struct block *b = add(at + 100, 5 << 20, 10, 0);

	CHECK(live_at(at + 100, 20) == b);
	CHECK(live_at(at + 100 + (5 << 20) - 1, 20) == b);
	CHECK(live_at(at + 100 + (5 << 20), 20) == NULL);
	CHECK(live_at(at + 99, 20) == NULL);
	CHECK(live_at(at + 100, 9) == NULL);
}

TEST(finds_a_block_of_several_gigabytes)
{
	uint64_t at = fresh();
	struct block *b = add(at, 5ull << 30, 10, 0);

	CHECK(live_at(at + (5ull << 30) - 1, 20) == b);
	CHECK(live_at(at + (5ull << 30), 20) == NULL);
	take_out(b);
	CHECK(index_at(&ix, at, 20).block == NULL);
}

TEST(one_address_has_a_block_for_each_time)
{
	uint64_t at = fresh();
	struct block *old = add(at, 1000, 10, 20), *new = add(at, 2000, 30, 0);
	struct index_hit between;

	CHECK(live_at(at + 5, 15) == old);
	CHECK(live_at(at + 5, 30) == new);
	between = index_at(&ix, at + 5, 25);
	CHECK(between.is_freed && between.block == old);
	CHECK(index_at(&ix, at + 1500, 25).block == NULL);
}

TEST(the_nearest_start_wins)
{
	uint64_t at = fresh();
	struct block *far = add(at, 1 << 20, 1, 50), *near;

	near = add(at + 8192, 100, 60, 0);
	CHECK(live_at(at + 8200, 40) == far);
	CHECK(live_at(at + 8200, 70) == near);
	CHECK(live_at(at + 9000, 70) == NULL);
}

TEST(what_is_taken_out_is_gone)
{
	uint64_t at = fresh();
	struct block *a = add(at, 100, 1, 0), *b = add(at + 200, 100, 1, 0),
		     *c = add(at + 400, 100, 1, 0);

	take_out(b);
	CHECK((b->state & BLOCK_OUT) != 0);
	CHECK(index_starting(&ix, at + 200) == NULL);
	CHECK(index_starting(&ix, at) == a);
	CHECK(index_starting(&ix, at + 400) == c);
	CHECK(index_may_start(&ix, at));
	take_out(a);
	take_out(c);
	CHECK(!index_may_start(&ix, at));
}

TEST(a_page_knows_where_its_blocks_begin)
{
	uint64_t at = fresh();
	struct block *a = add(at, 100, 1, 0), *b = add(at + 3000, 100, 1, 0);

	CHECK(index_may_start(&ix, at));
	CHECK(index_may_start(&ix, at + 3000));
	CHECK(!index_may_start(&ix, at + 1500));
	CHECK(!index_may_start(&ix, at + 4095));
	take_out(a);
	CHECK(!index_may_start(&ix, at));
	CHECK(index_may_start(&ix, at + 3000));
	take_out(b);
	CHECK(!index_may_start(&ix, at + 3000));
}

TEST(a_look_in_vain_tells_the_next_ones_that_a_block_died)
{
	uint64_t at = fresh();
	struct block *a = add(at, 100, 1, 0), *b = add(at + 3000, 100, 1, 0);
	struct block like = { .lo = at, .size = 100, .weight = 1 };

	a->died = 9;
	CHECK(index_revive(&ix, &like) == a);
	CHECK(index_starting(&ix, at) == a);
	a->died = 9;
	CHECK(index_may_start(&ix, at));
	CHECK(index_starting(&ix, at) == NULL);
	CHECK(!index_may_start(&ix, at));
	CHECK(index_revive(&ix, &like) == NULL);
	CHECK(index_may_start(&ix, at + 3000));
	b->died = 9;
	CHECK(index_starting(&ix, at + 3000) == NULL);
	CHECK(!index_may_start(&ix, at + 3000));
	b->died = 0;
	index_lives_again(&ix, b);
	CHECK(index_may_start(&ix, at + 3000));
}

enum { LIVES = 15000 };

static struct block *passed_on; /* for the thread that sweeps */
static int has_ended;

/* Searches for blocks that do not exist, which clears the bits of dead blocks.
 */
static void *
sweep_always(void *page)
{
	uint64_t at = *(const uint64_t *)page;
	intptr_t found = 0;

	while (!__atomic_load_n(&has_ended, __ATOMIC_ACQUIRE)) {
		struct block *b =
			__atomic_exchange_n(&passed_on, NULL, __ATOMIC_ACQ_REL);

		found += index_starting(&ix, at + 8) != NULL;
		if (b != NULL)
			take_out(b);
		else
			sched_yield();
	}
	return (void *)found;
}

/* The thread must not take the block for an untracked one. */
TEST(a_block_is_found_while_its_page_is_swept)
{
	static struct block block[LIVES];
	uint64_t at = fresh();
	pthread_t sweeper;
	void *found;
	int lost = 0;

	pthread_create(&sweeper, NULL, sweep_always, &at);
	for (int i = 0; i < LIVES; i++) {
		struct block *b = &block[i], *last = NULL;

		*b = (struct block){ .lo = at, .size = 4096, .born = 1 };
		index_add(&ix, b);
		lost += !index_may_start(&ix, at);
		lost += index_below(&ix, at + 5) != b;
		lost += index_starting(&ix, at) != b;
		__atomic_store_n(&b->died, 2, __ATOMIC_RELAXED);
		if (i % 2 == 0 && index_revive(&ix, b) == b) {
			lost += !index_may_start(&ix, at);
			__atomic_store_n(&b->died, 2, __ATOMIC_RELAXED);
		}
		while (!__atomic_compare_exchange_n(&passed_on, &last, b, false,
			__ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			last = NULL;
			sched_yield();
		}
	}
	__atomic_store_n(&has_ended, 1, __ATOMIC_RELEASE);
	pthread_join(sweeper, &found);
	CHECK_INT(lost, 0);
	CHECK(found == NULL);
}

TEST(a_dead_block_of_its_path_lives_again)
{
	uint64_t at = fresh();
	struct block *b = add(at, 100, 1, 9);
	struct block like = { .lo = at, .size = 120, .weight = 1 };

	CHECK(index_revive(&ix, &like) == b);
	CHECK_INT(b->died, 0);
	CHECK_INT(b->size, 120);
	CHECK(index_revive(&ix, &like) == NULL); /* the block lives already */
	b->died = BLOCK_CLAIMED;
	CHECK(index_revive(&ix, &like) == NULL);
	b->died = 9;
	like.path = 3;
	CHECK(index_revive(&ix, &like) == NULL);
}

/* Compares with a linear search in a list. */
TEST(agrees_with_a_list_on_random_blocks)
{
	enum { N = 3000, PAGES = 5000 };
	uint64_t at = fresh(), random = 88172645463325252u;
	static unsigned char taken[PAGES * 4];
	struct block *list[N];
	int n = 0, wrong = 0;

	for (int i = 0; i < N; i++) {
		uint64_t lo, size;
		bool is_free = true;

		random = random * 6364136223846793005u + 1442695040888963407u;
		lo = (random >> 33) % (PAGES * 4 - 64);
		size = 1 + (random >> 20) % 60;
		for (uint64_t j = lo; j < lo + size; j++)
			is_free = is_free && !taken[j];
		if (!is_free)
			continue;
		memset(taken + lo, 1, size);
		list[n++] = add(at + lo * 1024, size * 1024, 1, 0);
	}
	for (uint64_t a = 0; a < PAGES * 4; a++) {
		struct block *want = NULL;

		for (int i = 0; i < n; i++)
			if (at + a * 1024 - list[i]->lo < list[i]->size)
				want = list[i];
		wrong += live_at(at + a * 1024, 5) != want;
	}
	CHECK_INT(wrong, 0);
}

static bool pushed;

static void *
push_many(void *from)
{
	struct block *b = from;

	for (int i = 0; i < 20000; i++)
		index_add(&ix, &b[i]);
	__atomic_store_n(&pushed, true, __ATOMIC_RELEASE);
	return NULL;
}

TEST(a_thread_adds_while_others_are_taken_out)
{
	uint64_t at = fresh();
	struct block *dead = &pool[used], *live = dead + 20000;
	pthread_t t;
	int n = 0;

	used += 40000;
	for (int i = 0; i < 40000; i++)
		dead[i] = (struct block){ .lo = at + (uint64_t)i % 997 * 16,
			.size = 1,
			.born = 1,
			.weight = 1 };
	push_many(dead);
	pushed = false;
	pthread_create(&t, NULL, push_many, live);
	for (int i = 0; i < 20000; i++)
		take_out(&dead[i]);
	pthread_join(t, NULL);
	for (int i = 0; i < 20000; i++)
		n += (dead[i].state & BLOCK_OUT) != 0;
	CHECK_INT(n, 20000);
	for (int i = n = 0; i < 997; i++) {
		struct block *b = index_starting(&ix, at + (uint64_t)i * 16);

		n += b >= live && b < live + 20000;
	}
	CHECK_INT(n, 997);
}

TEST_MAIN(RUN(finds_a_block_by_any_address_within),
	RUN(finds_a_block_of_several_gigabytes),
	RUN(one_address_has_a_block_for_each_time), RUN(the_nearest_start_wins),
	RUN(what_is_taken_out_is_gone),
	RUN(a_page_knows_where_its_blocks_begin),
	RUN(a_look_in_vain_tells_the_next_ones_that_a_block_died),
	RUN(a_block_is_found_while_its_page_is_swept),
	RUN(a_dead_block_of_its_path_lives_again),
	RUN(agrees_with_a_list_on_random_blocks),
	RUN(a_thread_adds_while_others_are_taken_out))
