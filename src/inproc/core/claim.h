/* SPDX-License-Identifier: MIT */
/*
 * claim.h - the folder of a process, which no two processes write to.
 *
 * Who makes the folder has it. The file "owner" in it says who that is
 * (ident.h), and is locked for as long as the process lives: the lock (F_OFD)
 * is seen by every container of the kernel, whatever its pid namespace, and
 * goes with the process, however that ends.
 *
 * No descriptor stays open: a mapping of the file holds the lock, so a program
 * may close what it did not open. exec ends it, a child of fork has no part.
 */
#ifndef WEFT_INPROC_CORE_CLAIM_H
#define WEFT_INPROC_CORE_CLAIM_H

#include "inproc/core/ident.h"

enum claim {
	CLAIM_FRESH,   /* the folder was made */
	CLAIM_EARLIER, /* of an earlier run, which is over; it is ours now */
	CLAIM_IMAGE,   /* of this very process, before an exec: not ours */
	CLAIM_TAKEN,   /* of a process that lives, or may: not ours */
	CLAIM_FAILED,  /* errno says why there is no folder */
};

/* Claims a folder for the process, and makes those above it. */
enum claim weft_rt_claim(const char *folder, const struct ident *me);

/* Gives up a folder that was just claimed, CLAIM_FRESH, and is empty. */
void weft_rt_claim_undo(const char *folder);

#endif
