/* SPDX-License-Identifier: MIT */
/*
 * compare.h - comparisons of several keys, for qsort() and the like.
 */
#ifndef WEFT_BASE_COMPARE_H
#define WEFT_BASE_COMPARE_H

/* Returns -1 or 1 from the function if a and b differ. */
#define COMPARE(a, b) \
	do { \
		if ((a) != (b)) \
			return (a) < (b) ? -1 : 1; \
	} while (0)

#endif
