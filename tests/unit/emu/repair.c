/* SPDX-License-Identifier: MIT */
/* repair.c - tests a complete trace that is written from what the emulator
 * infers. */
#include "trace/obs/repair.h"

#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "emu/emu.h"
#include "emu/infer.h"
#include "emu/mend.h"
#include "export/sink.h"
#include "test.h"
#include "trace/source.h"
#include "unit/base/scratch.h"
#include "unit/trace/obs_files.h"

#define A "t/a/stream.obs"
#define B "t/b/stream.obs"
#define OUT_A "out/a/stream.obs"
#define OUT_B "out/b/stream.obs"

#define WHO(tid) \
	"{\"version\": 3, \"ovni\": {\"lib\": {\"version\": \"1\", " \
	"\"commit\": \"x\"}, \"part\": \"thread\", \"tid\": " tid \
	", \"pid\": 9, \"loom\": \"n\""
#define KILLED(tid) WHO(tid) ", \"app_id\": 1}}"
#define WHOLE(tid) \
	WHO(tid) \
	", \"app_id\": 1, \"finished\": 1, \"require\": {\"ovni\": " \
	"\"1.1.0\", \"nanos6\": \"1.0.0\"}, \"loom_cpus\": [{\"index\": 0, " \
	"\"phyid\": 1}, {\"index\": 1, \"phyid\": 0}]}}"

/* A trace of two threads, 1 and 2, to be repaired. */
struct bench {
	char dir[64];
	struct arena arena;
	struct findings done, found;
	struct bytes_out a, b;
	struct repair_result result;
	struct err err;
	char text[BYTES_ROOM];
};

static void
save_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "wb");

	fputs(text, f);
	fclose(f);
}

static void
bench_init(struct bench *t)
{
	memset(t, 0, sizeof *t);
	findings_init(&t->done, &t->arena, 100);
	scratch_enter(t->dir);
	mkdir("t", 0777);
	mkdir("t/a", 0777);
	mkdir("t/b", 0777);
	save_text("t/a/stream.json", KILLED("1"));
	save_text("t/b/stream.json", KILLED("2"));
}

static void
bench_fini(struct bench *t)
{
	arena_fini(&t->arena);
	scratch_leave(t->dir);
}

static void
ignore(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
}

/* Emulates the trace. Returns what the emulator inferred about it. */
static struct mends *
emulate(struct bench *t, struct source *s)
{
	static const struct sink_ops ops = { .state = ignore };
	struct sink nowhere = { .ops = &ops };
	struct emu_options options = { .mends =
					       mends_new(&t->arena, &t->done) };
	struct emu *emu = emu_open(&t->arena, s, &nowhere, &options, &t->err);

	if (emu == NULL)
		return NULL;
	emu_run(emu, NULL);
	emu_close(emu);
	return options.mends;
}

static bool
repair(struct bench *t)
{
	struct repair_options options = {
		.folder = "out", .edit = mends_edit, .done = &t->done
	};
	const struct source_options plain = { .clock_table = NULL };
	struct source *s;
	bool ok;

	save(&t->a, A);
	save(&t->b, B);
	findings_init(&t->found, &t->arena, 0);
	s = sources_open(&t->arena, "t", &plain, &t->found, &t->err);
	if (s == NULL)
		return false;
	if (trace_lacks_tables(&s->trace))
		infer_complete(s, &plain);
	options.arg = emulate(t, s);
	ok = options.arg != NULL &&
		repair_trace(
			&t->arena, &s->trace, &options, &t->result, &t->err);
	source_close(s);
	return ok;
}

/* Reads the result. Returns the number of its events, or -1 if there is a
 * finding. */
static int
reread(struct bench *t)
{
	const struct source_options plain = { .clock_table = NULL };
	struct event ev;
	struct source *s;
	int n = 0;

	findings_init(&t->found, &t->arena, 10);
	s = sources_open(&t->arena, "out", &plain, &t->found, &t->err);
	if (s == NULL)
		return -1;
	while (source_next(s, &ev) == SOURCE_EVENT)
		n++;
	source_close(s);
	if (t->found.count[FINDING_ERROR] + t->found.count[FINDING_WARNING] > 0)
		printf("# %s: %s\n", t->found.list.at[0].file,
			t->found.list.at[0].text);
	return t->found.count[FINDING_ERROR] + t->found.count[FINDING_WARNING] >
			0
		? -1
		: n;
}

static size_t
file_bytes(const char *path, uint8_t to[BYTES_ROOM])
{
	FILE *f = fopen(path, "rb");
	size_t n = fread(to, 1, BYTES_ROOM, f);

	fclose(f);
	return n;
}

static void
start(struct bytes_out *b, uint64_t clock, int32_t cpu)
{
	const int32_t payload[] = { cpu, -1, 0, 0 };

	put_event(b, "OHx", clock, payload, sizeof payload);
}

static void
move(struct bytes_out *b, uint64_t clock, int32_t cpu, int32_t tid)
{
	const int32_t payload[] = { cpu, tid };

	put_event(b, "OAr", clock, payload, sizeof payload);
}

static void
task(struct bytes_out *b, const char *mcv, uint64_t clock, uint32_t id)
{
	put_event(b, mcv, clock, &id, sizeof id);
}

static bool
says(const struct bench *t, const char *text)
{
	for (int i = 0; i < t->done.list.n; i++)
		if (strstr(t->done.list.at[i].text, text) != NULL)
			return true;
	return false;
}

TEST(a_thread_that_runs_ends_with_its_last_event)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "6W[", 20, NULL, 0);
	put_bytes(&t.a, "\0AB", 3);
	start(&t.b, 12, 1);
	put_event(&t.b, "OHe", 15, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 6W[20 OHe20 ");
	CHECK_STR(load(OUT_B, t.text), "OHx12 OHe15 ");
	CHECK_INT(reread(&t), 5);
	CHECK_INT(t.result.events, 4);
	CHECK_INT(t.result.added, 1);
	CHECK_INT(t.result.lost_bytes, 3);
	CHECK(says(&t, "lost: 3 bytes"));
	bench_fini(&t);
}

TEST(a_paused_thread_resumes_elsewhere_to_end)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "OHp", 20, NULL, 0);
	start(&t.b, 30, -1);
	put_event(&t.b, "OHp", 40, NULL, 0);
	put_event(&t.b, "OHw", 50, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 OHp20 OAr20 OHr20 OHe20 ");
	/* The thread is on the virtual CPU already. */
	CHECK_STR(load(OUT_B, t.text), "OHx30 OHp40 OHw50 OHr50 OHe50 ");
	CHECK_INT(reread(&t), 10);
	bench_fini(&t);
}

TEST(a_thread_without_events_starts_and_ends)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "OHe", 20, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_B, t.text), "OHx10 OHe10 ");
	CHECK(says(&t,
		"thread 2 ends after its last event; it was not "
		"started"));
	bench_fini(&t);
}

TEST(a_thread_that_ended_is_not_moved_any_more)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "6W[", 20, NULL, 0);
	start(&t.b, 10, 1);
	move(&t.b, 30, 1, 1);
	move(&t.b, 40, 0, 1);
	move(&t.b, 45, 0, 1);
	move(&t.b, 46, 0, 3); /* no thread has the tid 3 */
	put_event(&t.b, "OHe", 50, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 6W[20 OHe20 ");
	CHECK_STR(load(OUT_B, t.text), "OHx10 OHe50 ");
	CHECK_INT(t.result.dropped, 4);
	CHECK_INT(reread(&t), 5);
	bench_fini(&t);
}

TEST(of_two_threads_on_a_cpu_the_older_claim_gives_way)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "OHp", 20, NULL, 0);
	put_event(&t.a, "OHr", 60, NULL, 0);
	put_event(&t.a, "OHe", 70, NULL, 0);
	start(&t.b, 30, 0);
	put_event(&t.b, "OHe", 80, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 OHp20 OAr60 OHr60 OHe70 ");
	CHECK_STR(load(OUT_B, t.text), "OHx30 OHe80 ");
	bench_fini(&t);

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "OHe", 70, NULL, 0);
	start(&t.b, 30, 0);
	put_event(&t.b, "OHe", 80, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 OHe70 ");
	CHECK_STR(load(OUT_B, t.text), "OAr30 OHx30 OHe80 ");
	bench_fini(&t);
}

TEST(tasks_that_nobody_created_get_an_unknown_type)
{
	const struct {
		uint32_t id;
		char label[4];
	} type = { 7, "abc" };
	const uint32_t known[] = { 3, 7 }, strange[] = { 4, 5 };
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_jumbo(&t.a, "6Yc", 11, &type, sizeof type);
	put_event(&t.a, "6Tc", 12, known, sizeof known);
	task(&t.a, "6Tx", 13, 3);
	task(&t.a, "6Tp", 14, 3);
	task(&t.a, "6Tx", 15, 9);
	task(&t.a, "6Te", 16, 9);
	task(&t.a, "6Tx", 17, 10);
	put_event(&t.a, "6Tc", 18, strange, sizeof strange);
	put_event(&t.a, "OHe", 20, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text),
		"OHx10 6Yc11 6Tc12 6Tx13 6Tp14 6Yc15 6Tc15 6Tx15 6Te16 6Tc17 "
		"6Tx17 6Yc18 6Tc18 OHe20 ");
	CHECK(says(&t, "2 tasks of an unknown type"));
	bench_fini(&t);
}

TEST(a_type_that_comes_too_late_is_left_out)
{
	const struct {
		uint32_t id;
		char label[4];
	} type = { 5, "abc" };
	const uint32_t early[] = { 1, 5 }, late[] = { 2, 5 };
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "6Tc", 11, early, sizeof early);
	put_jumbo(&t.a, "6Yc", 12, &type, sizeof type);
	put_event(&t.a, "6Tc", 13, late, sizeof late);
	put_event(&t.a, "OHe", 20, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 6Yc11 6Tc11 6Tc13 OHe20 ");
	CHECK_INT(t.result.dropped, 1);
	bench_fini(&t);
}

TEST(a_task_of_no_type_gets_one_that_no_other_has)
{
	const uint32_t none[] = { 1, 0 }, created[] = { 2, 9 };
	uint8_t made[] = { 10, 0, 0, 0 };
	struct bench t;
	uint8_t *at;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "6Tc", 11, none, sizeof none);
	put_event(&t.a, "6Tc", 13, created, sizeof created);
	put_event(&t.a, "OHe", 20, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 6Yc11 6Tc11 6Yc13 6Tc13 OHe20 ");
	CHECK_INT(t.result.dropped, 1);
	t.a.n = file_bytes(OUT_A, t.a.at);
	at = memmem(t.a.at, t.a.n, "6Tc", 3);
	CHECK(at != NULL && memcmp(at + 3 + 8 + 4, made, sizeof made) == 0);
	bench_fini(&t);
}

TEST(clocks_do_not_go_back)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 10, 0);
	put_event(&t.a, "6W[", 5, NULL, 0);
	put_event(&t.a, "OHe", 20, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(load(OUT_A, t.text), "OHx10 6W[10 OHe20 ");
	CHECK_INT(t.result.clocks, 1);
	CHECK(says(&t, "1 clock that went backwards or jumped by hours"));
	bench_fini(&t);
}

static struct json_object *
meta(struct bench *t, const char *path)
{
	return json_read(&t->arena, path, &t->err);
}

TEST(metadata_is_completed)
{
	const int32_t mark[] = { 5, 0, 42 };
	struct json_object *doc;
	struct bench t;
	int64_t n = 0;

	bench_init(&t);
	start(&t.a, 10, 2);
	put_event(&t.a, "6W[", 20, NULL, 0);
	put_event(&t.a, "OM[", 21, mark, sizeof mark);
	start(&t.b, 10, -1);
	CHECK(repair(&t));
	doc = meta(&t, "out/a/stream.json");
	CHECK(json_int(json_get(doc, "ovni.finished"), &n) && n == 1);
	CHECK_STR(json_str(json_get(doc, "ovni.require.ovni")), "1.1.0");
	CHECK_STR(json_str(json_get(doc, "ovni.require.nanos6")), "1.1.0");
	CHECK_INT(json_length(json_get(doc, "ovni.loom_cpus")), 3);
	CHECK_STR(json_str(json_get(doc, "ovni.mark.42.chan_type")), "stack");
	json_close(doc);
	doc = meta(&t, "out/b/stream.json");
	CHECK(json_get(doc, "ovni.require.nanos6") == NULL);
	CHECK(json_get(doc, "ovni.loom_cpus") == NULL);
	CHECK(json_get(doc, "ovni.mark") == NULL);
	json_close(doc);
	bench_fini(&t);
}

TEST(what_is_whole_stays_as_it_is)
{
	struct json_object *doc;
	char want[BYTES_ROOM];
	struct bench t;

	bench_init(&t);
	save_text("t/a/stream.json", WHOLE("1"));
	save_text("t/b/stream.json", WHOLE("2"));
	start(&t.a, 10, 0);
	put_event(&t.a, "6W[", 20, NULL, 0);
	put_event(&t.a, "OHe", 30, NULL, 0);
	start(&t.b, 10, 1);
	move(&t.b, 30, -1, 2);
	put_event(&t.b, "OHe", 30, NULL, 0);
	CHECK(repair(&t));
	CHECK_INT(t.done.list.n, 0);
	CHECK_STR(load(OUT_A, t.text), load(A, want));
	CHECK_STR(load(OUT_B, t.text), load(B, want));
	doc = meta(&t, "out/b/stream.json");
	CHECK_STR(json_str(json_get(doc, "ovni.require.nanos6")), "1.0.0");
	CHECK_INT(json_length(json_get(doc, "ovni.loom_cpus")), 2);
	json_close(doc);
	bench_fini(&t);
}

TEST(missing_cpus_get_free_numbers)
{
	struct json_object *doc, *cpus;
	struct bench t;
	int64_t n = 0;

	bench_init(&t);
	save_text("t/a/stream.json", WHOLE("1"));
	start(&t.a, 10, 3);
	CHECK(repair(&t));
	doc = meta(&t, "out/a/stream.json");
	cpus = json_get(doc, "ovni.loom_cpus");
	CHECK_INT(json_length(cpus), 4);
	/* CPU 0 has the kernel's number 1, and CPU 1 has 0. */
	CHECK(json_int(json_get(json_at(cpus, 0), "phyid"), &n) && n == 1);
	CHECK(json_int(json_get(json_at(cpus, 3), "phyid"), &n) && n == 3);
	json_close(doc);
	bench_fini(&t);
}

TEST(a_stream_of_nobody_is_left_out)
{
	struct bench t;

	bench_init(&t);
	save_text("t/b/stream.json", "{\"version\": 3}");
	start(&t.a, 10, 0);
	CHECK(repair(&t));
	CHECK_INT(t.result.streams, 1);
	CHECK(!file_is_dir("out/b"));
	CHECK(says(&t, "names no thread"));
	bench_fini(&t);
}

/* Two threads with states, moves, tasks and marks. */
static void
make_busy(struct bench *t)
{
	const uint32_t types[] = { 1, 0x00414141 }, ids[] = { 1, 1 };
	const int32_t mark[] = { 5, 0, 3 };

	t->a.n = t->b.n = 0;
	start(&t->a, 1000, 0);
	put_jumbo(&t->a, "6Yc", 1001, types, sizeof types);
	put_event(&t->a, "6Tc", 1002, ids, sizeof ids);
	task(&t->a, "6Tx", 1003, 1);
	put_event(&t->a, "OM=", 1004, mark, sizeof mark);
	task(&t->a, "6Te", 1005, 1);
	move(&t->a, 1006, 1, 2);
	put_event(&t->a, "OHp", 1007, NULL, 0);
	put_event(&t->a, "OHr", 1009, NULL, 0);
	put_event(&t->a, "OHe", 1010, NULL, 0);
	start(&t->b, 1000, -1);
	put_event(&t->b, "OHp", 1001, NULL, 0);
	put_event(&t->b, "OHr", 1007, NULL, 0);
	task(&t->b, "6Tx", 1008, 2);
	move(&t->b, 1008, 1, 1);
	put_event(&t->b, "OHe", 1009, NULL, 0);
}

static void
mutate(struct bytes_out *b, uint64_t *seed)
{
	for (int i = (int)(scratch_random(seed) % 4); i > 0; i--)
		b->at[scratch_random(seed) % b->n] =
			(uint8_t)scratch_random(seed);
	if (scratch_random(seed) % 2 == 0)
		b->n -= scratch_random(seed) % b->n;
}

TEST(mutated_streams_become_whole_ones)
{
	uint64_t seed = 3;
	struct bench t;
	int opened = 0;

	bench_init(&t);
	for (int round = 0; round < 250; round++) {
		make_busy(&t);
		mutate(&t.a, &seed);
		mutate(&t.b, &seed);
		t.err = (struct err){ 0 };
		findings_init(&t.done, &t.arena, 10);
		if (repair(&t)) {
			CHECK(reread(&t) >= 0);
			opened++;
		}
	}
	CHECK(opened > 200);
	bench_fini(&t);
}

/* Returns the event names of a repaired stream, with their times. */
static const char *
codes(const char *file)
{
	static char text[512];
	struct bytes_out b = { .n = 0 };
	FILE *f = fopen(file, "rb");
	size_t n = 0;

	b.n = fread(b.at, 1, sizeof b.at, f);
	fclose(f);
	text[0] = '\0';
	for (size_t at = 8; at + 12 <= b.n;) {
		unsigned nibble = b.at[at] & 15u;
		uint64_t time;

		memcpy(&time, b.at + at + 4, sizeof time);
		n += (size_t)snprintf(text + n, sizeof text - n, "%.3s@%d ",
			(const char *)b.at + at + 1, (int)time);
		at += 12 + (nibble ? nibble + 1 : 0);
	}
	return text;
}

TEST(a_thread_that_stood_still_goes_on_at_its_last_event)
{
	struct bench t;

	bench_init(&t);
	start(&t.a, 1000, 0);
	put_event(&t.a, "OF[", 1001, NULL, 0);
	put_event(&t.a, "OF]", 1002, NULL, 0);
	put_event(&t.a, "OF[", 1003, NULL, 0);
	put_event(&t.a, "OB.", 1005, NULL, 0); /* an event of a handler */
	start(&t.b, 1000, 1);
	put_event(&t.b, "OF]", 1001, NULL, 0);
	put_event(&t.b, "OF[", 1002, NULL, 0);
	put_event(&t.b, "OHe", 1009, NULL, 0);
	CHECK(repair(&t));
	CHECK_STR(codes(OUT_A),
		"OHx@1000 OF[@1001 OF]@1002 OF[@1003 "
		"OB.@1005 OF]@1005 OHe@1005 ");
	CHECK_STR(codes(OUT_B), "OHx@1000 OF[@1002 OF]@1009 OHe@1009 ");
	CHECK(reread(&t) == 11);
	CHECK_INT(t.result.dropped, 1);
	bench_fini(&t);
}

TEST_MAIN(RUN(a_thread_that_stood_still_goes_on_at_its_last_event),
	RUN(a_thread_that_runs_ends_with_its_last_event),
	RUN(a_paused_thread_resumes_elsewhere_to_end),
	RUN(a_thread_without_events_starts_and_ends),
	RUN(a_thread_that_ended_is_not_moved_any_more),
	RUN(of_two_threads_on_a_cpu_the_older_claim_gives_way),
	RUN(tasks_that_nobody_created_get_an_unknown_type),
	RUN(a_type_that_comes_too_late_is_left_out),
	RUN(a_task_of_no_type_gets_one_that_no_other_has),
	RUN(clocks_do_not_go_back), RUN(metadata_is_completed),
	RUN(what_is_whole_stays_as_it_is), RUN(missing_cpus_get_free_numbers),
	RUN(a_stream_of_nobody_is_left_out),
	RUN(mutated_streams_become_whole_ones))
