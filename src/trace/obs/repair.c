/* SPDX-License-Identifier: MIT */
#include "trace/obs/repair.h"

#include "base/arena.h"
#include "base/file.h"
#include "base/text.h"
#include "trace/obs/repair_copy.h"
#include "trace/obs/repair_meta.h"
#include "trace/trace.h"

struct repair {
	struct arena *arena;
	const struct trace *trace;
	const struct repair_options *options;
	struct repair_result *result;
	bool *listed; /* by node: a stream that lists its CPUs was written */
};

static const char *
target(const struct repair *r, const struct stream *s, const char *name)
{
	return arena_printf(
		r->arena, "%s/%s/%s", r->options->folder, s->name, name);
}

/* Returns what to do about the CPU list of the node: events may name CPUs that
 * no file lists. */
static enum repair_cpus
cpus_of(const struct repair *r, int node)
{
	const struct trace_node *n = &r->trace->nodes.at[node];

	for (int i = 0; i < n->cpus.n; i++)
		if (n->cpus.at[i].file == r->trace->path)
			return r->listed[node] ? CPUS_REMOVE : CPUS_REPLACE;
	return CPUS_KEEP;
}

static bool
write_meta(const struct repair *r, const struct stream *s, bool cut,
	struct err *err)
{
	const struct trace_thread *th = &r->trace->threads.at[s->thread];
	int node = r->trace->processes.at[th->process].node;
	struct arena scratch = { 0 };
	const struct repair_meta m = { .trace = r->trace,
		.stream = s,
		.cut = cut,
		.cpus = cpus_of(r, node),
		.done = r->options->done };
	bool ok = repair_meta(&scratch, &m, target(r, s, "stream.json"), err);

	r->listed[node] |= m.cpus == CPUS_REPLACE;
	arena_fini(&scratch);
	return ok;
}

static void
note_clocks(const struct repair *r, const struct stream *s, uint64_t n)
{
	if (n > 0)
		finding_file(r->options->done, FINDING_NOTE, s->file,
			"changed: %llu clock%s that went backwards or jumped "
			"by hours",
			(unsigned long long)n, text_plural(n));
}

static bool
write_stream(const struct repair *r, int i, struct err *err)
{
	const struct trace *t = r->trace;
	const struct stream *s = &t->streams.at[i];
	const struct repair_copy copy = { .stream = s,
		.index = i,
		.node = trace_node_of(t, s->thread),
		.edit = r->options->edit,
		.arg = r->options->arg,
		.done = r->options->done };
	const char *folder =
		arena_printf(r->arena, "%s/%s", r->options->folder, s->name);
	uint64_t clocks = r->result->clocks;
	bool cut;

	if (!file_mkdir(folder, err) ||
		!repair_copy(r->arena, &copy, target(r, s, "stream.obs"),
			r->result, &cut, err) ||
		!write_meta(r, s, cut, err))
		return false;
	r->result->streams++;
	note_clocks(r, s, r->result->clocks - clocks);
	return true;
}

bool
repair_trace(struct arena *a, const struct trace *t,
	const struct repair_options *options, struct repair_result *result,
	struct err *err)
{
	const struct repair r = { a, t, options, result,
		ARENA_ARRAY(a, bool, t->nodes.n) };

	*result = (struct repair_result){ 0 };
	for (int i = 0; i < t->streams.n; i++)
		if (t->streams.at[i].thread == TRACE_NONE)
			finding_file(options->done, FINDING_WARNING,
				t->streams.at[i].file,
				"lost: its metadata names no thread");
		else if (!write_stream(&r, i, err))
			return false;
	return true;
}
