/* SPDX-License-Identifier: MIT */
/*
 * model_file.h - reads a model from a text file.
 *
 * The rows are those of built-in models (model.h), one per line; '#' begins a
 * comment:
 *
 *	model NAME VERSION LETTER|- "what it shows"
 *	need nothing|running|active|alive
 *	channel KEY single|stack NUMBER "title" [of=thread|cpu|process|system]
 *		[track=none|running|active|alive] [none="label"]
 *		[show=state|number|point|id] [dup] [emit=skip|skipnull|all]
 *		[start=N] [idle=N] [disabled=N] [off] [cpu=running|active]
 *		[meaning=WORD]
 *	label KEY VALUE "text" [meaning=WORD]
 *	tasks ID TYPE [section=KEY VALUE] [rank=KEY] [app=KEY] [body=KEY]
 *		[nests] [again]
 *	panel KEY "title" CHANNEL...
 *	EVENT ACTION [KEY VALUE ["label"]]
 *		[of=thread|running|ARG|cpu|process|system]
 *		[since=ARG|since=-ARG] [meaning=WORD] [says="..."]
 *		(all on one line)
 *	EVENT task type|create|bodies|execute|end|pause|resume [says="..."]
 *	EVENT counters NUMBER [says="..."]
 *
 * EVENT is a name of three letters or more, with arguments if it has any. A
 * name of three letters begins with the model's LETTER; longer names, as
 * tracers in CTF have (lttng_ust_libc:malloc), may be any, and a model with
 * only such names needs no letter (-). Several events with the same arguments
 * may share a line: XJn|XJm(u32 job). An event may have several rows, with the
 * same arguments, if each changes another channel. ACTION is push, pop, set,
 * replace, add, sub, show, point, enable, disable (the last two without VALUE)
 * or ignore. VALUE is an integer, or %ARG for the argument of that name, or
 * `none` where a single channel is set.
 *
 * `of` of a channel says what owns it: each thread, CPU or process, or the
 * system. A row changes the channel of the sender, of the CPU where it is, of
 * its process, or of the system; `of` of a row can name another thread: the one
 * that runs on the sender's CPU, or the one whose tid is in an argument.
 *
 * `since` names an argument with the time from which the value holds: a time by
 * the clock that stamps the events, or with '-' a number of ns before the
 * event.
 *
 * `meaning` is the kind of activity of a state (export/meaning.h): of one
 * label, or of all labels of a channel without their own. Colours and classes
 * of time follow from it; a state without a meaning counts as a task.
 *
 * `tasks` names the channels that show the task that a thread runs; the events
 * with `task` are those of task.h. `counters` is an event with a value for each
 * hardware counter that threads declare (hwc.h), whose types begin at NUMBER.
 *
 * A `channel` line comes before the rows that use the channel. An error names
 * file, line and column, and shows the line with a mark at the column.
 */
#ifndef WEFT_EMU_MODEL_FILE_H
#define WEFT_EMU_MODEL_FILE_H

#include "base/err.h"
#include "emu/model_list.h"

struct arena;

/* Reads one file. */
bool model_file_read(struct arena *a, struct model_list *list, const char *path,
	struct err *err);

/* Reads several files: paths separated by commas. */
bool model_file_read_all(struct arena *a, struct model_list *list,
	const char *paths, struct err *err);

#endif
