/* SPDX-License-Identifier: MIT */
#include "trace/wall.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "obs_files.h"
#include "test.h"
#include "trace/source.h"

#define S INT64_C(1000000000)

static struct arena arena;
static struct findings findings;
static struct trace trace;

static void
start(void)
{
	findings_init(&findings, &arena, 100);
	trace_init(&trace, &arena, &findings);
	trace.path = "trace";
}

static int
add_process(const char *node)
{
	return trace_add_process(
		&trace, trace_add_node(&trace, node), 7, "a/stream.json");
}

/* Returns the i-th finding. */
static const char *
said(int i)
{
	static char text[500];

	snprintf(text, sizeof text, "nothing");
	if (i < findings.list.n)
		finding_text(&findings.list.at[i], text, sizeof text);
	return text;
}

static void
finish(void)
{
	trace_fini(&trace);
	arena_fini(&arena);
}

static void
snap(int process, int64_t monotonic, int64_t realtime)
{
	wall_add_snap(&trace, process,
		&(struct trace_snap){ monotonic, realtime, monotonic, 50 });
}

TEST(a_wall_clock_that_was_set_is_noted)
{
	int p;

	start();
	p = add_process("n");
	/* snapshots may come in any order; 900 ns do not count as a step */
	snap(p, 300 * S, 1900 * S + 900);
	snap(p, 100 * S, 1700 * S);
	snap(p, 200 * S, 1800 * S);
	snap(p, 400 * S, 1400 * S);
	wall_report(&trace, 90 * S);
	CHECK_INT(findings.list.n, 1);
	CHECK(strstr(said(0),
		      "the wall clock stepped by -600.000001 s between "
		      "210000000000 ns and 310000000000 ns") != NULL);
	CHECK_INT(findings.list.at[0].severity, FINDING_NOTE);
	finish();
}

TEST(the_snapshot_before_gives_the_time_of_day)
{
	int p, other, none;

	start();
	p = add_process("n");
	other = trace_add_process(&trace, 0, 8, "b");
	none = add_process("m");
	snap(p, 100 * S, 1700 * S);
	snap(p, 400 * S, 1400 * S);
	CHECK_INT(wall_time(&trace, p, 50 * S), 1650 * S);
	CHECK_INT(wall_time(&trace, p, 399 * S), 1999 * S);
	CHECK_INT(wall_time(&trace, p, 400 * S), 1400 * S);
	CHECK_INT(wall_time(&trace, other, 500 * S), 1500 * S);
	CHECK_INT(wall_time(&trace, none, 500 * S), TRACE_UNKNOWN);
	finish();
}

TEST(a_suspended_machine_is_reported_once)
{
	int p;

	start();
	p = add_process("n");
	for (int i = 0; i < 2; i++)
		wall_add_suspended(&trace, p,
			&(struct trace_suspended){ 5 * S, 6 * S, 3600 * S });
	wall_report(&trace, 5 * S);
	CHECK_INT(findings.list.n, 1);
	CHECK(strstr(said(0),
		      "the machine was suspended for 3600.000 s, which the "
		      "trace does not show, between 0 ns and 1000000000 ns") !=
		NULL);
	finish();
}

TEST(time_namespaces_of_one_boot_are_laid_together)
{
	int a, b, c;

	start();
	a = trace_add_node(&trace, "a");
	b = trace_add_node(&trace, "b");
	wall_set_machine(&trace, a, "boot", 0);
	wall_set_machine(&trace, b, "boot", 100 * S);
	CHECK(wall_is_one_machine(&trace));
	c = trace_add_node(&trace, "c");
	CHECK(!wall_is_one_machine(&trace));
	wall_set_machine(&trace, c, "another", 300 * S);
	CHECK(!wall_is_one_machine(&trace));
	wall_align(&trace);
	CHECK_INT(trace.nodes.at[a].clock_offset, 0);
	CHECK_INT(trace.nodes.at[b].clock_offset, -100 * S);
	CHECK_INT(trace.nodes.at[c].clock_offset, 0);
	finish();
}

static const char meta[] =
	"{\"version\": 3, \"ovni\": {\"lib\": {\"version\": \"1\", \"commit\": "
	"\"c\"}, \"part\": \"thread\", \"tid\": 1, \"pid\": 1, \"loom\": "
	"\"n\", \"app_id\": 1, \"require\": {\"ovni\": \"1.1.0\"}, "
	"\"loom_cpus\": [{\"index\": 0, \"phyid\": 0}], \"finished\": 1}%s}";

static void
write_meta(const char *weft)
{
	FILE *f = fopen("stream.json", "w");

	if (f == NULL)
		return;
	fprintf(f, meta, weft);
	fclose(f);
}

/* Reads the trace in this directory; start: receives the clocks of its first
 * event. */
static void
read_start(int64_t start[2])
{
	struct source_options options = { 0 };
	struct err err = { 0 };
	struct source *s;

	findings_init(&findings, &arena, 100);
	s = sources_open(&arena, ".", &options, &findings, &err);
	CHECK(s != NULL);
	start[0] = s == NULL ? 0 : s->trace.start_realtime;
	start[1] = s == NULL ? 0 : s->trace.start_monotonic;
	if (s != NULL)
		source_close(s);
}

TEST(a_trace_knows_when_it_began)
{
	char folder[] = "/tmp/weft-wall-XXXXXX";
	struct bytes_out b = { 0 };
	int64_t begin[2];

	CHECK(mkdtemp(folder) != NULL && chdir(folder) == 0);
	put_event(
		&b, "OHx", 150 * (uint64_t)S, (int32_t[4]){ 0, -1, 0, 0 }, 16);
	put_event(&b, "OHe", 160 * (uint64_t)S, NULL, 0);
	save(&b, "stream.obs");
	write_meta(", \"weft\": {\"clocks\": {\"boot\": \"b\", \"timens\": 0, "
		   "\"snap\": [[100000000000, 1700000000000, 5, 50]]}}");
	read_start(begin);
	CHECK_INT(begin[0], 1750 * S);
	CHECK_INT(begin[1], 150 * S);
	arena_fini(&arena);
	/* older traces lack these keys; damaged keys do no harm */
	write_meta("");
	read_start(begin);
	CHECK_INT(begin[0], TRACE_UNKNOWN);
	CHECK_INT(begin[1], 150 * S);
	arena_fini(&arena);
	write_meta(", \"weft\": {\"clocks\": {\"boot\": 3, \"snap\": [[1], 7, "
		   "{}, [1, 2, 3, -4], [9223372036854775807, "
		   "-9223372036854775808, 0, 9223372036854775807]]}, "
		   "\"suspended\": [[5, 4, 3], \"x\", [1, 2]]}");
	read_start(begin);
	CHECK_INT(begin[1], 150 * S);
	arena_fini(&arena);
	CHECK(unlink("stream.obs") == 0 && unlink("stream.json") == 0 &&
		chdir("/") == 0 && rmdir(folder) == 0);
}

TEST_MAIN(RUN(a_wall_clock_that_was_set_is_noted),
	RUN(the_snapshot_before_gives_the_time_of_day),
	RUN(a_suspended_machine_is_reported_once),
	RUN(time_namespaces_of_one_boot_are_laid_together),
	RUN(a_trace_knows_when_it_began))
