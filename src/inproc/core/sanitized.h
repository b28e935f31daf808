/* SPDX-License-Identifier: MIT */
/*
 * sanitized.h - tells whether the program has a sanitizer, which wraps the same
 * functions as we do, and whose checks we would disturb.
 *
 * The loader sets these references before any code runs; NULL if there is no
 * such function. To ask it later is not safe: dlsym() calls the program's
 * malloc() for a name that it does not find, and may have been called from
 * there, under the allocator's lock.
 */
#ifndef WEFT_INPROC_CORE_SANITIZED_H
#define WEFT_INPROC_CORE_SANITIZED_H

#include <stdbool.h>
#include <stddef.h>

#define SANITIZED_IN(name) extern void name(void) __attribute__((weak))

SANITIZED_IN(__asan_init);
SANITIZED_IN(__hwasan_init);
SANITIZED_IN(__tsan_init);
SANITIZED_IN(__msan_init);
SANITIZED_IN(__lsan_init);
SANITIZED_IN(__lsan_do_leak_check);

static inline bool
is_sanitized(void)
{
	return __asan_init != NULL || __hwasan_init != NULL ||
		__tsan_init != NULL || __msan_init != NULL ||
		__lsan_init != NULL || __lsan_do_leak_check != NULL;
}

#undef SANITIZED_IN

#endif
