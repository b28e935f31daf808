/* SPDX-License-Identifier: MIT */
/*
 * lines.h - one .prv file: a header and lines.
 *
 * Formatting lines is the hottest loop of the emulator. The parts that lines
 * share are kept as text: a row's "2:0:1:1:ROW:", all digits of the time but
 * the last four, these four, and ":TYPE:VALUE\n" of small values and of states.
 * Each part has a fixed size and is copied whole, so that a copy is a move or
 * two and no loop; the next part overwrites the excess bytes.
 *
 * All state of a file is in its struct, so that several threads can write
 * different files.
 */
#ifndef WEFT_EXPORT_PRV_LINES_H
#define WEFT_EXPORT_PRV_LINES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/digits.h"
#include "base/file.h"
#include "base/vec.h"
#include "export/prv/machine.h"
#include "export/sink.h"

#define PRV_ROWS_MAX 65535               /* rows that Paraver can tell apart */
#define PRV_EXACT_MAX (INT64_C(1) << 53) /* Paraver rounds larger numbers */
#define PRV_LINE_MAX \
	256 /* bytes of a line with one value or a link, and more */

/* A row of a file. */
struct prv_row {
	char text[32]; /* "2:CPU:1:TASK:ROW:" */
	uint32_t length;
	uint32_t pos; /* position among all rows of the file */
	/* Paraver's numbers from 1: the task, and the row's number in that
	 * task. */
	uint32_t task, thread;
};

/* ":TYPE:VALUE\n" of a value. */
struct prv_end {
	int64_t value; /* a value that belongs to another end: none yet */
	char text[20];
	uint32_t length;
};

/* A type of a file. */
struct prv_key {
	char text[32]; /* ":TYPE:" */
	uint32_t length;
	bool used;           /* a record was written */
	bool layered;        /* see layers.h */
	uint8_t special;     /* enum prv_special, see states.h */
	bool keeps;          /* the ends of all its values are kept, not only
	                      * those of values below PRV_ENDS */
	struct prv_end *end; /* ends of lines, by value % PRV_ENDS */
};

/* The rows of a process, a node or a component: a task to Paraver. */
struct prv_task {
	uint32_t rows, node; /* node: from 1; 0: not known */
};

struct prv_lines {
	struct outfile out;
	struct arena *arena;  /* borrowed */
	char lead[16];        /* digits of a time without the last 4 */
	uint32_t lead_length; /* number of these digits */
	uint32_t tail;        /* the last 4 digits of `time` */
	int64_t lead_time;    /* the time with these leading digits;
	                       * PRV_NO_LEAD: none */
	int64_t time;         /* time of the last line, in the unit of the
	                       * trace; -1: none */
	int64_t last;         /* latest time of a link, in ns */
	int64_t unit;         /* trace time units per ns */
	int64_t exact_until;  /* largest exact time, in the unit of the trace */
	uint64_t rounded;     /* times that were not whole ns */
	uint64_t inexact;     /* lines with a number beyond PRV_EXACT_MAX */
	uint32_t nrows;       /* number of rows added so far */
	VEC(struct prv_task) tasks;
	const struct prv_machine *places; /* borrowed; NULL: none are written */
	uint32_t open_row;                /* join: row of the line that is
	                                   * still open */
	bool join, rows_grow, begun;      /* begun: the header is written */
	int header_text, header_length;   /* bytes as text, and in the file */
	const struct compress_options *compress; /* borrowed; NULL: none */
};

#define PRV_ENDS 64                 /* most values of states are smaller */
#define PRV_TAIL 10000              /* the last 4 digits are below this */
#define PRV_NO_LEAD (INT64_MIN / 2) /* far from any time */

/* Creates the file. `unit` is the number of trace time units per ns. */
bool prv_lines_open(struct prv_lines *f, const char *path,
	const struct sink_setup *setup, int64_t unit, struct err *err);

/* Add a row of a task (from 0), or a type; may be called before open, but
 * f->arena must be set. The first row of a task determines its node (from 1; 0:
 * not known). cpu: the number of the CPU that the row stands for, or 0. */
struct prv_row prv_lines_add_row(
	struct prv_lines *f, uint32_t task, uint32_t node, uint32_t cpu);

/* Returns a row that no timeline shows: Paraver's thread -1. */
struct prv_row prv_lines_nowhere(void);

struct prv_key prv_lines_add_type(struct prv_lines *f, const struct type *type);

/*
 * Writes a value for which no text is ready: the first lines, times far from
 * the last one, below 10^4 or in another unit, and joined or large values.
 */
void prv_lines_other(struct prv_lines *f, const struct prv_row *row,
	const struct prv_key *key, int64_t time, int64_t value);

/* Writes a state line (1:). `row` is the text of a row. */
void prv_lines_span(struct prv_lines *f, const char *row, int64_t begin,
	int64_t end, int64_t state);

/* Changes the CPU of the row in later lines. */
void prv_lines_set_cpu(struct prv_row *row, uint32_t cpu);

/* Writes a communication line. */
void prv_lines_link(struct prv_lines *f, const struct prv_row *from,
	const struct prv_row *to, const struct link *l);

/* Returns the latest time written, in ns; -1: none. */
int64_t prv_lines_last(const struct prv_lines *f);

/* Completes header and file; duration in ns. Returns false with the first
 * failure. */
bool prv_lines_close(struct prv_lines *f, int64_t duration, struct err *err);

/* Returns the end of the value, or the end of another value in its place. */
static inline struct prv_end *
prv_end_of(const struct prv_key *key, int64_t value)
{
	return &key->end[(uint64_t)value % PRV_ENDS];
}

/* Writes row and time of a line, `past_lead` after the time of f->lead. */
static inline char *
prv_lines_begin(struct prv_lines *f, const struct prv_row *row, int64_t time,
	uint64_t past_lead, char *at)
{
	/* Several lines in a row have the same time. */
	if (time != f->time) {
		f->tail = digits_four((uint32_t)past_lead);
		f->time = time;
	}
	memcpy(at, row->text, sizeof row->text);
	at += row->length;
	memcpy(at, f->lead, sizeof f->lead);
	at += f->lead_length;
	memcpy(at, &f->tail, sizeof f->tail);
	return at + sizeof f->tail;
}

/*
 * Writes one value of a row and a type of this file. All rare cases are a
 * single call at the end, so that no register must be saved over a call.
 */
static inline void
prv_lines_state(struct prv_lines *f, const struct prv_row *row,
	const struct prv_key *key, int64_t time, int64_t value)
{
	uint64_t past_lead = (uint64_t)time - (uint64_t)f->lead_time;
	const struct prv_end *end = prv_end_of(key, value);
	char *at = f->out.at;

	if (__builtin_expect(past_lead >= PRV_TAIL, 0) ||
		__builtin_expect(end->value != value, 0) ||
		__builtin_expect(f->out.end - at < PRV_LINE_MAX, 0)) {
		prv_lines_other(f, row, key, time, value);
		return;
	}
	at = prv_lines_begin(f, row, time, past_lead, at);
	memcpy(at, end->text, sizeof end->text);
	f->out.at = at + end->length;
}

#endif
