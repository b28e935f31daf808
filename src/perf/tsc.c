/* SPDX-License-Identifier: MIT */
#include "perf/tsc.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <string.h>

#include "perf/smallfile.h"

static bool
is_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}

static bool
is_kernels(void)
{
	char name[16];

	return smallfile_read("/sys/devices/system/clocksource/clocksource0/"
			      "current_clocksource",
		       name, sizeof(name)) &&
		strcmp(name, "tsc\n") == 0;
}

bool
weft_tsc_is_clock(void)
{
	return is_invariant() && is_kernels();
}
#else
bool
weft_tsc_is_clock(void)
{
	return false;
}
#endif
