/* SPDX-License-Identifier: MIT */
/*
 * tracepoint.h - events of the kernel: what their fields are, by the file
 * "format" of tracefs, and a perf event that has them written to a ring.
 *
 * Fields that the kernel puts at the end of a record (__data_loc) are texts if
 * they are characters; of others only the place is kept. Nothing here
 * allocates.
 */
#ifndef WEFT_PERF_TRACEPOINT_H
#define WEFT_PERF_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TRACEPOINT_FIELDS = 24, TRACEPOINT_NAME = 64 };

enum tracepoint_kind {
	TRACEPOINT_UNSIGNED,
	TRACEPOINT_SIGNED,
	TRACEPOINT_POINTER,
	TRACEPOINT_CHARS, /* a text in as many bytes */
	TRACEPOINT_TEXT,  /* elsewhere in the record */
	TRACEPOINT_PLACE, /* of what is elsewhere, and no text */
};

struct tracepoint_field {
	char name[TRACEPOINT_NAME];
	uint16_t offset, size; /* of an element, bytes: 1, 2, 4, 8 */
	uint16_t n;            /* elements; 1: no array */
	uint8_t kind;
};

struct tracepoint {
	char name[TRACEPOINT_NAME];
	uint16_t id;
	int nfields;
	struct tracepoint_field field[TRACEPOINT_FIELDS];
};

/* Where tracefs is mounted, or NULL. */
const char *weft_tracepoint_root(void);

/* Reads events/SYSTEM/NAME/format below a root. False: it cannot be read, or
 * does not make sense. */
bool weft_tracepoint_read(struct tracepoint *t, const char *folder);

/* The text of such a file. */
bool weft_tracepoint_parse(struct tracepoint *t, char *text);

/* A perf event of all processes on a CPU, which is off; the id of a record is
 * in the first two bytes of its raw data. -1 with errno. */
int weft_tracepoint_open(const struct tracepoint *t, int cpu);

/* One that counts nothing, but is told of each switch of a thread of the
 * calling process and of those which that makes from now on, on a CPU. -1 with
 * errno. */
int weft_tracepoint_open_switches(int tid, int cpu);

/* The fields in a row, as CTF has them; 0: there is no room, or the record is
 * damaged. */
size_t weft_tracepoint_copy(const struct tracepoint *t, const uint8_t *raw,
	size_t size, uint8_t *to, size_t room);

#endif
