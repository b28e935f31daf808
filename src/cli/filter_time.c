/* SPDX-License-Identifier: MIT */
/* Times of the command line: "12", "1.5ms". */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/filter_args.h"

static int64_t
unit_ns(const char *unit)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = { { "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 },
		{ "s", 1000000000 } };

	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].ns;
	return 0;
}

bool
filter_args_time(const char *text, int64_t *ns)
{
	size_t whole = strspn(text, "0123456789");
	const char *fraction = text + whole + (text[whole] == '.');
	size_t digits = text[whole] == '.' ? strspn(fraction, "0123456789") : 0;
	int64_t unit = unit_ns(fraction + digits);
	int64_t part = unit;

	if (whole == 0 || unit == 0 || (text[whole] == '.' && digits == 0))
		return false;
	errno = 0;
	*ns = strtoll(text, NULL, 10);
	if (errno != 0 || __builtin_mul_overflow(*ns, unit, ns))
		return false;
	for (size_t i = 0; i < digits && part > 1; i++) {
		part /= 10;
		if (__builtin_add_overflow(*ns, part * (fraction[i] - '0'), ns))
			return false;
	}
	return true;
}
