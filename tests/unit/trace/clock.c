/* SPDX-License-Identifier: MIT */
#include "trace/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "test.h"
#include "trace/trace.h"
#include "trace/wall.h"

#define HEADER "rank hostname offset_median offset_mean offset_std\n"

static struct arena arena;
static struct findings findings;
static bool strict;
static const char *boots; /* boot of the last node, or NULL */
static struct trace trace;
static char path[] = "/tmp/weft-clock-XXXXXX";

/* A trace with nodes n.0, n.1 and m, and the table of these bytes. */
static bool
read_bytes(const char *table, size_t size)
{
	struct err err = { 0 };
	int fd;
	bool ok;

	arena_fini(&arena);
	findings_init(&findings, &arena, 100);
	findings.strict = strict;
	trace_init(&trace, &arena, &findings);
	trace_add_node(&trace, "n.0");
	trace_add_node(&trace, "n.1");
	trace_add_node(&trace, "m");
	if (boots != NULL)
		wall_set_machine(&trace, 2, boots, 0);
	memset(path + strlen(path) - 6, 'X', 6);
	fd = mkstemp(path);
	CHECK(fd >= 0 && write(fd, table, size) == (ssize_t)size);
	close(fd);
	ok = clock_read(&trace, path, &err);
	unlink(path);
	return ok;
}

static void
check_good(const char *table, int64_t n, int64_t m)
{
	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.list.n, 0);
	CHECK_INT(trace.nodes.at[0].clock_offset, n);
	CHECK_INT(trace.nodes.at[1].clock_offset, n);
	CHECK_INT(trace.nodes.at[2].clock_offset, m);
}

/* Checks for one error with this text; node n still has this offset. */
static void
check_bad(const char *table, const char *want, int64_t n)
{
	char text[400] = "";

	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	CHECK_INT(findings.list.n, 1);
	if (findings.list.n > 0)
		finding_text(&findings.list.at[0], text, sizeof text);
	if (strstr(text, want) == NULL)
		CHECK_STR(text, want);
	CHECK_INT(trace.nodes.at[0].clock_offset, n);
}

TEST(median_is_added_to_all_nodes_of_the_host)
{
	check_good(HEADER "0 n 5 0 0\n1 m -7.9 1 2\n", 5, -7);
}

TEST(the_first_line_is_skipped_whatever_it_says)
{
	check_good("0 n 9 0 0\n0 n 5 0 0\n", 5, 0);
}

TEST(blanks_and_more_columns_do_no_harm)
{
	check_good("h\n\n  0\tn 5e3 0 0   \r\n\n", 5000, 0);
	check_good("h\n0 n 6 0 0 more words", 6, 0);
}

TEST(a_table_without_entries_is_an_error)
{
	check_bad("", "is empty", 0);
	check_bad("0 n 5 0 0\n", "has no entries", 0);
	check_bad("h\n\n \t\n", "has no entries", 0);
}

TEST(a_host_comes_once)
{
	check_bad("h\n0 n 5 0 0\n1 n 5 0 0\n",
		": line 3: host n has an offset in an earlier line", 5);
}

TEST(a_host_is_in_the_trace)
{
	check_bad(
		"h\n0 x.n 5 0 0\n", "line 2: host x.n is not in the trace", 0);
}

TEST(a_full_host_name_counts_up_to_its_first_dot)
{
	check_good("h\n0 n.example.org 5 0 0\n1 m.example.org 7 0 0\n", 5, 7);
	check_bad("h\n0 n.a 5 0 0\n1 n.b 6 0 0\n",
		"host n.b has an offset in an earlier line", 5);
}

TEST(strictly_a_host_is_as_in_the_trace)
{
	strict = true;
	check_bad(
		"h\n0 n.a 5 0 0\n", "line 2: host n.a is not in the trace", 0);
	strict = false;
}

TEST(columns_are_five_and_of_their_type)
{
	check_bad(
		"h\n0 m 5 0\n1 n 3 0 0\n", "line 2: 4 columns instead of 5", 3);
	check_bad("h\nx n 5 0 0\n", "the rank in column 1 is \"x\"", 0);
	check_bad("h\n1.5 n 5 0 0\n", "the rank in column 1", 0);
	check_bad("h\n0 n a 0 0\n", "column 3 is \"a\", not a number", 0);
	check_bad("h\n0 n 1 0 0x\n", "column 5 is \"0x\", not a number", 0);
}

TEST(an_offset_fits_a_clock)
{
	check_bad("h\n0 n nan 0 0\n", "the offset in column 3 is nan", 0);
	check_bad("h\n0 n 1e19 0 0\n", "the offset in column 3", 0);
	check_bad("h\n0 n -inf 0 0\n", "the offset in column 3", 0);
}

TEST(a_nul_byte_is_an_error)
{
	CHECK(read_bytes("h\n0 n 5 0 0\n\0\n0 m 5 0 0\n", 24));
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	CHECK_INT(trace.nodes.at[0].clock_offset, 5);
}

TEST(a_missing_table_cannot_be_read)
{
	struct err err = { 0 };

	CHECK(!clock_read(&trace, "/nonexistent/clock-offsets.txt", &err));
	CHECK_INT(err.kind, ERR_SYSTEM);
	arena_fini(&arena);
}

#define LINES "weft clocks 1\nreference r 1-2\n"

TEST(a_table_of_lines_gives_each_node_its_line)
{
	static const char table[] = LINES "m - 0 100 5 probe\n"
					  "m - 1000000000 300100 7 probe\n"
					  "n.example.org b 5 -9 -1 given\n";

	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.count[FINDING_ERROR], 0);
	CHECK_INT(findings.count[FINDING_WARNING], 0);
	CHECK_INT(clock_time(&trace.nodes.at[0], 50), 41);
	CHECK_INT(clock_time(&trace.nodes.at[1], 50), 41);
	CHECK_INT(clock_time(&trace.nodes.at[2], 0), 100);
	CHECK_INT(clock_time(&trace.nodes.at[2], 1000000000), 1000300100);
	CHECK_INT(clock_local(&trace.nodes.at[2], 1000300100), 1000000000);
}

TEST(the_reference_keeps_its_clock)
{
	static const char table[] = "weft clocks 1\nreference n.a.org x\n"
				    "m - 0 100 5 probe\n";

	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.list.n, 1); /* how exact they are */
	CHECK_INT(clock_time(&trace.nodes.at[0], 50), 50);
	CHECK_INT(clock_time(&trace.nodes.at[2], 50), 150);
}

TEST(a_boot_tells_machines_apart)
{
	static const char table[] = LINES "m b1 0 100 5 probe\n"
					  "m b2 0 200 5 probe\n"
					  "n - 0 7 5 probe\n";

	boots = "b2";
	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(clock_time(&trace.nodes.at[2], 50), 250);
	CHECK_INT(clock_time(&trace.nodes.at[0], 50), 57);
	boots = "b3";
	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	CHECK_INT(clock_time(&trace.nodes.at[2], 50), 50);
	boots = NULL;
	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.count[FINDING_WARNING], 1); /* which m? */
}

/* Checks for one error with this text in the table, whose other lines hold. */
static void
check_line(const char *line, const char *want)
{
	char table[400];
	int n = snprintf(table, sizeof table,
		LINES "m - 0 100 5 probe\n%sn - 0 3 1 probe\n", line);
	char text[400] = "";

	CHECK(read_bytes(table, (size_t)n));
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	for (int i = 0; i < findings.list.n; i++)
		if (findings.list.at[i].severity == FINDING_ERROR)
			finding_text(&findings.list.at[i], text, sizeof text);
	if (strstr(text, want) == NULL || strstr(text, "line 4") == NULL)
		CHECK_STR(text, want);
	CHECK_INT(clock_time(&trace.nodes.at[0], 0), 3);
	CHECK_INT(clock_time(&trace.nodes.at[2], 0), 100);
}

TEST(a_wrong_line_is_left_out)
{
	check_line("m - x 100 5 probe\n", "column 3 is \"x\"");
	check_line("m - 1 1e9 5 probe\n", "column 4 is \"1e9\"");
	check_line("m - 1 9223372036854775807 5 probe\n", "column 4");
	check_line("m - 1 1 -2 probe\n", "negative");
	check_line("m - 1 1 2 guess\n", "column 6 is \"guess\"");
	check_line("m - 1 1 2\n", "too few columns");
	check_line("m - 1 1 2 probe more\n", "too many columns");
	check_line("m - 0 1 2 probe\n", "not later than");
	check_line("m - -5 1 2 probe\n", "not later than");
	check_line("m - 1000000000 9000000 2 probe\n", "drift by more than");
	check_line("reference m -\n", "second reference");
}

TEST(a_table_of_lines_needs_a_reference)
{
	static const char table[] = "weft clocks 1\nm - 0 100 5 probe\n";

	CHECK(read_bytes(table, strlen(table)));
	CHECK_INT(findings.count[FINDING_ERROR], 1);
	CHECK_INT(clock_time(&trace.nodes.at[2], 0), 0);
}

TEST_MAIN(RUN(a_table_of_lines_gives_each_node_its_line),
	RUN(the_reference_keeps_its_clock), RUN(a_boot_tells_machines_apart),
	RUN(a_wrong_line_is_left_out), RUN(a_table_of_lines_needs_a_reference),
	RUN(median_is_added_to_all_nodes_of_the_host),
	RUN(the_first_line_is_skipped_whatever_it_says),
	RUN(blanks_and_more_columns_do_no_harm),
	RUN(a_table_without_entries_is_an_error), RUN(a_host_comes_once),
	RUN(a_host_is_in_the_trace),
	RUN(a_full_host_name_counts_up_to_its_first_dot),
	RUN(strictly_a_host_is_as_in_the_trace),
	RUN(columns_are_five_and_of_their_type), RUN(an_offset_fits_a_clock),
	RUN(a_nul_byte_is_an_error), RUN(a_missing_table_cannot_be_read))
