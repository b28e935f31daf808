/* SPDX-License-Identifier: MIT */
/*
 * Kills builders of an index at random moments: a reader never takes a part for
 * the whole, and the next builder removes the files of a dead builder, but no
 * file of a living builder.
 *
 *	test-export-index_killed [KILLS]
 */
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "dir.h"
#include "export/index/index.h"
#include "export/index/sink.h"

#define RECORDS 20000
#define ROWS 20

static int kills = 20;

static struct sink *
begin(struct arena *a, const char *dir)
{
	struct err err = { 0 };
	struct sink *s = sink_index.open(
		a, dir, &(struct sink_setup){ .unit = "ns" }, &err);

	if (s == NULL)
		return NULL;
	index_sink_trees(s, 1000, 100);
	for (uint32_t i = 0; i < ROWS; i++)
		sink_row(s, &(struct row){ i, ROW_NONE, "thread", "T", NULL });
	sink_type(s, &(struct type){ .class = "thread", .key = "t" });
	for (uint32_t i = 0; i < RECORDS; i++)
		sink_state(s,
			&(struct record){
				.time = i, .row = i % ROWS, .value = i % 7 });
	return s;
}

static bool
end(struct sink *s)
{
	struct err err = { 0 };

	return sink_close(s, &err);
}

/* Builds the index again and again until it is killed. */
static pid_t
start_builder(const char *dir)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	for (;;) {
		struct arena a = { 0 };

		if (!end(begin(&a, dir)))
			_exit(1);
		arena_fini(&a);
	}
}

/* Starts a builder that waits in the middle until a byte comes. */
static pid_t
start_waiting(const char *dir, int ready, int go)
{
	struct arena a = { 0 };
	pid_t pid = fork();
	struct sink *s;
	char byte = 0;

	if (pid != 0)
		return pid;
	s = begin(&a, dir);
	if (write(ready, &byte, 1) != 1 || read(go, &byte, 1) != 1)
		_exit(1);
	_exit(s != NULL && end(s) ? 0 : 1);
}

static int
count_temporaries(const char *dir)
{
	DIR *d = opendir(dir);
	const struct dirent *e;
	int n = 0;

	while ((e = readdir(d)) != NULL)
		n += strstr(e->d_name, ".tmp-") != NULL;
	closedir(d);
	return n;
}

/* Returns true if there is no index, or one with all records. */
static bool
is_whole_or_none(const char *dir)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	const char *path = arena_printf(&a, "%s/%s", dir, INDEX_FILE);
	bool ok = access(path, F_OK) != 0;

	if (!ok) {
		struct index *ix = index_open(&a, path, &err);

		ok = ix != NULL && index_meta(ix)->nrecords == RECORDS &&
			index_meta(ix)->nseries == ROWS;
		if (!ok)
			printf("# %s\n", err.text);
		index_close(ix);
	}
	arena_fini(&a);
	return ok;
}

TEST(a_killed_builder_leaves_no_half_index)
{
	struct arena a = { 0 };
	const char *dir = dir_make(&a);
	uint64_t seed = 1;
	int killed = 0, left = 0;

	for (int i = 0; i < kills; i++) {
		pid_t pid = start_builder(dir);
		int status;

		seed = seed * UINT64_C(6364136223846793005) + 1;
		usleep((useconds_t)(seed >> 33) % 20000);
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
		killed += WIFSIGNALED(status);
		CHECK(is_whole_or_none(dir));
		left = count_temporaries(dir);
		CHECK(left <= 1);
	}
	CHECK_INT(killed, kills);
	CHECK(end(begin(&a, dir)));
	CHECK_INT(count_temporaries(dir), 0);
	CHECK(is_whole_or_none(dir));
	dir_remove(&a, dir);
	arena_fini(&a);
}

TEST(a_builder_that_lives_keeps_its_file)
{
	struct arena a = { 0 };
	const char *dir = dir_make(&a);
	int ready[2] = { -1, -1 }, go[2] = { -1, -1 }, status = -1;
	pid_t pid;
	char byte = 0;

	CHECK(pipe(ready) == 0 && pipe(go) == 0);
	pid = start_waiting(dir, ready[1], go[0]);
	CHECK(read(ready[0], &byte, 1) == 1);
	CHECK_INT(count_temporaries(dir), 1);
	CHECK(end(begin(&a, dir)));
	CHECK_INT(count_temporaries(dir), 1);
	CHECK(is_whole_or_none(dir));
	CHECK(write(go[1], "", 1) == 1);
	waitpid(pid, &status, 0);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	CHECK_INT(count_temporaries(dir), 0);
	CHECK(is_whole_or_none(dir));
	dir_remove(&a, dir);
	arena_fini(&a);
}

/* Names that only look like those of temporary files. */
TEST(other_files_beside_an_index_stay)
{
	static const char *const names[] = { INDEX_FILE ".tmp-",
		INDEX_FILE ".tmp-1x", INDEX_FILE "-1",
		"x" INDEX_FILE ".tmp-1" };
	struct arena a = { 0 };
	const char *dir = dir_make(&a);

	for (int i = 0; i < 4; i++)
		fclose(fopen(arena_printf(&a, "%s/%s", dir, names[i]), "w"));
	fclose(fopen(arena_printf(&a, "%s/" INDEX_FILE ".tmp-1", dir), "w"));
	CHECK(end(begin(&a, dir)));
	for (int i = 0; i < 4; i++)
		CHECK(access(arena_printf(&a, "%s/%s", dir, names[i]), F_OK) ==
			0);
	CHECK(access(arena_printf(&a, "%s/" INDEX_FILE ".tmp-1", dir), F_OK) !=
		0);
	dir_remove(&a, dir);
	arena_fini(&a);
}

int
main(int argc, char *argv[])
{
	static const struct test tests[] = {
		RUN(a_killed_builder_leaves_no_half_index),
		RUN(a_builder_that_lives_keeps_its_file),
		RUN(other_files_beside_an_index_stay),
	};

	if (argc > 1)
		kills = (int)strtol(argv[1], NULL, 10);
	return test_run_all(tests, 3);
}
