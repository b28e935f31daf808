/* SPDX-License-Identifier: MIT */
/*
 * tracepoint.h - kernel tracepoints: reads their fields from the file "format"
 * of tracefs, and opens a perf event that writes them to a perf ring.
 *
 * Fields that the kernel stores at the end of a record (__data_loc) are texts
 * if they consist of characters; of other such fields only the byte offset is
 * kept. Nothing here allocates.
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
	TRACEPOINT_CHARS, /* a text of fixed size */
	TRACEPOINT_TEXT,  /* a text elsewhere in the record */
	TRACEPOINT_PLACE, /* byte offset and size of other data elsewhere in the
	                   * record */
};

struct tracepoint_field {
	char name[TRACEPOINT_NAME];
	uint16_t offset, size; /* size in bytes of an element: 1, 2, 4, 8 */
	uint16_t n;            /* elements; 1: not an array */
	uint8_t kind;
};

struct tracepoint {
	char name[TRACEPOINT_NAME];
	uint16_t id;
	int nfields;
	struct tracepoint_field field[TRACEPOINT_FIELDS];
};

/* Returns the directory where tracefs is mounted, or NULL. */
const char *weft_tracepoint_root(void);

/* Reads the file "format" in folder, which is events/SYSTEM/NAME below the
 * root. Returns false if the file cannot be read or parsed. */
bool weft_tracepoint_read(struct tracepoint *t, const char *folder);

/* Parses the text of such a file; changes the text. */
bool weft_tracepoint_parse(struct tracepoint *t, char *text);

/* Opens a perf event for all processes on a CPU, initially disabled. The first
 * two bytes of a record's raw data are the tracepoint's id. Returns a file
 * descriptor, or -1 with errno. */
int weft_tracepoint_open(const struct tracepoint *t, int cpu);

/* Opens an event that counts nothing but records each switch, on a CPU, of
 * thread tid of the calling process and of threads created from it later.
 * Returns a file descriptor, or -1 with errno. */
int weft_tracepoint_open_switches(int tid, int cpu);

/* Copies the fields of a record one after the other, as CTF stores them.
 * Returns the bytes written; 0 if there is not enough room or the record is
 * damaged. */
size_t weft_tracepoint_copy(const struct tracepoint *t, const uint8_t *raw,
	size_t size, uint8_t *to, size_t room);

#endif
