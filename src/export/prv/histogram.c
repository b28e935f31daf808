/* SPDX-License-Identifier: MIT */
#include "export/prv/histogram.h"

#include <inttypes.h>

/* The analysis limits must be written: without them every cell is 0. */
static void
put_head(
	struct outfile *f, const char *title, int window, const char *statistic)
{
	outfile_puts(f,
		"\n< NEW ANALYZER2D >\n"
		"Analyzer2D.Name: ");
	outfile_puts(f, title);
	outfile_printf(f,
		"\n"
		"Analyzer2D.X: 0\n"
		"Analyzer2D.Y: 0\n"
		"Analyzer2D.Width: 600\n"
		"Analyzer2D.Height: 300\n"
		"Analyzer2D.ControlWindow: %d\n"
		"Analyzer2D.DataWindow: %d\n"
		"Analyzer2D.AnalysisLimits: Alltrace\n"
		"Analyzer2D.Statistic: %s\n"
		"Analyzer2D.HorizVert: Horizontal\n"
		"Analyzer2D.HideCols: True\n"
		"Analyzer2D.ColorMode: window_in_null_gradient_mode\n",
		window, window, statistic);
}

/* The scale is fixed: with an automatic one, an error, whose number is large,
 * would give millions of columns. */
void
prv_histogram_states(struct outfile *f, const char *title, int64_t most)
{
	put_head(f, title, 1, "Time");
	outfile_printf(f,
		"Analyzer2D.ComputeYScale: False\n"
		"Analyzer2D.Minimum: 0.0\n"
		"Analyzer2D.Maximum: %" PRId64 ".0\n"
		"Analyzer2D.Delta: 1.0\n",
		most);
}

void
prv_histogram_durations(
	struct outfile *f, struct arena *a, const struct prv_window *w)
{
	struct prv_window is = *w, lasts = *w;
	struct prv_window both = { .id = 3,
		.title = w->title,
		.operation = "product",
		.left = 1,
		.right = 2,
		.maximum = 1,
		.gradient = true,
		.largest = true,
		.ns = true };

	is.id = 1;
	is.top = "Sign";
	lasts.id = 2;
	lasts.top = "Burst Time";
	is.open = lasts.open = false;
	is.ns = lasts.ns = true;
	is.gradient = lasts.gradient = true;
	prv_window_write(f, a, &is);
	prv_window_write(f, a, &lasts);
	prv_window_write(f, a, &both);
	put_head(f, w->title, 3, "# Bursts");
	outfile_puts(f, "Analyzer2D.ComputeYScale: True\n");
}
