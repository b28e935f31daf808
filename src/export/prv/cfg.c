/* SPDX-License-Identifier: MIT */
#include "export/prv/cfg.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "export/prv/cfg_window.h"
#include "export/prv/histogram.h"
#include "export/prv/labels.h"

#define BUFFER_BYTES (8u << 10)
#define NAME_BYTES 100 /* longest part of a key used in a file name */
#define CODES 1000     /* larger values are ids, hashes or error values */

#define SAFE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

/* Views that ovni already has keep the file names of ovni. */
static const struct {
	const char *key, *name;
} ovni_names[] = {
	{ "ovni.cpu", "ovni/affinity" },
	{ "ovni.flush", "ovni/flushing" },
	{ "ovni.mark0", "ovni/mark" },
	{ "ovni.running", "ovni/number-running-threads" },
	{ "kernel.context_switch", "kernel/context-switch" },
	{ "nanos6.rank", "nanos6/mpi-rank" },
	{ "nanos6.task_type", "nanos6/task-type" },
	{ "nanos6.taskid", "nanos6/task-id" },
	{ "nanos6.thread_type", "nanos6/thread-type" },
	{ "nosv.appid", "nosv/task-appid" },
	{ "nosv.bodyid", "nosv/body-id" },
	{ "nosv.rank", "nosv/task-rank" },
	{ "nosv.task_type", "nosv/task-type" },
	{ "nosv.taskid", "nosv/task-id" },
	{ "openmp.taskid", "openmp/task-id" },
};

struct views {
	const struct prv_names *names;
	struct arena *arena;
	const char *class;
	const char *note;        /* appended to each title; "" */
	const char *dir;         /* DIR/cfg/CLASS; see directory_of() */
	VEC(const char *) taken; /* names of views, below dir, without .cfg */
	struct err err;          /* the first failure */
};

const char *
prv_cfg_name(const char *key)
{
	for (size_t i = 0; i < sizeof ovni_names / sizeof *ovni_names; i++)
		if (strcmp(ovni_names[i].key, key) == 0)
			return ovni_names[i].name;
	return NULL;
}

/* Returns the view's file name below its class, without .cfg: the first dot of
 * the key becomes a slash ("nanos6.subsystem" is nanos6/subsystem). */
static const char *
name_of(struct arena *a, const char *key)
{
	const char *known = prv_cfg_name(key);
	char *name = arena_strndup(a, key, strnlen(key, NAME_BYTES));
	char *dot = strchr(name, '.');

	if (known != NULL)
		return known;
	if (name[0] == '\0')
		return "_";
	for (char *c = name; *c != '\0'; c++)
		if (strchr(SAFE, *c) == NULL)
			*c = '_';
	if (dot != NULL && dot != name && dot[1] != '\0')
		*dot = '/';
	return name;
}

static void
keep(struct views *v, const struct err *err)
{
	if (v->err.kind == ERR_NONE)
		v->err = *err;
}

static bool
is_taken(const struct views *v, const char *name)
{
	for (int i = 0; i < v->taken.n; i++)
		if (strcmp(v->taken.at[i], name) == 0)
			return true;
	return false;
}

/* Returns the path of a new view and creates its directory; keeps a failure. */
static const char *
path_of(struct views *v, const char *key, const char *suffix)
{
	const char *name =
		arena_printf(v->arena, "%s%s", name_of(v->arena, key), suffix);
	const char *free = name, *slash;
	struct err err = { 0 };

	for (int i = 2; is_taken(v, free); i++)
		free = arena_printf(v->arena, "%s-%d", name, i);
	VEC_PUSH(&v->taken, v->arena, free);
	slash = strrchr(free, '/');
	if (!file_mkdir(arena_printf(v->arena, "%s/%.*s", v->dir,
				slash != NULL ? (int)(slash - free) : 0, free),
		    &err))
		keep(v, &err);
	return arena_printf(v->arena, "%s/%s.cfg", v->dir, free);
}

/* Creates a view's file. Returns false and keeps the failure if that fails. */
static bool
begin(struct views *v, struct outfile *f, const char *key, const char *suffix,
	int windows)
{
	const char *path = path_of(v, key, suffix);
	struct err err = { 0 };

	if (v->names->original && access(path, F_OK) == 0)
		return false; /* as the original tools do: it may be edited */
	if (!outfile_open(f, v->arena, path, BUFFER_BYTES, &err)) {
		keep(v, &err);
		return false;
	}
	prv_window_header(f, v->arena, windows,
		arena_printf(v->arena, "%s of %s.prv, written by weft%s.", key,
			v->class, v->note));
	return true;
}

static void
finish(struct views *v, struct outfile *f)
{
	struct err err = { 0 };

	if (!outfile_close(f, &err))
		keep(v, &err);
}

static const char *
title(const struct views *v, const char *text, const char *key)
{
	return arena_printf(v->arena, "%s%s",
		prv_window_title(v->arena, text, key), v->note);
}

/* Returns true if the type is coloured by size: numbers, ids and unlabelled
 * marks can be compared, or have too many values to give each a colour. */
static bool
is_gradient(const struct prv_type *t)
{
	return t->kind == TYPE_NUMBER || t->kind == TYPE_ID ||
		!prv_type_is_labelled(t);
}

/* Returns the largest labelled value that is not an id, a hash or an error
 * value; at least 1. */
static int64_t
most(const struct prv_type *t)
{
	int64_t found = 1;

	for (int i = 0; i < t->label.n; i++)
		if (t->label.at[i].value > found &&
			t->label.at[i].value < CODES)
			found = t->label.at[i].value;
	return found;
}

/* Returns the single window of a type's view. type: the address of a pointer to
 * the type. */
static struct prv_window
of_type(const struct views *v, const struct prv_type *const *type,
	const struct prv_colors *colors)
{
	const struct prv_type *t = *type;

	return (struct prv_window){
		.title = title(v, t->title == NULL ? "" : t->title, t->key),
		.type = type,
		.ntypes = 1,
		.id = 1,
		.colors = colors,
		.maximum = most(t),
		.gradient = is_gradient(t),
		.largest = t->kind == TYPE_NUMBER,
		.next = t->before,
		.open = true
	};
}

/* Adds a table: for states with small numbers a column per state, for others a
 * column per range of durations. */
static void
write_histogram(
	struct views *v, const struct prv_type *t, const struct prv_window *of)
{
	struct prv_window w = *of;
	struct outfile f;
	bool small = true;

	for (int i = 0; i < t->label.n; i++)
		if (t->label.at[i].means != MEANS_ERROR &&
			t->label.at[i].means != MEANS_LOST)
			small = small && t->label.at[i].value >= 0 &&
				t->label.at[i].value < CODES;
	w.open = false;
	if (small) {
		w.title = arena_printf(v->arena, "%s: time by state", w.title);
		if (!begin(v, &f, t->key, "-time", 1))
			return;
		prv_window_write(&f, v->arena, &w);
		prv_histogram_states(&f, w.title, w.maximum);
	} else {
		w.title = arena_printf(v->arena, "%s: durations", w.title);
		if (!begin(v, &f, t->key, "-durations", PRV_DURATION_WINDOWS))
			return;
		prv_histogram_durations(&f, v->arena, &w);
	}
	finish(v, &f);
}

static void
write_type(struct views *v, const struct prv_type *t)
{
	struct prv_colors colors = { 0 };
	struct prv_window w;
	struct outfile f;

	prv_colors_add(&colors, v->names, t);
	w = of_type(v, &t, &colors);
	if (begin(v, &f, t->key, "", 1)) {
		prv_window_write(&f, v->arena, &w);
		finish(v, &f);
	}
	if (t->kind == TYPE_STATE && !w.gradient)
		write_histogram(v, t, &w);
	prv_colors_fini(&colors);
}

/* The parts of a panel's view. */
struct panel_view {
	VEC(const struct prv_type *) type; /* types that have records */
	struct prv_colors colors;
	struct prv_window last; /* the window that is open, if there is one */
};

/*
 * Writes the windows of a panel whose types are laid over one another.
 *
 * Window 1 shows no values. It names all types, because a composed window takes
 * its labels from its first parent. Windows 2 to n + 1 show one type each.
 * Windows from n + 2 on compose them: Paraver's maximum takes two windows, so
 * each window joins the next type to the previous result.
 */
static void
put_joined(struct outfile *f, struct views *v, struct panel_view *p)
{
	struct prv_window w = p->last, join = p->last;
	int n = p->type.n;

	w.type = p->type.at;
	w.ntypes = n;
	w.labels = true;
	w.open = join.open = false;
	w.id = 1;
	prv_window_write(f, v->arena, &w);
	for (int i = 0; i < n; i++) {
		w = of_type(v, &p->type.at[i], &p->colors);
		w.id = i + 2;
		w.open = false;
		prv_window_write(f, v->arena, &w);
	}
	join.id = n + 2;
	join.operation = "add";
	join.factors = "0.000000000000 1.000000000000";
	join.left = 1;
	join.right = 2;
	prv_window_write(f, v->arena, &join);
	join.operation = "maximum";
	join.factors = NULL;
	for (int i = 1; i < n; i++) {
		join.left = join.id++;
		join.right = i + 2;
		join.open = i == n - 1;
		prv_window_write(f, v->arena, &join);
	}
}

/* Writes one open window per type; a single type gets the panel's title. */
static void
put_apart(struct outfile *f, struct views *v, struct panel_view *p)
{
	for (int i = 0; i < p->type.n; i++) {
		struct prv_window w = of_type(v, &p->type.at[i], &p->colors);

		w.id = i + 1;
		if (p->type.n == 1)
			w.title = p->last.title;
		prv_window_write(f, v->arena, &w);
	}
}

static void
write_panel(struct views *v, const struct prv_panel *panel)
{
	struct panel_view p = { 0 };
	struct outfile f;
	bool apart;
	int n;

	p.last = (struct prv_window){ .maximum = 1,
		.gradient = true,
		.largest = true,
		.open = true,
		.colors = &p.colors,
		.title = title(v, panel->title, panel->key) };
	for (int i = 0; i < panel->type.n; i++) {
		const struct prv_type *t =
			&v->names->type.at[panel->type.at[i]];

		if (t->title == NULL || !t->used)
			continue;
		VEC_PUSH(&p.type, v->arena, t);
		prv_colors_add(&p.colors, v->names, t);
		p.last.gradient = p.last.gradient && is_gradient(t);
		p.last.largest = p.last.largest && t->kind == TYPE_NUMBER;
		if (most(t) > p.last.maximum)
			p.last.maximum = most(t);
	}
	n = p.type.n;
	apart = panel->apart || n == 1;
	if (n > 0 && begin(v, &f, panel->key, "", apart ? n : 2 * n + 1)) {
		if (apart)
			put_apart(&f, v, &p);
		else
			put_joined(&f, v, &p);
		finish(v, &f);
	}
	prv_colors_fini(&p.colors);
}

/* Returns the directory of the views of a class. The original tools have the
 * view of a breakdown among those of CPUs. */
static const char *
directory_of(const struct prv_names *n, const char *class)
{
	static const char breakdown[] = "-breakdown";
	size_t size = strlen(class), end = sizeof breakdown - 1;

	if (n->original && size > end &&
		strcmp(class + size - end, breakdown) == 0)
		return "cpu";
	return class;
}

bool
prv_cfg_write(const struct prv_names *n, const char *dir, const char *class,
	const char *note, struct err *err)
{
	struct views v = {
		.names = n, .arena = n->arena, .class = class, .note = note
	};

	v.dir = arena_printf(v.arena, "%s/cfg/%s", dir, directory_of(n, class));
	for (int i = 0; i < n->type.n; i++)
		if ((n->type.at[i].title != NULL || n->original) &&
			n->type.at[i].used)
			write_type(&v, &n->type.at[i]);
	for (int i = 0; i < n->panel.n; i++)
		write_panel(&v, &n->panel.at[i]);
	if (v.err.kind != ERR_NONE)
		*err = v.err;
	return v.err.kind == ERR_NONE;
}
