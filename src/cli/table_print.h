/* SPDX-License-Identifier: MIT */
/*
 * table_print.h - prints a table on standard output.
 *
 * Text fits the screen: names are cut, numbers never; if a line is still too
 * wide, each value gets a line of its own.
 */
#ifndef WEFT_CLI_TABLE_PRINT_H
#define WEFT_CLI_TABLE_PRINT_H

#include "cli/table.h"

struct doc;

/* Prints the table: text below a line of titles, CSV below the names of the
 * columns, JSON as an array of objects. */
void table_print(struct table *t);

/*
 * Prints the lines so far as elements of a JSON array, or as CSV with a first
 * line of column names. Afterwards the table has no cells, and the arena of
 * their texts may be reset: so a table may be larger than memory.
 */
void table_put(struct table *t, struct doc *d);

#endif
