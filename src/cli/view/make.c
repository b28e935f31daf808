/* SPDX-License-Identifier: MIT */
#include "cli/view/make.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftover.h"
#include "base/log.h"
#include "cli/trace/stat_count.h"
#include "cli/trace/summary.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "cli/view/steps.h"
#include "export/index/identity.h"

#define FIRST_PART (1u << 18) /* records: read in a quarter of a second */
#define EVENT_BYTES 12        /* the shortest event of an ovni stream */
#define OLD_S \
	600            /* s; a younger file may belong to a process that \
	                * runs */
#define DESCRIPTORS 16 /* descriptors for reading a tree of directories */

/* Describes the trace for the sink. */
static struct sink_setup
setup_of(struct view_trace *t, struct pipeline *r)
{
	struct sink_setup setup = { .title = t->name,
		.identity =
			index_identity(&r->arena, t->input_path, t->shape) };

	summary_setup(r, &setup);
	return setup;
}

struct outcome {
	bool ok;
	bool write_failed; /* an index in another directory may succeed */
};

/* Emulates the open trace into an index in that directory, and passes it to the
 * caller's function. On failure sets err and leaves no file. */
static struct outcome
write_index(struct pipeline *r, const struct steps_options *o,
	struct sink_bytes *totals, const char *path, struct err *err)
{
	struct sink *sink = steps_open(&r->sink_arena, o, err);
	struct err late = { 0 };
	bool ok, written;

	if (sink == NULL)
		return (struct outcome){ false, true };
	sink = pipeline_queue(r, sink);
	sink = stat_count_beside(r, sink, totals);
	sink = filter_args_open(&r->filter, &r->arena, sink);
	ok = pipeline_emulate(r, sink, err);
	written = sink_close(sink, &late);
	if (ok && !written)
		*err = late;
	if (ok && written && undo_is_noted()) {
		unlink(o->file);
		undo_cut();
		err_set(err, ERR_LIMIT,
			"%s: interrupted while its index was made", path);
		return (struct outcome){ false, false };
	}
	return (struct outcome){ ok && written, ok && !written };
}

static void
nothing(void *arg, const char *file)
{
	(void)arg;
	(void)file;
}

/* Emulates into an index in the directory, and passes it to the caller's
 * function. */
static struct outcome
make_in(struct view_trace *t, struct pipeline *r, const char *dir,
	const struct make_options *o, struct err *err)
{
	struct sink_setup setup = setup_of(t, r);
	struct sink_bytes totals = { 0 };
	int64_t bytes = o->part == NULL ? 0 : make_bytes(t, INT64_MAX);
	struct steps_options steps = {
		.setup = &setup,
		.dir = dir,
		.file = arena_printf(&r->arena, "%s/%s", dir, INDEX_FILE),
		.part = arena_printf(&r->arena, "%s/%s.part-%ld", dir,
			INDEX_FILE, (long)getpid()),
		.first = FIRST_PART,
		.most = (uint64_t)bytes / EVENT_BYTES / 2,
		.made = o->part != NULL ? o->part : nothing,
		.arg = o->arg,
	};
	struct outcome done;

	setup.totals = &totals;
	done = write_index(r, &steps, &totals, t->path, err);
	if (done.ok)
		done.ok = o->take(o->arg, steps.file, err);
	return done;
}

/* Makes the index as a temporary file, in memory or where temporary files go.
 */
static bool
make_unnamed(struct view_trace *t, struct pipeline *r,
	const struct make_options *o, struct err *err)
{
	char *dir = arena_printf(&r->arena, "%s/weft-view-XXXXXX",
		pipeline_spill_folder(&t->options));
	int leftover;
	bool ok;

	if (!leftover_mkdtemp(dir, false, &leftover))
		return err_set(err, ERR_SYSTEM, "%s", dir);
	ok = make_in(t, r, dir, o, err).ok;
	/* The caller that took the index keeps the file. */
	unlink(arena_printf(&r->arena, "%s/%s", dir, INDEX_FILE));
	rmdir(dir);
	leftover_drop(leftover);
	return ok;
}

/* Makes the index in the directory of outputs. Sets *elsewhere if that is not
 * possible but a temporary file may still be made. */
static bool
make_named(struct view_trace *t, struct pipeline *r,
	const struct make_options *o, bool *elsewhere, struct err *err)
{
	bool is_new = access(t->dir, F_OK) != 0;
	int leftover = is_new ? leftover_add(t->dir) : -1;
	struct err why = { 0 };
	struct outcome done;

	if (!file_mkdir(t->dir, &why) || access(t->dir, W_OK) != 0) {
		log_note("%s is not writable: the index is kept for this run "
			 "only",
			t->dir);
		leftover_drop(leftover);
		t->no_file = true;
		return make_unnamed(t, r, o, err);
	}
	make_clean(t->dir);
	done = make_in(t, r, t->dir, o, err);
	leftover_drop(leftover);
	if (is_new)
		rmdir(t->dir); /* fails, as it should, if the directory has
		                * files */
	*elsewhere = done.write_failed && !undo_is_noted();
	return done.ok;
}

/* Returns true if every thread of the trace has ended its stream. */
static bool
is_complete(const struct trace *t)
{
	for (int i = 0; i < t->threads.n; i++)
		if (!t->threads.at[i].finished)
			return false;
	return t->threads.n > 0;
}

static bool
open_trace(
	struct view_trace *t, const struct make_options *o, struct pipeline *r)
{
	int kept = o->hushed ? dup(STDERR_FILENO) : -1;
	int null = kept < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
	bool ok;

	if (null >= 0)
		dup2(null, STDERR_FILENO);
	ok = pipeline_open(r, t->path);
	if (null >= 0) {
		fflush(stderr);
		dup2(kept, STDERR_FILENO);
		close(null);
	}
	if (kept >= 0)
		close(kept);
	return ok;
}

/* Reads the trace once. */
static bool
attempt(struct view_trace *t, const struct make_options *o, struct made *made,
	bool *elsewhere)
{
	struct pipeline r = t->options;
	struct err err = { 0 };
	bool ok = open_trace(t, o, &r);

	if (!ok) {
		err_set(&err, ERR_INPUT, "%s cannot be read", t->path);
	} else if (!pipeline_resolve_filter(&r, &err)) {
		cmd_usage_error(&cmd_view, "%s", err.text);
		made->code = EXIT_USAGE;
		ok = false;
	} else {
		ok = t->no_file ? make_unnamed(t, &r, o, &err)
				: make_named(t, &r, o, elsewhere, &err);
		made->complete = ok && is_complete(&r.source->trace);
		if (ok && !o->hushed)
			made->code = pipeline_report(&r);
		else if (!ok && *elsewhere)
			log_note("%s: the index is kept for this run only",
				err.text);
		else if (!ok && !o->hushed)
			pipeline_unable(&err);
	}
	memcpy(made->text, err.text, sizeof made->text);
	pipeline_close(&r);
	return ok;
}

bool
make_index(
	struct view_trace *t, const struct make_options *o, struct made *made)
{
	bool elsewhere = false, ok;

	*made = (struct made){ .code = EXIT_UNABLE };
	ok = attempt(t, o, made, &elsewhere);
	if (elsewhere) {
		t->no_file = true;
		elsewhere = false;
		ok = attempt(t, o, made, &elsewhere);
	}
	return ok;
}

static bool
open_here(void *arg, const char *file, struct err *err)
{
	struct view_trace *t = arg;

	t->index = index_open(&t->arena, file, err);
	return t->index != NULL;
}

bool
make_here(struct view_trace *t)
{
	const struct make_options o = { .take = open_here, .arg = t };
	struct made made;

	t->is_new = make_index(t, &o, &made);
	t->code = made.code;
	return t->is_new;
}

/* Returns true if a file beside the index is a part, or the beginning of one,
 * of a process that has ended: "timeline.widx.part-123-1". The process may be
 * one of another machine, so the file must also be old. */
static bool
is_left(const char *path, const char *name)
{
	static const char part[] = INDEX_FILE ".part-";
	struct stat st;
	long pid;

	if (strncmp(name, part, sizeof part - 1) != 0)
		return false;
	pid = strtol(name + sizeof part - 1, NULL, 10);
	return pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
		stat(path, &st) == 0 && time(NULL) - st.st_mtime > OLD_S;
}

void
make_clean(const char *dir)
{
	struct arena a = { 0 };
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL) {
		const char *path = arena_printf(&a, "%s/%s", dir, e->d_name);

		if (is_left(path, e->d_name))
			unlink(path);
	}
	if (d != NULL)
		closedir(d);
	arena_fini(&a);
}

/* Global, because nftw() passes no argument to its callback. */
static int64_t sum, limit;

static int
add_bytes(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)path;
	(void)where;
	if (kind == FTW_F)
		sum += st->st_size;
	return sum >= limit;
}

int64_t
make_bytes(const struct view_trace *t, int64_t most)
{
	sum = 0;
	limit = most;
	nftw(task_trace_path(t->path), add_bytes, DESCRIPTORS, FTW_PHYS);
	return sum;
}
