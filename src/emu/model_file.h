/* SPDX-License-Identifier: MIT */
/*
 * model_file.h - a model from a text file, without recompiling.
 *
 * The rows are those of built-in models (model.h), one a line; '#' begins a
 * comment:
 *
 *	model NAME VERSION LETTER|- "what it shows"
 *	need nothing|running|active
 *	channel KEY single|stack NUMBER "title" [of=thread|cpu|process|system]
 *	        [track=none|running|active] [none="label"]
 *	        [show=state|number|point|id] [dup] [emit=skip|skipnull|all]
 *	        [start=N] [idle=N] [disabled=N] [off] [cpu=running|active]
 *	        [meaning=WORD]
 *	label KEY VALUE "text" [meaning=WORD]
 *	panel KEY "title" CHANNEL...
 *	EVENT ACTION [KEY VALUE ["label"]]
 *	        [of=thread|running|ARG|cpu|process|system]
 *	        [since=ARG|since=-ARG] [meaning=WORD] [says="..."]
 *	                                                     (all on one line)
 *
 * EVENT is a name of three letters or more, with arguments if it has any. One
 * of three letters begins with the model's LETTER; longer ones, as tracers in
 * CTF have (lttng_ust_libc:malloc), are of any kind, and a model that has only
 * these needs no letter (-):
 * XJn(u32 job); XJn|XJm(u32 job) are two events of one kind. An event may have
 * several rows, with the same arguments, if each changes another channel.
 * ACTION is push, pop, set, replace, add, sub, show, point, enable, disable
 * (both without VALUE) or ignore. VALUE is an integer, %ARG, the argument of
 * that name, or `none` where a single channel is set.
 *
 * `of` of a channel says what has it: each thread, CPU or process, or the
 * system. A row changes the channel of the sender, of the CPU where it is, of
 * its process, or of the system; `of` of a row can name another thread: the one
 * that runs on the sender's CPU, or the one whose tid is in an argument.
 *
 * `since` says which argument tells since when the value holds: a time by the
 * clock that stamps the events, or with '-' a number of ns before the event.
 *
 * `meaning` says in a word what kind of thing a state is (export/meaning.h):
 * of the labels of a channel that say no other, or of one label. It gives
 * colours and classes of time; without it a state is taken for a task.
 *
 * `channel` comes before the rows that use it. A mistake is an error with
 * file, line and column; the lines of text that follow show row and column.
 */
#ifndef WEFT_EMU_MODEL_FILE_H
#define WEFT_EMU_MODEL_FILE_H

#include "base/err.h"
#include "emu/model_list.h"

struct arena;

/*
 * Reads a model and adds it to the list; all live in the arena. Its letter,
 * name and Paraver types are those of no built-in model and of none in the
 * list. False with err.
 */
bool model_file_read(struct arena *a, struct model_list *list, const char *path,
	struct err *err);

/* Reads several: names with commas. */
bool model_file_read_all(struct arena *a, struct model_list *list,
	const char *paths, struct err *err);

#endif
