/* SPDX-License-Identifier: MIT */
/*
 * Several traces on the command line, shown as one: weft emu A B. Each input
 * has a pipeline of its own, and is emulated alone into a share
 * (export/share.h); the shares are joined. Commands that read events get a
 * source over all inputs (trace/several.h).
 */
#include "cli/trace/pipeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "cli/copy.h"
#include "cli/times.h"
#include "cli/trace/input_names.h"
#include "cli/trace/same_input.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "export/index/identity.h"
#include "export/join.h"
#include "export/share.h"
#include "trace/several.h"

#define PS_PER_NS 1000
#define SUFFIX_MOST 80 /* bytes of the names in a directory's name */

/* An input. */
struct input {
	struct pipeline run;
	const char *path;
	bool is_open;
	bool is_ps;  /* its times are in ps */
	int64_t end; /* of its share, ns on the joint line */
	int told;    /* findings that were taken */
	uint64_t counted[FINDING_SEVERITIES];
	struct share *share;
	struct inputs *all;
	int index; /* in all->in; -1: left out */
};

struct inputs {
	struct input *at;
	struct same_input *same;
	const char **names;
	int n;
	/* Those that are shown. */
	struct input **shown;
	struct relate_input *in;
	struct source **sources;
	int nshown;
	int64_t axis; /* time of the axis at time 0 */
	bool is_ps;   /* the joint times are in ps */
};

/* The pipeline of an input: the options of all, but only those filters that
 * choose rows. */
static struct pipeline
part_of(const struct pipeline *r)
{
	struct pipeline p = *r;

	p.arena = (struct arena){ 0 };
	p.sink_arena = (struct arena){ 0 };
	p.models = (struct model_list){ 0 };
	p.npaths = 0;
	p.inputs = NULL;
	p.source = NULL;
	p.threads = 1;
	p.filter = (struct filter_args){ .threads = r->filter.threads,
		.cpus = r->filter.cpus,
		.looms = r->filter.looms,
		.of_events = r->filter.of_events,
		.is_lenient = true };
	return p;
}

/* Lists the streams of an open input. */
static void
list_streams(struct pipeline *r, struct inputs *all, int i)
{
	struct input *input = &all->at[i];
	struct same_input *to = &all->same[i];
	uint64_t done;

	to->path = input->path;
	source_progress(input->run.source, &done, &to->size);
	same_input_list(&r->arena, &input->run.source->trace, to);
}

/* Reports what an earlier input has, too. */
static void
report_common(struct pipeline *r, const struct same_input *earlier,
	const struct same_input *same)
{
	int n = same_input_count(same, earlier);

	if (n > 0)
		finding_file(&r->findings, FINDING_ERROR, same->path,
			"%d of its %d streams are in %s, too, and are "
			"shown twice",
			n, same->key.n, earlier->path);
	else if (same_input_is_part(same, earlier))
		finding_file(&r->findings, FINDING_WARNING, same->path,
			"it is of the same recording as %s: name the directory "
			"of the session instead, where a packet that both have "
			"is shown once",
			earlier->path);
}

/* Returns true with a finding if another input shows all of this one. */
static bool
is_shown(struct pipeline *r, const struct inputs *all, int i)
{
	const struct same_input *same = &all->same[i],
				*of = same_input_whole(all->same, all->n, same);

	if (of != NULL) {
		finding_file(&r->findings, FINDING_ERROR, same->path,
			"left out: it is %sthe same recording as %s",
			of->key.n > same->key.n ? "a part of " : "", of->path);
		return true;
	}
	for (int k = 0; k < i; k++)
		if (all->at[k].index >= 0)
			report_common(r, &all->same[k], same);
	return false;
}

/* Adds an open input, unless another one shows the same. */
static void
show(struct pipeline *r, struct inputs *all, int i)
{
	struct input *input = &all->at[i];

	if (is_shown(r, all, i))
		return;
	input->index = all->nshown;
	all->shown[all->nshown] = input;
	all->sources[all->nshown] = input->run.source;
	all->in[all->nshown] = (struct relate_input){
		.name = all->names[i],
		.trace = &input->run.source->trace,
	};
	all->nshown++;
}

/* Opens the inputs. Returns false if none can be read. */
static bool
open_all(struct pipeline *r, struct inputs *all)
{
	for (int i = 0; i < all->n; i++) {
		struct input *input = &all->at[i];

		input->all = all;
		input->index = -1;
		input->path = input_path(r->paths[i]);
		input->run = part_of(r);
		input->is_open = pipeline_open(&input->run, input->path);
		if (input->is_open)
			list_streams(r, all, i);
		else
			finding_file(&r->findings, FINDING_ERROR, input->path,
				"left out: it cannot be read");
	}
	for (int i = 0; i < all->n; i++)
		if (all->at[i].is_open)
			show(r, all, i);
	return all->nshown > 0;
}

/* Returns true if no input has the time of a machine: then all begin at 0. */
static bool
are_simulated(const struct inputs *all)
{
	for (int i = 0; i < all->nshown; i++)
		if (!relate_is_simulated(all->in[i].trace))
			return false;
	return all->nshown > 1;
}

/* Relates the inputs. Returns what is to be the exit code of the command. */
static enum exit_code
relate_all(struct pipeline *r, struct inputs *all, struct err *err)
{
	struct relate_given given[CMD_TEXTS];
	struct relate_options o = { .given = given, .beside = r->beside };

	/* an input that cannot be read may be the one that is named */
	for (int i = 0; r->relate[i] != NULL; i++)
		if (!input_names_relate(&r->arena, all->in, all->nshown,
			    r->relate[i], &given[o.ngiven++], err))
			return all->nshown == all->n ? EXIT_USAGE : EXIT_NO;
	if (!o.beside && o.ngiven == 0 && are_simulated(all)) {
		o.beside = true;
		finding_file(&r->findings, FINDING_NOTE, all->shown[0]->path,
			"the time of all inputs is simulated: all begin at 0 "
			"(--relate moves them)");
	}
	return relate(&r->arena, all->in, all->nshown, &o, err) ? EXIT_YES
								: EXIT_NO;
}

static int
count_machines(const struct inputs *all)
{
	int n = 0;

	for (int i = 0; i < all->nshown; i++) {
		int k = 0;

		while (all->in[k].machine != all->in[i].machine)
			k++;
		n += k == i;
	}
	return n;
}

/* Finds the weakest relation, and the largest error; -1: one is not known. */
static enum relate_how
find_weakest(const struct inputs *all, int64_t *error)
{
	enum relate_how how = RELATE_FIRST;

	*error = 0;
	for (int i = 0; i < all->nshown; i++) {
		const struct relate_input *in = &all->in[i];

		how = in->how > how ? in->how : how;
		if (in->error < 0)
			*error = -1;
		else if (*error >= 0 && in->error > *error)
			*error = in->error;
	}
	return how;
}

/* Says how the clocks are related, and how exactly. */
static void
say_relation(struct pipeline *r, const struct inputs *all)
{
	int64_t error;
	enum relate_how how = find_weakest(all, &error);
	char bar[64] = "", of[32] = "", text[TIMES_TEXT];
	int machines = count_machines(all);
	const char *more = "";

	if (all->nshown < 2 || how == RELATE_BESIDE)
		return;
	if (error >= 0 && how != RELATE_GIVEN)
		snprintf(bar, sizeof bar, " (error at most %s)",
			times_text(error, "ns", text));
	if (how != RELATE_GIVEN)
		snprintf(of, sizeof of, " of %d machine%s", machines,
			text_plural((unsigned)machines));
	if (how == RELATE_HOST)
		more = ": assumed, since host names and clocks agree";
	else if (how == RELATE_DAY)
		more = "; weft sync measures clocks more exactly";
	finding_file(&r->findings,
		how == RELATE_DAY ? FINDING_WARNING : FINDING_NOTE, NULL,
		"%d inputs%s, clocks related by %s%s%s", all->nshown, of,
		relate_how_name(how), bar, more);
}

/* Returns false after a message if the user gave two inputs one name. */
static bool
are_distinct(const struct inputs *all)
{
	for (int i = 0; i < all->n; i++)
		for (int k = 0; k < i; k++)
			if (strcmp(all->names[k], all->names[i]) == 0) {
				cmd_usage_error(NULL,
					"two inputs have the name %s",
					all->names[i]);
				return false;
			}
	return true;
}

bool
pipeline_open_inputs(struct pipeline *r)
{
	struct inputs *all = ARENA_NEW(&r->arena, struct inputs);
	struct err err = { 0 };

	r->inputs = all;
	all->n = r->npaths;
	all->at = ARENA_ARRAY(&r->arena, struct input, all->n);
	all->same = ARENA_ARRAY(&r->arena, struct same_input, all->n);
	all->shown = ARENA_ARRAY(&r->arena, struct input *, all->n);
	all->in = ARENA_ARRAY(&r->arena, struct relate_input, all->n);
	all->sources = ARENA_ARRAY(&r->arena, struct source *, all->n);
	all->names = input_names(&r->arena, r->paths, all->n);
	if (!are_distinct(all)) {
		r->refused = EXIT_USAGE;
		return false;
	}
	if (!open_all(r, all))
		return false;
	r->refused = relate_all(r, all, &err);
	if (r->refused != EXIT_YES) {
		pipeline_report(r);
		if (r->refused == EXIT_USAGE)
			cmd_usage_error(NULL, "%s", err.text);
		else
			log_error("%s", err.text);
		return false;
	}
	for (int i = 0; i < all->nshown; i++) {
		all->shown[i]->is_ps =
			strcmp(all->in[i].trace->unit, "ps") == 0;
		all->is_ps = all->is_ps || all->shown[i]->is_ps;
	}
	say_relation(r, all);
	r->filter.rows_apart = true;
	for (int i = 0; i < all->nshown; i++)
		r->filter.is_lenient =
			r->filter.is_lenient || all->in[i].trace->by_cpu;
	r->source = several_open(
		&r->arena, all->sources, all->in, all->nshown, &r->findings);
	return true;
}

/* Returns the time on the joint line of a time of a share. */
static int64_t
joint_time(void *arg, int64_t time)
{
	const struct input *input = arg;
	const struct inputs *all = input->all;
	const struct relate_input *in = &all->in[input->index];
	int64_t ns = input->is_ps ? time / PS_PER_NS : time;
	int64_t rest = input->is_ps ? time % PS_PER_NS : 0;

	ns = relate_time(in, several_zero(in) + ns) - all->axis;
	ns = ns < 0 ? 0 : ns;
	return all->is_ps ? ns * PS_PER_NS + rest : ns;
}

static struct share *
open_share(struct pipeline *r, bool takes_stacks)
{
	const struct share_options o = { .memory = SHARE_MEMORY,
		.spill_dir = pipeline_spill_folder(r),
		.takes_stacks = takes_stacks };

	return share_open(&r->arena, &o);
}

/* Joins the shares; they were filled, or only declared. */
static struct join *
join_all(struct pipeline *r)
{
	struct inputs *all = r->inputs;
	struct join_input *in =
		ARENA_ARRAY(&r->arena, struct join_input, all->nshown);

	for (int i = 0; i < all->nshown; i++)
		in[i] = (struct join_input){ .share = all->shown[i]->share,
			.name = all->in[i].name,
			.machine = all->in[i].machine,
			.time = joint_time,
			.arg = all->shown[i] };
	return join_open(&r->arena, in, all->nshown);
}

bool
pipeline_declare_inputs(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct inputs *all = r->inputs;
	struct join *join;
	bool ok = true;

	for (int i = 0; i < all->nshown && ok; i++) {
		all->shown[i]->share = open_share(r, false);
		ok = pipeline_declare(&all->shown[i]->run,
			share_sink(all->shown[i]->share), err);
	}
	if (ok) {
		join = join_all(r);
		join_declare(join, sink);
		join_fini(join);
	}
	for (int i = 0; i < all->nshown; i++)
		if (all->shown[i]->share != NULL)
			share_fini(all->shown[i]->share);
	return ok;
}

static bool
emulate_one(struct pipeline *r, struct input *input, bool takes_stacks,
	struct err *err)
{
	struct pipeline *run = &input->run;
	struct relate_input *in = &r->inputs->in[input->index];
	struct sink *sink;
	bool ok;

	input->share = open_share(r, takes_stacks);
	run->on_open = r->on_open;
	run->open_arg = r->open_arg;
	if (!pipeline_resolve_filter(run, err))
		return false;
	sink = filter_args_open(
		&run->filter, &run->arena, share_sink(input->share));
	ok = pipeline_emulate(run, sink, err) && sink_close(sink, err);
	if (in->zero == TRACE_UNKNOWN && run->begins != TRACE_UNKNOWN &&
		!relate_is_virtual(in->trace))
		in->zero = run->begins;
	r->events += run->events;
	r->nthreads += run->nthreads;
	r->nprocesses += run->nprocesses;
	r->has_stacks = r->has_stacks || run->has_stacks;
	r->stopped = r->stopped || run->stopped;
	return ok;
}

/* Warns about inputs that begin when the others have ended. */
static void
say_apart(struct pipeline *r)
{
	const struct inputs *all = r->inputs;

	for (int i = 0; i < all->nshown; i++)
		for (int k = 0; k < all->nshown; k++) {
			const struct input *a = all->shown[k],
					   *b = all->shown[i];
			int64_t from = joint_time(all->shown[i], 0);
			char text[TIMES_TEXT];

			if (from > a->end && all->in[i].how != RELATE_BESIDE)
				finding_file(&r->findings, FINDING_WARNING,
					b->path, "begins %s after %s ends",
					times_text(from - a->end,
						all->is_ps ? "ps" : "ns", text),
					all->in[k].name);
		}
}

static void
note_ends(struct pipeline *r)
{
	struct inputs *all = r->inputs;
	int64_t last = 0;

	several_set_start(r->source);
	all->axis = r->source->trace.start;
	for (int i = 0; i < all->nshown; i++) {
		struct input *input = all->shown[i];
		int64_t end = input->share->end;

		input->end = joint_time(input, end < 0 ? 0 : end);
		last = input->end > last ? input->end : last;
	}
	r->duration = all->is_ps ? last / PS_PER_NS : last;
}

static bool
join_shares(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct join *join = join_all(r);
	bool ok;
	int renumbered = join_renumbered(join);

	join_declare(join, sink);
	ok = join_records(
		join, sink, undo_is_noted() ? &undo_noted : NULL, err);
	join_fini(join);
	if (renumbered > 0)
		log_note("%d type%s got another Paraver number, because two "
			 "inputs use one number for different types",
			renumbered, renumbered == 1 ? "" : "s");
	return ok;
}

bool
pipeline_emulate_inputs(struct pipeline *r, struct sink *sink, struct err *err)
{
	struct inputs *all = r->inputs;
	bool ok = true;

	for (int i = 0; i < all->nshown && ok; i++)
		ok = emulate_one(r, all->shown[i], sink->takes_stacks, err);
	if (ok) {
		note_ends(r);
		say_apart(r);
		ok = join_shares(r, sink, err);
		pipeline_tell_findings(r, sink);
	}
	for (int i = 0; i < all->nshown; i++)
		if (all->shown[i]->share != NULL)
			share_fini(all->shown[i]->share);
	filter_args_report(
		&r->filter, all->is_ps ? r->duration * PS_PER_NS : r->duration);
	pipeline_take_findings(r);
	return ok;
}

/* Adds a finding of an input, with its time on the joint line. */
static void
take_finding(
	struct pipeline *r, const struct input *input, const struct finding *f)
{
	struct finding to = *f;

	if (input->index >= 0 && f->time != FINDING_NEVER && f->time >= 0)
		to.time = joint_time((void *)input, f->time);
	to.row_next = 0;
	if (r->findings.list.n < r->findings.max)
		VEC_PUSH(&r->findings.list, &r->arena, to);
}

void
pipeline_take_findings(struct pipeline *r)
{
	struct inputs *all = r->inputs;

	if (all == NULL)
		return;
	if (r->source != NULL && r->source->trace.start != TRACE_UNKNOWN)
		all->axis = r->source->trace.start;
	for (int i = 0; i < all->n; i++) {
		struct input *input = &all->at[i];
		const struct findings *fs = &input->run.findings;

		/* Those of an input that could not be opened were printed. */
		if (!input->is_open || input->index < 0)
			continue;
		for (; input->told < fs->list.n; input->told++)
			take_finding(r, input, &fs->list.at[input->told]);
		for (int k = 0; k < FINDING_SEVERITIES; k++) {
			r->findings.count[k] +=
				fs->count[k] - input->counted[k];
			input->counted[k] = fs->count[k];
		}
	}
}

void
pipeline_close_inputs(struct pipeline *r)
{
	struct inputs *all = r->inputs;

	for (int i = 0; all != NULL && i < all->n; i++)
		pipeline_close(&all->at[i].run);
	r->inputs = NULL;
}

const char *
pipeline_inputs_shape(struct arena *a, const struct pipeline *r)
{
	const char *all = r->beside ? " side-by-side" : "";

	for (int i = 0; i < CMD_TEXTS && r->relate[i] != NULL; i++)
		all = arena_printf(a, "%s relate=%s", all, r->relate[i]);
	for (int i = 1; i < r->npaths; i++) {
		const char *path = task_trace_path(input_path(r->paths[i]));
		const char *is =
			index_identity(a, copy_inputs(a, path), r->paths[i]);

		all = arena_printf(
			a, "%s with=%s", all, is == NULL ? r->paths[i] : is);
	}
	return all;
}

const char *
pipeline_suffix(struct arena *a, const struct pipeline *r)
{
	char *all = arena_strdup(a, "");
	const char **name;

	if (r->npaths < 2)
		return ".weft";
	name = input_names(a, r->paths, r->npaths);
	for (int i = 1; i < r->npaths && strlen(all) < SUFFIX_MOST; i++)
		all = arena_printf(a, "%s+%.64s", all, name[i]);
	for (char *at = all; *at != '\0'; at++)
		if (*at == '/')
			*at = '-';
	return arena_printf(a, "%s.weft", all);
}
