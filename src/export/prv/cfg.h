/* SPDX-License-Identifier: MIT */
/*
 * cfg.h - views: what Paraver opens with one click on a timeline.
 *
 * A .prv file holds the values of all types; a view shows one type, and its
 * file says how: which type, which colours, what to do when many values fall
 * on one pixel. Each type of a class has one, each panel too:
 *
 *	DIR/cfg/thread/nanos6/subsystem.cfg    (key "nanos6.subsystem")
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
 * have no view. Of two keys that make the same name, the second gets "-2".
 * False with the first failure; the other views are written all the same.
 */
bool prv_cfg_write(const struct prv_names *n, const char *dir,
	const char *class, struct err *err);

#endif
