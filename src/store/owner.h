/* SPDX-License-Identifier: MIT */
/*
 * owner.h - a lock by which one program at a time writes to a file or
 * directory.
 *
 *	struct owner o;
 *	if (!owner_take(&o, &arena, "run.db", &err)) ...
 *	owner_leave(&o);
 *
 * The lock is a flock() on the file "run.db.lock" beside the store; the file
 * has the PID of the process. The kernel releases the lock when the process
 * dies, so a leftover file locks nobody out. The lock also works between
 * threads of one process.
 */
#ifndef WEFT_STORE_OWNER_H
#define WEFT_STORE_OWNER_H

#include <stdbool.h>

#include "base/err.h"

struct arena;

struct owner {
	int fd;           /* -1: none */
	const char *path; /* path of the lock */
};

/* Takes the lock. Returns false and sets err if another program has it. Where
 * no lock file can be created the function succeeds without a lock. */
bool owner_take(
	struct owner *o, struct arena *a, const char *path, struct err *err);

void owner_leave(struct owner *o);

#endif
