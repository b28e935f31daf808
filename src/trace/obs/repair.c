/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"
#include "base/text.h"
#include "trace/finding.h"
#include "trace/obs/repair_scan.h"
#include "trace/obs/repair_walk.h"

#define WINDOWS_BYTES (1u << 20) /* of all streams together */
#define WINDOW_MIN (4u << 10)
#define OPEN_MAX 256

/* What is decided for a node as a whole. */
struct cpus {
	enum repair_cpus what;
	const struct trace_cpu *cpu;
	int n;
	bool listed; /* by a stream that was written */
};

static void
note_thread(const struct repair *r, const struct repair_thread *th, uint64_t n,
	const char *fmt)
{
	if (n > 0)
		finding_add(r->options->done,
			(struct finding){ .severity = FINDING_NOTE,
				.file = th->stream->file,
				.offset = FINDING_NOWHERE,
				.time = FINDING_NEVER },
			fmt, (unsigned long long)n);
}

static void
note_threads(const struct repair *r)
{
	for (int i = 0; i < r->trace->streams.n; i++) {
		const struct repair_thread *th = &r->threads[i];

		note_thread(r, th, th->evicted,
			"inferred: moves to the virtual CPU, because another "
			"thread runs on the thread's own: %llu");
		note_thread(r, th, th->tasks,
			"inferred: tasks of an unknown type, because what "
			"created them is lost: %llu");
		note_thread(r, th, th->dropped,
			"left out: events that contradict what is known: %llu");
	}
}

/* Bit i: some thread requires model i. */
static uint32_t
required(const struct repair *r)
{
	uint32_t bits = 0;

	for (int i = 0; i < r->trace->requires.n; i++)
		for (int j = 0; j < r->options->nmodels; j++)
			if (strcmp(r->trace->requires.at[i].model,
				    r->options->model[j].name) == 0)
				bits |= UINT32_C(1) << j;
	return bits;
}

/* The CPUs 0..n-1: those that are known, and what is missing between. */
static struct cpus
decide_cpus(const struct repair *r, int node)
{
	const struct trace_node *from = &r->trace->nodes.at[node];
	struct cpus cpus = { .what = CPUS_REPLACE };

	if (!r->lacks_tables)
		return (struct cpus){ .what = CPUS_KEEP };
	cpus.cpu = trace_fill_cpus(
		r->arena, from, r->nodes[node].top_cpu, &cpus.n);
	if (cpus.n == from->cpus.n)
		cpus.what = CPUS_KEEP;
	return cpus;
}

/* Marks that are used here and that no thread declares. */
static const uint8_t *
undeclared(const struct repair *r, const struct repair_thread *th)
{
	uint8_t *mark = ARENA_ARRAY(r->arena, uint8_t, REPAIR_MARKS);

	for (int type = 0; type < REPAIR_MARKS && r->lacks_tables; type++) {
		if (th->mark[type] == 0)
			continue;
		for (int i = 0; i < r->trace->streams.n; i++)
			if (r->threads[i].mark[type] > mark[type])
				mark[type] = r->threads[i].mark[type];
	}
	for (int i = 0; i < r->trace->marks.n; i++)
		mark[r->trace->marks.at[i].type] = 0;
	return mark;
}

static const char *
target(const struct repair *r, const struct stream *s, const char *name)
{
	return arena_printf(
		r->arena, "%s/%s/%s", r->options->folder, s->name, name);
}

static bool
write_meta(const struct repair *r, const struct repair_thread *th,
	struct cpus *cpus, struct err *err)
{
	const struct trace_process *process =
		&r->trace->processes.at[th->process];
	struct arena scratch = { 0 };
	struct repair_meta m = {
		.stream = th->stream,
		.loom = r->trace->nodes.at[th->node].name,
		.pid = process->pid,
		.tid = th->tid,
		.model = r->options->model,
		.nmodels = r->options->nmodels,
		.used = r->lacks_tables ? th->used : 0,
		.orphan = ~required(r),
		.cpus = cpus->listed ? CPUS_REMOVE : cpus->what,
		.cpu = cpus->cpu,
		.ncpus = cpus->n,
		.app_id = process->app_id == 0 ? 1
			: th->stream->by_name  ? process->app_id
					       : 0,
		.mark = undeclared(r, th),
		.done = r->options->done,
	};
	bool ok = repair_meta(
		&scratch, &m, target(r, th->stream, "stream.json"), err);

	cpus->listed = cpus->what == CPUS_REPLACE;
	arena_fini(&scratch);
	return ok;
}

static bool
write_stream(const struct repair *r, const struct repair_thread *th,
	struct cpus *cpus, struct repair_result *result, struct err *err)
{
	const struct repair_copy copy = { th->stream, &th->edits,
		r->trace->nodes.at[th->node].clock_offset, th->tid };
	const char *folder = arena_printf(
		r->arena, "%s/%s", r->options->folder, th->stream->name);
	uint64_t clocks = result->clocks;

	if (!file_mkdir(folder, err) ||
		!repair_copy(r->arena, &copy,
			target(r, th->stream, "stream.obs"), result, err) ||
		!write_meta(r, th, cpus, err))
		return false;
	result->streams++;
	note_thread(r, th, result->clocks - clocks,
		"changed: clocks that are less than the one before, or hours "
		"off: %llu");
	return true;
}

static bool
write_all(const struct repair *r, struct repair_result *result, struct err *err)
{
	const struct trace *t = r->trace;
	struct cpus *cpus = ARENA_ARRAY(r->arena, struct cpus, t->nodes.n);

	for (int i = 0; i < t->nodes.n; i++)
		cpus[i] = decide_cpus(r, i);
	for (int i = 0; i < t->streams.n; i++) {
		const struct repair_thread *th = &r->threads[i];

		if (th->node == TRACE_NONE)
			finding_file(r->options->done, FINDING_WARNING,
				th->stream->file,
				"lost: its metadata names no thread");
		else if (!write_stream(r, th, &cpus[th->node], result, err))
			return false;
	}
	return true;
}

bool
repair_trace(struct arena *a, const struct trace *t,
	const struct repair_options *options, struct repair_result *result,
	struct err *err)
{
	struct repair r = { .arena = a, .trace = t, .options = options };
	bool ok;

	BUG_ON(options->nmodels > 32);
	r.lacks_tables = trace_lacks_tables(t);
	*result = (struct repair_result){ 0 };
	findings_init(&r.quiet, NULL, 0);
	repair_scan(&r);
	r.window = WINDOWS_BYTES / (size_t)(t->streams.n + 1);
	if (r.window < WINDOW_MIN)
		r.window = WINDOW_MIN;
	r.keep_open = t->streams.n <= OPEN_MAX;
	repair_walk(&r);
	note_threads(&r);
	ok = write_all(&r, result, err);
	repair_scan_fini(&r);
	return ok;
}
