/* SPDX-License-Identifier: MIT */
/* Which file a process had mapped, as perf tells. */
#include "trace/perf/maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "perf/record.h"
#include "test.h"

static struct arena arena;
static struct perf_builds builds;

static struct perf_maps
open_maps(void)
{
	return (struct perf_maps){ .arena = &arena, .builds = &builds };
}

static void
add(struct perf_maps *m, uint32_t pid, uint64_t addr, const char *name)
{
	struct perf_mmap at = {
		.pid = pid, .addr = addr, .len = 4096, .name = name
	};

	perf_maps_add(m, &at);
}

static const char *
at(struct perf_maps *m, uint32_t pid, uint64_t address)
{
	const struct perf_map *map = perf_maps_find(m, pid, address);

	return map == NULL ? "" : map->name;
}

TEST(a_child_keeps_what_it_inherited)
{
	struct perf_maps m = open_maps();

	add(&m, 1, 4096, "old");
	perf_maps_fork(&m, 2, 1);
	perf_maps_exec(&m, 1);
	add(&m, 1, 4096, "new");
	perf_maps_fork(&m, 3, 2);
	perf_maps_exec(&m, 2);
	CHECK_STR(at(&m, 1, 5000), "new");
	CHECK_STR(at(&m, 2, 5000), "");
	CHECK_STR(at(&m, 3, 5000), "old");
	perf_maps_fini(&m);
}

TEST(a_later_mapping_of_the_parent_is_not_the_childs)
{
	struct perf_maps m = open_maps();

	add(&m, 1, 4096, "old");
	perf_maps_fork(&m, 2, 1);
	CHECK_STR(at(&m, 1, 5000), "old");
	add(&m, 1, 4096, "new");
	CHECK_STR(at(&m, 1, 5000), "new");
	CHECK_STR(at(&m, 2, 5000), "old");
	perf_maps_fini(&m);
}

TEST(many_processes_are_kept_apart)
{
	struct perf_maps m = open_maps();

	add(&m, 1, 4096, "first");
	CHECK_STR(at(&m, 1, 5000), "first");
	for (uint32_t pid = 2; pid <= 65536; pid++)
		perf_maps_fork(&m, pid, 70000);
	CHECK_STR(at(&m, 1, 5000), "first");
	perf_maps_exec(&m, 65537);
	perf_maps_exec(&m, 65538);
	CHECK_STR(at(&m, 1, 5000), "first");
	for (uint32_t pid = 65536; pid <= 65538; pid++)
		CHECK_STR(at(&m, pid, 5000), "");
	perf_maps_fini(&m);
}

TEST(the_first_build_id_of_a_path_counts)
{
	struct perf_maps m = open_maps();
	struct perf_build b = { .path = "/a", .id = { 7 }, .size = 20 };

	VEC_PUSH(&builds.at, &arena, b);
	b.id[0] = 8;
	VEC_PUSH(&builds.at, &arena, b);
	b.path = "/b";
	VEC_PUSH(&builds.at, &arena, b);
	add(&m, 1, 4096, "/a");
	add(&m, 1, 8192, "/b");
	add(&m, 1, 12288, "/c");
	CHECK_INT(perf_maps_find(&m, 1, 4096)->build[0], 7);
	CHECK_INT(perf_maps_find(&m, 1, 8192)->build[0], 8);
	CHECK(perf_maps_find(&m, 1, 12288)->build == NULL);
	perf_maps_fini(&m);
	arena_fini(&arena);
}

TEST_MAIN(RUN(a_child_keeps_what_it_inherited),
	RUN(a_later_mapping_of_the_parent_is_not_the_childs),
	RUN(many_processes_are_kept_apart),
	RUN(the_first_build_id_of_a_path_counts))
