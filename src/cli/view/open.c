/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/leftover.h"
#include "base/log.h"
#include "base/now.h"
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

/* Returns the existing index if it is current; otherwise NULL and, if there is
 * a file, the reason. */
static struct index *
reuse(const struct view_trace *t, struct arena *a, const char *file,
	const char **why)
{
	struct err err = { 0 };
	struct index *ix;

	*why = NULL;
	if (!file_is_regular(file))
		return NULL;
	ix = index_open(a, file, &err);
	if (ix == NULL) {
		*why = arena_strdup(a, err.text);
		return NULL;
	}
	*why = index_stale(a, ix, t->input_path, t->shape);
	if (*why == NULL)
		return ix;
	index_close(ix);
	return NULL;
}

/* Opens the index that the path names. On failure prints the error. */
static bool
open_index(struct view_trace *t, const char *file)
{
	struct err err = { 0 };

	t->is_index = true;
	t->path = file;
	t->index = index_open(&t->arena, file, &err);
	if (t->index == NULL)
		pipeline_unable(&err);
	else if (stat(file, &t->file) == 0)
		t->code = EXIT_YES;
	return t->index != NULL;
}

/* Returns the name of the trace, or of all that are on one timeline. */
static const char *
title_of(struct view_trace *t)
{
	struct arena *a = &t->arena;
	const char *name = copy_title(a, t->path);

	for (int i = 1; i < t->options.npaths; i++)
		name = arena_printf(
			a, "%s + %s", name, copy_title(a, t->options.paths[i]));
	return name;
}

bool
view_open(struct view_trace *t)
{
	const char *file = t->options.npaths > 1
		? NULL
		: index_at_path(&t->arena, t->path);

	pthread_mutex_init(&t->lock, NULL);
	t->code = EXIT_UNABLE;
	t->name = title_of(t);
	t->input_path = copy_inputs(&t->arena, task_trace_path(t->path));
	t->shape = run_shape(&t->arena, &t->options);
	if (file != NULL)
		return open_index(t, file);
	t->dir = copy_beside(&t->arena, task_trace_path(t->path),
		pipeline_suffix(&t->arena, &t->options));
	file = arena_printf(&t->arena, "%s/%s", t->dir, INDEX_FILE);
	/* Only reading a live trace shows whether it has grown. */
	if (!t->no_file && !t->live)
		t->index = reuse(t, &t->arena, file, &t->reason);
	if (t->index != NULL)
		t->code = EXIT_YES;
	else if (t->reason != NULL)
		log_done("index: %s, building again", t->reason);
	return t->index != NULL;
}

struct index *
view_open_again(struct view_trace *t, struct arena *a)
{
	struct index *ix = NULL;
	struct err err = { 0 };
	struct stat file;
	const char *why;

	if (!t->is_index)
		return t->no_file
			? NULL
			: reuse(t, a,
				  arena_printf(a, "%s/%s", t->dir, INDEX_FILE),
				  &why);
	if (stat(t->path, &file) == 0)
		ix = index_open(a, t->path, &err);
	if (ix != NULL) {
		pthread_mutex_lock(&t->lock);
		t->file = file;
		pthread_mutex_unlock(&t->lock);
	}
	return ix;
}

void
view_close(struct view_trace *t)
{
	index_close(t->index);
	pthread_mutex_destroy(&t->lock);
	arena_fini(&t->arena);
}

/* Compares the index file that the user named with the one that is shown. */
static enum serve_input
compare_file(const struct view_trace *t)
{
	struct stat now;

	if (stat(t->path, &now) != 0)
		return SERVE_REMOVED;
	return now.st_ino == t->file.st_ino && now.st_dev == t->file.st_dev &&
			now.st_size == t->file.st_size &&
			now.st_mtim.tv_sec == t->file.st_mtim.tv_sec &&
			now.st_mtim.tv_nsec == t->file.st_mtim.tv_nsec
		? SERVE_SAME
		: SERVE_CHANGED;
}

static enum serve_input
compare(const struct view_trace *t, const struct index *ix)
{
	const char *path = t->input_path;
	struct arena a = { 0 };
	enum serve_input is = SERVE_SAME;

	if (t->is_index)
		return compare_file(t);
	if (access(path, F_OK) != 0)
		is = SERVE_REMOVED;
	else if (index_stale(&a, ix, path, t->shape) != NULL)
		is = SERVE_CHANGED;
	arena_fini(&a);
	return is;
}

enum serve_input
view_input(void *arg, const struct index *ix)
{
	struct view_trace *t = arg;
	const uint8_t *generation = index_meta(ix)->generation;
	int64_t now = now_ns();
	enum serve_input is;

	pthread_mutex_lock(&t->lock);
	if (now - t->looked_ns >= LOOK_SHARE * t->took_ns ||
		memcmp(t->generation, generation, sizeof t->generation) != 0) {
		t->input = compare(t, ix);
		memcpy(t->generation, generation, sizeof t->generation);
		t->looked_ns = now_ns();
		t->took_ns = t->looked_ns - now;
	}
	is = t->input;
	pthread_mutex_unlock(&t->lock);
	return is;
}
