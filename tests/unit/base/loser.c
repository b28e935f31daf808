/* SPDX-License-Identifier: MIT */
#include "base/loser.h"

#include <stdlib.h>

#include "base/arena.h"
#include "scratch.h"
#include "test.h"

#define STREAMS 70
#define LENGTH 20

struct item {
	int64_t key;
	int stream;
	int place;
};

static struct item stream[STREAMS][LENGTH + 1];
static struct item sorted[STREAMS * LENGTH];

static int
by_key_stream_place(const void *pa, const void *pb)
{
	const struct item *a = pa, *b = pb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	return a->place - b->place;
}

/* Makes streams of random length, with LOSER_END behind the last key. Returns
 * the number of keys. */
static int
fill(int n, uint64_t seed, uint64_t spread)
{
	int total = 0;

	for (int i = 0; i < n; i++) {
		int length = (int)(scratch_random(&seed) % (LENGTH + 1));
		int64_t key = -5;

		for (int j = 0; j < length; j++) {
			key += (int64_t)(scratch_random(&seed) % spread);
			stream[i][j] = (struct item){ key, i, j };
			sorted[total++] = stream[i][j];
		}
		stream[i][length].key = LOSER_END;
	}
	return total;
}

static void
merge_like_sort(int n, uint64_t seed, uint64_t spread)
{
	struct arena a = { 0 };
	struct loser t;
	int64_t key[STREAMS];
	int at[STREAMS] = { 0 }, total = fill(n, seed, spread), i, k = 0;

	for (i = 0; i < n; i++)
		key[i] = stream[i][0].key;
	qsort(sorted, (size_t)total, sizeof sorted[0], by_key_stream_place);
	loser_init(&t, &a, key, n);
	while ((i = loser_top(&t)) >= 0 && k < total) {
		CHECK_INT(i, sorted[k].stream);
		CHECK_INT(stream[i][at[i]].key, sorted[k].key);
		loser_replay(&t, stream[i][++at[i]].key);
		k++;
	}
	CHECK_INT(k, total);
	CHECK_INT(i, -1);
	arena_fini(&a);
}

TEST(merges_like_a_stable_sort)
{
	for (int n = 0; n <= STREAMS; n++) {
		merge_like_sort(
			n, (uint64_t)n + 1, 2); /* most keys are equal */
		merge_like_sort(n, (uint64_t)n + 100, 1000);
		merge_like_sort(n, (uint64_t)n + 200, INT64_MAX / LENGTH);
	}
}

TEST(no_stream_has_no_top)
{
	struct arena a = { 0 };
	struct loser t;

	loser_init(&t, &a, NULL, 0);
	CHECK_INT(loser_top(&t), -1);
	arena_fini(&a);
}

TEST(ties_go_to_the_first_stream)
{
	struct arena a = { 0 };
	struct loser t;

	loser_init(&t, &a, (int64_t[]){ 5, 4, 4 }, 3);
	CHECK_INT(loser_top(&t), 1);
	loser_replay(&t, 4);
	CHECK_INT(loser_top(&t), 1);
	loser_replay(&t, 6);
	CHECK_INT(loser_top(&t), 2);
	loser_replay(&t, LOSER_END);
	CHECK_INT(loser_top(&t), 0);
	loser_replay(&t, LOSER_END);
	CHECK_INT(loser_top(&t), 1);
	loser_replay(&t, LOSER_END);
	CHECK_INT(loser_top(&t), -1);
	arena_fini(&a);
}

TEST(the_smallest_key_is_a_key)
{
	struct arena a = { 0 };
	struct loser t;

	loser_init(&t, &a, (int64_t[]){ LOSER_END, INT64_MIN }, 2);
	CHECK_INT(loser_top(&t), 1);
	loser_replay(&t, LOSER_END - 1);
	CHECK_INT(loser_top(&t), 1);
	arena_fini(&a);
}

/* Distances that do not fit next to a stream's number. */
TEST(keys_may_be_far_apart)
{
	static const int64_t far[3][5] = {
		{ INT64_MIN, -1, INT64_MAX - 2, INT64_MAX - 1, LOSER_END },
		{ INT64_MIN, 0, INT64_MAX / 2, INT64_MAX - 2, LOSER_END },
		{ 1, INT64_MAX / 4, INT64_MAX / 2, INT64_MAX - 1, LOSER_END },
	};
	static const int order[] = { 0, 1, 0, 1, 2, 2, 1, 2, 0, 1, 0, 2 };
	struct arena a = { 0 };
	struct loser t;
	int at[3] = { 0 };

	loser_init(&t, &a, (int64_t[]){ far[0][0], far[1][0], far[2][0] }, 3);
	for (int i = 0; i < 12; i++) {
		int top = loser_top(&t);

		CHECK_INT(top, order[i]);
		CHECK_INT(loser_key(&t), far[top][at[top]]);
		loser_replay(&t, far[top][++at[top]]);
	}
	CHECK_INT(loser_top(&t), -1);
	CHECK_INT(loser_key(&t), LOSER_END);
	arena_fini(&a);
}

TEST_MAIN(RUN(merges_like_a_stable_sort), RUN(no_stream_has_no_top),
	RUN(ties_go_to_the_first_stream), RUN(the_smallest_key_is_a_key),
	RUN(keys_may_be_far_apart))
