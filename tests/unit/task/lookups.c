/* SPDX-License-Identifier: MIT */
/* Counts the map look-ups of tracers, whose calls the linker wraps. */
#include "base/map.h"
#include "kit.h"

static uint64_t lookups;

uint64_t *__real_map_get(const struct map *m, uint64_t key);
uint64_t *__real_map_put(struct map *m, uint64_t key);
bool __real_map_remove(struct map *m, uint64_t key);
uint64_t *__wrap_map_get(const struct map *m, uint64_t key);
uint64_t *__wrap_map_put(struct map *m, uint64_t key);
bool __wrap_map_remove(struct map *m, uint64_t key);

uint64_t *
__wrap_map_get(const struct map *m, uint64_t key)
{
	lookups++;
	return __real_map_get(m, key);
}

uint64_t *
__wrap_map_put(struct map *m, uint64_t key)
{
	lookups++;
	return __real_map_put(m, key);
}

bool
__wrap_map_remove(struct map *m, uint64_t key)
{
	lookups++;
	return __real_map_remove(m, key);
}

/* Returns the look-ups for n tasks, each with some tags of its own. */
static uint64_t
count(int n, int each)
{
	static struct weft_tracer_step_count t;
	char name[32];

	begin();
	weft_tracer_step_count_init(&t);
	weft_task_collect(&component.domain, &t.tracer);
	lookups = 0;
	for (int i = 0; i < n; i++) {
		act("+a");
		for (int k = 0; k < each; k++) {
			snprintf(name, sizeof name, "#a%d", i * each + k);
			act(name);
		}
		act("-a");
	}
	weft_sim_engine_close(e);
	return lookups;
}

TEST(tags_cost_the_same_however_many_there_are)
{
	uint64_t few = count(1000, 1), many = count(10000, 1);

	CHECK(few > 1000);
	CHECK(many <= 11 * few);
	few = count(10, 100);
	many = count(10, 1000);
	CHECK(many <= 11 * few);
}

TEST_MAIN(RUN(tags_cost_the_same_however_many_there_are))
