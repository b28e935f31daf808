/* SPDX-License-Identifier: MIT */
#include "inproc/core/confined.h"

#include "inproc/core/guest.h"

/* Of this thread; of all, atomic. A fork wipes neither: children are confined,
 * too. */
static __thread enum confined own;
static bool are_all;

void
weft_rt_confined_set(enum confined state, bool all)
{
	own = state;
	if (all)
		__atomic_store_n(&are_all, true, __ATOMIC_RELAXED);
}

bool
weft_rt_confined_soon(void)
{
	return own == CONFINED_SOON;
}

bool
weft_rt_is_confined(void)
{
	return own == CONFINED || weft_rt_are_confined() ||
		(guest_hooks() != NULL && guest_hooks()->is_confined());
}

bool
weft_rt_are_confined(void)
{
	return __atomic_load_n(&are_all, __ATOMIC_RELAXED);
}
