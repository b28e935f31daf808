/* SPDX-License-Identifier: MIT */
#include "base/pool.h"

#include <stdint.h>

#include "base/arena.h"
#include "scratch.h"
#include "test.h"

TEST(a_returned_object_comes_first_and_zeroed)
{
	struct arena a = { 0 };
	struct pool p;
	char *one, *two;

	pool_init(&p, &a, 20);
	one = pool_get(&p);
	two = pool_get(&p);
	memset(one, 0xff, 20);
	memset(two, 0xff, 20);
	pool_put(&p, one);
	pool_put(&p, two);
	CHECK(pool_get(&p) == two);
	CHECK(pool_get(&p) == one);
	for (int i = 0; i < 20; i++)
		CHECK_INT(one[i], 0);
	arena_fini(&a);
}

/* Each live object holds its number; nobody may overwrite it. */
static unsigned char *
take(struct pool *p, size_t size, size_t number)
{
	unsigned char *object = pool_get(p);

	CHECK((uintptr_t)object % 8 == 0);
	CHECK_INT(object[0] | object[size - 1], 0);
	memset(object, (int)(number & 0xff), size);
	return object;
}

static void
give_back(struct pool *p, unsigned char *object, size_t size, size_t number)
{
	CHECK_INT(object[0], number & 0xff);
	CHECK_INT(object[size - 1], number & 0xff);
	pool_put(p, object);
}

static void
churn(size_t size)
{
	struct arena a = { 0 };
	struct pool p;
	unsigned char *live[300] = { 0 };
	uint64_t seed = size;

	pool_init(&p, &a, size);
	for (int round = 0; round < 20000; round++) {
		size_t i = scratch_random(&seed) % 300;

		if (live[i] == NULL) {
			live[i] = take(&p, size, i);
		} else {
			give_back(&p, live[i], size, i);
			live[i] = NULL;
		}
	}
	arena_fini(&a);
}

TEST(objects_do_not_overlap)
{
	churn(1);
	churn(8);
	churn(100);
	churn(5000);
}

TEST_MAIN(RUN(a_returned_object_comes_first_and_zeroed),
	RUN(objects_do_not_overlap))
