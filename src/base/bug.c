/* SPDX-License-Identifier: MIT */
#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>

void
bug_abort(const char *file, int line, const char *cond)
{
	fprintf(stderr, "BUG: %s:%d: %s\n", file, line, cond);
	abort();
}
