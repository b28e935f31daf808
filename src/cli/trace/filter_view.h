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
 * The types of a list of views as a list for --type: "tasks,subsystems" is
 * "nanos6-ctf.label,nanos6-ctf.subsystems". Of the models that are on, all
 * that have such a view; a counter of the trace is one, too. NULL with err if
 * none has.
 */
const char *filter_view_types(struct arena *a, const char *views,
	const struct model *const *models, const struct trace *t,
	struct err *err);

#endif
