/* SPDX-License-Identifier: MIT */
/*
 * abi.c - stands for a program that was compiled for ovni long ago: it declares
 * the interface itself, from ovni's description, and does not include our
 * header.
 */
#include <signal.h>
#include <stddef.h>

#include "rt/run.h"
#include "test.h"

struct __attribute__((packed)) old_event {
	uint8_t flags, model, category, value;
	uint64_t clock;
	union {
		uint8_t byte[16];
		struct __attribute__((packed)) {
			uint32_t size;
			uint8_t data[1];
		} jumbo;
	} payload;
};
_Static_assert(sizeof(struct old_event) == 28, "as it always was");

void ovni_version_check_str(const char *);
void ovni_version_get(const char **, const char **);
void ovni_proc_init(int, const char *, int);
void ovni_proc_set_rank(int, int);
void ovni_proc_fini(void);
void ovni_thread_init(pid_t);
void ovni_thread_require(const char *, const char *);
int ovni_thread_isready(void);
void ovni_thread_free(void);
void ovni_add_cpu(int, int);
void ovni_ev_set_mcv(struct old_event *, const char *);
void ovni_ev_set_clock(struct old_event *, uint64_t);
uint64_t ovni_ev_get_clock(const struct old_event *);
uint64_t ovni_clock_now(void);
void ovni_payload_add(struct old_event *, const uint8_t *, int);
int ovni_payload_size(const struct old_event *);
int ovni_ev_size(const struct old_event *);
void ovni_ev_emit(struct old_event *);
void ovni_ev_jumbo_emit(struct old_event *, const uint8_t *, uint32_t);
void ovni_flush(void);
int ovni_attr_has(const char *);
void ovni_attr_set_double(const char *, double);
void ovni_attr_set_boolean(const char *, int);
void ovni_attr_set_str(const char *, const char *);
void ovni_attr_set_json(const char *, const char *);
double ovni_attr_get_double(const char *);
int ovni_attr_get_boolean(const char *);
const char *ovni_attr_get_str(const char *);
char *ovni_attr_get_json(const char *);
void ovni_attr_flush(void);
void ovni_mark_type(int32_t, long, const char *);
void ovni_mark_label(int32_t, int64_t, const char *);
void ovni_mark_push(int32_t, int64_t);
void ovni_mark_pop(int32_t, int64_t);
void ovni_mark_set(int32_t, int64_t);

static void
start(void)
{
	ovni_version_check_str("1.2.3-old");
	ovni_proc_init(7, "node1.77", 77);
	ovni_thread_init(77);
	ovni_add_cpu(0, 3);
}

static void
emit(const char *mcv, const void *data, int n)
{
	struct old_event ev = { 0 };

	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, mcv);
	for (int at = 0; at < n; at += 4)
		ovni_payload_add(&ev, (const uint8_t *)data + at, 4);
	if (ovni_payload_size(&ev) != n || ovni_ev_size(&ev) != 12 + n ||
		ovni_ev_get_clock(&ev) == 0)
		abort();
	ovni_ev_emit(&ev);
}

static void
record(void)
{
	int32_t start_of[4] = { 0, -1, 0, 0 }, type = 5;
	struct old_event ev = { 0 };

	start();
	emit("OHx", start_of, 16);
	emit("6W[", NULL, 0);
	ovni_ev_set_clock(&ev, ovni_clock_now());
	ovni_ev_set_mcv(&ev, "6Yc");
	ovni_ev_jumbo_emit(&ev, (uint8_t *)"\5\0\0\0fib", 8);
	if (ev.flags != 0x13 || ovni_ev_size(&ev) != 24)
		abort();
	ovni_mark_type(type, 1, "Phase");
	ovni_mark_label(type, 3, "warm/up \"1\"");
	ovni_mark_push(type, 3);
	ovni_flush();
	ovni_mark_pop(type, 3);
	emit("6W]", NULL, 0);
	emit("OHe", NULL, 0);
	ovni_thread_require("nanos6", "1.1.0");
	ovni_proc_set_rank(1, 2);
	ovni_thread_free();
	ovni_proc_fini();
}

/* Sets the clocks to zero: every other byte of the trace is known. */
static void
without_clocks(struct stream *s)
{
	for (size_t at = 0; at + 12 <= s->n;) {
		unsigned nibble = s->data[at] & 15u;
		uint32_t n;

		memset(s->data + at + 4, 0, 8);
		memcpy(&n, s->data + at + 12, 4);
		at += 12 + (s->data[at] & 16 ? 4 + n : nibble ? nibble + 1 : 0);
	}
}

#define CLOCK "\0\0\0\0\0\0\0\0"

TEST(an_old_program_records_what_it_always_did)
{
	static const char want[] =
		"\xfOHx" CLOCK "\0\0\0\0\xff\xff\xff\xff\0\0\0\0\0\0\0\0"
		"\0"
		"6W[" CLOCK "\x13"
		"6Yc" CLOCK "\x8\0\0\0\5\0\0\0fib\0"
		"\xbOM[" CLOCK "\3\0\0\0\0\0\0\0\5\0\0\0"
		"\0OF[" CLOCK "\0OF]" CLOCK "\xbOM]" CLOCK
		"\3\0\0\0\0\0\0\0\5\0\0\0"
		"\0"
		"6W]" CLOCK "\0OHe" CLOCK;
	struct stream s;

	run_fresh();
	CHECK_INT(run_child(record), 0);
	CHECK_STR(run_said, "");
	s = stream_read();
	without_clocks(&s);
	CHECK_INT(s.n, sizeof(want) - 1);
	CHECK(s.n == sizeof(want) - 1 && memcmp(s.data, want, s.n) == 0);
	CHECK_STR(run_found + strlen(run_folder),
		"/loom.node1.77/proc.77/thread.77/stream.obs");
	free(s.data);
}

TEST(metadata_has_every_key)
{
	static const char *const want[] = { "\"version\": 3", "\"lib\": {",
		"\"version\": \"1.14.0\"", "\"part\": \"thread\"",
		"\"tid\": 77", "\"pid\": 77", "\"loom\": \"node1.77\"",
		"\"app_id\": 7", "\"rank\": 1", "\"nranks\": 2",
		"\"ovni\": \"1.1.0\"", "\"nanos6\": \"1.1.0\"",
		"{\"index\": 0, \"phyid\": 3}", "\"title\": \"Phase\"",
		"\"chan_type\": \"stack\"", "\"3\": \"warm\\/up \\\"1\\\"\"",
		"\"finished\": 1" };
	struct stream s = run_read(run_find("stream.json"), 0);

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		if (!s.data || !strstr((char *)s.data, want[i]))
			test_fail(__FILE__, __LINE__, want[i]);
	free(s.data);
}

static void
attributes(void)
{
	const char *version, *commit;
	char *text;

	start();
	ovni_version_get(&version, &commit);
	if (strcmp(version, "1.14.0") != 0 || !commit)
		abort();
	ovni_attr_set_double("a.number", 1.5);
	ovni_attr_set_boolean("a.yes", 1);
	ovni_attr_set_str("a.b.c", "x/y");
	ovni_attr_set_json("j", "{\"foo\":42}");
	text = ovni_attr_get_json("j");
	if (strcmp(text, "{\"foo\":42}") != 0 || !ovni_attr_has("a.b") ||
		ovni_attr_has("a.b.d") || !ovni_attr_has("ovni.tid") ||
		ovni_attr_get_double("a.number") < 1.49 ||
		!ovni_attr_get_boolean("a.yes") ||
		strcmp(ovni_attr_get_str("a.b.c"), "x/y") != 0)
		abort();
	free(text);
	ovni_attr_flush();
	ovni_thread_free();
}

TEST(attributes_are_kept_and_written)
{
	struct stream s;

	run_fresh();
	CHECK_INT(run_child(attributes), 0);
	s = run_read(run_find("stream.json"), 0);
	CHECK(s.data && strstr((char *)s.data, "\"foo\""));
	CHECK(s.data && strstr((char *)s.data, "\"finished\""));
	CHECK(s.data && strstr((char *)s.data, "\"ring\""));
	free(s.data);
}

TEST_MAIN(RUN(an_old_program_records_what_it_always_did),
	RUN(metadata_has_every_key), RUN(attributes_are_kept_and_written))
