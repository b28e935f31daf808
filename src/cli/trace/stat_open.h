/* SPDX-License-Identifier: MIT */
/*
 * stat_open.h - the states that threads had not left when the trace ended, as
 * text, CSV and JSON.
 *
 *	struct stat_open_list l = { &r.filter,
 *		stat_open_table(&arena, TABLE_JSON) };
 *	r.on_open = stat_open_put;
 *	r.open_arg = &l;
 *	...                                               (the trace is read)
 *	stat_open_print(&l);
 */
#ifndef WEFT_CLI_TRACE_STAT_OPEN_H
#define WEFT_CLI_TRACE_STAT_OPEN_H

#include "cli/table.h"
#include "emu/emu.h"

struct filter_args;

struct stat_open_list {
	const struct filter_args *filter; /* borrowed */
	struct table table;
};

/* Returns an empty table with the columns of the format. */
struct table stat_open_table(struct arena *a, enum table_format format);

/* Returns the name of a given filter option that cannot be applied to open
 * states, or NULL. */
const char *stat_open_misfit(const struct filter_args *f);

/* Adds one stack if the filter keeps it; arg is the list. */
void stat_open_put(void *arg, const struct emu_open_stack *open);

void stat_open_print(struct stat_open_list *l);

#endif
