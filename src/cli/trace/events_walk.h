/* SPDX-License-Identifier: MIT */
/*
 * events_walk.h - walks the events of a model, with the name of each, its
 * sentence and the change that it shows.
 *
 * The list of 'weft events', its page in Markdown and the list of ovnievents
 * are three ways to print the same walk.
 */
#ifndef WEFT_CLI_TRACE_EVENTS_WALK_H
#define WEFT_CLI_TRACE_EVENTS_WALK_H

#include <stdbool.h>

struct model;

/* An event of a model. The texts are valid during the call. */
struct events_line {
	const char *signature; /* name and arguments, as in the model */
	const char *says;      /* with %NAME for arguments; "" if none */
	const char *shows;     /* how the channel changes; or NULL */
};

typedef void events_fn(void *arg, const struct events_line *line);

/* Calls the function for each event of the model. With `plain`, sentences have
 * the words of weft, else the words of the ovni tools. */
void events_walk(const struct model *m, bool plain, events_fn *each, void *arg);

/* Prints the events of the models, which end with NULL, as a page in Markdown;
 * with a name, only the events of the model of that name. Returns false if
 * there is no such model. */
bool events_page(const struct model *const *list, const char *name);

#endif
