/* SPDX-License-Identifier: MIT */
#include "cli/trace/pipeline.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/near.h"
#include "base/progress.h"
#include "base/text.h"
#include "cli/copy.h"
#include "cli/cpus.h"
#include "cli/trace/code_names.h"
#include "cli/trace/packed.h"
#include "cli/trace/piped.h"
#include "cli/trace/record_trace.h"
#include "cli/undo.h"
#include "emu/compat/compat.h"
#include "emu/ctf/declared.h"
#include "emu/enable.h"
#include "emu/gap_learn.h"
#include "emu/infer.h"
#include "emu/model.h"
#include "emu/part.h"
#include "export/order.h"
#include "export/queue.h"
#include "export/reader.h"
#include "export/sinks.h"

#define WINDOW_STEP 8192 /* events between two looks at the clock */

enum exit_code
pipeline_unable(const struct err *err)
{
	log_error("%s", err->text);
	return err->kind == ERR_USAGE ? EXIT_USAGE : EXIT_UNABLE;
}

enum exit_code
pipeline_unable_output(const struct err *err)
{
	log_error("%s%s", err->text,
		err->kind == ERR_SYSTEM ? "; -o DIR writes elsewhere" : "");
	return err->kind == ERR_USAGE ? EXIT_USAGE : EXIT_UNABLE;
}

/* Prints an error whose later lines show the line of a file. */
static void
say_lines(const char *text)
{
	size_t n = strcspn(text, "\n");

	log_error("%.*s", (int)n, text);
	if (text[n] != '\0')
		fprintf(stderr, "%s\n", text + n + 1);
}

bool
pipeline_read_models(struct arena *a, const char *files, struct model_list *to)
{
	struct err err = { 0 };

	if (files == NULL || model_file_read_all(a, to, files, &err))
		return true;
	say_lines(err.text);
	return false;
}

static struct emu_options
emu_options_of(struct pipeline *r)
{
	if (r->names == NULL && !r->strict && !r->no_names)
		r->names = code_names_open(&r->arena);
	return (struct emu_options){ .all_models = r->all_models,
		.breakdown = r->breakdown,
		.lint = r->lint,
		.quiet = r->quiet,
		.extra = r->models.model.at,
		.nextra = r->models.model.n,
		.errors = (enum emu_errors)r->errors,
		.known = r->gaps,
		.mends = r->mends,
		.names = r->names,
		.short_calls = r->short_calls,
		.part = r->part,
		.stop = &undo_noted };
}

/* Reads the trace once before the emulation: events after a gap reveal which
 * states were open before it. */
static void
learn_gaps(struct pipeline *r, const char *path, const struct source_options *o)
{
	struct emu_options options = emu_options_of(r);
	struct findings unsaid;
	struct source *again;

	findings_init(&unsaid, &r->arena, 0);
	again = sources_open(&r->arena, path, o, &unsaid, &(struct err){ 0 });
	if (again == NULL)
		return;
	if (trace_lacks_tables(&again->trace))
		infer_complete(again, o);
	infer_counters(&again->trace);
	if (!infer_is_same(&r->source->trace, &again->trace)) {
		source_close(again);
		return;
	}
	r->gaps = gap_notes_new(&r->arena);
	gap_learn(r->gaps, again, &options);
	source_close(again);
}

/* Returns the directory of the seek file, or NULL for none: the old commands
 * never wrote a seek file, and no command writes into a trace. */
static const char *
seek_folder(struct pipeline *r, const char *path)
{
	return r->no_seek || r->merge_all || log_has_old_words() ||
			copy_is_part(&r->arena, path)
		? NULL
		: copy_beside(&r->arena, path, ".weft");
}

static void
begin_findings(struct pipeline *r)
{
	findings_init(&r->findings, &r->arena,
		r->max_findings > INT32_MAX ? INT32_MAX : (int)r->max_findings);
	r->findings.strict = r->strict;
	/* Prints every repeated warning if the user gave --max-findings or
	 * --strict; the ovni tools do the same. */
	if (!r->strict &&
		(r->max_findings == RUN_FINDINGS ||
			r->max_findings == RUN_FINDINGS_CHECK))
		r->findings.few = FINDING_FEW;
}

/* Infers what the metadata of killed threads lack. */
static void
infer_metadata(struct pipeline *r, const char *path,
	const struct source_options *options)
{
	if (r->strict || r->reads_only)
		return;
	if (trace_lacks_tables(&r->source->trace))
		infer_complete(r->source, options);
	infer_counters(&r->source->trace);
	if (r->source->trace.nlost > 0)
		learn_gaps(r, path, options);
}

static int64_t
most_unpacked(const struct pipeline *r)
{
	return r->max_unpack > INT64_MAX >> 30 ? INT64_MAX
					       : r->max_unpack << 30;
}

/* Returns the path to read, unpacked if need be; NULL after printing an error.
 */
static const char *
unpack(struct pipeline *r, const char *path)
{
	bool several = false;

	path = packed_path(
		&r->arena, path, most_unpacked(r), &r->findings, &several);
	if (several)
		r->refused = EXIT_USAGE;
	return path;
}

const char *
pipeline_unpacked(const struct pipeline *r, const char *path)
{
	struct arena scratch = { 0 };
	struct findings unsaid;
	bool several;

	findings_init(&unsaid, &scratch, 0);
	path = packed_path(&scratch, path, most_unpacked(r), &unsaid, &several);
	arena_fini(&scratch);
	return path;
}

/* Opens the only input. */
static bool
open_one(struct pipeline *r, const char *path)
{
	struct err err = { 0 };
	struct source_options options = { .clock_table = r->clock_table,
		.heap_order = r->heap_order,
		.raw_clocks = r->raw_clocks,
		.merge_all = r->merge_all,
		.as_stored = r->as_stored,
		.unmerged = r->unmerged };
	struct source_options first;
	const char *given = path;

	if (r->takes_pipe && strcmp(path, "-") == 0)
		path = piped_open(&r->arena);
	if (path != NULL)
		path = unpack(r, path);
	if (path == NULL)
		return false;
	if (r->models.model.n == 0 &&
		!pipeline_read_models(&r->arena, r->model_files, &r->models))
		return false;
	if (r->plays_tasks && !pipeline_open_played(r, path, &err)) {
		log_error("%s", err.text);
		return false;
	}
	if (r->source != NULL)
		return true;
	first = options;
	first.seek = seek_folder(r, path);
	first.also = r->plays_tasks ? record_trace_known(&r->arena) : NULL;
	r->source = sources_open(&r->arena, path, &first, &r->findings, &err);
	if (r->source != NULL) {
		infer_metadata(r, path, &options);
		return true;
	}
	/* The findings so far explain more than the last error does. */
	pipeline_report(r);
	pipeline_say_unreadable(r, path, &err);
	if (err.kind == ERR_SEVERAL && path != given)
		r->refused = EXIT_USAGE;
	return false;
}

bool
pipeline_open(struct pipeline *r, const char *path)
{
	begin_findings(r);
	r->begins = TRACE_UNKNOWN;
	if (r->npaths > 1)
		return pipeline_open_inputs(r);
	if (!open_one(r, path))
		return false;
	pipeline_keep_files(r, path);
	return true;
}

enum exit_code
pipeline_closed(const struct pipeline *r)
{
	return r->refused != EXIT_YES ? r->refused : EXIT_UNABLE;
}

void
pipeline_take_paths(struct pipeline *r, char *const *paths, int n)
{
	r->paths = (const char *const *)paths;
	r->npaths = n;
}

struct sink *
pipeline_sinks(struct pipeline *r, const char *formats, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	struct sink *sink =
		sinks_open(&r->sink_arena, formats, dir, setup, err);

	return sink == NULL ? NULL : pipeline_queue(r, sink);
}

struct sink *
pipeline_queue(struct pipeline *r, struct sink *sink)
{
	return r->threads > 1 || (r->threads == 0 && cpus_one_is_free())
		? queue_open(&r->arena, sink)
		: sink;
}

void
pipeline_say_stopped(struct pipeline *r)
{
	bool fine = r->may_stop && undo_noted == SIGINT;

	r->stopped = true;
	undo_cut();
	finding_add(&r->findings,
		(struct finding){
			.severity = fine ? FINDING_NOTE : FINDING_ERROR,
			.file = r->source->trace.path,
			.offset = FINDING_NOWHERE,
			.time = r->duration },
		"interrupted: later events are left out");
}

struct emu *
pipeline_emu(
	struct pipeline *r, struct arena *a, struct sink *sink, struct err *err)
{
	struct emu_options options = emu_options_of(r);

	return emu_open(a, r->source, sink, &options, err);
}

const struct model *const *
pipeline_models(struct pipeline *r)
{
	VEC(const struct model *) all = { 0 };
	struct model_list more = { 0 };

	for (const struct model *const *m = models; *m != NULL; m++)
		VEC_PUSH(&all, &r->arena, *m);
	for (int i = 0; i < r->models.model.n; i++)
		VEC_PUSH(&more.model, &r->arena, r->models.model.at[i]);
	if (r->source != NULL)
		declared_models(&r->arena, &r->source->trace, &more);
	for (int i = 0; i < more.model.n; i++)
		VEC_PUSH(&all, &r->arena, more.model.at[i]);
	VEC_PUSH(&all, &r->arena, NULL);
	return all.at;
}

enum exit_code
pipeline_no_model(struct pipeline *r, const struct cmd *cmd, const char *name)
{
	struct near near = { .word = name };
	char hint[NEAR_HINT];

	for (const struct model *const *m = pipeline_models(r); *m != NULL; m++)
		near_try(&near, (*m)->name);
	return cmd_usage_error(cmd,
		"there is no model \"%s\"; 'weft models' lists them%s", name,
		near_said(&near, hint));
}

bool
pipeline_declare(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct findings unsaid; /* the emulation will find them again */
	struct arena scratch = { 0 };
	struct emu *emu;

	if (r->inputs != NULL)
		return pipeline_declare_inputs(r, sink, err);
	if (pipeline_declare_played(r, sink))
		return true;
	findings_init(&unsaid, &scratch, 0);
	unsaid.strict = r->findings.strict;
	r->source->trace.findings = &unsaid;
	emu = pipeline_emu(r, &scratch, sink, err);
	r->source->trace.findings = &r->findings;
	if (emu != NULL)
		emu_close(emu);
	arena_fini(&scratch);
	return emu != NULL;
}

static bool
declare_for_filter(void *arg, struct sink *sink, struct err *err)
{
	return pipeline_declare(arg, sink, err);
}

bool
pipeline_resolve_filter(struct pipeline *r, struct err *err)
{
	struct filter_trace trace = {
		.arena = &r->arena,
		.trace = &r->source->trace,
		.models = pipeline_models(r),
		.declare = declare_for_filter,
		.arg = r,
		.of_records = r->records != NULL,
	};

	return filter_args_resolve(&r->filter, &trace, err);
}

/* Does the same as emu_run() and counts the events in the window. */
static void
emulate_window(struct pipeline *r, struct emu *emu, struct progress *progress)
{
	const struct filter_options *o = &r->filter.options;
	const uint64_t *samples = &r->source->trace.nsamples;
	uint64_t n = 0, before = *samples, done, total;

	while (emu_next(emu) != NULL && emu_events(emu) > n) {
		int64_t now = emu_time(emu);
		bool is_inside = now >= o->from && now < o->to;

		r->inside += is_inside;
		r->samples += is_inside ? *samples - before : 0;
		before = *samples;
		if (++n % WINDOW_STEP == 0 && progress != NULL) {
			source_progress(r->source, &done, &total);
			progress_step(progress, done, n);
		}
	}
}

static bool
emulate(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct emu *emu = pipeline_emu(r, &r->arena, sink, err);
	struct progress progress;
	uint64_t done, total;

	if (emu == NULL)
		return false;
	undo_note_first();
	source_progress(r->source, &done, &total);
	progress_start(&progress, "emu", "events", total);
	if (r->counts_inside && filter_args_window(&r->filter))
		emulate_window(r, emu, log_is_quiet() ? NULL : &progress);
	else {
		emu_run(emu, log_is_quiet() ? NULL : &progress);
		r->samples = r->source->trace.nsamples;
	}
	progress_end(&progress);
	r->events = emu_events(emu);
	r->nthreads = emu_threads(emu);
	r->nprocesses = emu_processes(emu);
	r->duration = emu_time(emu);
	r->begins = emu_start(emu);
	if (!emu_is_complete(emu) && r->part != NULL)
		r->stopped = undo_is_noted() || r->part->is_over;
	else if (!emu_is_complete(emu) && undo_is_noted())
		pipeline_say_stopped(r);
	if (r->part == NULL) {
		filter_args_report(&r->filter, r->duration);
		pipeline_tell_findings(r, sink);
	}
	r->has_stacks = emu_has_stacks(emu);
	if (r->on_open != NULL)
		emu_each_open(emu, r->on_open, r->open_arg);
	emu_close(emu);
	return true;
}

bool
pipeline_writes_past(const struct pipeline *r)
{
	for (int i = 0; i < r->models.model.n; i++)
		if (emu_writes_past(r->models.model.at[i]))
			return true;
	for (const struct model *const *m = models; *m != NULL; m++)
		if (emu_writes_past(*m) &&
			enable_by_events(&r->source->trace, *m))
			return true;
	return false;
}

const char *
pipeline_spill_folder(const struct pipeline *r)
{
	const char *folder = getenv("TMPDIR");

	if (r->spill_folder != NULL)
		return r->spill_folder;
	return folder != NULL && *folder != '\0' ? folder : "/tmp";
}

static bool
convert(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct compat_options options = { .kind = (enum compat_kind)(
						  r->compat + 1),
		.stop = &undo_noted,
		.from = r->filter.options.from,
		.to = r->filter.options.to };
	struct compat_result result = { 0 };
	bool ok;

	undo_note_first();
	ok = compat_run(&r->arena, r->source, sink, &options, &result, err);
	r->events = result.events;
	r->inside = result.inside;
	r->nthreads = result.threads;
	r->nprocesses = result.processes;
	r->duration = result.duration;
	if (undo_is_noted())
		pipeline_say_stopped(r);
	pipeline_tell_findings(r, sink);
	return ok;
}

bool
pipeline_compat(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct sink *order = order_open(&r->arena, sink, ORDER_WINDOW_BYTES,
		pipeline_spill_folder(r), err);
	bool ok = convert(r, order, err);

	return order_finish(order, ok ? err : &(struct err){ 0 }) && ok;
}

bool
pipeline_emulate(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct sink *order;
	bool ok;

	if (r->inputs != NULL)
		return pipeline_emulate_inputs(r, sink, err);
	if (r->tasks != NULL || r->records != NULL)
		return pipeline_play(r, sink, err);
	if (!pipeline_writes_past(r))
		return emulate(r, sink, err);
	order = order_open(&r->arena, sink, ORDER_WINDOW_BYTES,
		pipeline_spill_folder(r), err);
	ok = emulate(r, order, err);
	return order_finish(order, ok ? err : &(struct err){ 0 }) && ok;
}

static void
print_finding(const struct finding *f)
{
	char text[1024];

	finding_text(f, text, (int)sizeof text);
	switch (f->severity) {
	case FINDING_ERROR:
		log_error("%s", text);
		break;
	case FINDING_WARNING:
		log_warning("%s", text);
		break;
	default:
		log_note("%s", text);
		break;
	}
}

enum exit_code
pipeline_report(const struct pipeline *r)
{
	const struct findings *fs = &r->findings;
	uint64_t errors = fs->count[FINDING_ERROR];
	uint64_t warnings = fs->count[FINDING_WARNING];
	uint64_t all = errors + warnings + fs->count[FINDING_NOTE];
	uint64_t told = findings_told(fs);

	for (int i = 0; i < fs->list.n; i++)
		if (!fs->list.at[i].aside)
			print_finding(&fs->list.at[i]);
	if (all > told)
		log_note("%" PRIu64 " more are not shown (--max-findings); "
			 "'weft check' sums them up",
			all - told);
	if (errors + warnings > 0)
		log_note("the trace has %" PRIu64 " error%s and %" PRIu64
			 " warning%s",
			errors, text_plural(errors), warnings,
			text_plural(warnings));
	return errors > 0 ? EXIT_NO : EXIT_YES;
}

void
pipeline_close(struct pipeline *r)
{
	if (r->source != NULL)
		source_close(r->source);
	pipeline_close_inputs(r);
	if (r->gaps != NULL)
		gap_notes_fini(r->gaps);
	code_names_close(r->names);
	arena_fini(&r->sink_arena);
	arena_fini(&r->arena);
}
