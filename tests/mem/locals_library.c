/* SPDX-License-Identifier: MIT */
#include "locals.h"

static _Thread_local char theirs[LOCAL_BYTES];

void
library_touch(int rounds)
{
	local_touch(theirs, rounds);
}
