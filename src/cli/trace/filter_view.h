/* SPDX-License-Identifier: MIT */
/*
 * filter_view.h - views by name: a view is a panel, or one type of state.
 */
#ifndef WEFT_CLI_TRACE_FILTER_VIEW_H
#define WEFT_CLI_TRACE_FILTER_VIEW_H

#include "base/err.h"
#include "emu/model.h"

struct arena;
struct trace;

/*
 * Returns the types that a list of views shows, as a list for --type:
 * "tasks,subsystems" yields "nanos6-ctf.label,nanos6-ctf.subsystems". The list
 * has the types of every enabled model that has such a view; a counter of the
 * trace is a view, too. Returns NULL and sets err if no model has the view.
 */
const char *filter_view_types(struct arena *a, const char *views,
	const struct model *const *models, const struct trace *t,
	struct err *err);

#endif
