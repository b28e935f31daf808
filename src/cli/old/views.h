/* SPDX-License-Identifier: MIT */
/*
 * views.h - Paraver's views (cfg/) that ovniemu leaves in a trace.
 *
 * A view that is already in the trace stays as it is, since the user may have
 * changed it. The views in $OVNI_CONFIG_DIR take the place of those of the same
 * name that weft makes.
 */
#ifndef WEFT_CLI_OLD_VIEWS_H
#define WEFT_CLI_OLD_VIEWS_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

/* Returns true if the trace has views, and warns that they are kept. Called
 * before the first view is written. */
bool old_views_exist(struct arena *a, const char *trace);

/* Copies the files of $OVNI_CONFIG_DIR, if that is set, into the trace's cfg.
 * Returns false with err after a failure; files before it have been copied. */
bool old_views_copy(struct arena *a, const char *trace, struct err *err);

#endif
