/* SPDX-License-Identifier: MIT */
/*
 * gomp_cross.c - waits for iterations of other threads, in loops whose
 * iterations depend on each other (doacross).
 *
 * The calls have an argument for each of the loops, and no number of them.
 * Words enough for any nest of loops are passed on, as they lie in registers
 * and on the stack.
 */
#include <stdarg.h>

#include "inproc/collect/gomp.h"

enum { WORDS = 37 }; /* after the first: 5 in registers */

#define FOUR(a, i) (a)[i], (a)[(i) + 1], (a)[(i) + 2], (a)[(i) + 3]
#define ALL(a) \
	FOUR(a, 0), FOUR(a, 4), FOUR(a, 8), FOUR(a, 12), FOUR(a, 16), \
		FOUR(a, 20), FOUR(a, 24), FOUR(a, 28), FOUR(a, 32), (a)[36]

typedef void wait_fn(long first, ...);

static void
pass(const struct gomp *real, void *f, long first, va_list more,
	const void *caller)
{
	long a[WORDS];
	struct stamp asked = { 0 };
	wait_fn *call;

	memcpy(&call, &f, sizeof call);
	for (int i = 0; i < WORDS; i++)
		a[i] = va_arg(more, long);
	if (gomp_looks(real))
		asked = omp_ask(caller);
	call(first, ALL(a));
	if (asked.time != 0)
		omp_waited(&asked, "WGd", "WGD", caller);
}

#define CROSS(name) \
	WRAPPER void wrap_##name(long first, ...); \
	void wrap_##name(long first, ...) \
	{ \
		const struct gomp *real = GOMP_OF(name); \
		va_list more; \
\
		va_start(more, first); \
		pass(real, real->name, first, more, \
			__builtin_return_address(0)); \
		va_end(more); \
	} \
	GOMP_SYMBOL(name, "4.5");

CROSS(doacross_wait)
CROSS(doacross_ull_wait)
