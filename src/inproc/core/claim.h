/* SPDX-License-Identifier: MIT */
/*
 * claim.h - claims the directory of a process; no two processes write to one.
 *
 * The process that creates the directory owns it. The file "owner" in it names
 * the process (ident.h), and is locked while the process lives. The lock
 * (F_OFD) is visible in every container of the kernel, whatever its pid
 * namespace, and ends with the process, however that ends.
 *
 * No descriptor stays open: a mapping of the file holds the lock, because a
 * program may close descriptors that it did not open. exec releases the lock; a
 * child of fork does not inherit it.
 */
#ifndef WEFT_INPROC_CORE_CLAIM_H
#define WEFT_INPROC_CORE_CLAIM_H

#include "inproc/core/ident.h"

enum claim {
	CLAIM_FRESH,   /* the directory was created */
	CLAIM_EARLIER, /* an earlier run made it and is over; it is ours now */
	CLAIM_IMAGE,   /* this process made it before an exec; not ours */
	CLAIM_TAKEN,   /* a process that lives, or may live, has it; not ours */
	CLAIM_FAILED,  /* there is no directory; errno says why */
};

/* Claims a directory for the process; creates it and its parents. */
enum claim weft_rt_claim(const char *folder, const struct ident *me);

/* Removes a directory that was just claimed as CLAIM_FRESH and is empty. */
void weft_rt_claim_undo(const char *folder);

#endif
