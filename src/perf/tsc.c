/* SPDX-License-Identifier: MIT */
#include "perf/tsc.h"

#include <time.h>

#include "perf/kernel_clock.h"

static uint64_t
clock_ns(void)
{
	struct timespec t = { 0, 0 };

	weft_kernel_clock(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#ifdef __x86_64__
#include <cpuid.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "perf/smallfile.h"

#define SOURCE \
	"/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define KVM "kvm-clock\n"

enum { READINGS = 8 };

static bool
is_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8));
}

/* Returns the ticks of the fastest of some readings of CLOCK_MONOTONIC, by the
 * kernel's code in the process or by a system call. */
static uint64_t
ticks_of_reading(bool by_call)
{
	uint64_t least = UINT64_MAX;
	struct timespec t;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = __builtin_ia32_rdtsc(), took;

		if (by_call)
			syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
		else
			weft_kernel_clock(CLOCK_MONOTONIC, &t);
		took = __builtin_ia32_rdtsc() - before;
		least = took < least ? took : least;
	}
	return least;
}

bool
weft_tsc_trusts(const char *source, uint64_t fast, uint64_t slow)
{
	return strcmp(source, "tsc\n") == 0 ||
		(strcmp(source, KVM) == 0 && fast < slow / 2);
}

bool
weft_tsc_is_clock(void)
{
	uint64_t fast = 0, slow = 0;
	char name[16];

	if (!is_invariant() || !smallfile_read(SOURCE, name, sizeof(name)))
		return false;
	if (strcmp(name, KVM) == 0) {
		fast = ticks_of_reading(false);
		slow = ticks_of_reading(true);
	}
	return weft_tsc_trusts(name, fast, slow);
}

void
weft_tsc_read_both(uint64_t *tsc, uint64_t *ns)
{
	uint64_t width = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = __builtin_ia32_rdtsc(), at = clock_ns(),
			 after = __builtin_ia32_rdtsc();

		if (after - before < width) {
			width = after - before;
			*tsc = before + width / 2;
			*ns = at;
		}
	}
}
#else
bool
weft_tsc_is_clock(void)
{
	return false;
}

bool
weft_tsc_trusts(const char *source, uint64_t fast, uint64_t slow)
{
	(void)source;
	(void)fast;
	(void)slow;
	return false;
}

void
weft_tsc_read_both(uint64_t *tsc, uint64_t *ns)
{
	*tsc = 0;
	*ns = clock_ns();
}
#endif
