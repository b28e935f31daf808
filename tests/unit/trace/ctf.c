/* SPDX-License-Identifier: MIT */
#include "trace/ctf/ctf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"

#define U16(n) (n) & 0xff, (n) >> 8
#define U32(n) (n), 0, 0, 0
#define U64(n) U32(n), U32(0)
#define MAGIC 0xc1, 0x1f, 0xfc, 0xc1
#define BYTES(...) \
	(const uint8_t[]){ __VA_ARGS__ }, sizeof((uint8_t[]){ __VA_ARGS__ })

#define TYPES \
	"/* CTF 1.8 */\n" \
	"typealias integer { size = 8; align = 8; } := uint8_t;\n" \
	"typealias integer { size = 32; align = 8; } := uint32_t;\n" \
	"typealias integer { size = 32; align = 8; signed = true; } := int;\n" \
	"typealias integer { size = 64; align = 8; } := uint64_t;\n"
#define TRACE \
	"trace { major = 1; minor = 8; byte_order = le;\n" \
	"packet.header := struct { uint32_t magic; uint32_t stream_id; }; " \
	"};\n"
#define CLOCK(attributes) \
	"clock { name = c; " attributes " };\n" \
	"typealias integer { size = 64; align = 8; map = clock.c.value; } " \
	":= ts_t;\n"
#define STREAM \
	"stream { id = 1; event.header := struct { uint8_t id; ts_t " \
	"timestamp; }; };\n"
#define EVENT(fields) \
	"event { name = \"e\"; id = 7; stream_id = 1; fields := struct " \
	"{ " fields " }; };\n"
#define BEGIN TYPES TRACE CLOCK("freq = 1000000000;") STREAM

static struct arena arena;
static struct findings findings;
static struct err err;
static struct event ev;
static char dir[64];

static void
write_file(const char *name, const void *data, size_t size)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "wb");
	CHECK(f != NULL && fwrite(data, 1, size, f) == size);
	if (f != NULL)
		fclose(f);
}

static struct source *
open_trace(const char *metadata, const uint8_t *stream, size_t size)
{
	struct source_options options = { 0 };

	snprintf(dir, sizeof dir, "/tmp/weft-ctf-XXXXXX");
	CHECK(mkdtemp(dir) != NULL);
	arena_fini(&arena);
	findings_init(&findings, &arena, 100);
	err = (struct err){ 0 };
	if (metadata != NULL)
		write_file("metadata", metadata, strlen(metadata));
	write_file("channel_0", stream, size);
	return source_ctf.open(&arena, dir, &options, &findings, &err);
}

static void
remove_file(const char *name)
{
	char path[128];

	snprintf(path, sizeof path, "%s/%s", dir, name);
	unlink(path);
}

static void
close_trace(struct source *s)
{
	if (s != NULL)
		source_close(s);
	remove_file("metadata");
	remove_file("channel_0");
	rmdir(dir);
	arena_fini(&arena);
}

static const struct event_class *
next(struct source *s)
{
	if (s == NULL || source_next(s, &ev) != SOURCE_EVENT)
		return NULL;
	return &s->trace.classes.at[ev.class];
}

/* Returns the value of a field of the current event. */
static const union value *
value(const struct event_class *c, const char *name)
{
	static const union value none;
	int at = c == NULL ? -1 : trace_class_field(c, name);

	CHECK(at >= 0);
	return at < 0 ? &none : &ev.value[at];
}

/* Checks that the metadata is refused with this text, and that the stream is
 * not read as a stream of Nanos6. */
static void
check_refused(const char *metadata, const char *want)
{
	struct source *s = open_trace(metadata, BYTES(MAGIC));
	const char *got =
		findings.list.n > 0 ? findings.list.at[0].text : err.text;

	CHECK(s == NULL);
	if (strstr(got, want) == NULL)
		CHECK_STR(got, want);
	close_trace(s);
}

TEST(events_have_their_names_and_times)
{
	struct source *s = open_trace(BEGIN EVENT("uint32_t _id;"),
		BYTES(MAGIC, U32(1), 7, U64(100), U32(42), 7, U64(200),
			U32(43)));
	const struct event_class *c = next(s);

	CHECK_STR(c->name, "e");
	CHECK_INT(ev.time, 100);
	CHECK_INT(ev.offset, 8);
	CHECK_INT(ev.size, 4);
	CHECK_INT(value(c, "id")->i, 42);
	CHECK_INT(value(next(s), "id")->i, 43);
	CHECK_INT(ev.time, 200);
	CHECK_INT(source_next(s, &ev), SOURCE_END);
	CHECK_INT(findings.list.n, 0);
	close_trace(s);
}

TEST(offsets_and_frequency_of_the_clock_are_applied)
{
	struct source *s = open_trace(
		TYPES TRACE CLOCK("freq = 1000; offset_s = -1; offset = 500;")
			STREAM EVENT(""),
		BYTES(MAGIC, U32(1), 7, U64(3)));

	CHECK(next(s) != NULL);
	CHECK_INT(ev.time, -1000000000 + 503000000);
	close_trace(s);
}

TEST(numbers_of_any_size_sign_and_byte_order)
{
	struct source *s = open_trace(
		BEGIN EVENT("integer { size = 3; align = 1; } a;"
			    "integer { size = 13; signed = true; } b;"
			    "integer { size = 16; align = 8; byte_order = be; "
			    "signed = 1; } c;"
			    "integer { size = 64; align = 8; byte_order = "
			    "network; } d;"
			    "floating_point { exp_dig = 8; mant_dig = 24; "
			    "align = 8; } f;"),
		BYTES(MAGIC, U32(1), 7, U64(1), 0xfd, 0xff, 0xff, 0xfe, 1, 2, 3,
			4, 5, 6, 7, 8, 0, 0, 0xc0, 0x3f));
	const struct event_class *c = next(s);

	CHECK_INT(value(c, "a")->i, 5);
	CHECK_INT(value(c, "b")->i, -1);
	CHECK_INT(value(c, "c")->i, -2);
	CHECK_INT(value(c, "d")->i, 0x0102030405060708);
	CHECK(value(c, "f")->f == 1.5);
	close_trace(s);
}

TEST(strings_lists_and_text)
{
	struct source *s = open_trace(
		BEGIN EVENT("string s; uint8_t n; uint8_t list[n];"
			    "integer { size = 8; align = 8; encoding = UTF8; } "
			    "t[3]; uint8_t grid[2][1];"),
		BYTES(MAGIC, U32(1), 7, U64(1), 'h', 'i', 0, 2, 8, 9, 'a', 'b',
			'c', 4, 5));
	const struct event_class *c = next(s);
	const struct value_list *list = value(c, "list")->list;
	const struct value_list *grid = value(c, "grid")->list;

	CHECK_STR(value(c, "s")->s, "hi");
	CHECK_INT(list->n, 2);
	CHECK_INT(list->at[1].i, 9);
	CHECK_STR(value(c, "t")->s, "abc");
	CHECK_INT(grid->at[1].list->at[0].i, 5);
	close_trace(s);
}

TEST(a_variant_has_the_option_that_its_tag_names)
{
	struct source *s = open_trace(
		BEGIN EVENT("enum : uint8_t { A, B = 4 ... 6 } tag;"
			    "variant <tag> { uint8_t A; string B; } v;"),
		BYTES(MAGIC, U32(1), 7, U64(1), 5, 'x', 0));
	const struct event_class *c = next(s);
	const struct value_list *v = value(c, "v")->list;

	CHECK_INT(v->n, 1);
	CHECK_STR(v->at[0].s, "x");
	close_trace(s);
}

TEST(packets_with_sizes_are_read_one_after_the_other)
{
	struct source *s = open_trace(
		TYPES TRACE CLOCK("") "stream { id = 1; packet.context := "
				      "struct { uint8_t cpu_id; uint8_t "
				      "content_size; uint8_t packet_size; };"
				      "event.header := struct { uint8_t id; "
				      "ts_t timestamp; }; };" EVENT(""),
		BYTES(MAGIC, U32(1), 3, 160, 176, 7, U64(1), 0xff, 9, MAGIC,
			U32(1), 3, 232, 232, 7, U64(2), 7, U64(3)));

	CHECK(next(s) != NULL);
	CHECK_INT(s->trace.streams.at[0].cpu, 3);
	CHECK(next(s) != NULL);
	CHECK_INT(ev.offset, 22 + 11);
	CHECK(next(s) != NULL && next(s) == NULL);
	CHECK_INT(ev.time, 3);
	CHECK_INT(findings.list.n, 0);
	close_trace(s);
}

TEST(a_cut_event_costs_itself)
{
	struct source *s = open_trace(BEGIN EVENT("uint32_t id;"),
		BYTES(MAGIC, U32(1), 7, U64(1), U32(1), 7, U64(2), 1, 0));

	CHECK(next(s) != NULL);
	CHECK(next(s) == NULL);
	CHECK_INT(findings.list.n, 1);
	CHECK_STR(findings.list.at[0].text,
		"the last event is incomplete: 11 bytes left out");
	CHECK_INT(findings.list.at[0].offset, 21);
	close_trace(s);
}

TEST(a_clock_that_goes_back_is_held)
{
	struct source *s = open_trace(
		BEGIN EVENT(""), BYTES(MAGIC, U32(1), 7, U64(9), 7, U64(2)));

	CHECK(next(s) != NULL && next(s) != NULL);
	CHECK_INT(ev.time, 9);
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	close_trace(s);
}

TEST(nanos6_without_metadata_is_known_by_its_events)
{
	/* taskfor_init_enter exists in older versions only */
	struct source *s = open_trace(NULL,
		BYTES(MAGIC, U32(1), U16(0), 2, U64(1), U16(77), 22, U64(2),
			U16(4), U32(5), 23, U64(3), 0, 3, U64(4), U16(77)));

	CHECK_STR(next(s)->name, "nanos6:thread_create");
	CHECK_STR(next(s)->name, "nanos6:taskfor_init_enter");
	CHECK_INT(ev.time, 2);
	CHECK_INT(findings.count[FINDING_WARNING], 1);
	close_trace(s);
}

TEST(metadata_that_is_wrong_is_shown)
{
	check_refused("/* CTF 1.8 */ trace { byte_order = xe; };",
		"byte_order: le or be is expected");
	check_refused(
		"/* CTF 1.8 */ event { name = 1; };", "a text is expected");
	check_refused(BEGIN EVENT("foo x;"), "no type \"foo\"");
	check_refused(BEGIN EVENT("uint8_t x[n];"), "length \"n\"");
	check_refused(BEGIN EVENT("uint8_t x") "", "is expected");
	check_refused(BEGIN EVENT("integer { size = 65; } x;"), "64 bits");
	check_refused(TYPES STREAM, "no type \"ts_t\"");
}

TEST_MAIN(RUN(events_have_their_names_and_times),
	RUN(offsets_and_frequency_of_the_clock_are_applied),
	RUN(numbers_of_any_size_sign_and_byte_order),
	RUN(strings_lists_and_text),
	RUN(a_variant_has_the_option_that_its_tag_names),
	RUN(packets_with_sizes_are_read_one_after_the_other),
	RUN(a_cut_event_costs_itself), RUN(a_clock_that_goes_back_is_held),
	RUN(nanos6_without_metadata_is_known_by_its_events),
	RUN(metadata_that_is_wrong_is_shown))
