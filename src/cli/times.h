/* SPDX-License-Identifier: MIT */
/*
 * times.h - times as people write and read them: all that commands take and
 * print, but for what a CSV or JSON holds: whole numbers of the trace's unit.
 *
 *	struct times_zero zero = { "ns", trace->start, trace->start_realtime };
 *	if (!times_moment("from", "+1.5ms", &zero, &time, &err))
 *		...
 *	times_text(time, "ns", text)                             "1500.000 us"
 *
 * A unit is that of a trace ("ns") or of a simulator's store ("ps"). One that
 * is none of time ("cycles") is printed behind the number, and read without.
 */
#ifndef WEFT_CLI_TIMES_H
#define WEFT_CLI_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define TIMES_TEXT 48           /* room for a text */
#define TIMES_UNKNOWN INT64_MIN /* as TRACE_UNKNOWN, for who has no trace */

/* What a time is told in. */
struct times_unit {
	const char *name;
	double size;  /* in the trace's unit */
	int decimals; /* none of the trace's unit itself */
};

/* The largest unit that leaves four digits before the point or fewer. */
struct times_unit times_unit(int64_t time, const char *unit);

/* "12.500 ns", in that unit. */
const char *times_text(int64_t time, const char *unit, char to[TIMES_TEXT]);

/* "12.345678", with so many digits behind the point, and none is rounded. */
const char *times_seconds(uint64_t ns, int digits, char to[TIMES_TEXT]);

/* Writes the time of the day in UTC, "14:03:10.000000500", without an end.
 * Room: TIMES_TEXT. ns >= 0, since 1970. */
char *times_put_clock(char *to, int64_t ns);

/* What times of the command line count from. */
struct times_zero {
	const char *unit; /* of a number alone, and of all here */
	int64_t clock;    /* of the first event, as the trace has it, or
	                   * TIMES_UNKNOWN */
	int64_t realtime; /* then, since 1970, or TIMES_UNKNOWN */
	int64_t from;     /* of the window */
};

/*
 * A time since the first event: "10ms"; of the clock in the trace: "@10ms"; of
 * the day: "14:03:10.5", "2026-11-23T14:03Z", without Z by the time zone of the
 * user and without a date on the nearest day; of --to, since the begin of the
 * window: "+10ms". False with err if it is none, or nothing says what it counts
 * from.
 */
bool times_moment(const char *option, const char *text,
	const struct times_zero *zero, int64_t *time, struct err *err);

/*
 * A length: digits, perhaps a fraction, perhaps ps, ns, us, ms, s, min or h.
 * What is less than the trace's unit is dropped. False if it is anything else
 * or too large.
 */
bool times_read(const char *text, const char *unit, int64_t *time);

#endif
