/* SPDX-License-Identifier: MIT */
/*
 * cfg.h - views: files that open a timeline in Paraver with one click.
 *
 * A .prv file holds the values of all types; a view shows one type. Its file
 * says which type, which colours, and what to draw when many values fall on one
 * pixel. Each type and each panel of a class has a view, and states have a
 * table of their times:
 *
 *	DIR/cfg/thread/nanos6/subsystem.cfg       (key "nanos6.subsystem")
 *	DIR/cfg/thread/nanos6/subsystem-time.cfg
 *	DIR/cfg/thread/nanos6/task-type-durations.cfg     (many states)
 *
 * Views that ovni already has keep the file names of ovni. A type without a
 * record has no view, because Paraver would open a dialog about it.
 *
 * The format is Paraver's CFG 3.4: a list of windows, each a list of lines
 * "name value". A view names no trace and no absolute time, so that it fits any
 * trace that has the type.
 */
#ifndef WEFT_EXPORT_PRV_CFG_H
#define WEFT_EXPORT_PRV_CFG_H

#include <stdbool.h>

#include "base/err.h"

struct prv_names;

/*
 * Writes all views of the class into DIR/cfg/CLASS. The class must be a valid
 * file name; keys and titles may be anything. Types without a title get no
 * view. If two keys give the same file name, the second gets "-2". `note` is
 * appended to each title; it may be "". On failure returns false with the first
 * failure; the other views are written all the same.
 *
 * When the original tools are imitated, views of a breakdown are in
 * DIR/cfg/cpu, types without a title have views, too, and a view that is there
 * already stays as it is.
 */
bool prv_cfg_write(const struct prv_names *n, const char *dir,
	const char *class, const char *note, struct err *err);

/* Returns the view's file name for a key whose view is not named after the key
 * ("nanos6/task-id" for "nanos6.taskid"), or NULL. */
const char *prv_cfg_name(const char *key);

#endif
