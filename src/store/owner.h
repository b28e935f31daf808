/* SPDX-License-Identifier: MIT */
/*
 * owner.h - one program at a time writes to a file or folder.
 *
 *	struct owner o;
 *	if (!owner_take(&o, &arena, "run.db", &err)) ...
 *	owner_leave(&o);
 *
 * The lock is that of the file "run.db.lock" beside it, which holds the number
 * of the process. The kernel takes it back when the process dies, so a file
 * that was left behind locks nobody out. It holds within a process, too.
 */
#ifndef WEFT_STORE_OWNER_H
#define WEFT_STORE_OWNER_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

struct owner {
	int fd;           /* -1: none */
	const char *path; /* of the lock */
};

/* False with err: another program has it. Where no file can be made, there is
 * no lock. */
bool owner_take(
	struct owner *o, struct arena *a, const char *path, struct err *err);

void owner_leave(struct owner *o);

#endif
