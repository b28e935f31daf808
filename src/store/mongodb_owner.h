/* SPDX-License-Identifier: MIT */
/*
 * mongodb_owner.h - a lock by which one program at a time writes to a database
 * of MongoDB.
 *
 *	o = mongodb_owner_take(&arena, uri, "runs", &err);
 *	...
 *	mongodb_owner_leave(o);
 *
 * MongoDB has no lock that ends with its connection. Instead, a document in the
 * collection weft_owner names the process, and a thread of that process
 * increments the document's `beat` every second. A program that finds such a
 * document takes the database over if the process ran on the same machine and
 * is dead, or if the beat has not changed for five seconds.
 */
#ifndef WEFT_STORE_MONGODB_OWNER_H
#define WEFT_STORE_MONGODB_OWNER_H

#include <mongoc/mongoc.h>
#include <stdbool.h>

#include "base/err.h"

struct arena;
struct mongodb_owner;

/* Takes the lock. Returns NULL and sets err if another program has it or the
 * server fails. */
struct mongodb_owner *mongodb_owner_take(struct arena *a,
	const mongoc_uri_t *uri, const char *database, struct err *err);

/* Returns true once another program has taken the database over. */
bool mongodb_owner_is_lost(const struct mongodb_owner *o);

/* Releases the lock; o may be NULL. */
void mongodb_owner_leave(struct mongodb_owner *o);

#endif
