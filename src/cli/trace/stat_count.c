/* SPDX-License-Identifier: MIT */
#include "cli/trace/stat_count.h"

#include "cli/trace/record_trace.h"
#include "emu/model.h"
#include "emu/system.h"
#include "export/index/index.h"
#include "export/stat/kept.h"
#include "export/stat/stat.h"

/* Returns false if the model has no tasks. */
static bool
task_chans(const struct model *m, struct task_chans *to)
{
	if (m->tasks != NULL)
		*to = (struct task_chans){ m->tasks->id, m->tasks->type };
	else if (m->told != NULL)
		*to = *m->told;
	return m->tasks != NULL || m->told != NULL;
}

/* Returns the types in which the models show their tasks. */
static const struct stat_tasks *
task_types(struct pipeline *r)
{
	const struct model *const *all = pipeline_models(r);
	struct arena *a = &r->arena;
	int n = 0;
	struct stat_tasks *tasks;

	while (all[n] != NULL)
		n++;
	tasks = ARENA_ARRAY(a, struct stat_tasks, n + 1);
	n = 0;
	for (const struct model *const *m = all; *m != NULL; m++) {
		struct task_chans c;

		if (!task_chans(*m, &c))
			continue;
		tasks[n].id = arena_printf(
			a, "%s.%s", (*m)->name, (*m)->chans[c.id].key);
		tasks[n++].type = arena_printf(
			a, "%s.%s", (*m)->name, (*m)->chans[c.type].key);
	}
	return tasks;
}

/* The type that shows whether a thread is alive. */
static const struct stat_life life = { "ovni.state",
	{ THREAD_UNKNOWN, THREAD_DEAD } };

static const struct stat_life *
life_of(const struct pipeline *r)
{
	return r->records != NULL && !record_trace_has_life(r->records) ? NULL
									: &life;
}

/* The types that show whether a virtual CPU stands for a real one. */
static const struct stat_virtual virtual = { "ovni.running", "ovni.tid" };

/* Returns the types that are always counted, whether they are shown or not. */
static const char *
needed_types(struct pipeline *r, const struct stat_tasks *tasks)
{
	const char *list = arena_printf(
		&r->arena, "%s,%s,%s", life.key, virtual.running, virtual.lost);

	for (; tasks != NULL && tasks->id != NULL; tasks++)
		list = arena_printf(
			&r->arena, "%s,%s,%s", list, tasks->id, tasks->type);
	return list;
}

bool
stat_count_resolve(struct pipeline *r, struct err *err)
{
	struct err again = { 0 };

	if (pipeline_resolve_filter(r, err))
		return true;
	if (r->filter.types == NULL || r->breakdown || r->tasks != NULL)
		return false;
	r->breakdown = true;
	return pipeline_resolve_filter(r, &again);
}

/* Returns true if an index keeps the sums of this pipeline: all rows and types
 * of the whole trace, emulated without an option that adds or changes any. It
 * does not keep which of several traces has a row or type. */
static bool
is_kept(const struct pipeline *r)
{
	return r->npaths < 2 && !filter_args_any(&r->filter) &&
		r->filter.views == NULL && !r->breakdown && !r->strict &&
		r->compat < 0;
}

struct sink *
stat_count_beside(struct pipeline *r, struct sink *index, struct sink_bytes *to)
{
	struct stat_options options = { .ids = true,
		.tasks = task_types(r),
		.life = life_of(r),
		.virtual = &virtual,
		.dir = pipeline_spill_folder(r) };

	/* If the index has no findings, the trace has none either. */
	if (!is_kept(r) || r->max_findings <= 0)
		return index;
	return kept_beside(&r->arena, &options, index, to);
}

/* Tells a sink the rows, types and labels of an index. */
static void
declare(const struct index *ix, struct sink *to)
{
	const struct index_meta *m = index_meta(ix);

	for (uint32_t i = 0; i < m->nrows; i++)
		sink_row(to, &m->row[i].row);
	for (uint32_t i = 0; i < m->ntypes; i++) {
		const struct index_type *t = &m->type[i];

		sink_type(to, &t->type);
		for (int k = 0; k < t->nlabels; k++)
			sink_label(to, i, t->label[k].value, t->label[k].text,
				t->label[k].means);
	}
}

/* Returns a stat sink with the sums that the index keeps, or NULL. */
static struct sink *
restore(struct pipeline *r, const struct index *ix,
	const struct stat_options *options)
{
	struct sink_bytes kept = index_totals(ix, &r->arena);
	struct sink *stat;

	if (kept.n == 0)
		return NULL;
	stat = stat_open(&r->arena, options);
	declare(ix, stat);
	if (kept_restore(stat, kept.at, kept.n))
		return stat;
	sink_close(stat, &(struct err){ 0 });
	return NULL;
}

/* Fills in the report from the sums of the stat sink. */
static void
fill(struct pipeline *r, struct stat_report *report, struct sink *stat)
{
	report->arena = &r->arena;
	report->table = stat_result(stat);
	report->unit = r->source->trace.unit;
	report->from = r->filter.options.from;
	report->types = r->filter.types;
	report->models = r->filter.models;
	stat_report_choose(report);
}

struct sink *
stat_count(struct pipeline *r, struct stat_report *report,
	const struct stat_count_options *o, struct err *err)
{
	struct stat_options options = { .from = r->filter.options.from,
		.numbers = report->chosen,
		.ids = true,
		.slices = o->slices,
		.life = life_of(r),
		.virtual = &virtual,
		.dir = pipeline_spill_folder(r) };
	struct sink *stat, *sink;

	if (o->tasks)
		options.tasks = task_types(r);
	if (r->filter.types != NULL || r->filter.models != NULL)
		r->filter.needed = needed_types(r, options.tasks);
	if (o->index != NULL && is_kept(r) && o->slices == 0) {
		stat = restore(r, o->index, &options);
		if (stat != NULL) {
			fill(r, report, stat);
			return stat;
		}
	}
	stat = stat_open(&r->arena, &options);
	sink = filter_args_open(&r->filter, &r->arena, stat);
	if (!pipeline_emulate(r, sink, err)) {
		sink_close(sink, &(struct err){ 0 });
		return NULL;
	}
	fill(r, report, stat);
	return sink;
}
