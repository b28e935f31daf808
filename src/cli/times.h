/* SPDX-License-Identifier: MIT */
/*
 * times.h - reads and prints times for people. CSV and JSON have integers in
 * the trace's unit instead.
 *
 *	struct times_zero zero = { "ns", trace->start, trace->start_realtime };
 *	if (!times_moment("from", "+1.5ms", &zero, &time, &err))
 *		...
 *	times_text(time, "ns", text)                             "1500.000 us"
 *
 * The unit is that of a trace ("ns") or of a simulator's store ("ps"). A unit
 * that is no time ("cycles") is printed after the number, and is not read.
 */
#ifndef WEFT_CLI_TIMES_H
#define WEFT_CLI_TIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

#define TIMES_TEXT 48 /* bytes for a text */
#define TIMES_UNKNOWN \
	INT64_MIN /* as TRACE_UNKNOWN, for callers without a \
	           * trace */

/* A unit in which times are printed. */
struct times_unit {
	const char *name;
	double size;  /* in units of the trace */
	int decimals; /* 0 for the trace's own unit */
};

/* Returns the smallest unit, from `unit` on, in which the time has at most four
 * digits before the decimal point. */
struct times_unit times_unit(int64_t time, const char *unit);

/* Writes the time in that unit: "12.500 ns". */
const char *times_text(int64_t time, const char *unit, char to[TIMES_TEXT]);

/* Writes seconds with that many decimals, "12.345678", truncated. */
const char *times_seconds(uint64_t ns, int digits, char to[TIMES_TEXT]);

/* Writes the time of day in UTC, "14:03:10.000000500", without a terminating 0,
 * and returns the end. Needs TIMES_TEXT bytes. ns since 1970, >= 0. */
char *times_put_clock(char *to, int64_t ns);

/* Does the same with the date, "2026-11-23T14:03:10.000000500Z", as
 * times_moment() reads it. Any time. */
char *times_put_moment(char *to, int64_t ns);

/* The reference points of times on the command line. */
struct times_zero {
	const char *unit; /* unit of numbers without one, and of the times
	                   * below */
	int64_t clock;    /* the trace's clock at the first event, or
	                   * TIMES_UNKNOWN */
	int64_t realtime; /* ns since 1970 at the first event, or
	                   * TIMES_UNKNOWN */
	int64_t from;     /* the beginning of the window */
};

/*
 * Parses a time of the command line. "10ms" counts from the first event;
 * "@10ms" is a value of the trace's clock; "14:03:10.5" and "2026-11-23T14:03Z"
 * are times of day, without Z in the user's time zone, without a date on the
 * nearest day; "+10ms", for --to, counts from the beginning of the window.
 * Returns false and sets err if the text is malformed or the trace does not
 * have the clock.
 */
bool times_moment(const char *option, const char *text,
	const struct times_zero *zero, int64_t *time, struct err *err);

/*
 * Parses a duration: digits, optionally a fraction, optionally ps, ns, us, ms,
 * s, min or h. Fractions of the trace's unit are dropped. Returns false if the
 * text is malformed or the value too large.
 */
bool times_read(const char *text, const char *unit, int64_t *time);

#endif
