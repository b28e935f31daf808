/* SPDX-License-Identifier: MIT */
#include "trace/text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"

static struct arena arena;
static struct findings findings;
static struct err err;
static char path[64];

static struct source *
open_bytes(const char *text, size_t size, const char *clock_table)
{
	struct source_options options = { .clock_table = clock_table };
	FILE *f;

	arena_fini(&arena);
	findings_init(&findings, &arena, 100);
	err = (struct err){ 0 };
	snprintf(path, sizeof path, "/tmp/weft-text-%d.tt", (int)getpid());
	unlink(path); /* rewriting a file in place may wait for the disk */
	f = fopen(path, "wb");
	CHECK(f != NULL && fwrite(text, 1, size, f) == size);
	if (f != NULL)
		fclose(f);
	return sources_open(&arena, path, &options, &findings, &err);
}

static struct source *
open_text(const char *text)
{
	struct source *s = open_bytes(text, strlen(text), NULL);

	unlink(path);
	CHECK_STR(s == NULL ? err.text : "", "");
	return s;
}

/* Checks that the file is refused with this text. */
static void
check_syntax(const char *text, const char *want)
{
	struct source *s = open_bytes(text, strlen(text), NULL);
	const char *got = strstr(err.text, ".tt: ");

	unlink(path);
	CHECK(s == NULL);
	CHECK_INT(err.kind, ERR_INPUT);
	CHECK_STR(got == NULL ? err.text : got + 5, want);
	if (s != NULL)
		source_close(s);
}

/* The next event comes from this thread (stream) and line. */
static struct event
check_next(struct source *s, int64_t time, uint32_t stream, int64_t line)
{
	struct event ev = { 0 };

	CHECK_INT(source_next(s, &ev), SOURCE_EVENT);
	CHECK_INT(ev.time, time);
	CHECK_INT(ev.stream, stream);
	CHECK_INT(ev.offset, line);
	return ev;
}

static void
check_end(struct source *s)
{
	struct event ev;

	CHECK_INT(source_next(s, &ev), SOURCE_END);
	CHECK_INT(source_next(s, &ev), SOURCE_END);
	source_close(s);
}

TEST(defaults_make_a_small_system)
{
	struct source *s = open_text("thread a\nthread b\n");
	const struct trace *t = &s->trace;

	CHECK_STR(t->format, "text");
	CHECK_STR(t->unit, "ns");
	CHECK(t->by_line);
	CHECK_INT(t->nodes.n, 1);
	CHECK_STR(t->nodes.at[0].name, "node");
	CHECK_INT(t->nodes.at[0].cpus.n, 2);
	CHECK_INT(t->processes.n, 1);
	CHECK_INT(t->processes.at[0].pid, 1);
	CHECK_INT(t->processes.at[0].app_id, 1);
	CHECK_INT(t->processes.at[0].rank, TRACE_NONE);
	CHECK_INT(t->threads.n, 2);
	CHECK_INT(t->threads.at[1].tid, 2);
	CHECK(t->threads.at[1].finished);
	CHECK_STR(t->streams.at[1].name, "b");
	CHECK_INT(t->streams.at[1].thread, 1);
	CHECK_INT(findings.list.n, 0);
	check_end(s);
}

TEST(declarations_fill_the_tables)
{
	struct source *s = open_text(
		"# a system\n"
		"node x.1 0:4 1:5   # two CPUs\n"
		"node y 0:0\n"
		"process 7 node x.1 app 2 rank 1/4\n"
		"process 8\r\n"
		"thread a tid 70 process 7 require ovni 1.1.0 require m 2\n"
		"thread b killed\n"
		"mark 3 stack \"a \\\"b\\\" \\\\\" 1 \"one\\n\" -2 \"two\"\n");
	const struct trace *t = &s->trace;

	CHECK_INT(t->nodes.n, 2);
	CHECK_STR(t->nodes.at[0].host, "x");
	CHECK_INT(t->nodes.at[0].cpus.at[1].phyid, 5);
	CHECK_INT(t->processes.at[0].node, 0);
	CHECK_INT(t->processes.at[0].app_id, 2);
	CHECK_INT(t->processes.at[0].rank, 1);
	CHECK_INT(t->processes.at[0].nranks, 4);
	CHECK_INT(t->processes.at[1].node, 1);
	CHECK_INT(t->threads.at[0].tid, 70);
	CHECK_INT(t->threads.at[0].process, 0);
	CHECK_INT(t->threads.at[1].tid, 2);
	CHECK_INT(t->threads.at[1].process, 1);
	CHECK(!t->threads.at[1].finished);
	CHECK_INT(t->requires.n, 2);
	CHECK_STR(t->requires.at[1].model, "m");
	CHECK_STR(t->requires.at[1].version, "2");
	CHECK_STR(t->marks.at[0].title, "a \"b\" \\");
	CHECK(t->marks.at[0].stack);
	CHECK_INT(t->marks.at[0].labels.at[1].value, -2);
	CHECK_STR(t->marks.at[0].labels.at[0].text, "one\n");
	CHECK_INT(findings.list.n, 0);
	check_end(s);
}

TEST(arguments_are_values)
{
	struct source *s = open_text("thread a\n"
				     "5 a X 1 -2 0xffffffffffffffff \"s\\0t\"\n"
				     "6 a Y+ id=0x10 label=\"two words\" # c\n"
				     "7 a Z\n");
	const struct event_class *c;
	struct event ev = check_next(s, 5, 0, 2);

	c = &s->trace.classes.at[ev.class];
	CHECK_STR(c->name, "X");
	CHECK(c->described && !c->jumbo);
	CHECK_INT(c->nfields, 4);
	CHECK_INT(c->field[0].type, FIELD_I64);
	CHECK_INT(c->field[3].type, FIELD_STR);
	CHECK(c->field[0].name == NULL);
	CHECK_INT(ev.value[1].i, -2);
	CHECK_INT(ev.value[2].i, -1);
	CHECK_STR(ev.value[3].s, "s");
	CHECK_INT(memcmp(ev.value[3].s, "s\0t", 4), 0);
	CHECK_INT(ev.size, 0);
	ev = check_next(s, 6, 0, 3);
	c = &s->trace.classes.at[ev.class];
	CHECK_STR(c->name, "Y");
	CHECK(c->described && c->jumbo);
	CHECK_STR(c->field[0].name, "id");
	CHECK_STR(c->field[1].name, "label");
	CHECK_INT(ev.value[0].i, 16);
	CHECK_STR(ev.value[1].s, "two words");
	ev = check_next(s, 7, 0, 4);
	CHECK_INT(s->trace.classes.at[ev.class].nfields, 0);
	CHECK(s->trace.classes.at[ev.class].described);
	check_end(s);
}

TEST(raw_payload_is_bytes)
{
	struct source *s = open_text("thread a\n0 a X :01:fF:80\n0 a X+ :00\n");
	struct event ev = check_next(s, 0, 0, 2);

	CHECK(!s->trace.classes.at[ev.class].described);
	CHECK(ev.value == NULL);
	CHECK_INT(ev.size, 3);
	CHECK_INT(memcmp(ev.data, "\x01\xff\x80", 3), 0);
	ev = check_next(s, 0, 0, 3);
	CHECK_INT(ev.size, 1);
	CHECK(s->trace.classes.at[ev.class].jumbo);
	check_end(s);
}

TEST(a_class_is_name_jumbo_and_fields)
{
	static const uint32_t want[] = { 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0 };
	struct source *s = open_text("thread a\n"
				     "0 a X 1\n"
				     "0 a X 2\n"
				     "0 a X+ 1\n"
				     "0 a X \"1\"\n"
				     "0 a X i=1\n"
				     "0 a X j=1\n"
				     "0 a X 1 1\n"
				     "0 a X\n"
				     "0 a X :01\n"
				     "0 a Y 1\n"
				     "0 a X 3\n");

	for (int i = 0; i < 11; i++)
		CHECK_INT(check_next(s, 0, 0, i + 2).class, want[i]);
	CHECK_INT(s->trace.classes.n, 9);
	check_end(s);
}

TEST(threads_are_merged_by_time_then_line)
{
	struct source *s = open_text("thread a\n1 a X\n5 a X\n9 a X\n"
				     "thread b\n0 b X\n5 b X\n5 b X\n");

	check_next(s, 0, 1, 6);
	check_next(s, 1, 0, 2);
	check_next(s, 5, 0, 3);
	check_next(s, 5, 1, 7);
	check_next(s, 5, 1, 8);
	check_next(s, 9, 0, 4);
	check_end(s);
}

TEST(time_that_goes_back_is_a_finding)
{
	struct source *s = open_text("thread a\n8 a X\n5 a Y\n9 a X\n");
	char text[200];

	CHECK_INT(findings.count[FINDING_ERROR], 1);
	finding_text(&findings.list.at[0], text, sizeof text);
	CHECK(strstr(text, "line 3: thread a: clock goes backwards 8 -> 5"));
	check_next(s, 8, 0, 2);
	check_next(s, 8, 0, 3);
	check_next(s, 9, 0, 4);
	check_end(s);
}

TEST(expect_goes_to_the_next_empty_line)
{
	struct source *s = open_text("thread a\nexpect a x\n10 \"what ever\n"
				     "# still\n \t\n3 a X\nexpect b\n4 b");

	check_next(s, 3, 0, 6);
	check_end(s);
}

TEST(clock_table_moves_the_nodes)
{
	const char *text = "node x 0:0\nnode y 0:0\nprocess 1 node x\n"
			   "process 2 node y\nthread a process 1\n"
			   "thread b process 2\n5 a X\n6 b X\n";
	char table[] = "/tmp/weft-text-clock-XXXXXX";
	int fd = mkstemp(table);
	struct source *s;

	CHECK(fd >= 0 && write(fd, "h\n0 x 4 0 0\n1 y -7 0 0\n", 23) == 23);
	close(fd);
	s = open_bytes(text, strlen(text), table);
	CHECK(s != NULL);
	CHECK_INT(findings.count[FINDING_ERROR], 1); /* 6 - 7 < 0 */
	check_next(s, 0, 1, 8);
	check_next(s, 9, 0, 7);
	check_end(s);
	unlink(table);
	CHECK(open_bytes(text, strlen(text), table) == NULL);
	CHECK_INT(err.kind, ERR_SYSTEM);
	unlink(path);
}

TEST(same_tid_makes_a_stream_of_nobody)
{
	struct source *s = open_text("thread a tid 4\nthread b tid 4\n1 b X\n");

	CHECK_INT(s->trace.threads.n, 1);
	CHECK_INT(s->trace.streams.at[1].thread, TRACE_NONE);
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	check_next(s, 1, 1, 3);
	check_end(s);
}

TEST(progress_reaches_the_total)
{
	struct source *s = open_text("thread a\n1 a X\n2 a X\n");
	uint64_t done, total;

	source_progress(s, &done, &total);
	CHECK_INT(done, 0);
	CHECK_INT(total, 21);
	check_next(s, 1, 0, 2);
	check_next(s, 2, 0, 3);
	source_progress(s, &done, &total);
	CHECK_INT(done, 21);
	check_end(s);
}

/* clang-format off */
static const struct {
	const char *text, *want;
} syntax[] = {
	{ "", "no thread is declared in it, begin with a line: thread NAME" },
	{ "# nothing\n", "no thread is declared in it, begin with a line: thread NAME" },
	{ "tread a\n",
	  "line 1: column 1: expected node, process, thread, mark, expect "
	  "or a time" },
	{ "\n  node\n", "line 2: column 7: expected the name of the node" },
	{ "node a 0\n", "line 1: column 9: expected : and a CPU's phyid" },
	{ "node a 0:\n", "line 1: column 10: expected the phyid of a CPU" },
	{ "node a x\n", "line 1: column 8: expected the index of a CPU" },
	{ "node a\nnode a\n",
	  "line 2: column 6: expected a new name, a is known" },
	{ "thread a\nnode b\n",
	  "line 2: column 6: expected no node: the default node is in use" },
	{ "process\n", "line 1: column 8: expected a pid" },
	{ "process 1x\n", "line 1: column 10: expected the end of a pid" },
	{ "process 1 node x\n",
	  "line 1: column 16: expected a node declared above" },
	{ "process 1 app\n",
	  "line 1: column 14: expected an application id" },
	{ "process 1 rank 1\n",
	  "line 1: column 17: expected / and the number of ranks" },
	{ "process 1 rank 1/\n",
	  "line 1: column 18: expected the number of ranks" },
	{ "process 1 rnk\n",
	  "line 1: column 11: expected node, app, rank or the end of the "
	  "line" },
	{ "thread a\nprocess 2\n",
	  "line 2: column 9: expected no process: the default process is in use" },
	{ "thread\n", "line 1: column 7: expected the name of the thread" },
	{ "thread a\nthread a\n",
	  "line 2: column 8: expected a new name, a is known" },
	{ "thread a tid\n", "line 1: column 13: expected a tid" },
	{ "thread a process 3\n",
	  "line 1: column 18: expected a process declared above" },
	{ "thread a require\n",
	  "line 1: column 17: expected the name of a model" },
	{ "thread a require b\n",
	  "line 1: column 19: expected the version of the model" },
	{ "thread a pid 4\n",
	  "line 1: column 10: expected tid, process, require, killed, "
	  "no-breakdown or the end of the line" },
	{ "mark x\n", "line 1: column 6: expected the type of a mark" },
	{ "mark 1 double\n",
	  "line 1: column 8: expected single or stack" },
	{ "mark 1 stack t\n",
	  "line 1: column 14: expected the title of the mark in quotes" },
	{ "mark 1 stack \"t\" a\n",
	  "line 1: column 18: expected a value of the mark" },
	{ "mark 1 stack \"t\" 1\n",
	  "line 1: column 19: expected its label in quotes" },
	{ "thread a\n1\n", "line 2: column 2: expected the name of a thread" },
	{ "thread a\n1 b X\n",
	  "line 2: column 3: expected a thread declared above" },
	{ "thread a\n1 a\n", "line 2: column 4: expected the name of an event" },
	{ "thread a\n1 a +\n", "line 2: column 5: expected a name before +" },
	{ "thread a\n99999999999999999999 a X\n",
	  "line 2: column 1: expected a time of 64 bits" },
	{ "thread a\n1 a X b\n",
	  "line 2: column 7: expected a number, a string or :raw:bytes" },
	{ "thread a\n1 a X b=\n",
	  "line 2: column 9: expected a number, a string or :raw:bytes" },
	{ "thread a\n1 a X \"b\n",
	  "line 2: column 9: expected the closing quote" },
	{ "thread a\n1 a X \"\\x\"\n",
	  "line 2: column 9: expected one of \" \\ n 0 after \\" },
	{ "thread a\n1 a X :0\n", "line 2: column 8: expected two hex digits" },
	{ "thread a\n1 a X :00x\n",
	  "line 2: column 10: expected : or a blank after the byte" },
	{ "thread a\n1 a X :00 1\n",
	  "line 2: column 11: expected nothing after the raw payload" },
	{ "thread a\n1 a X 1 :00\n",
	  "line 2: column 9: expected a number, a string or :raw:bytes" },
	{ "thread a\n1 a X 0x\n",
	  "line 2: column 8: expected the end of a number, a string or "
	  ":raw:bytes" },
	{ "thread a\n1 a X 0x1ffffffffffffffff\n",
	  "line 2: column 7: expected a number, a string or :raw:bytes of 64 "
	  "bits" },
	{ "thread \x01\n", "line 1: column 8: expected the name of the thread" },
};
/* clang-format on */

TEST(mistakes_are_named_with_line_and_column)
{
	for (size_t i = 0; i < sizeof syntax / sizeof syntax[0]; i++)
		check_syntax(syntax[i].text, syntax[i].want);
}

TEST(an_event_has_a_limit_of_arguments)
{
	char text[400] = "thread a\n1 a X";
	size_t n = strlen(text);
	struct source *s;

	for (int i = 0; i < 64; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, " %d", i);
	s = open_text(text);
	CHECK_INT(check_next(s, 1, 0, 2).value[63].i, 63);
	check_end(s);
	memcpy(text + n, " 64", 4);
	check_syntax(text, "line 2: column 189: expected at most 64 arguments");
}

TEST(a_word_has_a_limit_of_bytes)
{
	char text[4200] = "thread ";
	struct source *s;

	memset(text + 7, 'x', 4097);
	check_syntax(text, "line 1: column 8: expected at most 4096 bytes");
	text[7 + 4096] = '\0';
	s = open_text(text);
	CHECK_INT(strlen(s->trace.streams.at[0].name), 4096);
	source_close(s);
}

TEST(what_is_no_trace_is_refused)
{
	struct source_options options = { 0 };

	err = (struct err){ 0 };
	CHECK(!sources_open(&arena, "/nonexistent", &options, &findings, &err));
	CHECK_STR(err.text,
		"/nonexistent: cannot be found, check the path: No such file "
		"or "
		"directory");
	err = (struct err){ 0 };
	CHECK(!sources_open(&arena, "/dev/null", &options, &findings, &err));
	CHECK(strstr(err.text, "no readable trace here") != NULL);
}

TEST(an_empty_folder_is_refused)
{
	struct source_options options = { 0 };
	char dir[] = "/tmp/weft-empty-XXXXXX";

	err = (struct err){ 0 };
	CHECK(mkdtemp(dir) != NULL);
	CHECK(!sources_open(&arena, dir, &options, &findings, &err));
	CHECK(strstr(err.text, "the directory is empty") != NULL);
	rmdir(dir);
}

static uint32_t
random_u32(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(*state >> 33);
}

/* Reads as much as possible. Returns whether the file was accepted. */
static bool
read_all(const char *text, size_t size)
{
	struct source *s = open_bytes(text, size, NULL);
	struct event ev;
	int64_t last = INT64_MIN;

	if (s == NULL) {
		CHECK(err.kind != ERR_NONE);
		return false;
	}
	while (source_next(s, &ev) == SOURCE_EVENT) {
		CHECK(ev.time >= last);
		CHECK(ev.class < (uint32_t)s->trace.classes.n);
		CHECK(ev.stream < (uint32_t)s->trace.streams.n);
		last = ev.time;
	}
	source_close(s);
	return true;
}

TEST(any_bytes_are_read_or_refused)
{
	static const char good[] =
		"node x 0:1 1:0\nprocess 3 node x app 2 rank 0/1\n"
		"thread a tid 5 process 3 require ovni 1.1.0 killed\n"
		"mark 1 stack \"title\" 1 \"one\" -2 \"two\"\n"
		"0 a OHx 0 -1 0\n10 a 6Yc+ id=1 label=\"a \\\"b\\\"\\n\"\n"
		"20 a 6Tc :01:00:00:00\nexpect a b\n10 c\n\n30 a X 0x1f # c\n";
	static const char bytes[] = "\n \t\"\\:=+-#0x9fa\0\xff";
	uint64_t state = 1;
	int accepted = 0;

	for (int i = 0; i < 2000; i++) {
		char text[sizeof good];
		size_t n = sizeof good - 1;

		memcpy(text, good, sizeof good);
		for (uint32_t k = random_u32(&state) % 4; k > 0; k--)
			text[random_u32(&state) % n] =
				bytes[random_u32(&state) % sizeof bytes];
		if (random_u32(&state) % 8 == 0)
			n = random_u32(&state) % n;
		accepted += read_all(text, n);
	}
	unlink(path);
	CHECK(accepted > 100);
	arena_fini(&arena);
}

TEST_MAIN(RUN(defaults_make_a_small_system), RUN(declarations_fill_the_tables),
	RUN(arguments_are_values), RUN(raw_payload_is_bytes),
	RUN(a_class_is_name_jumbo_and_fields),
	RUN(threads_are_merged_by_time_then_line),
	RUN(time_that_goes_back_is_a_finding),
	RUN(expect_goes_to_the_next_empty_line),
	RUN(clock_table_moves_the_nodes),
	RUN(same_tid_makes_a_stream_of_nobody), RUN(progress_reaches_the_total),
	RUN(mistakes_are_named_with_line_and_column),
	RUN(an_event_has_a_limit_of_arguments),
	RUN(a_word_has_a_limit_of_bytes), RUN(what_is_no_trace_is_refused),
	RUN(an_empty_folder_is_refused), RUN(any_bytes_are_read_or_refused))
