/* SPDX-License-Identifier: MIT */
/*
 * mongodb_owner.h - one program at a time writes to a database of MongoDB.
 *
 *	o = mongodb_owner_take(&arena, uri, "runs", &err);
 *	...
 *	mongodb_owner_leave(o);
 *
 * A server of MongoDB knows no lock that ends with a connection. So a document
 * in the collection weft_owner names the process, and a thread counts its
 * `beat` up every second. Who finds such a document takes the database over if
 * that process was of this machine and is dead, or if nothing has counted for
 * five seconds.
 */
#ifndef WEFT_STORE_MONGODB_OWNER_H
#define WEFT_STORE_MONGODB_OWNER_H

#include <mongoc/mongoc.h>
#include <stdbool.h>

#include "base/err.h"

struct arena;
struct mongodb_owner;

/* NULL with err: another program has it, or the server fails. */
struct mongodb_owner *mongodb_owner_take(struct arena *a,
	const mongoc_uri_t *uri, const char *database, struct err *err);

/* True once another program has taken the database over. */
bool mongodb_owner_is_lost(const struct mongodb_owner *o);

/* NULL is fine. */
void mongodb_owner_leave(struct mongodb_owner *o);

#endif
