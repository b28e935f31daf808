/* SPDX-License-Identifier: MIT */
/*
 * lines.h - one .prv file: a header and lines.
 *
 * Formatting lines is the hottest loop of the product. What a line repeats is
 * kept as ready text: a row's "2:0:1:1:ROW:", a type's ":TYPE:", the digits of
 * the current time. Each such piece is 24 bytes and is copied whole, so that a
 * copy is two moves and no loop; the next piece overwrites what was too much.
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
	struct prv_piece time_lead;  /* digits of `time` in ns, less the last 4
	                              * if they are in time_tail */
	uint32_t time_tail;          /* digits_four() of the last 4 */
	uint32_t tail_length;        /* 4, or 0 for a time below 10^4 */
	int64_t lead;                /* the number in time_lead */
	int64_t time;                /* of the last line, in the trace's unit */
	int64_t last;                /* latest time written, in ns */
	int64_t unit;                /* how many make 1 ns */
	uint64_t rounded, rounding;  /* lines; 1 if `time` is not whole ns */
	uint32_t open_row;           /* join: row of the line without end */
	bool join, rows_grow, begun; /* begun: the header is written */
	int header_length;
};

/* Creates the file. unit: how many of the times' unit make 1 ns. */
bool prv_lines_open(struct prv_lines *f, const char *path,
	const struct sink_setup *setup, int64_t unit, struct err *err);

/* Adds a row or a type; may be called before open. The arena must be set. */
void prv_lines_add_row(struct prv_lines *f);
void prv_lines_add_type(struct prv_lines *f, int64_t number);

/* Moves to another time; writes the header before the first line. */
void prv_lines_time(struct prv_lines *f, int64_t time);

/* One value, on the line of the value before if time and row are the same. */
void prv_lines_join(
	struct prv_lines *f, uint32_t row, uint32_t type, int64_t value);

/* A communication line. Rows are positions in the file. */
void prv_lines_link(struct prv_lines *f, uint32_t from_row, uint32_t to_row,
	const struct link *l);

/* Completes header and file; duration in ns. False with the first failure. */
bool prv_lines_close(struct prv_lines *f, int64_t duration, struct err *err);

static inline char *
prv_put(char *to, const struct prv_piece *piece)
{
	memcpy(to, piece->text, sizeof piece->text);
	return to + piece->length;
}

/* The current time: most of its digits stay the same from line to line. */
static inline char *
prv_put_time(char *to, const struct prv_lines *f)
{
	to = prv_put(to, &f->time_lead);
	memcpy(to, &f->time_tail, sizeof f->time_tail);
	return to + f->tail_length;
}

/* One value: row and type are positions in the file. */
static inline void
prv_lines_state(struct prv_lines *f, uint32_t row, uint32_t type, int64_t time,
	int64_t value)
{
	char *at;

	if (time != f->time)
		prv_lines_time(f, time);
	f->rounded += f->rounding;
	if (f->join) {
		prv_lines_join(f, row, type, value);
		return;
	}
	at = outfile_room(&f->out, PRV_LINE_MAX);
	at = prv_put(at, &f->row.at[row]);
	at = prv_put_time(at, f);
	at = prv_put(at, &f->type.at[type]);
	at = digits_i64(at, value);
	*at++ = '\n';
	f->out.at = at;
}

#endif
