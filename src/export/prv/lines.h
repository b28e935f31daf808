/* SPDX-License-Identifier: MIT */
/*
 * lines.h - one .prv file: a header and lines.
 *
 * Formatting lines is the hottest loop of the product. What a line repeats is
 * kept as ready text: a row's "2:0:1:1:ROW:", a type's ":TYPE:", the digits of
 * the time but the last four. Each such piece is 24 bytes and is copied whole,
 * so that a copy is two moves and no loop; the next piece overwrites what was
 * too much.
 *
 * All state of a file is in its struct: files can be written by threads of
 * their own.
 */
#ifndef WEFT_EXPORT_PRV_LINES_H
#define WEFT_EXPORT_PRV_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/digits.h"
#include "base/file.h"
#include "base/vec.h"
#include "export/sink.h"

#define PRV_LINE_MAX 256 /* a line with one value, or a link, and slack */

struct prv_piece {
	char text[24]; /* ":-9223372036854775808:" is the longest: 22 */
	uint32_t length;
};

struct prv_lines {
	struct outfile out;
	struct arena *arena;         /* borrowed */
	VEC(struct prv_piece) row;   /* "2:0:1:1:ROW:" */
	VEC(struct prv_piece) type;  /* ":TYPE:" */
	struct prv_piece lead;       /* digits of a time less the last 4 */
	int64_t lead_time;           /* that time; PRV_NO_LEAD: there is none */
	int64_t time;                /* of the last line, in the trace's unit */
	int64_t last;                /* latest time of a link, in ns */
	int64_t unit;                /* how many make 1 ns */
	uint64_t rounded;            /* times that were no whole ns */
	uint32_t open_row;           /* join: row of the line without end */
	bool join, rows_grow, begun; /* begun: the header is written */
	int header_length;
};

#define PRV_TAIL 10000              /* what the last 4 digits count to */
#define PRV_NO_LEAD (INT64_MIN / 2) /* no time is near it */

/* Creates the file. unit: how many of the times' unit make 1 ns. */
bool prv_lines_open(struct prv_lines *f, const char *path,
	const struct sink_setup *setup, int64_t unit, struct err *err);

/* Adds a row or a type; may be called before open. The arena must be set. */
void prv_lines_add_row(struct prv_lines *f);
void prv_lines_add_type(struct prv_lines *f, int64_t number);

/*
 * A value when the lead does not fit: the first line, times that are far from
 * the last or below 10^4 or in another unit, values that are joined.
 */
void prv_lines_other(struct prv_lines *f, uint32_t row, uint32_t type,
	int64_t time, int64_t value);

/* A communication line. Rows are positions in the file. */
void prv_lines_link(struct prv_lines *f, uint32_t from_row, uint32_t to_row,
	const struct link *l);

/* The latest time written, in ns; -1: none. */
int64_t prv_lines_last(const struct prv_lines *f);

/* Completes header and file; duration in ns. False with the first failure. */
bool prv_lines_close(struct prv_lines *f, int64_t duration, struct err *err);

static inline char *
prv_put(char *to, const struct prv_piece *piece)
{
	memcpy(to, piece->text, sizeof piece->text);
	return to + piece->length;
}

/* Most values of states have one digit or two. */
static inline char *
prv_put_value(char *to, int64_t value)
{
	if ((uint64_t)value < 100) {
		uint64_t single = value < 10;

		memcpy(to, digits_pairs + 2 * (uint64_t)value + single, 2);
		return to + 2 - single;
	}
	return digits_i64(to, value);
}

/* A line of a time that has the digits of the lead before its last 4. */
static inline void
prv_lines_put(struct prv_lines *f, uint32_t row, uint32_t type, int64_t time,
	int64_t value)
{
	uint32_t tail = digits_four((uint32_t)(time - f->lead_time));
	char *at = outfile_room(&f->out, PRV_LINE_MAX);

	at = prv_put(at, &f->row.at[row]);
	at = prv_put(at, &f->lead);
	memcpy(at, &tail, sizeof tail);
	at = prv_put(at + sizeof tail, &f->type.at[type]);
	at = prv_put_value(at, value);
	*at++ = '\n';
	f->out.at = at;
	f->time = time;
}

/* One value: row and type are positions in the file. */
static inline void
prv_lines_state(struct prv_lines *f, uint32_t row, uint32_t type, int64_t time,
	int64_t value)
{
	if (__builtin_expect(
		    (uint64_t)time - (uint64_t)f->lead_time < PRV_TAIL, 1))
		prv_lines_put(f, row, type, time, value);
	else
		prv_lines_other(f, row, type, time, value);
}

#endif
