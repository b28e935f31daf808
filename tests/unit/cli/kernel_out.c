/* SPDX-License-Identifier: MIT */
/* Streams into which weft run puts what the kernel did with threads. */
#include "cli/run/kernel_out.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "cli/run/raw.h"
#include "test.h"
#include "trace/obs/wire.h"

#include "../base/scratch.h"

static void
write_file(const char *path, const void *data, size_t n)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(data, 1, n, file) != n || fclose(file) != 0)
		_exit(99);
}

TEST(large_metadata_requires_the_model_wait)
{
	enum { LABELS = 1 << 20 };
	struct arena a = { 0 };
	struct err err = { 0 };
	struct kernel_out o = { .err = &err };
	char home[64], *text = arena_alloc(&a, LABELS + 100);
	size_t n = 0;

	scratch_enter(home);
	memset(text, ' ', LABELS);
	strcpy(text + LABELS, "{\"ovni\":{\"require\":{\"ovni\":\"1.1.0\"}}}");
	write_file("stream.json", text, strlen(text));
	CHECK(kernel_require(&o, ".", "."));
	CHECK_STR(err.text, "");
	text = file_read(&a, "stream.json", 2 * LABELS, &n, &err);
	CHECK(text != NULL && strstr(text, "\"wait\": \"1.0.0\"") != NULL);
	arena_fini(&o.arena);
	arena_fini(&a);
	scratch_leave(home);
}

TEST(metadata_that_cannot_be_read_is_an_error)
{
	struct err err = { 0 };
	struct kernel_out o = { .err = &err };
	char home[64];

	scratch_enter(home);
	CHECK(kernel_require(&o, ".", ".")); /* there is none */
	CHECK(file_mkdir("stream.json", &err));
	CHECK(!kernel_require(&o, ".", "."));
	CHECK(err.kind != ERR_NONE);
	arena_fini(&o.arena);
	scratch_leave(home);
}

TEST(a_long_event_without_a_size_ends_the_stream)
{
	static const unsigned char data[] = { 'o', 'v', 'n', 'i', OBS_VERSION,
		0, 0, 0, /* then an event */
		OBS_JUMBO, 'O', 'B', '.', 1, 0, 0, 0, 0, 0, 0, 0,
		/* and what is no payload of it */
		0, 0, 0, 0 };
	char home[64];
	struct raw r;
	size_t n;

	scratch_enter(home);
	write_file("stream.obs", data, sizeof data);
	CHECK(raw_open(&r, "."));
	CHECK(raw_next(&r, &n) == NULL);
	raw_close(&r);
	scratch_leave(home);
}

TEST_MAIN(RUN(large_metadata_requires_the_model_wait),
	RUN(metadata_that_cannot_be_read_is_an_error),
	RUN(a_long_event_without_a_size_ends_the_stream))
