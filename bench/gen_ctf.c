/* SPDX-License-Identifier: MIT */
/*
 * gen_ctf.c - writes CTF traces as Nanos6 does, for measurements: workers that
 * create, run and end small tasks, 14 events each.
 *
 * Events of worker t have clocks t + 100 k ns, so a merge changes stream at
 * every event. The metadata declares what occurs, with the ids of Nanos6 4.
 */
#include <stdbool.h>

#include "out.h"

#define EVENT_MAX 32
#define STREAMS_MAX 1024
#define TASK_TYPE 4
#define USER "%s/0/ctf/user"

/* Fields of an event: an unused byte; a thread; a task; a type and a task; a
 * label, its source and a type. */
enum fields { NOTHING, TID, TASK, TYPE_TASK, LABEL };

static const char *const tsdl[] = {
	[NOTHING] = "uint8_t _dummy;",
	[TID] = "uint16_t _tid;",
	[TASK] = "uint32_t _id;",
	[TYPE_TASK] = "uint16_t _type; uint32_t _id;",
	[LABEL] = "string _label; string _source; uint16_t _type;",
};

struct event {
	unsigned id;
	enum fields fields;
	const char *name;
};

/* clang-format off */
static const struct event round_of[] = {
	{ 15, TYPE_TASK, "oc:task_create_enter" },
	{ 16, NOTHING, "oc:task_create_exit" },
	{ 19, NOTHING, "oc:task_submit_enter" },
	{ 25, NOTHING, "dependency_register_enter" },
	{ 26, NOTHING, "dependency_register_exit" },
	{ 29, NOTHING, "scheduler_add_task_enter" },
	{ 30, NOTHING, "scheduler_add_task_exit" },
	{ 20, NOTHING, "oc:task_submit_exit" },
	{ 31, NOTHING, "scheduler_get_task_enter" },
	{ 32, NOTHING, "scheduler_get_task_exit" },
	{ 21, TASK, "task_start" },
	{ 24, NOTHING, "task_end" },
	{ 27, NOTHING, "dependency_unregister_enter" },
	{ 28, NOTHING, "dependency_unregister_exit" },
};

enum { CREATE, RESUME, SUSPEND, SHUTDOWN, NAME };

static const struct event others[] = {
	[CREATE] = { 2, TID, "thread_create" },
	[RESUME] = { 3, TID, "thread_resume" },
	[SUSPEND] = { 4, TID, "thread_suspend" },
	[SHUTDOWN] = { 5, TID, "thread_shutdown" },
	[NAME] = { 12, LABEL, "task_label" },
};
/* clang-format on */

#define NROUND (sizeof round_of / sizeof *round_of)
#define NOTHERS (sizeof others / sizeof *others)

static const char head[] =
	"/* CTF 1.8 */\n"
	"typealias integer { size = 8; align = 8; signed = false; } := "
	"uint8_t;\n"
	"typealias integer { size = 16; align = 8; signed = false; } := "
	"uint16_t;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := "
	"uint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := "
	"uint64_t;\n"
	"trace { major = 1; minor = 8; byte_order = le;\n"
	"\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n"
	"};\n"
	"clock { name = \"monotonic\"; freq = 1000000000; offset_s = 0; "
	"offset = 0; };\n"
	"typealias integer { size = 64; align = 8; signed = false;\n"
	"\tmap = clock.monotonic.value; } := uint64_clock_monotonic_t;\n"
	"stream { id = 1;\n"
	"\tpacket.context := struct { uint16_t cpu_id; };\n"
	"\tevent.header := struct { uint8_t id; uint64_clock_monotonic_t "
	"timestamp; };\n"
	"};\n";

struct gen {
	unsigned nstreams;
	uint64_t nrounds; /* of a stream */
	const char *dir;
};

static inline void
put_event(struct out *o, const struct event *e, uint64_t clock, uint32_t number)
{
	static const char label[] = "gen\0gen.c:1:1";
	const uint8_t id = (uint8_t)e->id, nothing = 0;
	const uint16_t type = TASK_TYPE;

	out_room(o, EVENT_MAX);
	out_put(o, &id, 1);
	out_put(o, &clock, 8);
	if (e->fields == NOTHING)
		out_put(o, &nothing, 1);
	if (e->fields == LABEL)
		out_put(o, label, sizeof label);
	if (e->fields == TYPE_TASK || e->fields == LABEL)
		out_put(o, &type, 2);
	if (e->fields == TID)
		out_put(o, &number, 2);
	if (e->fields == TASK || e->fields == TYPE_TASK)
		out_put(o, &number, 4);
}

static void
write_stream(const struct gen *g, unsigned t)
{
	struct out o;
	const uint32_t header[2] = { 0xc1fc1fc1u, 1 };
	const uint16_t cpu = (uint16_t)t;
	uint64_t clock = 1000 + t;
	uint32_t tid = 1000 + t;

	out_open(&o, USER "/channel_%u", g->dir, t);
	out_put(&o, header, sizeof header);
	out_put(&o, &cpu, sizeof cpu);
	put_event(&o, &others[CREATE], clock += 100, tid);
	put_event(&o, &others[RESUME], clock += 100, tid);
	put_event(&o, &others[NAME], clock += 100, 0);
	for (uint64_t k = 0; k < g->nrounds; k++) {
		uint32_t task = (uint32_t)(4 + t + k * g->nstreams);

		for (size_t i = 0; i < NROUND; i++)
			put_event(&o, &round_of[i], clock += 100, task);
	}
	put_event(&o, &others[SUSPEND], clock += 100, tid);
	put_event(&o, &others[SHUTDOWN], clock + 100, tid);
	out_close(&o);
}

static void
put_class(struct out *o, const struct event *e)
{
	out_printf(o,
		"event { name = \"nanos6:%s\"; id = %u; stream_id = 1; "
		"fields := struct { %s }; };\n",
		e->name, e->id, tsdl[e->fields]);
}

static void
write_metadata(const struct gen *g)
{
	struct out o;

	out_open(&o, USER "/metadata", g->dir);
	out_put(&o, head, sizeof head - 1);
	out_printf(&o,
		"env { domain = \"ust\"; nanos6_trace_version = 1; "
		"binary_name = \"gen\"; rank = \"0\"; nranks = \"0\"; "
		"external_thread_count = 0; pid = 1; cpu_list = \"");
	for (unsigned i = 0; i < g->nstreams; i++)
		out_printf(&o, i == 0 ? "%u" : ",%u", i);
	out_printf(&o, "\"; };\n");
	for (size_t i = 0; i < NOTHERS; i++)
		put_class(&o, &others[i]);
	for (size_t i = 0; i < NROUND; i++)
		put_class(&o, &round_of[i]);
	out_close(&o);
}

int
main(int argc, char **argv)
{
	struct gen g;
	uint64_t tasks;

	if (argc != 4)
		bench_die(BENCH_USAGE,
			"usage: gen-ctf STREAMS TASKS DIR (%zu events a task)",
			NROUND);
	g.nstreams = (unsigned)bench_number("STREAMS", argv[1], 1, STREAMS_MAX);
	tasks = bench_number("TASKS", argv[2], 0, 100000000);
	g.nrounds = tasks / g.nstreams;
	g.dir = argv[3];
	out_dir("%s", g.dir);
	out_dir("%s/0", g.dir);
	out_dir("%s/0/ctf", g.dir);
	out_dir("%s/0/ctf/user", g.dir);
	write_metadata(&g);
	for (unsigned t = 0; t < g.nstreams; t++)
		write_stream(&g, t);
	printf("events %llu\n",
		(unsigned long long)g.nstreams * (g.nrounds * NROUND + 5));
	return 0;
}
