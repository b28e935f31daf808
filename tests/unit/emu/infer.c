/* SPDX-License-Identifier: MIT */
/* infer.c - tests what is inferred from the events of a killed program. */
#include "emu/infer.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "test.h"
#include "trace/source.h"
#include "unit/base/scratch.h"
#include "unit/trace/obs_files.h"

/* Writes the stream of a killed thread, whose only event names a CPU. */
static void
make_thread(const char *dir, int tid, int32_t cpu)
{
	const int32_t payload[] = { cpu, -1, 0, 0 };
	struct bytes_out b = { 0 };
	char path[64];
	FILE *f;

	mkdir(dir, 0777);
	put_event(&b, "OHx", 10, payload, sizeof payload);
	snprintf(path, sizeof path, "%s/stream.obs", dir);
	save(&b, path);
	snprintf(path, sizeof path, "%s/stream.json", dir);
	f = fopen(path, "wb");
	fprintf(f,
		"{\"version\": 3, \"ovni\": {\"lib\": {\"version\": \"1\", "
		"\"commit\": \"x\"}, \"part\": \"thread\", \"tid\": %d, "
		"\"pid\": 9, \"loom\": \"n\", \"app_id\": 1}}",
		tid);
	fclose(f);
}

TEST(nothing_is_inferred_from_a_trace_that_gained_a_stream)
{
	const struct source_options plain = { .clock_table = NULL };
	struct arena arena = { 0 };
	struct findings findings;
	struct err err = { 0 };
	struct source *s;
	char dir[64];

	scratch_enter(dir);
	mkdir("t", 0777);
	make_thread("t/a", 1, 0);
	make_thread("away", 2, 3);
	findings_init(&findings, &arena, 0);
	s = sources_open(&arena, "t", &plain, &findings, &err);
	CHECK(s != NULL);
	CHECK(rename("away", "t/b") == 0);
	infer_complete(s, &plain);
	CHECK_INT(s->trace.streams.n, 1);
	CHECK_INT(s->trace.nodes.at[0].cpus.n, 1); /* each node has one */
	source_close(s);
	arena_fini(&arena);
	scratch_leave(dir);
}

TEST_MAIN(RUN(nothing_is_inferred_from_a_trace_that_gained_a_stream))
