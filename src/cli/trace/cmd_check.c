/* SPDX-License-Identifier: MIT */
/* weft check - lists everything that is wrong with a trace. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alias.h"
#include "base/bug.h"
#include "base/document.h"
#include "base/file.h"
#include "base/intern.h"
#include "base/log.h"
#include "base/text.h"
#include "cli/copy.h"
#include "cli/screen.h"
#include "cli/shell.h"
#include "cli/table_print.h"
#include "cli/trace/input_names.h"
#include "cli/trace/nowhere.h"
#include "cli/trace/pipeline.h"
#include "cli/undo.h"
#include "emu/infer.h"
#include "emu/mend.h"
#include "trace/ctf/ctf.h"
#include "trace/ctf/repair.h"
#include "trace/obs/obs.h"
#include "trace/obs/repair.h"

enum format { FORMAT_TEXT, FORMAT_JSON };

/* The command line. */
struct request {
	int format; /* enum format */
	bool repair;
	const char *folder;
};

static int
compare_text(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* Orders by file, then by byte offset; findings at one offset stay in the order
 * they were found. */
static int
by_place(const void *pa, const void *pb)
{
	const struct finding *const *pfa = pa, *const *pfb = pb;
	const struct finding *a = *pfa, *b = *pfb;
	int order = compare_text(a->file, b->file);

	if (order == 0)
		order = (a->offset > b->offset) - (a->offset < b->offset);
	return order != 0 ? order : (a > b) - (a < b);
}

static const struct finding **
sorted(struct arena *a, const struct findings *fs)
{
	const struct finding **list =
		ARENA_ARRAY(a, const struct finding *, fs->list.n);

	for (int i = 0; i < fs->list.n; i++)
		list[i] = &fs->list.at[i];
	qsort(list, (size_t)fs->list.n, sizeof *list, by_place);
	return list;
}

/* Findings whose texts differ only in numbers. */
struct kind {
	uint64_t n;
	uint32_t text; /* index among the texts */
};

/* Orders by frequency, then by first appearance. */
static int
by_count(const void *pa, const void *pb)
{
	const struct kind *a = pa, *b = pb;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return (a->text > b->text) - (a->text < b->text);
}

/* Prints how often each kind of finding occurs. */
static void
print_kinds(struct arena *a, const struct findings *fs,
	enum finding_severity severity)
{
	VEC(struct kind) kinds = { 0 };
	struct intern texts;

	intern_init(&texts, a);
	for (int i = 0; i < fs->list.n; i++) {
		char text[FINDING_KIND_MAX + 1];
		uint32_t id;

		if (fs->list.at[i].severity != severity)
			continue;
		id = intern_add(
			&texts, finding_kind(fs->list.at[i].text, text));
		if (id == (uint32_t)kinds.n)
			VEC_PUSH(&kinds, a, ((struct kind){ 0, id }));
		BUG_ON(kinds.at == NULL);
		kinds.at[id].n += 1 + fs->list.at[i].more;
	}
	if (kinds.n > 0)
		qsort(kinds.at, (size_t)kinds.n, sizeof *kinds.at, by_count);
	for (int i = 0; i < kinds.n; i++)
		screen_say(
			arena_printf(a, "%8" PRIu64 "  %-7s  %s", kinds.at[i].n,
				finding_severity_name(severity),
				intern_name(&texts, kinds.at[i].text)),
			10);
}

/* Returns the paths of all inputs, with commas. */
static const char *
all_names(struct pipeline *r, const char *trace)
{
	for (int i = 1; i < r->npaths; i++)
		trace = arena_printf(
			&r->arena, "%s, %s", trace, input_path(r->paths[i]));
	return trace;
}

static uint64_t
count_all(const struct findings *fs)
{
	return fs->count[FINDING_ERROR] + fs->count[FINDING_WARNING] +
		fs->count[FINDING_NOTE];
}

static void
print_list(struct pipeline *r)
{
	const struct findings *fs = &r->findings;
	const struct finding **list = sorted(&r->arena, fs);

	for (int i = 0; i < fs->list.n; i++) {
		char text[2048];

		if (list[i]->severity == FINDING_NOTE && log_is_quiet())
			continue;
		finding_text(list[i], text, (int)sizeof text);
		screen_say(
			arena_printf(&r->arena, "%s: %s",
				finding_severity_name(list[i]->severity), text),
			4);
	}
}

static void
print_text(struct pipeline *r, const char *trace)
{
	const struct findings *fs = &r->findings;
	uint64_t all = count_all(fs), told = findings_told(fs);

	print_list(r);
	if (log_is_quiet())
		return;
	if (all > told)
		screen_say(arena_printf(&r->arena,
				   "%" PRIu64
				   " more are not shown (--max-findings)",
				   all - told),
			2);
	if (fs->list.n > 0)
		printf("\n");
	if (fs->list.n > 0 && all > told)
		printf("of these %" PRIu64 ":\n", told);
	print_kinds(&r->arena, fs, FINDING_ERROR);
	print_kinds(&r->arena, fs, FINDING_WARNING);
	print_kinds(&r->arena, fs, FINDING_NOTE);
	screen_say(
		arena_printf(&r->arena,
			"%s: %" PRIu64 " error%s, %" PRIu64
			" warning%s, %" PRIu64 " note%s in %" PRIu64 " event%s",
			all_names(r, trace), fs->count[FINDING_ERROR],
			text_plural(fs->count[FINDING_ERROR]),
			fs->count[FINDING_WARNING],
			text_plural(fs->count[FINDING_WARNING]),
			fs->count[FINDING_NOTE],
			text_plural(fs->count[FINDING_NOTE]), r->events,
			text_plural(r->events)),
		2);
}

static const struct table_column finding_columns[] = {
	{ .name = "severity" },
	{ .name = "file" },
	{ .name = "key" },
	{ .name = "offset", .kind = TABLE_NUMBER },
	{ .name = "line", .kind = TABLE_NUMBER },
	{ .name = "time", .kind = TABLE_NUMBER },
	{ .name = "where" },
	{ .name = "text" },
	{ .name = "advice" },
	{ .name = "more", .kind = TABLE_NUMBER },
	{ .name = "last_offset", .kind = TABLE_NUMBER },
	{ .name = "last_time", .kind = TABLE_NUMBER },
};

static void
put_if(struct table *t, int64_t value, bool known)
{
	if (known)
		table_i64(t, value);
	else
		table_empty(t);
}

static void
put_finding(struct table *t, struct arena *a, const struct finding *f)
{
	bool placed = f->offset != FINDING_NOWHERE;

	table_word(t, finding_severity_name(f->severity));
	table_word(t, alias_of(a, f->file));
	table_word(t, f->key);
	put_if(t, f->offset, placed && !f->by_line);
	put_if(t, f->offset, placed && f->by_line);
	put_if(t, f->time, f->time != FINDING_NEVER);
	table_word(t, f->where);
	table_word(t, alias_of(a, f->text));
	table_word(t, f->advice);
	table_u64(t, f->more);
	put_if(t, f->last_offset, f->more > 0 && placed && !f->by_line);
	put_if(t, f->last_time, f->more > 0 && f->last_time != FINDING_NEVER);
}

static void
put_counts(struct doc *d, const struct pipeline *r)
{
	const struct findings *fs = &r->findings;

	doc_begin(d, "counts", '{');
	doc_u64(d, "events", r->events);
	for (int i = FINDING_SEVERITIES - 1; i >= 0; i--)
		doc_u64(d, finding_severity_name((enum finding_severity)i),
			fs->count[i]);
	doc_i64(d, "shown", fs->list.n);
	doc_end(d, '}');
}

static void
print_json(struct pipeline *r, const char *trace)
{
	const struct finding **list = sorted(&r->arena, &r->findings);
	int n = (int)(sizeof finding_columns / sizeof finding_columns[0]);
	struct table t =
		table_new(&r->arena, finding_columns, n, TABLE_JSON, NULL);
	struct doc d;

	for (int i = 0; i < r->findings.list.n; i++)
		put_finding(&t, &r->arena, list[i]);
	doc_open(&d);
	doc_begin(&d, NULL, '{');
	doc_word(&d, "trace", trace);
	doc_begin(&d, "findings", '[');
	table_put(&t, &d);
	doc_end(&d, ']');
	put_counts(&d, r);
	doc_end(&d, '}');
	doc_close(&d);
}

static bool
emulate(struct pipeline *r, const char *trace, struct err *err)
{
	struct sink sink = { .ops = &sink_nowhere };

	return pipeline_open(r, trace) && pipeline_emulate(r, &sink, err);
}

static bool
is_clean(const struct pipeline *r)
{
	return r->findings.count[FINDING_ERROR] == 0 &&
		r->findings.count[FINDING_WARNING] == 0;
}

static void
print_done(struct arena *a, const struct findings *done)
{
	const struct finding **list = sorted(a, done);

	for (int i = 0; i < done->list.n; i++) {
		char text[2048];

		finding_text(list[i], text, (int)sizeof text);
		screen_summary("%s\n", text);
	}
}

static bool
copy_clocks(struct pipeline *r, const char *trace, const char *folder,
	struct err *err)
{
	const char *from = r->clock_table;

	if (from == NULL)
		from = arena_printf(&r->arena, "%s/clock-offsets.txt",
			copy_root(&r->arena, trace));
	return !file_is_regular(from) ||
		copy_file(&r->arena, from,
			arena_printf(&r->arena, "%s/clock-offsets.txt", folder),
			err);
}

/* Checks the repaired copy. Its findings decide the exit code. */
static enum exit_code
check_result(const struct pipeline *from, const char *folder)
{
	struct pipeline r = { .max_findings = RUN_FINDINGS_CHECK,
		.quiet = true,
		.no_names = true,
		.model_files = from->model_files };
	struct err err = { 0 };
	enum exit_code code = EXIT_YES;

	if (!emulate(&r, folder, &err))
		code = err.kind == ERR_NONE ? EXIT_UNABLE
					    : pipeline_unable(&err);
	else if (!is_clean(&r))
		code = EXIT_NO;
	if (r.stopped)
		log_note("%s is complete, but its check was interrupted: "
			 "repeat it with weft check %s",
			folder, shell_word(&r.arena, folder));
	else if (code == EXIT_NO)
		log_warning("%" PRIu64 " error%s and %" PRIu64
			    " warning%s remain: weft check %s",
			r.findings.count[FINDING_ERROR],
			text_plural(r.findings.count[FINDING_ERROR]),
			r.findings.count[FINDING_WARNING],
			text_plural(r.findings.count[FINDING_WARNING]),
			shell_word(&r.arena, folder));
	pipeline_close(&r);
	return code;
}

/* Copies the files beside the streams of a CTF trace. */
struct extras {
	struct arena *arena;
	const char *folder;
	struct err *err; /* receives the first failure */
};

static void
copy_extra(void *arg, const char *path, const char *relative)
{
	struct extras *x = arg;

	if (x->err->kind == ERR_NONE)
		copy_file(x->arena, path,
			arena_printf(x->arena, "%s/%s", x->folder, relative),
			x->err);
}

static bool
copy_extras(
	struct arena *a, const char *from, const char *folder, struct err *err)
{
	struct extras x = { a, folder, err };
	const struct file_visitor visitor = { .file = copy_extra, .arg = &x };

	return !file_is_dir(from) ||
		(file_find(a, from, "VERSION", &visitor, err) &&
			file_find(a, from, "nanos6_kerneldefs.json", &visitor,
				err) &&
			err->kind == ERR_NONE);
}

/* Reopens the trace at its first event. */
static bool
open_again(struct pipeline *r, const char *trace, struct err *err)
{
	const struct source_options options = { .clock_table = r->clock_table };
	struct findings *quiet = ARENA_NEW(&r->arena, struct findings);

	source_close(r->source);
	findings_init(quiet, &r->arena, 0);
	r->source = sources_open(&r->arena, trace, &options, quiet, err);
	return r->source != NULL;
}

static bool
write_ctf(struct pipeline *r, const char *trace, const char *folder,
	struct findings *done, struct err *err)
{
	const char *root = copy_root(&r->arena, trace);
	struct ctf_repair_result result;

	if (!open_again(r, trace, err) || !copy_begin(root, folder, err) ||
		!ctf_repair(&r->arena, r->source, folder, done, &result, err) ||
		!copy_extras(&r->arena, root, folder, err))
		return false;
	screen_summary("\nrepair:\n");
	print_done(&r->arena, done);
	screen_summary("%d stream%s, %" PRIu64 " event%s kept, %" PRIu64
		       " clocks changed, %" PRIu64 " bytes lost\n",
		result.streams, text_plural((unsigned)result.streams),
		result.events, text_plural(result.events), result.clocks,
		result.lost_bytes);
	return true;
}

static bool
write_ovni(struct pipeline *r, const char *trace, const char *folder,
	struct findings *done, struct err *err)
{
	const struct repair_options o = { .folder = folder,
		.edit = mends_edit,
		.arg = r->mends,
		.done = done };
	struct repair_result result = { 0 };

	infer_core(&r->source->trace);
	if (!copy_begin(copy_root(&r->arena, trace), folder, err) ||
		!repair_trace(&r->arena, &r->source->trace, &o, &result, err) ||
		!copy_clocks(r, trace, folder, err))
		return false;
	screen_summary("\nrepair:\n");
	print_done(&r->arena, done);
	screen_summary("%d stream%s, %" PRIu64 " event%s kept, %" PRIu64
		       " inferred, %" PRIu64 " left out, %" PRIu64
		       " clocks changed, %" PRIu64 " bytes lost\n",
		result.streams, text_plural((unsigned)result.streams),
		result.events, text_plural(result.events), result.added,
		result.dropped, result.clocks, result.lost_bytes);
	return true;
}

static enum exit_code
repair(struct pipeline *r, const char *trace, const char *folder,
	struct findings *done)
{
	struct err err = { 0 };
	enum exit_code code;

	if (r->source->ops != &source_ovni && r->source->ops != &source_ctf) {
		err_set(&err, ERR_INPUT,
			"%s: only a directory of ovni streams or of CTF can be "
			"repaired",
			trace);
		return pipeline_unable(&err);
	}
	if (folder == NULL)
		folder = copy_folder(&r->arena, trace, ".repaired");
	undo_set(arena_printf(
		&r->arena, "the copy in %s is incomplete", folder));
	if (!(r->source->ops == &source_ctf ? write_ctf : write_ovni)(
		    r, trace, folder, done, &err))
		return pipeline_unable(&err);
	undo_set(arena_printf(&r->arena, "the copy in %s is complete", folder));
	code = check_result(r, folder);
	screen_summary("output: %s\n", folder);
	return code;
}

static enum exit_code
check(struct pipeline *r, const char *trace, const struct request *q)
{
	struct findings done; /* findings of the repair */
	struct err err = { 0 };

	findings_init(&done, &r->arena, RUN_FINDINGS_CHECK);
	if (q->repair)
		r->mends = mends_new(&r->arena, &done);
	if (!emulate(r, trace, &err))
		return err.kind == ERR_NONE ? pipeline_closed(r)
					    : pipeline_unable(&err);
	undo_at_once();
	if (q->format == FORMAT_JSON)
		print_json(r, trace);
	else
		print_text(r, trace);
	if (r->stopped)
		log_error("interrupted: the rest of the trace was not checked");
	if (q->repair && !r->stopped)
		return repair(r, trace, q->folder, &done);
	return is_clean(r) ? EXIT_YES : EXIT_NO;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct pipeline r = { .max_findings = RUN_FINDINGS_CHECK,
		.quiet = true };
	struct request q = { 0 };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'f', "format", "FORMAT", "text or json (one document)",
		  .choice = &q.format, .choices = "text,json" },
		SHORT_JSON,
		{ 0, "repair", NULL,
		  "write a complete copy, inferring what is missing",
		  .flag = &q.repair },
		{ 'o', "output", "DIR",
		  "write the copy into DIR, a new directory (default: TRACE.repaired)",
		  .text = &q.folder },
		{ 0, "max-findings", "N",
		  "print at most N findings (default: 20 of each kind and file)",
		  .number = &r.max_findings },
		{ 'c', "clocks", "FILE", "table of clock offsets between hosts",
		  .text = &r.clock_table },
		{ 'a', "all-models", NULL,
		  "enable all models, also those that no thread requires",
		  .flag = &r.all_models },
		RUN_MODEL_OPTION(r),
		INPUT_OPTIONS(r),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;
	int n = cmd_parse(&cmd_check, opts, argc, argv, &code);

	if (n < 0)
		return code;
	pipeline_take_paths(&r, argv, n);
	if (q.repair && n > 1)
		code = cmd_usage_error(&cmd_check, "--repair takes one trace");
	else if (q.format == FORMAT_JSON && q.repair)
		code = cmd_usage_error(
			&cmd_check, "--json and --repair exclude each other");
	else if (q.folder != NULL && (!q.repair || *q.folder == '\0'))
		code = cmd_usage_error(&cmd_check,
			q.repair ? "--output needs a directory"
				 : "--output needs --repair");
	else
		code = check(&r, input_path(argv[0]), &q);
	pipeline_close(&r);
	return code;
}

const struct cmd cmd_check = {
	.name = "check",
	.brief = "list everything that is wrong with a trace",
	.args = "TRACE...",
	.min_args = 1,
	.max_args = INT_MAX,
	.help = "The exit code is 0 if there are only notes, 1 if there are "
		"warnings or errors, and 3 if\n"
		"no event can be read. --repair writes a complete copy: "
		"streams up to their last whole\n"
		"event, with missing ends of threads, models, CPUs and tasks "
		"inferred (for CTF: the\n"
		"metadata). The exit code is then 0 if the copy has no "
		"warnings or errors. TRACE itself\n"
		"is not changed.\n",
	.examples = "  weft check ovni                  all findings, and how "
		    "many of each kind\n"
		    "  weft check --json ovni           the same for a script\n"
		    "  weft check --repair ovni         a complete copy in "
		    "ovni.repaired\n",
	.run = run,
};
