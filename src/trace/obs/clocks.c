/* SPDX-License-Identifier: MIT */
#include "trace/obs/clocks.h"

#include "base/arena.h"
#include "base/file.h"
#include "trace/align/table.h"
#include "trace/clock.h"
#include "trace/source.h"
#include "trace/wall.h"

const char *
obs_clocks_find(
	struct arena *a, const struct source_options *options, const char *root)
{
	const char *lines = arena_printf(a, "%s/" CLOCK_TABLE_FILE, root);
	const char *offsets = arena_printf(a, "%s/clock-offsets.txt", root);

	if (options->clock_table != NULL)
		return options->clock_table;
	/* The ovni tools know only the second one. */
	if (!options->heap_order && file_is_regular(lines))
		return lines;
	return file_is_regular(offsets) ? offsets : NULL;
}

bool
obs_clocks_read(
	struct trace *t, const char *table, const char *root, struct err *err)
{
	if (table != NULL)
		return clock_read(t, table, err);
	wall_align(t);
	if (t->nodes.n > 1 && wall_is_one_machine(t))
		finding_file(t->findings, FINDING_NOTE, root,
			"the %d looms are parts of one machine (for instance "
			"containers): each loom shows the same CPUs",
			t->nodes.n);
	else if (t->nodes.n > 1)
		finding_file(t->findings, FINDING_WARNING, root,
			"no clock-offsets.txt for %d looms: "
			"their clocks are assumed to agree%s",
			t->nodes.n,
			t->findings->strict
				? ""
				: " (weft sync measures them, in an MPI job "
				  "with one process on each host)");
	return true;
}
