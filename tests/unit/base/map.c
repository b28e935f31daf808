/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include "scratch.h"
#include "test.h"

/* The naive model: a key is its index. */
#define KEYS 500
static struct {
	bool in;
	uint64_t value;
} model[KEYS];

static void
compare(const struct map *m, uint64_t step)
{
	size_t pos = 0, n = 0, walked = 0;
	uint64_t key, value;

	for (uint64_t k = 0; k < KEYS; k++) {
		uint64_t *v = map_get(m, k * step);

		CHECK((v != NULL) == model[k].in);
		if (v != NULL)
			CHECK(*v == model[k].value);
		n += model[k].in;
	}
	CHECK_INT(map_count(m), n);
	while (map_next(m, &pos, &key, &value)) {
		CHECK(key % step == 0 && key / step < KEYS);
		CHECK(model[key / step].in);
		CHECK(model[key / step].value == value);
		walked++;
	}
	CHECK_INT(walked, n);
}

/* Keys are multiples of step; full is the share of puts in percent. */
static void
random_walk(uint64_t step, unsigned full, uint64_t seed)
{
	struct map m = { 0 };

	memset(model, 0, sizeof model);
	compare(&m, step);
	for (int i = 0; i < 4000; i++) {
		uint64_t k = scratch_random(&seed) % KEYS;

		if (scratch_random(&seed) % 100 < full) {
			uint64_t *v = map_put(&m, k * step);

			CHECK(*v == (model[k].in ? model[k].value : 0));
			*v = model[k].value = (uint64_t)i + 1;
			model[k].in = true;
		} else {
			CHECK(map_remove(&m, k * step) == model[k].in);
			model[k].in = false;
		}
		if (i % 200 == 0)
			compare(&m, step);
	}
	compare(&m, step);
	map_fini(&m);
}

TEST(does_what_an_array_does)
{
	const uint64_t steps[] = { 1, 64, 4096, UINT64_C(1) << 32,
		UINT64_C(1) << 55, UINT64_C(0x9e3779b97f4a7c15) >> 9 };

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		random_walk(steps[i], 80, i + 1);
		random_walk(steps[i], 50, i + 100);
		random_walk(steps[i], 20, i + 200);
	}
}

TEST(any_key_is_a_key)
{
	struct map m = { 0 };

	CHECK(map_get(&m, 0) == NULL);
	CHECK(!map_remove(&m, 0));
	CHECK(!map_remove(&m, 5));
	*map_put(&m, 0) = 10;
	*map_put(&m, UINT64_MAX) = 11;
	CHECK_INT(map_count(&m), 2);
	CHECK_INT(*map_get(&m, 0), 10);
	CHECK_INT(*map_get(&m, UINT64_MAX), 11);
	CHECK(map_remove(&m, 0));
	CHECK_INT(*map_put(&m, 0), 0);
	map_fini(&m);
	CHECK_INT(map_count(&m), 0);
	CHECK(map_get(&m, UINT64_MAX) == NULL);
	map_fini(&m);
}

TEST(churn_does_not_grow_it)
{
	struct map m = { 0 };

	for (uint64_t i = 1; i < 100000; i++) {
		map_put(&m, i);
		if (i > 8)
			map_remove(&m, i - 8);
	}
	CHECK_INT(map_count(&m), 8);
	CHECK_INT(m.mask, 15);
	map_fini(&m);
}

TEST(is_at_most_three_quarters_full)
{
	struct map m = { 0 };

	for (uint64_t i = 1; i < 5000; i++) {
		map_put(&m, i * 24);
		CHECK(m.n * 4 <= (m.mask + 1) * 3);
	}
	map_fini(&m);
}

TEST(a_cleared_map_is_empty)
{
	struct map m = { 0 };

	map_clear(&m);
	for (uint64_t i = 0; i < 1000; i++)
		*map_put(&m, i) = i + 1;
	map_clear(&m);
	CHECK_INT(map_count(&m), 0);
	CHECK(map_get(&m, 0) == NULL && map_get(&m, 7) == NULL);
	CHECK_INT(*map_put(&m, 7), 0);
	CHECK_INT(m.mask + 1, 2048);
	map_clear(&m); /* mostly empty now */
	CHECK(m.slot == NULL);
	CHECK_INT(*map_put(&m, 7), 0);
	map_fini(&m);
}

TEST_MAIN(RUN(does_what_an_array_does), RUN(any_key_is_a_key),
	RUN(churn_does_not_grow_it), RUN(is_at_most_three_quarters_full),
	RUN(a_cleared_map_is_empty))
