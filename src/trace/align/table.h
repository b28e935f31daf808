/* SPDX-License-Identifier: MIT */
/*
 * table.h - the table of clocks: a text file with the corrections of the clocks
 * of several machines.
 *
 *	weft clocks 1
 *	reference n0001 239627bc-8646-4d46-a9a1-0f04ef848f0d
 *	n0002 9f0c1b52-0d1e-4b9a-9c08-6b1c9d3f2a77 4279580 -17230911 8 probe
 *
 * After the two lines at its start, each line has a point of a machine's line
 * (clock_line.h): host name, id of the boot ("-": unknown), clock of the
 * machine in ns, what is to be added to it, how wrong that may be (-1: not
 * known), and how it was found: probe, messages, realtime or given. Lines are
 * sorted by host, boot and clock. A name is that of the whole host, or ends at
 * its first dot.
 */
#ifndef WEFT_TRACE_ALIGN_TABLE_H
#define WEFT_TRACE_ALIGN_TABLE_H

#include <stdbool.h>

#include "base/vec.h"
#include "trace/align/clock_line.h"

struct arena;
struct findings;
struct outfile;

#define CLOCK_TABLE_FILE "clocks.txt" /* in the directory of a trace */
#define CLOCK_TABLE_POINTS 4096 /* most of a machine; others are ignored */

struct clock_machine {
	const char *host, *boot; /* boot: NULL: unknown */
	const char *how;         /* how its first point was found */
	struct clock_line line;  /* no point: the reference */
};

struct clock_table {
	const char *host, *boot;            /* the reference */
	VEC(struct clock_machine) machines; /* without the reference */
};

/* Returns true if the text begins as such a table does. */
bool clock_table_is(const char *text);

/* Reads a table; the text is changed. Lines that are wrong are reported with
 * their numbers, as errors in `path`, and left out. Returns false, with an
 * error, if the table has no reference. */
bool clock_table_parse(struct clock_table *table, struct arena *a, char *text,
	const char *path, struct findings *fs);

/* Returns a machine of the table; is added if it is not there. */
struct clock_machine *clock_table_machine(struct clock_table *table,
	struct arena *a, const char *host, const char *boot);

/* Returns the machine of a host of a trace; NULL: none, or several, which
 * *ambiguous tells. */
const struct clock_machine *clock_table_find(const struct clock_table *table,
	const char *host, const char *boot, bool *ambiguous);

/* Writes the table. */
void clock_table_write(const struct clock_table *table, struct outfile *out);

#endif
