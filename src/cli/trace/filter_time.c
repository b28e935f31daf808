/* SPDX-License-Identifier: MIT */
/* Times of the command line: "12", "1.5ms", "@12", "+5ms", "14:03:10.5". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/trace/filter_args.h"
#include "trace/trace.h"

#define SECOND INT64_C(1000000000)
#define DAY (86400 * SECOND)

static int64_t
unit_ticks(const char *unit, int64_t ticks)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = { { "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 } };

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].ns * ticks;
	return strcmp(unit, "ps") == 0 ? ticks / 1000 : 0;
}

bool
filter_args_time(const char *text, int64_t ticks, int64_t *time)
{
	size_t whole = strspn(text, "0123456789");
	const char *fraction = text + whole + (text[whole] == '.');
	size_t digits = text[whole] == '.' ? strspn(fraction, "0123456789") : 0;
	int64_t unit = unit_ticks(fraction + digits, ticks > 0 ? ticks : 1);
	int64_t part = unit;

	if (whole == 0 || unit == 0 || (text[whole] == '.' && digits == 0))
		return false;
	errno = 0;
	*time = strtoll(text, NULL, 10);
	if (errno != 0 || __builtin_mul_overflow(*time, unit, time))
		return false;
	for (size_t i = 0; i < digits && part > 1; i++) {
		part /= 10;
		if (__builtin_add_overflow(
			    *time, part * (fraction[i] - '0'), time))
			return false;
	}
	return true;
}

/* Two digits, or another count of them, as a number up to max; -1: there are
 * none, or what follows them is another one. */
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

/* Passes over a character. */
static bool
is_next(const char **at, char c)
{
	bool is = **at == c;

	*at += is;
	return is;
}

/* "2026-11-23T"; what follows it, or NULL. */
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

/* "14:03", perhaps ":10"; what follows it, or NULL. */
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

/* Nanoseconds since 1970 of a time of the day. False if it is none. */
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
		"--%s counts from the start only: the trace does not say what "
		"%s then",
		option, what);
}

/* From a clock that had that value at the first event. */
static void
count_from(int64_t zero, int64_t time, int64_t *ns)
{
	if (__builtin_sub_overflow(time, zero, ns))
		*ns = time < zero ? INT64_MIN : INT64_MAX;
}

/* After the begin of the window. */
static bool
read_length(const char *text, const struct filter_zero *zero, int64_t *ns)
{
	if (!filter_args_time(text, zero->ticks, ns))
		return false;
	if (__builtin_add_overflow(*ns, zero->from, ns))
		*ns = INT64_MAX;
	return true;
}

bool
filter_args_moment(const char *option, const char *text,
	const struct filter_zero *zero, int64_t *ns, struct err *err)
{
	int64_t time;

	if (*text == '+')
		return (strcmp(option, "to") == 0 &&
			       read_length(text + 1, zero, ns)) ||
			refuse(option, text, err);
	if (*text == '@') {
		if (!filter_args_time(text + 1, zero->ticks, &time))
			return refuse(option, text, err);
		if (zero->clock == TRACE_UNKNOWN)
			return say_unknown(option, "its clock was", err);
		count_from(zero->clock, time, ns);
		return true;
	}
	if (strchr(text, ':') == NULL)
		return filter_args_time(text, zero->ticks, ns) ||
			refuse(option, text, err);
	if (zero->realtime == TRACE_UNKNOWN)
		return say_unknown(option, "time of day it was", err);
	if (!time_of_day(text, zero->realtime, &time))
		return refuse(option, text, err);
	count_from(zero->realtime, time, ns);
	return true;
}
