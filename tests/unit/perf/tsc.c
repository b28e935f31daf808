/* SPDX-License-Identifier: MIT */
/* Which clock sources of the kernel the time-stamp counter may stand for. */
#include "perf/tsc.h"

#include "test.h"

TEST(the_counter_is_trusted_as_the_kernels_own_source)
{
#ifdef __x86_64__
	CHECK(weft_tsc_trusts("tsc\n", 0, 0));
#endif
	CHECK(!weft_tsc_trusts("hpet\n", 1000, 1100));
	CHECK(!weft_tsc_trusts("acpi_pm\n", 20, 1100));
	CHECK(!weft_tsc_trusts("", 20, 1100));
}

TEST(kvm_clock_is_trusted_if_the_library_needs_no_system_call_for_it)
{
#ifdef __x86_64__
	CHECK(weft_tsc_trusts("kvm-clock\n", 60, 300));
#endif
	CHECK(!weft_tsc_trusts("kvm-clock\n", 330, 300));
	CHECK(!weft_tsc_trusts("kvm-clock\n", 0, 0));
	CHECK(!weft_tsc_trusts("kvm-clock-2\n", 60, 300));
}

TEST_MAIN(RUN(the_counter_is_trusted_as_the_kernels_own_source),
	RUN(kvm_clock_is_trusted_if_the_library_needs_no_system_call_for_it))
