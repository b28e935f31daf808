/* SPDX-License-Identifier: MIT */
#include "cli/task_time.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNITS 5

static const struct unit {
	const char *name;
	double ps;
} units[UNITS] = { { "ps", 1 }, { "ns", 1e3 }, { "us", 1e6 }, { "ms", 1e9 },
	{ "s", 1e12 } };

static int
find(const char *name)
{
	for (int i = 0; i < UNITS; i++)
		if (strcmp(units[i].name, name) == 0)
			return i;
	return -1;
}

const char *
task_time_text(int64_t time, const char *unit, char to[48])
{
	int base = find(unit), i = base;
	double ps = i < 0 ? 0 : (double)time * units[i].ps;

	while (i >= 0 && i < UNITS - 1 && fabs(ps) >= 1e4 * units[i].ps)
		i++;
	if (i == base)
		snprintf(to, 48, "%" PRId64 " %.20s", time, unit);
	else
		snprintf(to, 48, "%.3f %s", ps / units[i].ps, units[i].name);
	return to;
}

bool
task_time_parse(const char *text, const char *unit, int64_t *time)
{
	int base = find(unit), i;
	char *end;
	double t = strtod(text, &end);

	if (end == text)
		return false;
	if (*end == '\0') {
		*time = strtoll(text, &end, 10);
		return *end == '\0';
	}
	i = find(end);
	if (i < 0 || base < 0)
		return false;
	t = t * units[i].ps / units[base].ps;
	if (!(fabs(t) < 9e18))
		return false;
	*time = (int64_t)(t < 0 ? t - 0.5 : t + 0.5);
	return true;
}
