/* SPDX-License-Identifier: MIT */
#include "cli/times.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/digits.h"

#define SECOND INT64_C(1000000000)
#define DAY (86400 * SECOND)
#define PRINTED 5 /* units for printing; minutes and hours are only read */

__extension__ typedef __int128 wide;

static const struct unit {
	const char *name;
	int64_t ps;
} units[] = { { "ps", 1 }, { "ns", 1000 }, { "us", 1000000 },
	{ "ms", 1000000000 }, { "s", 1000000000000 }, { "min", 60000000000000 },
	{ "h", 3600000000000000 } };

/* Returns the index of a unit, or -1. */
static int
find(const char *name)
{
	for (int i = 0; i < (int)(sizeof units / sizeof units[0]); i++)
		if (strcmp(units[i].name, name) == 0)
			return i;
	return -1;
}

struct times_unit
times_unit(int64_t time, const char *unit)
{
	int base = find(unit), i = base;
	double size = 1;

	if (base < 0)
		return (struct times_unit){ unit, 1, 0 };
	while (i < PRINTED - 1 &&
		((double)time >= 1e4 * size || (double)time <= -1e4 * size)) {
		i++;
		size = (double)units[i].ps / (double)units[base].ps;
	}
	return (struct times_unit){ units[i].name, size, i == base ? 0 : 3 };
}

const char *
times_text(int64_t time, const char *unit, char to[TIMES_TEXT])
{
	struct times_unit u = times_unit(time, unit);

	if (u.decimals == 0)
		snprintf(to, TIMES_TEXT, "%" PRId64 " %.20s", time, u.name);
	else
		snprintf(to, TIMES_TEXT, "%.*f %s", u.decimals,
			(double)time / u.size, u.name);
	return to;
}

const char *
times_seconds(uint64_t ns, int digits, char to[TIMES_TEXT])
{
	int n = snprintf(to, TIMES_TEXT, "%" PRIu64 ".%09" PRIu64, ns / SECOND,
		ns % SECOND);

	to[n - 9 + digits] = '\0';
	return to;
}

static char *
put_pair(char *to, int64_t value)
{
	memcpy(to, digits_pairs + 2 * value, 2);
	return to + 2;
}

char *
times_put_clock(char *to, int64_t ns)
{
	int64_t rest = ns % SECOND, s = ns % DAY / SECOND;

	to = put_pair(to, s / 3600);
	*to++ = ':';
	to = put_pair(to, s / 60 % 60);
	*to++ = ':';
	to = put_pair(to, s % 60);
	*to++ = '.';
	for (int64_t unit = 10000000; unit > 0; unit /= 100)
		to = put_pair(to, rest / unit % 100);
	*to++ = (char)('0' + rest % 10);
	return to;
}

char *
times_put_moment(char *to, int64_t ns)
{
	int64_t in_day = (ns % DAY + DAY) % DAY;
	time_t s = (time_t)(ns / SECOND - (ns % SECOND < 0));
	struct tm tm;

	gmtime_r(&s, &tm);
	to = put_pair(to, (tm.tm_year + 1900) / 100);
	to = put_pair(to, (tm.tm_year + 1900) % 100);
	*to++ = '-';
	to = put_pair(to, tm.tm_mon + 1);
	*to++ = '-';
	to = put_pair(to, tm.tm_mday);
	*to++ = 'T';
	to = times_put_clock(to, in_day);
	*to++ = 'Z';
	return to;
}

bool
times_read(const char *text, const char *unit, int64_t *time)
{
	size_t whole = strspn(text, "0123456789");
	const char *fraction = text + whole + (text[whole] == '.');
	size_t digits = text[whole] == '.' ? strspn(fraction, "0123456789") : 0;
	const char *name = fraction[digits] == '\0' ? unit : fraction + digits;
	int i = find(name), base = find(unit);
	int64_t part = i < 0 ? 1 : units[i].ps;
	wide sum;

	if (whole == 0 || (text[whole] == '.' && digits == 0) ||
		(name != unit && (i < 0 || base < 0)))
		return false;
	errno = 0;
	sum = (wide)strtoll(text, NULL, 10) * part;
	if (errno != 0)
		return false;
	for (; digits > 0 && part > 1; digits--) {
		part /= 10;
		sum += part * (*fraction++ - '0');
	}
	sum /= base < 0 ? 1 : units[base].ps;
	*time = (int64_t)sum;
	return sum <= INT64_MAX;
}

/* Parses exactly `digits` digits as a number up to max. Returns -1 if there are
 * fewer or more digits. */
static int
read_part(const char **at, size_t digits, int max)
{
	int n = 0;

	if (strspn(*at, "0123456789") != digits)
		return -1;
	for (; digits > 0; digits--)
		n = 10 * n + (*(*at)++ - '0');
	return n <= max ? n : -1;
}

/* Skips the character c. Returns false if the next character is another one. */
static bool
is_next(const char **at, char c)
{
	bool is = **at == c;

	*at += is;
	return is;
}

/* Parses "2026-11-23T". Returns the rest, or NULL. */
static const char *
read_date(const char *at, struct tm *tm)
{
	int year = read_part(&at, 4, 9999), month, day;
	bool ok = year >= 1970 && is_next(&at, '-');

	month = ok ? read_part(&at, 2, 12) : -1;
	ok = month > 0 && is_next(&at, '-');
	day = ok ? read_part(&at, 2, 31) : -1;
	tm->tm_year = year - 1900;
	tm->tm_mon = month - 1;
	tm->tm_mday = day;
	return day > 0 && is_next(&at, 'T') ? at : NULL;
}

/* Parses "14:03" and an optional ":10". Returns the rest, or NULL. */
static const char *
read_clock(const char *at, struct tm *tm)
{
	tm->tm_hour = read_part(&at, 2, 23);
	tm->tm_min = tm->tm_hour >= 0 && is_next(&at, ':')
		? read_part(&at, 2, 59)
		: -1;
	tm->tm_sec = tm->tm_min >= 0 && is_next(&at, ':')
		? read_part(&at, 2, 60)
		: 0;
	return tm->tm_min >= 0 && tm->tm_sec >= 0 ? at : NULL;
}

static const char *
read_fraction(const char *at, int64_t *ns)
{
	int64_t part = SECOND;

	*ns = 0;
	if (*at != '.')
		return at;
	for (at++; *at >= '0' && *at <= '9'; at++) {
		part /= 10;
		*ns += part * (*at - '0');
	}
	return at;
}

/* Converts a time of day to ns since 1970. Returns false if it is malformed. */
static bool
time_of_day(const char *text, int64_t realtime, int64_t *ns)
{
	bool utc = text[strlen(text) - 1] == 'Z', dated = strchr(text, 'T');
	time_t start = (time_t)(realtime / SECOND), then;
	const char *at = text;
	struct tm tm = { 0 };
	int64_t fraction;

	if ((utc ? gmtime_r(&start, &tm) : localtime_r(&start, &tm)) == NULL)
		return false;
	if (dated)
		at = read_date(at, &tm);
	if (at != NULL)
		at = read_clock(at, &tm);
	if (at == NULL)
		return false;
	at = read_fraction(at, &fraction);
	if (strcmp(at, utc ? "Z" : "") != 0)
		return false;
	tm.tm_isdst = -1;
	then = utc ? timegm(&tm) : mktime(&tm);
	if (__builtin_mul_overflow(then, SECOND, ns) ||
		__builtin_add_overflow(*ns, fraction, ns))
		return false;
	if (!dated && *ns < realtime - DAY / 2)
		*ns += DAY;
	else if (!dated && *ns > realtime + DAY / 2)
		*ns -= DAY;
	return true;
}

static bool
refuse(const char *option, const char *text, struct err *err)
{
	return err_set(err, ERR_INPUT,
		"--%s takes a time such as 500, 10ms, 1.5s, @CLOCK, 14:03:10.5 "
		"or 2026-11-23T14:03Z%s, not \"%.100s\"",
		option, strcmp(option, "to") == 0 ? ", or +5ms" : "", text);
}

static bool
say_unknown(const char *option, const char *what, struct err *err)
{
	return err_set(err, ERR_INPUT,
		"--%s: only times since the start work here: the trace does "
		"not say what "
		"%s then",
		option, what);
}

/* Computes the time since the first event, when the clock's value was
 * `zero`. */
static void
count_from(int64_t zero, int64_t since, int64_t *time)
{
	if (__builtin_sub_overflow(since, zero, time))
		*time = since < zero ? INT64_MIN : INT64_MAX;
}

/* Parses a duration after the beginning of the window. */
static bool
read_length(const char *text, const struct times_zero *zero, int64_t *time)
{
	if (!times_read(text, zero->unit, time))
		return false;
	if (__builtin_add_overflow(*time, zero->from, time))
		*time = INT64_MAX;
	return true;
}

bool
times_moment(const char *option, const char *text,
	const struct times_zero *zero, int64_t *time, struct err *err)
{
	int64_t since;

	if (*text == '+')
		return (strcmp(option, "to") == 0 &&
			       read_length(text + 1, zero, time)) ||
			refuse(option, text, err);
	if (*text == '@') {
		if (!times_read(text + 1, zero->unit, &since))
			return refuse(option, text, err);
		if (zero->clock == TIMES_UNKNOWN)
			return say_unknown(option, "its clock was", err);
		count_from(zero->clock, since, time);
		return true;
	}
	if (strchr(text, ':') == NULL)
		return times_read(text, zero->unit, time) ||
			refuse(option, text, err);
	if (zero->realtime == TIMES_UNKNOWN)
		return say_unknown(option, "time of day it was", err);
	if (!time_of_day(text, zero->realtime, &since))
		return refuse(option, text, err);
	count_from(zero->realtime, since, time);
	return true;
}
