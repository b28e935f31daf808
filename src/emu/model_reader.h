/* SPDX-License-Identifier: MIT */
/*
 * model_reader.h - shared by the parts of the reader of model files.
 *
 * model_file.c reads the file line by line, model_chan.c reads the lines of
 * channels, model_row.c the lines of events, and model_task.c the words about
 * tasks and counters. Each function is called after the first word of a line
 * was read; on an error it returns false, with the lexer at the error.
 */
#ifndef WEFT_EMU_MODEL_READER_H
#define WEFT_EMU_MODEL_READER_H

#include "base/vec.h"
#include "emu/model_list.h"
#include "trace/text/lex.h"

#define MODEL_CHANS_MAX 256
#define MODEL_ROWS_MAX 4096 /* also the limit for labels */
#define MODEL_LABEL_MAX (VALUE_LOST - 1)

/* An event to which the file gives a model row. */
struct model_name {
	const char *name, *rest; /* "XJn", "(u32 job)" */
	int chan;
	enum row_action action;
};

struct model_reader {
	struct arena *arena;
	struct lex lex;
	struct model *model;
	const struct model_list *others; /* models read before */
	VEC(struct chan_def) chans;
	VEC(struct model_row) rows;
	VEC(struct model_name) names; /* names of the events that have rows */
	VEC(struct label_def) labels;
	VEC(struct panel_def) panels;
	VEC(struct event_def) events; /* about tasks and counters */
	VEC(struct infer_def) infers;
	bool named; /* the model line has been read */
};

/* Reports an error at an earlier position. */
#define model_fail_at(r, place, ...) \
	((r)->lex.at = (place), lex_fail(&(r)->lex, __VA_ARGS__))

/* Reads one of a few words; the list ends with NULL. */
bool model_take_choice(struct model_reader *r, const char *const *list,
	const char *what, int *out);

/* Reads a word of lower-case letters, digits and '_'. */
bool model_take_key(struct model_reader *r, const char *what, const char **out);

/* Reads the key of a declared channel. */
bool model_take_chan(struct model_reader *r, int *chan);

/* Returns the index of a channel, or -1. */
int model_find_chan(const struct model_reader *r, const char *key);

/* Reads a non-empty string in quotes. */
bool model_take_text(
	struct model_reader *r, const char *what, const char **out);

/* Reads a value that the channel can hold; for states, one that Paraver can
 * label. */
bool model_take_value(struct model_reader *r, int chan, int64_t *out);

/* Adds the label of a value; `place` is the position of the label in the text.
 * Returns false if the value has another label, or another value has this
 * label. */
bool model_add_label(
	struct model_reader *r, struct label_def label, const char *place);

/* Reads the word for a meaning (export/meaning.h). */
bool model_take_meaning(struct model_reader *r, enum meaning *out);

/* Sets the meaning of a labelled value of the channel. Returns false if it has
 * another meaning. */
bool model_mean(
	struct model_reader *r, int chan, int64_t value, enum meaning means);

/* Reads the first of n consecutive unused Paraver types. */
bool model_take_number(struct model_reader *r, int n, int64_t *out);

struct signature;

/* Read the rest of an event's line after 'task' (WORD: what happens to the
 * task) or after 'counters' (FIRST: the type of the first hardware counter).
 * text: the event with its arguments; place: its position in the line. */
bool model_task_take(struct model_reader *r, const char *place,
	const char *text, const struct signature *sig, struct event_def *to);
bool model_counters_take(struct model_reader *r, const char *place,
	const char *text, const struct signature *sig, struct event_def *to);

/* Returns true if the tasks of the model have all events that they need. */
bool model_tasks_check(
	const struct model_reader *r, const char *path, struct err *err);

/* Reads a line 'tasks ...'. */
bool model_tasks_read(struct model_reader *r);
bool model_chan_read(struct model_reader *r);
bool model_row_read(struct model_reader *r);

#endif
