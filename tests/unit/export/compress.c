/* SPDX-License-Identifier: MIT */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "dir.h"
#include "export/compress.h"
#include "export/single.h"
#include "export/sink.h"

#define LINES 300000

static bool
has(const char *program)
{
	char command[64];

	snprintf(command, sizeof command, "%s --version >/dev/null 2>&1",
		program);
	return system(command) == 0;
}

static void
put_lines(struct outfile *f)
{
	for (int i = 0; i < LINES; i++)
		outfile_printf(f, "2:0:1:1:%d:%d:37:19\n", i % 64, 7 * i);
}

/* Writes a file with some threads. Returns its path. */
static const char *
make(struct arena *a, const char *dir, enum compress_kind kind, int jobs,
	void (*put)(struct outfile *f))
{
	const struct compress_options o = { .kind = kind, .jobs = jobs };
	const char *path = arena_printf(
		a, "%s/x%d%s", dir, jobs, compress_extension(kind));
	const struct sink_setup setup = { .file = path, .compress = &o };
	struct outfile f;
	struct err err = { 0 };

	CHECK(single_open(&f, a, dir, "unused", &setup, &err));
	put(&f);
	CHECK(outfile_close(&f, &err));
	return path;
}

/* Returns what a program reads out of a file. */
static uint64_t
unpacked(const char *program, const char *path, uint64_t *bytes)
{
	char command[512];
	FILE *f;
	uint64_t hash = 0;

	*bytes = 0;
	snprintf(command, sizeof command, "%s %s %s", program,
		strcmp(program, "cat") == 0 ? "" : "-dc", path);
	f = popen(command, "r");
	for (int c; f != NULL && (c = fgetc(f)) != EOF; ++*bytes)
		hash = (hash ^ (uint64_t)c) * UINT64_C(1099511628211);
	if (f != NULL)
		CHECK_INT(pclose(f), 0);
	return hash;
}

static void
put_nothing(struct outfile *f)
{
	(void)f;
}

static void
check_kind(const char *program, enum compress_kind kind)
{
	struct arena a = { 0 };
	const char *dir = dir_make(&a);
	const char *plain = make(&a, dir, COMPRESS_NONE, 1, put_lines);
	uint64_t want_bytes, bytes, want;
	const char *one;
	size_t n, m;
	char *first;

	want = unpacked("cat", plain, &want_bytes);
	one = make(&a, dir, kind, 1, put_lines);
	first = file_read(&a, one, 1 << 26, &n, &(struct err){ 0 });
	for (int jobs = 1; jobs <= 5; jobs += 2) {
		const char *path = make(&a, dir, kind, jobs, put_lines);
		const char *text =
			file_read(&a, path, 1 << 26, &m, &(struct err){ 0 });

		CHECK(m == n && memcmp(text, first, n) == 0);
	}
	CHECK(unpacked(program, one, &bytes) == want);
	CHECK_INT(bytes, want_bytes);
	CHECK(n < want_bytes / 3);
	one = make(&a, dir, kind, 2, put_nothing);
	unpacked(program, one, &bytes);
	CHECK_INT(bytes, 0);
	dir_remove(&a, dir);
	arena_fini(&a);
}

TEST(gzip_reads_what_any_number_of_threads_wrote)
{
	if (compress_check(&(struct compress_options){ .kind = COMPRESS_GZIP },
		    &(struct err){ 0 }) &&
		has("gzip"))
		check_kind("gzip", COMPRESS_GZIP);
}

TEST(zstd_reads_what_any_number_of_threads_wrote)
{
	if (compress_check(&(struct compress_options){ .kind = COMPRESS_ZSTD },
		    &(struct err){ 0 }) &&
		has("zstd"))
		check_kind("zstd", COMPRESS_ZSTD);
}

TEST(the_end_of_a_name_tells_the_kind)
{
	CHECK_INT(compress_of_name("a.prv.gz"), COMPRESS_GZIP);
	CHECK_INT(compress_of_name("a.csv.zst"), COMPRESS_ZSTD);
	CHECK_INT(compress_of_name("gz"), COMPRESS_NONE);
	CHECK_INT(compress_of_name("a.gz.prv"), COMPRESS_NONE);
}

TEST(parts_of_an_output_have_names_like_it)
{
	struct arena a = { 0 };

	CHECK_STR(single_beside(&a, "d/x.csv.gz", ".csv", "links", NULL),
		"d/x-links.csv.gz");
	CHECK_STR(single_beside(&a, "x.prv.gz", ".prv", NULL, ".pcf"), "x.pcf");
	CHECK_STR(
		single_beside(&a, "x.prv", ".prv", "cpu", ".prv"), "x-cpu.prv");
	CHECK_STR(single_beside(&a, "x", ".prv", "cpu", ".prv"), "x-cpu.prv");
	arena_fini(&a);
}

TEST_MAIN(RUN(gzip_reads_what_any_number_of_threads_wrote),
	RUN(zstd_reads_what_any_number_of_threads_wrote),
	RUN(the_end_of_a_name_tells_the_kind),
	RUN(parts_of_an_output_have_names_like_it))
