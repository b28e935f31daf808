/* SPDX-License-Identifier: MIT */
/*
 * model_reader.h - what the parts of the reader of model files share.
 *
 * model_file.c reads the file line by line, model_chan.c the lines of channels
 * and model_row.c those of events. Each is called behind the first word and
 * returns false with the error and the place of the lexer where the mistake is.
 */
#ifndef WEFT_EMU_MODEL_READER_H
#define WEFT_EMU_MODEL_READER_H

#include "base/vec.h"
#include "emu/model_list.h"
#include "trace/text/lex.h"

#define MODEL_CHANS_MAX 256
#define MODEL_ROWS_MAX 4096 /* also labels */
#define MODEL_LABEL_MAX (VALUE_LOST - 1)

/* An event that has a row. */
struct model_name {
	const char *name, *rest; /* "XJn", "(u32 job)" */
	int chan;
	enum row_action action;
};

struct model_reader {
	struct arena *arena;
	struct lex lex;
	struct model *model;
	const struct model_list *others; /* that were read before */
	VEC(struct chan_def) chans;
	VEC(struct row_def) rows;
	VEC(struct model_name) names; /* of the events of the rows */
	VEC(struct label_def) labels;
	VEC(struct panel_def) panels;
	bool named; /* the model line was read */
};

/* Fails at a place seen before. */
#define model_fail_at(r, place, ...) \
	((r)->lex.at = (place), lex_fail(&(r)->lex, __VA_ARGS__))

/* A word that must be one of a few; the list ends with NULL. */
bool model_take_choice(struct model_reader *r, const char *const *list,
	const char *what, int *out);

/* A word of lower-case letters, digits and '_'. */
bool model_take_key(struct model_reader *r, const char *what, const char **out);

/* A channel that was declared, by its key. */
bool model_take_chan(struct model_reader *r, int *chan);

/* Its index, or -1. */
int model_find_chan(const struct model_reader *r, const char *key);

/* A string in quotes with something in it. */
bool model_take_text(
	struct model_reader *r, const char *what, const char **out);

/* A value that a channel can hold: of states, one that Paraver can name. */
bool model_take_value(struct model_reader *r, int chan, int64_t *out);

/* Adds the label of a value; `place` is where it stands. False if the value
 * has another one, or the label is that of another value. */
bool model_add_label(
	struct model_reader *r, struct label_def label, const char *place);

/* A word for what a state is (export/meaning.h). */
bool model_take_meaning(struct model_reader *r, enum meaning *out);

/* The value of the channel, which has a label, means that. False if it means
 * something else already. */
bool model_mean(
	struct model_reader *r, int chan, int64_t value, enum meaning means);

/* The lines. */
bool model_chan_read(struct model_reader *r);
bool model_row_read(struct model_reader *r);

#endif
