/* SPDX-License-Identifier: MIT */
/*
 * gen.c - writes ovni v3 traces of a known shape, for measurements.
 *
 * The files are written directly, because a tracing library would add its own
 * flush events with real clocks. Event k of thread t has clock 10^12 + t + 100
 * k ns, so a merge changes stream at every event.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>

#include "out.h"

#define EVENT_MAX 28 /* bytes of the longest event without jumbo data */
#define STREAMS_MAX 65536
#define EVENTS_MAX 1000000000
#define FIRST_TID 1000
#define FIRST_CLOCK UINT64_C(1000000000000)
#define TASK_TYPE 1
#define THREAD "%s/loom.host.0/proc.1/thread.%u"

/* The events of the threads between their start and their end. */
struct shape {
	const char *name, *help;
	const char *model, *version; /* required by every thread */
	const char *codes;           /* three letters per event, repeated */
	unsigned unit;               /* events after which stacks are empty */
	bool tasks; /* events name a task; each round uses another task */
};

/* clang-format off */
static const struct shape shapes[] = {
	{ "nanos6", "8 Nanos6 spans in turn, each pushed and popped",
	  "nanos6", "1.1.0",
	  "6W[6W]" "6S[6S]" "6Sa6SA" "6Ma6MA" "6Dr6DR" "6Bw6BW" "6U[6U]"
	  "6Wr6WR", 2, false },
	{ "nest", "the same 8 spans, pushed one in the other, then popped",
	  "nanos6", "1.1.0",
	  "6W[" "6S[" "6Sa" "6Ma" "6Dr" "6Bw" "6U[" "6Wr"
	  "6WR" "6U]" "6BW" "6DR" "6MA" "6SA" "6S]" "6W]", 16, false },
	{ "tasks", "tasks, each created, executed and ended",
	  "nanos6", "1.1.0", "6Tc" "6Tx" "6Te", 3, true },
	{ "nosv", "tasks of nOS-V, each created, executed and ended",
	  "nosv", "2.7.0", "VTc" "VTx" "VTe", 3, true },
	{ "live", "tasks that are created, and no more",
	  "nanos6", "1.1.0", "6Tc", 1, true },
};
/* clang-format on */

#define NSHAPES (sizeof shapes / sizeof *shapes)

struct gen {
	const struct shape *shape;
	unsigned nstreams;
	uint64_t nevents; /* of a stream, without its first and last event */
	const char *dir;
};

static void
usage(FILE *to)
{
	fprintf(to,
		"usage: gen --shape NAME --streams N --events M DIR\n"
		"Writes an ovni v3 trace into DIR: one process of N threads, "
		"thread t on CPU t,\nM events each between its start and its "
		"end. Numbers take k and M: 200k, 10M.\n\n"
		"  -s, --shape NAME   what the threads do:\n");
	for (size_t i = 0; i < NSHAPES; i++)
		fprintf(to, "                     %-8s %s\n", shapes[i].name,
			shapes[i].help);
	fprintf(to,
		"  -n, --streams N    threads, 1 to %d\n"
		"  -m, --events M     events a thread, 0 to %d\n"
		"  -h, --help         this text\n",
		STREAMS_MAX, EVENTS_MAX);
}

/* Flags and three letters as the first four bytes of an event. */
static uint32_t
head_of(unsigned flags, const char *code)
{
	const char bytes[4] = { (char)flags, code[0], code[1], code[2] };
	uint32_t head;

	memcpy(&head, bytes, sizeof head);
	return head;
}

static inline void
put_event(struct out *o, uint32_t head, uint64_t clock)
{
	out_put(o, &head, sizeof head);
	out_put(o, &clock, sizeof clock);
}

static void
put_start(struct out *o, unsigned t, uint64_t clock)
{
	const uint32_t cpu_and_tid[2] = { t, FIRST_TID + t };
	const uint64_t tag = 0;

	put_event(o, head_of(15, "OHx"), clock);
	out_put(o, cpu_and_tid, sizeof cpu_and_tid);
	out_put(o, &tag, sizeof tag);
}

/* Creates the type of all tasks, before the first event of any thread. */
static void
put_type(struct out *o, const struct shape *shape, uint64_t clock)
{
	const char code[] = { shape->codes[0], 'Y', 'c', '\0' };
	const struct {
		uint32_t size, id;
		char label[4];
	} type = { 8, TASK_TYPE, "gen" };

	put_event(o, head_of(0x13, code), clock);
	out_put(o, &type, sizeof type);
}

/* Appends the payload of an event of task k of thread t: the id, and the type
 * if `typed` is set; else for nOS-V the body, 0. Ids are assigned in the order
 * of time. */
static inline void
put_task(struct out *o, const struct gen *g, unsigned t, uint64_t k, bool typed)
{
	const uint32_t args[2] = { (uint32_t)(1 + t + k * g->nstreams),
		typed ? TASK_TYPE : 0 };

	out_put(o, args, typed || g->shape->codes[0] == 'V' ? 8 : 4);
}

/* Returns the flags of an event, which contain its payload size - 1: events
 * that create tasks and events of nOS-V have two numbers, other events one. */
static unsigned
flags_of(const struct shape *shape, const char *code)
{
	if (!shape->tasks)
		return 0;
	return code[2] == 'c' || code[0] == 'V' ? 7 : 3;
}

static void
write_events(const struct gen *g, unsigned t)
{
	struct out o;
	uint32_t head[64] = { 0 };
	size_t n = strlen(g->shape->codes) / 3, at = 0;
	uint64_t clock = FIRST_CLOCK + t, round = 0;

	for (size_t i = 0; i < n; i++)
		head[i] = head_of(flags_of(g->shape, g->shape->codes + 3 * i),
			g->shape->codes + 3 * i);
	out_open(&o, THREAD "/stream.obs", g->dir, FIRST_TID + t);
	out_put(&o, "ovni\1\0\0\0", 8);
	put_start(&o, t, clock);
	if (g->shape->tasks && t == 0)
		put_type(&o, g->shape, clock + 1);
	for (uint64_t k = 0; k < g->nevents; k++) {
		out_room(&o, EVENT_MAX);
		put_event(&o, head[at], clock += 100);
		if (g->shape->tasks)
			put_task(&o, g, t, round,
				g->shape->codes[3 * at + 2] == 'c');
		if (++at == n) {
			at = 0;
			round++;
		}
	}
	out_room(&o, EVENT_MAX);
	put_event(&o, head_of(0, "OHe"), clock + 100);
	out_close(&o);
}

static void
write_metadata(const struct gen *g, unsigned t)
{
	struct out o;

	out_open(&o, THREAD "/stream.json", g->dir, FIRST_TID + t);
	out_printf(&o, "{\n    \"version\": 3,\n    \"ovni\": {\n");
	out_printf(&o,
		"        \"lib\": { \"version\": \"1.14.0\", "
		"\"commit\": \"gen\" },\n        \"part\": \"thread\",");
	out_printf(&o,
		"\n        \"tid\": %u,\n        \"pid\": 1,\n"
		"        \"loom\": \"host.0\",\n        \"app_id\": 1,\n",
		FIRST_TID + t);
	out_printf(&o,
		"        \"require\": { \"ovni\": \"1.1.0\", \"%s\": \"%s\" "
		"},\n",
		g->shape->model, g->shape->version);
	if (t == 0) {
		out_printf(&o, "        \"loom_cpus\": [\n");
		for (unsigned i = 0; i < g->nstreams; i++)
			out_printf(&o,
				"            { \"index\": %u, \"phyid\": %u "
				"}%s\n",
				i, i, i + 1 < g->nstreams ? "," : "");
		out_printf(&o, "        ],\n");
	}
	out_printf(&o, "        \"finished\": 1\n    }\n}\n");
	out_close(&o);
}

static void
write_trace(const struct gen *g)
{
	char path[4096];

	if (mkdir(g->dir, 0777) != 0 && errno != EEXIST)
		bench_die(BENCH_COULD_NOT, "cannot create %s: %s", g->dir,
			strerror(errno));
	snprintf(path, sizeof path, "%s/loom.host.0", g->dir);
	if (access(path, F_OK) == 0)
		bench_die(BENCH_COULD_NOT,
			"%s holds a trace already; remove it first", g->dir);
	out_dir("%s", path);
	out_dir("%s/proc.1", path);
	for (unsigned t = 0; t < g->nstreams; t++) {
		out_dir(THREAD, g->dir, FIRST_TID + t);
		write_metadata(g, t);
		write_events(g, t);
	}
}

static const struct shape *
find_shape(const char *name)
{
	for (size_t i = 0; i < NSHAPES; i++)
		if (strcmp(shapes[i].name, name) == 0)
			return &shapes[i];
	bench_die(BENCH_USAGE, "no such shape: %s (see --help)", name);
}

static void
read_options(struct gen *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "shape", required_argument, NULL, 's' },
		{ "streams", required_argument, NULL, 'n' },
		{ "events", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	bool have_events = false;
	int c;

	while ((c = getopt_long(argc, argv, "s:n:m:h", options, NULL)) != -1) {
		if (c == 's') {
			g->shape = find_shape(optarg);
		} else if (c == 'n') {
			g->nstreams = (unsigned)bench_number(
				"--streams", optarg, 1, STREAMS_MAX);
		} else if (c == 'm') {
			g->nevents =
				bench_number("--events", optarg, 0, EVENTS_MAX);
			have_events = true;
		} else {
			usage(c == 'h' ? stdout : stderr);
			exit(c == 'h' ? 0 : BENCH_USAGE);
		}
	}
	if (g->shape == NULL || g->nstreams == 0 || !have_events ||
		optind + 1 != argc) {
		usage(stderr);
		exit(BENCH_USAGE);
	}
	g->dir = argv[optind];
}

int
main(int argc, char **argv)
{
	struct gen g = { 0 };

	read_options(&g, argc, argv);
	if (g.nevents % g.shape->unit != 0)
		bench_die(BENCH_USAGE, "--events of shape %s: a multiple of %u",
			g.shape->name, g.shape->unit);
	if (strlen(g.dir) > 3000)
		bench_die(BENCH_USAGE, "the name of the folder is too long");
	write_trace(&g);
	printf("streams %u\nevents %" PRIu64 "\n", g.nstreams,
		g.nstreams * (g.nevents + 2) + g.shape->tasks);
	return 0;
}
