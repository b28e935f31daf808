/* SPDX-License-Identifier: MIT */
#include "export/prv/cfg.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/vec.h"
#include "export/prv/names.h"

#define BUFFER_BYTES (8u << 10)
#define NAME_BYTES 100 /* of a key in the name of a file */
#define CODES 1000     /* NUM_OF_STATE_COLORS: values beyond are ids, faults */

#define SAFE "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

struct views {
	const struct prv_names *names;
	struct arena *arena;
	const char *class;
	const char *dir;         /* DIR/cfg/CLASS */
	VEC(const char *) taken; /* names of views, below dir, without .cfg */
	struct err err;          /* the first failure */
};

/* A window of a view: of a type, or the maximum of two windows. */
struct window {
	const char *title;
	const struct prv_type *type; /* NULL: a maximum */
	int id, left, right;         /* windows count from 1 */
	int64_t maximum;
	bool gradient;
	bool open; /* shown; or only there for another */
};

/* A title stands in lines and between quotes, and may come from a trace. */
static const char *
plain(struct arena *a, const char *title, const char *key)
{
	bool blank = title[strspn(title, " \t\r\n")] == '\0';
	char *text = arena_strdup(a, blank ? key : title);

	if (text[0] == '\0')
		return "(no name)";
	for (char *c = text; *c != '\0'; c++) {
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
		else if (*c == '"')
			*c = '\'';
	}
	return text;
}

/* "nanos6.subsystem" is nanos6/subsystem; the first dot makes a folder. */
static const char *
name_of(struct arena *a, const char *key)
{
	char *name = arena_strndup(a, key, strnlen(key, NAME_BYTES));
	char *dot = strchr(name, '.');

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

/* The path of a new view. Its folder is there, unless there is a failure. */
static const char *
path_of(struct views *v, const char *key)
{
	const char *name = name_of(v->arena, key), *free = name;
	const char *slash;
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

/* False if the file cannot be made; the failure is kept. */
static bool
begin(struct views *v, struct outfile *f, const char *key, int windows)
{
	const char *path = path_of(v, key);
	struct err err = { 0 };

	if (!outfile_open(f, v->arena, path, BUFFER_BYTES, &err)) {
		keep(v, &err);
		return false;
	}
	outfile_printf(f,
		"#ParaverCFG\n"
		"ConfigFile.Version: 3.4\n"
		"ConfigFile.NumWindows: %d\n"
		"ConfigFile.BeginDescription\n"
		"View %s of %s.prv, written by weft.\n"
		"ConfigFile.EndDescription\n",
		windows, plain(v->arena, key, key), v->class);
	return true;
}

static void
put_kind(struct outfile *f, const struct window *w)
{
	outfile_printf(f,
		"\n< NEW DISPLAYING WINDOW %s >\n"
		"window_name %s\n"
		"window_type %s\n"
		"window_id %d\n",
		w->title, w->title, w->type != NULL ? "single" : "composed",
		w->id);
	if (w->type == NULL)
		outfile_printf(f,
			"window_factors 1.000000000000 1.000000000000\n"
			"window_operation maximum\n"
			"window_identifiers %d %d\n",
			w->left, w->right);
}

/* Paraver fits the y scale to the data: the numbers are where it begins. */
static void
put_look(struct outfile *f, const struct window *w)
{
	outfile_puts(f,
		"window_position_x 0\n"
		"window_position_y 0\n"
		"window_width 600\n"
		"window_height 150\n"
		"window_comm_lines_enabled false\n"
		"window_flags_enabled false\n"
		"window_noncolor_mode true\n");
	if (w->gradient)
		outfile_puts(
			f, "window_color_mode window_in_null_gradient_mode\n");
	outfile_printf(f,
		"window_custom_color_enabled false\n"
		"window_units Microseconds\n"
		"window_maximum_y %" PRId64 ".0\n"
		"window_minimum_y 0.0\n"
		"window_compute_y_max true\n",
		w->maximum);
}

/* Times are shares of the trace: 0 to 1 is all of it. Of the numbers of a pixel
 * the largest is drawn, of states any that is not nothing. */
static void
put_place(struct outfile *f, const struct window *w)
{
	const char *mode = w->gradient ? "draw_maximum" : "draw_randnotzero";

	outfile_printf(f,
		"window_level thread\n"
		"window_scale_relative 1.000000000000\n"
		"window_end_time_relative 1.000000000000\n"
		"window_object appl { 1, { All } }\n"
		"window_begin_time_relative 0.000000000000\n"
		"window_open %s\n"
		"window_drawmode %s\n"
		"window_drawmode_rows %s\n"
		"window_pixel_size 1\n"
		"window_labels_to_draw 1\n",
		w->open ? "true" : "false", mode, mode);
}

static void
put_functions(struct outfile *f)
{
	outfile_puts(f,
		"window_selected_functions { 14, { {cpu, Active Thd}, "
		"{appl, Adding}, {task, Adding}, {thread, Last Evt Val}, "
		"{node, Adding}, {system, Adding}, {workload, Adding}, "
		"{from_obj, All}, {to_obj, All}, {tag_msg, All}, "
		"{size_msg, All}, {bw_msg, All}, {evt_type, =}, "
		"{evt_value, All} } }\n"
		"window_compose_functions { 9, { {compose_cpu, As Is}, "
		"{compose_appl, As Is}, {compose_task, As Is}, "
		"{compose_thread, As Is}, {compose_node, As Is}, "
		"{compose_system, As Is}, {compose_workload, As Is}, "
		"{topcompose1, As Is}, {topcompose2, As Is} } }\n");
}

static void
put_window(struct outfile *f, struct arena *a, const struct window *w)
{
	put_kind(f, w);
	put_look(f, w);
	put_place(f, w);
	put_functions(f);
	if (w->type != NULL)
		outfile_printf(f,
			"window_filter_module evt_type 1 %" PRId64 "\n"
			"window_filter_module evt_type_label 1 \"%s\"\n",
			w->type->number,
			plain(a, w->type->title, w->type->key));
}

static void
finish(struct views *v, struct outfile *f)
{
	struct err err = { 0 };

	if (!outfile_close(f, &err))
		keep(v, &err);
}

static struct window
of_type(struct arena *a, const struct prv_type *t)
{
	struct window w = { .title = plain(a, t->title, t->key),
		.type = t,
		.id = 1,
		.maximum = 1,
		.gradient = t->kind == TYPE_NUMBER,
		.open = true };

	for (int i = 0; i < t->label.n; i++)
		if (t->label.at[i].value > w.maximum &&
			t->label.at[i].value < CODES)
			w.maximum = t->label.at[i].value;
	return w;
}

static void
write_type(struct views *v, const struct prv_type *t)
{
	struct window w = of_type(v->arena, t);
	struct outfile f;

	if (!begin(v, &f, t->key, 1))
		return;
	put_window(&f, v->arena, &w);
	finish(v, &f);
}

/*
 * Windows 1 to n are the types, all shown if they stay apart. Else, as a
 * maximum has two sides, n - 1 more join them, the next type to what was
 * joined; only the last of all is shown.
 */
static void
put_panel(struct outfile *f, const struct views *v, const struct prv_panel *p,
	int n)
{
	struct window join = { .gradient = true,
		.title = plain(v->arena, p->title, p->key) };
	int id = 0;

	for (int i = 0; i < p->type.n; i++) {
		const struct prv_type *t = &v->names->type.at[p->type.at[i]];
		struct window w;

		if (t->title == NULL)
			continue;
		w = of_type(v->arena, t);
		w.id = ++id;
		w.open = n == 1 || p->apart;
		if (n == 1)
			w.title = join.title;
		if (w.maximum > join.maximum)
			join.maximum = w.maximum;
		join.gradient = join.gradient && w.gradient;
		put_window(f, v->arena, &w);
	}
	for (int i = 2; i <= n && !p->apart; i++) {
		join.left = i == 2 ? 1 : join.id;
		join.right = i;
		join.id = n + i - 1;
		join.open = i == n;
		put_window(f, v->arena, &join);
	}
}

static void
write_panel(struct views *v, const struct prv_panel *p)
{
	struct outfile f;
	int n = 0;

	for (int i = 0; i < p->type.n; i++)
		n += v->names->type.at[p->type.at[i]].title != NULL;
	if (n == 0 || !begin(v, &f, p->key, p->apart ? n : 2 * n - 1))
		return;
	put_panel(&f, v, p, n);
	finish(v, &f);
}

bool
prv_cfg_write(const struct prv_names *n, const char *dir, const char *class,
	struct err *err)
{
	struct views v = { .names = n, .arena = n->arena, .class = class };

	v.dir = arena_printf(v.arena, "%s/cfg/%s", dir, class);
	for (int i = 0; i < n->type.n; i++)
		if (n->type.at[i].title != NULL)
			write_type(&v, &n->type.at[i]);
	for (int i = 0; i < n->panel.n; i++)
		write_panel(&v, &n->panel.at[i]);
	if (v.err.kind != ERR_NONE)
		*err = v.err;
	return v.err.kind == ERR_NONE;
}
