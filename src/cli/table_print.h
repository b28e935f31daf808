/* SPDX-License-Identifier: MIT */
/*
 * table_print.h - a table on standard output.
 *
 * A text fits into the screen: names are cut, numbers never, and what has no
 * room even so has a line for each value.
 */
#ifndef WEFT_CLI_TABLE_PRINT_H
#define WEFT_CLI_TABLE_PRINT_H

#include "cli/table.h"

struct doc;

/* A text has a line of titles, CSV of names; JSON is an array of objects. */
void table_print(struct table *t);

/*
 * What is there so far, as elements of JSON, or as rows of CSV, before the
 * first of which stand the names. Then the table has no cells, and the arena of
 * their texts may be reset: so a table may be longer than memory.
 */
void table_put(struct table *t, struct doc *d);

#endif
