/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftover.h"
#include "base/log.h"
#include "cli/copy.h"
#include "cli/trace/shape.h"
#include "cli/trace/task_trace.h"
#include "cli/undo.h"
#include "cli/view/view.h"
#include "export/index/identity.h"

#define LOOK_SHARE \
	50 /* looks at the inputs take at most 1/50 of the time \
	      \ */

/* Returns the index in a directory of outputs, or the path itself if it is an
 * index; otherwise NULL. */
static const char *
index_at_path(struct arena *a, const char *path)
{
	size_t n = strlen(path), suffix = strlen(".widx");
	const char *inside;

	if (n > suffix && strcmp(path + n - suffix, ".widx") == 0 &&
		file_is_regular(path))
		return path;
	inside = arena_printf(a, "%s/%s", path, INDEX_FILE);
	return file_is_dir(path) && file_is_regular(inside) ? inside : NULL;
}

/* Describes the trace for the sink. */
static struct sink_setup
setup_of(struct view_trace *t, const struct pipeline *r)
{
	const struct trace *trace = &r->source->trace;
	struct sink_setup setup = { .unit = trace->unit,
		.rows_grow = trace->rows_grow,
		.title = t->name,
		.start_realtime = CLOCK_UNKNOWN,
		.start_monotonic = CLOCK_UNKNOWN,
		.identity = index_identity(
			&t->arena, task_trace_path(t->path), t->shape) };

	if (trace->start_realtime != TRACE_UNKNOWN)
		setup.start_realtime = trace->start_realtime;
	if (trace->start_monotonic != TRACE_UNKNOWN)
		setup.start_monotonic = trace->start_monotonic;
	return setup;
}

/* Emulates the open trace into an index in that directory. Returns false with
 * err, and removes an index that was interrupted. */
static bool
write_index(struct view_trace *t, struct pipeline *r, const char *dir,
	struct err *err)
{
	struct sink_setup setup = setup_of(t, r);
	struct sink *sink = pipeline_sinks(r, "index", dir, &setup, err);
	bool ok;

	if (sink == NULL)
		return false;
	sink = filter_args_open(&r->filter, &r->arena, sink);
	ok = pipeline_emulate(r, sink, err);
	ok = sink_close(sink, ok ? err : &(struct err){ 0 }) && ok;
	if (ok && undo_is_noted()) {
		unlink(arena_printf(&t->arena, "%s/%s", dir, INDEX_FILE));
		undo_cut();
		ok = err_set(err, ERR_LIMIT,
			"%s: interrupted while its index was made", t->path);
	}
	return ok;
}

/* Makes a directory in memory, or where temporary files go. Returns NULL with
 * err. */
static const char *
temporary_folder(struct view_trace *t, struct err *err)
{
	char *dir = arena_printf(&t->arena, "%s/weft-view-XXXXXX",
		pipeline_spill_folder(&t->options));

	if (mkdtemp(dir) != NULL)
		return dir;
	err_set(err, ERR_SYSTEM, "%s", dir);
	return NULL;
}

/* Emulates into an index file without a name. */
static bool
make_unnamed(struct view_trace *t, struct pipeline *r, struct err *err)
{
	const char *dir = temporary_folder(t, err), *file;
	int leftover;
	bool ok;

	if (dir == NULL)
		return false;
	leftover = leftover_add(dir);
	file = arena_printf(&t->arena, "%s/%s", dir, INDEX_FILE);
	ok = write_index(t, r, dir, err);
	if (ok)
		t->index = index_open(&t->arena, file, err);
	unlink(file); /* the open index keeps the file */
	rmdir(dir);
	leftover_drop(leftover);
	return ok && t->index != NULL;
}

static bool
make(struct view_trace *t, struct pipeline *r, const char *dir, struct err *err)
{
	struct err why = { 0 };

	if (t->no_file)
		return make_unnamed(t, r, err);
	if (file_mkdir(dir, &why) && access(dir, W_OK) == 0) {
		if (!write_index(t, r, dir, err))
			return false;
		t->index = index_open(&t->arena,
			arena_printf(&t->arena, "%s/%s", dir, INDEX_FILE), err);
		return t->index != NULL;
	}
	log_note(
		"%s is not writable: the index is kept for this run only", dir);
	t->no_file = true;
	return make_unnamed(t, r, err);
}

/* Makes the index. On failure prints the error and returns false. */
static bool
build(struct view_trace *t, const char *dir)
{
	struct pipeline r = t->options;
	struct err err = { 0 };
	bool ok = pipeline_open(&r, t->path);

	if (ok && !pipeline_resolve_filter(&r, &err)) {
		cmd_usage_error(&cmd_view, "%s", err.text);
		t->code = EXIT_USAGE;
		ok = false;
	} else if (ok) {
		ok = make(t, &r, dir, &err);
		if (ok)
			t->code = pipeline_report(&r);
		else
			pipeline_unable(&err);
	}
	pipeline_close(&r);
	t->is_new = ok;
	return ok;
}

/* Returns the existing index if it is current; otherwise NULL and, if there is
 * a file, the reason. */
static struct index *
reuse(struct view_trace *t, const char *file, const char **why)
{
	struct err err = { 0 };
	struct index *ix;

	*why = NULL;
	if (!file_is_regular(file))
		return NULL;
	ix = index_open(&t->arena, file, &err);
	if (ix == NULL) {
		*why = arena_strdup(&t->arena, err.text);
		return NULL;
	}
	*why = index_stale(&t->arena, ix, task_trace_path(t->path), t->shape);
	if (*why == NULL)
		return ix;
	index_close(ix);
	return NULL;
}

bool
view_open(struct view_trace *t)
{
	const char *dir, *file = index_at_path(&t->arena, t->path), *why;
	struct err err = { 0 };

	pthread_mutex_init(&t->lock, NULL);
	t->code = EXIT_UNABLE;
	t->name = file_name(arena_strdup(&t->arena, t->path));
	t->shape = run_shape(&t->arena, &t->options);
	if (file != NULL) {
		t->is_index = true;
		t->index = index_open(&t->arena, file, &err);
		if (t->index == NULL)
			pipeline_unable(&err);
		t->code = t->index == NULL ? EXIT_UNABLE : EXIT_YES;
		return t->index != NULL;
	}
	dir = copy_folder(&t->arena, task_trace_path(t->path), ".weft");
	file = arena_printf(&t->arena, "%s/%s", dir, INDEX_FILE);
	t->index = t->no_file ? NULL : reuse(t, file, &why);
	if (t->index != NULL) {
		t->code = EXIT_YES;
		return true;
	}
	if (!t->no_file && why != NULL)
		log_done("index: %s, building again", why);
	return build(t, dir);
}

void
view_close(struct view_trace *t)
{
	index_close(t->index);
	pthread_mutex_destroy(&t->lock);
	arena_fini(&t->arena);
}

static int64_t
now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool
view_changed(void *arg)
{
	struct view_trace *t = arg;
	struct arena a = { 0 };
	int64_t now = now_ns();
	bool changed;

	pthread_mutex_lock(&t->lock);
	if (now - t->looked_ns >= LOOK_SHARE * t->took_ns) {
		t->changed = index_stale(&a, t->index, task_trace_path(t->path),
				     t->shape) != NULL;
		t->looked_ns = now_ns();
		t->took_ns = t->looked_ns - now;
		arena_fini(&a);
	}
	changed = t->changed;
	pthread_mutex_unlock(&t->lock);
	return changed;
}
