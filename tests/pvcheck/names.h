/* SPDX-License-Identifier: MIT */
/*
 * names.h - the words that Paraver's loader knows: keys of windows and of
 * histograms with the form of their values, and functions by level.
 */
#ifndef WEFT_TEST_PVCHECK_NAMES_H
#define WEFT_TEST_PVCHECK_NAMES_H

#include <stdbool.h>

enum form {
	FORM_TEXT,
	FORM_TYPE,     /* "single" or "composed" */
	FORM_SHORT,    /* an integer below 65536 */
	FORM_ANY_BOOL, /* true, false or nothing */
	FORM_BOOL,
	FORM_REAL,
	FORM_SHARE, /* 0..1 */
	FORM_COLOR,
	FORM_GRADIENT,
	FORM_UNITS,
	FORM_LEVEL,
	FORM_OBJECT,
	FORM_DRAW,
	FORM_GROUP,
	FORM_EARLIER, /* name of an earlier window */
	FORM_PALETTE,
	FORM_SELECTED,
	FORM_COMPOSE,
	FORM_MODULE,
	FORM_FILTER,
	FORM_OPERATION,
	FORM_IDENTIFIERS,
	FORM_TWO_REALS,
	FORM_TWO_INTEGERS,
	/* values of histograms */
	FORM_WINDOW,
	FORM_STATISTIC,
	FORM_LIMITS,
	FORM_TITLE_BOOL, /* "True" or "False" */
	FORM_SORT,
	FORM_SIDE,
	FORM_ZOOM,
	FORM_LIST /* a list of numbers, or "All" */
};

struct key {
	const char *name;
	enum form form;
};

/* Return NULL if Paraver's loader does not know the key. */
const struct key *key_of_window(const char *name);
const struct key *key_of_histogram(const char *name);

/* Returns whether word is a level of objects: thread, cpu, ... */
bool name_is_level(const char *word);

/* Returns whether word is a level of the machine: system, node, cpu. */
bool name_is_machine(const char *word);

/* Return whether word is a filter, such as evt_type, or a function of
 * filters. */
bool name_is_filter(const char *word);
bool name_is_filter_function(const char *word);

/* Return whether word is a level of compose functions, a compose function, or a
 * function of that level. */
bool name_is_compose(const char *word);
bool name_is_compose_function(const char *word);
bool name_is_function(const char *level, const char *word);

bool name_is_operation(const char *word);

/* Returns whether the word is allowed as a value of that form. */
bool name_fits(enum form form, const char *word);

#endif
