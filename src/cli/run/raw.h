/* SPDX-License-Identifier: MIT */
/*
 * raw.h - reads the events of an ovni stream as bytes, in the order of the
 * file, through a window.
 *
 *	struct raw r;
 *	if (raw_open(&r, "loom.a/proc.1/thread.2"))
 *		while ((event = raw_next(&r, &n)) != NULL)
 *			use(event, n);
 *	raw_close(&r);
 */
#ifndef WEFT_CLI_RUN_RAW_H
#define WEFT_CLI_RUN_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct raw {
	FILE *file; /* NULL: there is no stream */
	unsigned char *buf;
	size_t cap, at, n; /* bytes of the buffer; the next event; the end */
	int64_t left;      /* bytes of the file behind the buffer */
};

/* Opens the stream of a thread's directory. Returns false if there is none;
 * raw_close() may be called all the same. */
bool raw_open(struct raw *r, const char *folder);

/* Returns the next whole event and its size, valid until the next call; NULL at
 * the end, or where an event is cut. */
const unsigned char *raw_next(struct raw *r, size_t *n);

/* Returns bytes behind the last whole event, at most as many as fit, and their
 * number; 0 at the end of the file. */
const unsigned char *raw_rest(struct raw *r, size_t *n);

void raw_close(struct raw *r);

static inline int64_t
raw_time(const unsigned char *event)
{
	int64_t t;

	memcpy(&t, event + 4, sizeof t);
	return t;
}

static inline bool
raw_is(const unsigned char *event, const char *mcv)
{
	return memcmp(event + 1, mcv, 3) == 0;
}

#endif
