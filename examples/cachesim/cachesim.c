/* SPDX-License-Identifier: MIT */
/*
 * cachesim.c - cores, caches and memory: see parts.h. It runs the addresses of
 * a real program, or those of a matrix product, and prints hits and times; with
 * -o, it stores what every component did.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

#define CORES_MAX 16

struct options {
	int cores, threads;
	uint64_t matrix;
	const char *lackey, *place;
	bool aggregate, spread;
};

struct machine {
	struct weft_sim_engine *e;
	struct weft_sim_wire l1_wire[CORES_MAX], wire, dram_wire;
	struct core core[CORES_MAX];
	struct cache l1[CORES_MAX], l2;
	struct dram dram;
	int cores;
};

static const struct weft_sim_clock ghz3 = { 3000000000, 1 },
				   ghz = { 1000000000, 1 };

static int
make_core(struct machine *m, int i)
{
	struct cache *l1 = &m->l1[i];
	struct weft_sim_wire *w = &m->l1_wire[i];
	char name[16];

	snprintf(name, sizeof name, "L1[%d]", i);
	core_init(&m->core[i], m->e, i, &ghz3);
	l1->ways = 4;
	l1->latency = 2;
	if (cache_init(l1, m->e, &ghz3, name, 8192) != 0)
		return -1;
	m->core[i].memory = &l1->top;
	l1->memory = &m->l2.top;
	weft_sim_wire_init(w, m->e, NULL, &ghz3, "CoreWire[%d]", i);
	weft_sim_plug(w, &m->core[i].port);
	weft_sim_plug(w, &l1->top);
	return weft_sim_plug(&m->wire, &l1->bottom);
}

static int
make(struct machine *m)
{
	m->l2.ways = 8;
	m->l2.latency = 10;
	m->l2.memory = &m->dram.port;
	if (cache_init(&m->l2, m->e, &ghz3, "L2", 65536) != 0)
		return -1;
	dram_init(&m->dram, m->e, &ghz);
	weft_sim_wire_init(&m->wire, m->e, NULL, &ghz3, "Wire");
	weft_sim_wire_init(&m->dram_wire, m->e, NULL, &ghz, "DRAMWire");
	for (int i = 0; i < m->cores; i++)
		if (make_core(m, i) != 0)
			return -1;
	weft_sim_plug(&m->wire, &m->l2.top);
	weft_sim_plug(&m->dram_wire, &m->l2.bottom);
	return weft_sim_plug(&m->dram_wire, &m->dram.port);
}

static void
print_cache(const char *name, const struct cache *c)
{
	printf("%-6s %10" PRIu64 " hits %10" PRIu64
	       " misses %5.1f %% %10" PRIu64 " written back\n",
		name, c->hits, c->misses,
		100 * (double)c->hits / (double)(c->hits + c->misses),
		c->write_backs);
}

static void
print_machine(const struct machine *m)
{
	for (int i = 0; i < m->cores; i++)
		print_cache(m->l1[i].ticker.handler.domain.name, &m->l1[i]);
	print_cache("L2", &m->l2);
	printf("DRAM   %10" PRIu64 " accesses %6" PRIu64 " in an open row\n",
		m->dram.accesses, m->dram.row_hits);
	printf("%.3f us, %" PRIu64 " events\n",
		(double)weft_sim_now(m->e) / 1e6, weft_sim_count(m->e));
}

/* What tracers count while the simulation runs. */
struct sums {
	struct weft_tracer_busy_time dram;
	struct weft_tracer_average_time read;
	struct weft_tracer_step_count tags;
};

static void
attach_sums(struct machine *m, struct sums *s)
{
	weft_tracer_busy_time_init(&s->dram);
	weft_tracer_average_time_init(&s->read);
	weft_tracer_step_count_init(&s->tags);
	s->read.tracer.kind = "req_out";
	s->read.tracer.what = "read";
	weft_task_collect(&m->dram.ticker.handler.domain, &s->dram.tracer);
	weft_task_collect_all(m->e, "Core[?]", &s->read.tracer);
	weft_task_collect_all(m->e, "*", &s->tags.tracer);
}

static void
print_sums(const struct machine *m, const struct sums *s)
{
	int64_t now = weft_sim_now(m->e);
	const char *name;

	printf("DRAM was busy for %.1f %% of the time\n",
		100 * (double)weft_tracer_busy_time_at(&s->dram, now) /
			(double)now);
	printf("reads of cores take %.2f ns, the median %.2f, the slowest "
	       "%.2f\n",
		weft_tracer_average_time_mean(&s->read) / 1e3,
		(double)weft_tracer_average_time_percentile(&s->read, 50) / 1e3,
		(double)s->read.max / 1e3);
	for (uint32_t i = 0;
		(name = weft_tracer_step_count_name(&s->tags, i)) != NULL; i++)
		printf("tag %-9s %10" PRIu64 "\n", name,
			weft_tracer_step_count_of(&s->tags, name));
}

static bool
load(struct machine *m, const struct options *o)
{
	for (int i = 0; i < m->cores; i++) {
		if (o->lackey == NULL)
			trace_matrix(&m->core[i].trace, o->matrix, (uint64_t)i,
				(uint64_t)m->cores);
		else if (!trace_lackey(&m->core[i].trace, o->lackey))
			return false;
	}
	return true;
}

/* Stores the tasks of all components, and the messages in buffers. */
static void
attach_store(
	struct machine *m, struct weft_tracer_store *store, const char *place)
{
	weft_tracer_store_init(store, m->e, place); /* a fault was printed */
	for (int i = 0; i < m->cores; i++) {
		weft_task_port(&m->core[i].port);
		weft_task_port(&m->l1[i].bottom);
	}
	weft_task_port(&m->l2.top);
	weft_task_collect_all(m->e, "*", &store->tracer);
}

static void
print_fault(void *arg, enum weft_sim_fault kind, const char *text)
{
	(void)arg;
	(void)kind;
	fprintf(stderr, "cachesim: %s\n", text);
}

static int
run(const struct options *o)
{
	static struct machine m;
	static struct weft_tracer_store store;
	static struct sums sums;

	m.e = weft_sim_engine_open(
		&(struct weft_sim_setup){ .threads = o->threads,
			.spread = o->spread,
			.fault = print_fault });
	m.cores = o->cores;
	if (m.e == NULL || make(&m) != 0)
		return 3;
	if (!load(&m, o)) {
		fprintf(stderr, "cachesim: cannot read %s\n", o->lackey);
		return 3;
	}
	if (o->aggregate)
		attach_sums(&m, &sums);
	if (o->place != NULL)
		attach_store(&m, &store, o->place);
	weft_sim_run(m.e);
	print_machine(&m);
	if (o->aggregate)
		print_sums(&m, &sums);
	weft_sim_finish(m.e);
	weft_sim_engine_close(m.e);
	for (int i = 0; i < m.cores; i++) {
		free(m.core[i].trace.access);
		free(m.l1[i].line);
	}
	free(m.l2.line);
	return 0;
}

static const char usage[] =
	"usage: cachesim [-c CORES] [-t THREADS] [-s] [-m N | -l LACKEY] [-a]\n"
	"                [-o STORE]\n"
	"  -c CORES   1 to 16, which share the work (default: 1)\n"
	"  -t THREADS of the simulation; the results are the same (default: "
	"1)\n"
	"  -s         share even the shortest work among threads\n"
	"  -m N       the addresses of an N x N matrix product, N up to 1024\n"
	"             (default: 32)\n"
	"  -l LACKEY  those that valgrind --tool=lackey --trace-mem=yes wrote\n"
	"  -a         also print what tracers add up\n"
	"  -o STORE   where all tasks go: run.db, csv:FOLDER, mariadb://...\n";

int
main(int argc, char *argv[])
{
	struct options o = { .cores = 1, .threads = 1, .matrix = 32 };
	int c;

	while ((c = getopt(argc, argv, "c:t:m:l:o:as")) != -1) {
		switch (c) {
		case 'c':
			o.cores = atoi(optarg);
			break;
		case 't':
			o.threads = atoi(optarg);
			break;
		case 'm':
			o.matrix = strtoull(optarg, NULL, 10);
			break;
		case 'l':
			o.lackey = optarg;
			break;
		case 'o':
			o.place = optarg;
			break;
		case 'a':
			o.aggregate = true;
			break;
		case 's':
			o.spread = true;
			break;
		default:
			fputs(usage, stderr);
			return 2;
		}
	}
	if (o.cores < 1 || o.cores > CORES_MAX || o.matrix < 1 ||
		o.matrix > 1024 || optind != argc) {
		fputs(usage, stderr);
		return 2;
	}
	return run(&o);
}
