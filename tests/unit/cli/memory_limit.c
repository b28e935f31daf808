/* SPDX-License-Identifier: MIT */
/* Reads limits of control groups from files as the kernel shows them. */
#include "cli/run/memory_limit.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/file.h"
#include "test.h"
#include "unit/export/dir.h"

static struct arena arena;
static const char *folder;

static void
put(const char *name, const char *text)
{
	const char *path = arena_printf(&arena, "%s/%s", folder, name);
	struct err err = { 0 };
	char *parent = arena_strdup(&arena, path);
	FILE *file;

	*strrchr(parent, '/') = '\0';
	CHECK(file_mkdir(parent, &err));
	file = fopen(path, "w");
	CHECK(file != NULL);
	if (file != NULL) {
		fputs(text, file);
		fclose(file);
	}
}

static uint64_t
limit(const char *list)
{
	put("list", list);
	return memory_limit(
		&arena, arena_printf(&arena, "%s/list", folder), folder);
}

TEST(the_least_limit_of_a_group_and_those_around_it_counts)
{
	folder = dir_make(&arena);
	put("a/b/memory.max", "max\n");
	put("a/memory.max", "1000\n");
	CHECK(limit("0::/a/b\n") == 1000);
	put("a/b/memory.max", "500\n");
	CHECK(limit("0::/a/b\n") == 500);
	put("memory.max", "70\n");
	CHECK(limit("0::/a/b\n") == 70);
	CHECK(limit("0::/\n") == 70);
	CHECK(limit("0::/of/the/host\n") == 70);
	dir_remove(&arena, folder);
}

TEST(groups_of_the_first_version_are_read)
{
	folder = dir_make(&arena);
	put("memory/x/memory.limit_in_bytes", "2097152\n");
	put("memory/memory.limit_in_bytes", "9223372036854771712\n");
	CHECK(limit("9:cpu:/x\n4:memory:/x\n0::/\n") == 2097152);
	CHECK(limit("4:hugetlb,memory:/x\n") == 2097152);
	CHECK(limit("4:memory:/y\n") == 9223372036854771712u);
	dir_remove(&arena, folder);
}

TEST(without_groups_there_is_no_limit)
{
	folder = dir_make(&arena);
	CHECK(limit("") == UINT64_MAX);
	CHECK(limit("0::/\nnonsense\n:\n7:memories:/x\n") == UINT64_MAX);
	put("memory.max", "99999999999999999999999\n");
	CHECK(limit("0::/") == UINT64_MAX);
	CHECK(memory_limit(&arena, "/no/such/list", "/no") == UINT64_MAX);
	dir_remove(&arena, folder);
}

TEST_MAIN(RUN(the_least_limit_of_a_group_and_those_around_it_counts),
	RUN(groups_of_the_first_version_are_read),
	RUN(without_groups_there_is_no_limit))
