/* SPDX-License-Identifier: MIT */
/* kind.h - which converter compat.h imitates. */
#ifndef WEFT_EMU_COMPAT_KIND_H
#define WEFT_EMU_COMPAT_KIND_H

enum compat_kind {
	COMPAT_NONE,
	COMPAT_PYTHON, /* clock as in the file, without its offset */
	COMPAT_FAST,   /* clock of rank 0 */
	COMPAT_MERGE,  /* like the fast converter for each rank, but in one
	                * timeline */
};

#endif
