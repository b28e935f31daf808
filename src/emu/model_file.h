/* SPDX-License-Identifier: MIT */
/*
 * model_file.h - a model from a text file, without recompiling.
 *
 * The rows are those of built-in models (model.h), one a line; '#' begins a
 * comment:
 *
 *	model NAME VERSION LETTER "what it shows"
 *	need nothing|running|active
 *	channel KEY single|stack NUMBER "title" [track=none|running|active]
 *	        [none="label"] [show=state|number|point] [dup] [emit=skip|
 *	        skipnull|all] [start=N] [idle=N] [disabled=N] [off]
 *	        [cpu=running|active]                      (all on one line)
 *	label KEY VALUE "text"
 *	EVENT ACTION [KEY VALUE ["label"]] [of=running|of=ARG] [says="..."]
 *
 * EVENT is a name of three letters or more, with arguments if it has any:
 * XJn(u32 job). ACTION is push, pop, set, replace, add, sub, show, point,
 * enable, disable (both without VALUE) or ignore. VALUE is an integer or %ARG,
 *the argument of that name. `of` says whose channel changes: that of the thread
 *that runs on the sender's CPU, or of the thread whose tid is in an argument;
 *else the sender's.
 *
 * `channel` comes before the rows that use it. A mistake is an error with
 * file, line and column, and shows the row.
 */
#ifndef WEFT_EMU_MODEL_FILE_H
#define WEFT_EMU_MODEL_FILE_H

#include "base/err.h"
#include "emu/model.h"

struct arena;

/* Reads a model; it lives in the arena. NULL with err. */
const struct model *model_file_read(
	struct arena *a, const char *path, struct err *err);

#endif
