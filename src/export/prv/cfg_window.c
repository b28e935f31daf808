/* SPDX-License-Identifier: MIT */
#include "export/prv/cfg_window.h"

#include <inttypes.h>
#include <string.h>

#include "base/arena.h"

const char *
prv_window_title(struct arena *a, const char *title, const char *key)
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

/* The description is put on one line: Paraver would interpret a line of it that
 * begins with a key. */
void
prv_window_header(struct outfile *f, struct arena *a, int windows,
	const char *description)
{
	outfile_printf(f,
		"#ParaverCFG\n"
		"ConfigFile.Version: 3.4\n"
		"ConfigFile.NumWindows: %d\n"
		"ConfigFile.BeginDescription\n"
		"View %s\n"
		"ConfigFile.EndDescription\n",
		windows, prv_window_title(a, description, "of weft"));
}

static void
put_kind(struct outfile *f, const struct prv_window *w)
{
	outfile_puts(f, "\n< NEW DISPLAYING WINDOW ");
	outfile_puts(f, w->title);
	outfile_puts(f, " >\nwindow_name ");
	outfile_puts(f, w->title);
	outfile_printf(f,
		"\nwindow_type %s\n"
		"window_id %d\n",
		w->operation == NULL ? "single" : "composed", w->id);
	if (w->operation != NULL)
		outfile_printf(f,
			"window_operation %s\n"
			"window_identifiers %d %d\n"
			"window_factors %s\n",
			w->operation, w->left, w->right,
			w->factors != NULL ? w->factors
					   : "1.000000000000 1.000000000000");
}

static void
put_colors(struct outfile *f, const struct prv_window *w)
{
	bool custom = w->colors != NULL && w->colors->at.n > 0 && !w->gradient;

	if (w->gradient)
		outfile_puts(
			f, "window_color_mode window_in_null_gradient_mode\n");
	outfile_printf(f, "window_custom_color_enabled %s\n",
		custom ? "true" : "false");
	if (!custom)
		return;
	outfile_puts(f, "window_custom_color_palette ");
	for (int i = 0; i < w->colors->at.n; i++) {
		const struct prv_color *c = &w->colors->at.at[i];

		outfile_printf(f, "%s{%" PRId64 ":%d,%d,%d}", i > 0 ? "," : "",
			c->value, c->rgb.r, c->rgb.g, c->rgb.b);
	}
	outfile_puts(f, "\n");
}

/* Writes size, colours and y scale. The numbers are initial values: Paraver
 * fits the y scale to the data. */
static void
put_look(struct outfile *f, const struct prv_window *w)
{
	outfile_puts(f,
		"window_position_x 0\n"
		"window_position_y 0\n"
		"window_width 600\n"
		"window_height 150\n"
		"window_comm_lines_enabled false\n"
		"window_flags_enabled false\n"
		"window_noncolor_mode true\n");
	put_colors(f, w);
	outfile_printf(f,
		"window_units %s\n"
		"window_maximum_y %" PRId64 ".0\n"
		"window_minimum_y 0.0\n"
		"window_compute_y_max true\n",
		w->ns ? "Nanoseconds" : "Microseconds", w->maximum);
}

/* Writes which part of the trace is shown: times are relative, and 0 to 1 is
 * the whole trace. Of several numbers on one pixel the largest is drawn; of
 * several states, a random one that is not 0. */
static void
put_place(struct outfile *f, const struct prv_window *w)
{
	const char *mode = w->largest ? "draw_maximum" : "draw_randnotzero";

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
put_functions(struct outfile *f, const struct prv_window *w)
{
	if (w->operation != NULL)
		outfile_puts(f,
			"window_selected_functions { 5, { {appl, Adding}, "
			"{task, Adding}, {node, Adding}, {system, Adding}, "
			"{workload, Adding}, } }\n");
	else
		outfile_printf(f,
			"window_selected_functions { 14, { {cpu, Active Thd}, "
			"{appl, Adding}, {task, Adding}, "
			"{thread, %s Evt Val}, {node, Adding}, "
			"{system, Adding}, {workload, Adding}, "
			"{from_obj, All}, {to_obj, All}, {tag_msg, All}, "
			"{size_msg, All}, {bw_msg, All}, {evt_type, =}, "
			"{evt_value, %s} } }\n",
			w->next ? "Next" : "Last", w->labels ? "=" : "All");
	outfile_printf(f,
		"window_compose_functions { 9, { {compose_cpu, As Is}, "
		"{compose_appl, As Is}, {compose_task, As Is}, "
		"{compose_thread, As Is}, {compose_node, As Is}, "
		"{compose_system, As Is}, {compose_workload, As Is}, "
		"{topcompose1, %s}, {topcompose2, As Is} } }\n",
		w->top != NULL ? w->top : "As Is");
}

/* Returns true if the types can be selected by title. A title with a star is a
 * pattern, and one with a quote cannot be quoted; then they are selected by
 * number. */
static bool
has_names(const struct prv_window *w)
{
	for (int i = 0; i < w->ntypes; i++)
		if (w->type[i]->title == NULL ||
			strpbrk(w->type[i]->title, "*\"") != NULL)
			return false;
	return true;
}

static void
put_filter(struct outfile *f, struct arena *a, const struct prv_window *w)
{
	outfile_printf(f, "window_filter_module evt_type %d", w->ntypes);
	for (int i = 0; i < w->ntypes; i++)
		outfile_printf(f, " %" PRId64, w->type[i]->number);
	outfile_puts(f, "\n");
	if (has_names(w)) {
		outfile_printf(
			f, "window_filter_module evt_type_label %d", w->ntypes);
		for (int i = 0; i < w->ntypes; i++) {
			outfile_puts(f, " \"");
			outfile_puts(f,
				prv_window_title(
					a, w->type[i]->title, w->type[i]->key));
			outfile_puts(f, "\"");
		}
		outfile_puts(f, "\n");
	}
	/* No record has the value -1, so the window shows no intervals. */
	if (w->labels)
		outfile_puts(f, "window_filter_module evt_value 1 -1\n");
}

void
prv_window_write(struct outfile *f, struct arena *a, const struct prv_window *w)
{
	put_kind(f, w);
	put_look(f, w);
	put_place(f, w);
	put_functions(f, w);
	if (w->operation == NULL)
		put_filter(f, a, w);
}
