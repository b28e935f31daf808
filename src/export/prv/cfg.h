/* SPDX-License-Identifier: MIT */
/*
 * cfg.h - views: what Paraver opens with one click on a timeline.
 *
 * A .prv file holds the values of all types; a view shows one type, and its
 * file says how: which type, which colours, what to do when many values fall
 * on one pixel. Each type of a class has one, each panel too, and states have
 * a table of their times:
 *
 *	DIR/cfg/thread/nanos6/subsystem.cfg    (key "nanos6.subsystem")
 *	DIR/cfg/thread/nanos6/subsystem-time.cfg
 *	DIR/cfg/thread/nanos6/task-type-durations.cfg    (many states)
 *
 * Views that ovni had first have the names of its files. A type without a
 * record has no view: Paraver would ask what is meant.
 *
 * The format is Paraver's CFG 3.4: a list of windows, each a list of lines
 * "name value". A view names no trace and no absolute time, so that it fits
 * any trace that has the type.
 */
#ifndef WEFT_EXPORT_PRV_CFG_H
#define WEFT_EXPORT_PRV_CFG_H

#include <stdbool.h>

#include "base/err.h"

struct prv_names;

/*
 * Writes all views of the class into DIR/cfg/CLASS. The class must be fit for
 * the name of a file; keys and titles may be anything. Types without a title
 * have no view, unless the tools are imitated that did not name them. Of two
 * keys that make the same name, the second gets "-2". note: stands behind each
 * title; "". False with the first failure; the other views are written all the
 * same.
 */
bool prv_cfg_write(const struct prv_names *n, const char *dir,
	const char *class, const char *note, struct err *err);

/* "nanos6/task-id": the view of a key that has another name than its key;
 * NULL: it has not. */
const char *prv_cfg_name(const char *key);

#endif
