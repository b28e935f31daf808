/* SPDX-License-Identifier: MIT */
/* weft sort - brings unsorted regions into clock order, in a copy. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/log.h"
#include "base/text.h"
#include "base/vec.h"
#include "cli/cmd.h"
#include "cli/copy.h"
#include "cli/screen.h"
#include "cli/trace/packed.h"
#include "cli/trace/pipeline.h"
#include "cli/undo.h"
#include "trace/ctf/ctf.h"
#include "trace/finding.h"
#include "trace/obs/sort.h"

#define FINDINGS_MAX 1000

struct path {
	const char *path, *relative;
};

/* The state of one invocation. */
struct sort_job {
	struct arena arena;
	struct findings findings;
	VEC(struct path) streams, metadata;
	const char *root, *folder;
	int64_t look_back;
	uint64_t events, regions, moved, bad;
	bool check;
	int done; /* streams written so far */
};

static void
add_stream(void *arg, const char *path, const char *relative)
{
	struct sort_job *j = arg;

	VEC_PUSH(&j->streams, &j->arena, ((struct path){ path, relative }));
}

static void
add_metadata(void *arg, const char *path, const char *relative)
{
	struct sort_job *j = arg;

	VEC_PUSH(&j->metadata, &j->arena, ((struct path){ path, relative }));
}

static void
add_unreadable(void *arg, const char *path, const char *why)
{
	struct sort_job *j = arg;

	finding_file(&j->findings, FINDING_ERROR, arena_strdup(&j->arena, path),
		"left out: %s", why);
}

static bool
find_files(struct sort_job *j, struct err *err)
{
	const struct file_visitor streams = {
		.file = add_stream, .unreadable = add_unreadable, .arg = j
	};
	const struct file_visitor metadata = { .file = add_metadata, .arg = j };

	if (!file_find(&j->arena, j->root, "stream.obs", &streams, err) ||
		!file_find(&j->arena, j->root, "stream.json", &metadata, err))
		return false;
	if (j->streams.n == 0 && source_ctf.recognise(j->root))
		return err_set(err, ERR_INPUT,
			"%s: CTF has no regions to sort; for clocks that go "
			"back: weft check --repair",
			j->root);
	return j->streams.n > 0 ||
		err_set(err, ERR_INPUT,
			"%s: no stream.obs that can be read in this directory "
			"or below: not an ovni trace",
			j->root);
}

/* Reports whether the stream is in order. A file that is not a stream is an
 * error in the trace, not a failure of the command. */
static void
check_stream(struct sort_job *j, const struct path *p)
{
	struct obs_sort_result r;
	struct err err = { 0 };

	if (!obs_sort_check(p->path, &j->findings, &r, &err)) {
		log_error("%s", err.text);
		j->bad++;
		return;
	}
	j->events += r.events;
	if (r.backwards == 0) {
		screen_summary("%s: in order, %" PRIu64 " event%s\n", p->path,
			r.events, text_plural(r.events));
		return;
	}
	j->bad++;
	printf("%s: byte %" PRId64 ": goes backwards %" PRIu64 " -> %" PRIu64
	       " ns, in all %" PRIu64 " time%s in %" PRIu64 " events\n",
		p->path, r.back_at, r.from, r.to, r.backwards,
		text_plural(r.backwards), r.events);
}

static void
note_rest(struct sort_job *j, const struct path *p,
	const struct obs_sort_result *r)
{
	finding_add(&j->findings,
		(struct finding){ .severity = FINDING_WARNING,
			.file = p->path,
			.offset = FINDING_NOWHERE,
			.time = FINDING_NEVER,
			.advice = "'weft check' says where" },
		"the sorted stream still goes backwards %" PRIu64
		" time%s, outside of regions",
		r->backwards, text_plural(r->backwards));
}

static bool
sort_stream(struct sort_job *j, const struct path *p, struct err *err)
{
	const struct obs_sort_options options = { j->look_back, &j->findings };
	const char *to =
		arena_printf(&j->arena, "%s/%s", j->folder, p->relative);
	struct obs_sort_result r;

	undo_set(arena_printf(&j->arena,
		"%d of %d streams are sorted in %s, which is "
		"incomplete",
		j->done, j->streams.n, j->folder));
	if (!copy_parents(&j->arena, to, err))
		return false;
	if (!obs_sort_stream(p->path, to, &options, &r, err)) {
		if (!r.not_a_stream)
			return false;
		finding_file(&j->findings, FINDING_ERROR, NULL,
			"%s: copied unchanged", err->text);
		*err = (struct err){ 0 };
		return copy_file(&j->arena, p->path, to, err);
	}
	if (r.backwards > 0)
		note_rest(j, p, &r);
	if (r.moved > 0)
		screen_summary("%s: %" PRIu64 " event%s of %" PRIu64
			       " moved, %" PRIu64 " region%s\n",
			p->path, r.moved, text_plural(r.moved), r.events,
			r.regions, text_plural(r.regions));
	j->events += r.events;
	j->regions += r.regions;
	j->moved += r.moved;
	return true;
}

static bool
copy_rest(struct sort_job *j, struct err *err)
{
	const char *clocks =
		arena_printf(&j->arena, "%s/clock-offsets.txt", j->root);

	for (int i = 0; i < j->metadata.n; i++) {
		const struct path *p = &j->metadata.at[i];

		if (!copy_file(&j->arena, p->path,
			    arena_printf(
				    &j->arena, "%s/%s", j->folder, p->relative),
			    err))
			return false;
	}
	return !file_is_regular(clocks) ||
		copy_file(&j->arena, clocks,
			arena_printf(
				&j->arena, "%s/clock-offsets.txt", j->folder),
			err);
}

static bool
write_copy(struct sort_job *j, struct err *err)
{
	for (; j->done < j->streams.n; j->done++)
		if (!sort_stream(j, &j->streams.at[j->done], err))
			return false;
	undo_set(arena_printf(&j->arena,
		"all streams are sorted in %s, but other files are "
		"missing",
		j->folder));
	return copy_rest(j, err);
}

static void
remove_copy(struct sort_job *j)
{
	for (int i = 0; i < j->streams.n; i++)
		copy_undo(&j->arena, j->folder, j->streams.at[i].relative);
	for (int i = 0; i < j->metadata.n; i++)
		copy_undo(&j->arena, j->folder, j->metadata.at[i].relative);
}

static bool
sort_all(struct sort_job *j, struct err *err)
{
	if (!copy_begin(j->root, j->folder, err))
		return false;
	if (write_copy(j, err))
		return true;
	remove_copy(j);
	return false;
}

static enum exit_code
report(const struct sort_job *j)
{
	const struct findings *fs = &j->findings;

	for (int i = 0; i < fs->list.n; i++) {
		char text[1024];

		finding_text(&fs->list.at[i], text, (int)sizeof text);
		if (fs->list.at[i].severity == FINDING_ERROR)
			log_error("%s", text);
		else
			log_warning("%s", text);
	}
	return fs->count[FINDING_ERROR] > 0 ? EXIT_NO : EXIT_YES;
}

static enum exit_code
check_all(struct sort_job *j)
{
	for (int i = 0; i < j->streams.n; i++)
		check_stream(j, &j->streams.at[i]);
	screen_summary("%d stream%s, %" PRIu64 " not in order\n", j->streams.n,
		text_plural((unsigned)j->streams.n), j->bad);
	return report(j) == EXIT_NO || j->bad > 0 ? EXIT_NO : EXIT_YES;
}

static enum exit_code
run_job(struct sort_job *j, const char *trace)
{
	struct err err = { 0 };
	enum exit_code code;
	const char *path;

	if (!sources_check_path(trace, &err))
		return pipeline_unable(&err);
	path = packed_input(&j->arena, trace, &code);
	if (path == NULL)
		return code;
	j->root = copy_root(&j->arena, path);
	if (!file_is_dir(j->root)) {
		err_set(&err, ERR_INPUT,
			"%s: only a directory of ovni streams can be sorted",
			trace);
		return pipeline_unable(&err);
	}
	if (j->folder == NULL)
		j->folder = copy_folder(&j->arena, trace, ".sorted");
	if (!find_files(j, &err)) {
		report(j);
		return pipeline_unable(&err);
	}
	if (j->check)
		return check_all(j);
	if (!sort_all(j, &err)) {
		report(j);
		return pipeline_unable(&err);
	}
	undo_set(arena_printf(
		&j->arena, "the copy in %s is complete", j->folder));
	code = report(j);
	screen_summary("%d stream%s, %" PRIu64 " events, %" PRIu64
		       " region%s, %" PRIu64 " event%s moved\noutput: %s\n",
		j->streams.n, text_plural((unsigned)j->streams.n), j->events,
		j->regions, text_plural(j->regions), j->moved,
		text_plural(j->moved), j->folder);
	return code;
}

static enum exit_code
run(int argc, char *argv[])
{
	struct sort_job j = { .look_back = OBS_SORT_LOOK_BACK };
	/* clang-format off */
	const struct option_def opts[] = {
		{ 'o', "output", "DIR",
		  "write the copy into DIR, a new directory (default: TRACE.sorted)",
		  .text = &j.folder },
		{ 0, "look-back", "N",
		  "look back at most N events from the end of a region "
		  "(default 1000000)",
		  .number = &j.look_back },
		{ 0, "check", NULL,
		  "only say which streams go backwards; exit code 1 if any does",
		  .flag = &j.check },
		OLD_LETTER('n', "look-back"),
		OLD_LETTER('c', "check"),
		{ 0 },
	};
	/* clang-format on */
	enum exit_code code;

	if (cmd_parse(&cmd_sort, opts, argc, argv, &code) < 0)
		return code;
	findings_init(&j.findings, &j.arena, FINDINGS_MAX);
	if (j.folder != NULL && *j.folder == '\0')
		code = cmd_usage_error(&cmd_sort, "--output needs a directory");
	else if (j.look_back == 0)
		code = cmd_usage_error(
			&cmd_sort, "--look-back needs a number above 0");
	else
		code = run_job(&j, argv[0]);
	arena_fini(&j.arena);
	return code;
}

const struct cmd cmd_sort = {
	.name = "sort",
	.brief = "bring unsorted regions of ovni streams into clock order",
	.args = "TRACE",
	.min_args = 1,
	.max_args = 1,
	.help = "Moves the events between the markers OU[ and OU] to where "
		"their clocks belong among the\n"
		"earlier events, in a copy: TRACE itself is not changed.\n",
	.examples = "  weft sort ovni                   a sorted copy in "
		    "ovni.sorted\n"
		    "  weft sort --check ovni           which streams need "
		    "sorting?\n",
	.run = run,
};
