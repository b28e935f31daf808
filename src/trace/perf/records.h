/* SPDX-License-Identifier: MIT */
/*
 * records.h - the records of a file of perf one after the other, through a
 * window. Compressed records are replaced by those in them.
 */
#ifndef WEFT_TRACE_PERF_RECORDS_H
#define WEFT_TRACE_PERF_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct perf_unpack;

struct perf_records {
	int fd;          /* borrowed */
	bool swapped;    /* headers are in the other byte order */
	uint64_t offset; /* of the window in the file */
	uint64_t end;    /* of the records in the file */
	uint8_t *buf;    /* owned */
	size_t at, n;    /* unused bytes of the window: at..n */
	/* Records that were unpacked. */
	struct perf_unpack *unpack; /* owned; NULL: none were */
	uint64_t packed_at;         /* offset of the record that they were in */
	const char *damage; /* why reading ended early; NULL: it did not */
};

/* A record with its header. The bytes live until the next one is read. */
struct perf_bytes {
	const uint8_t *at;
	size_t size;
	uint32_t type;
	uint64_t offset;     /* in the file */
	const uint8_t *more; /* tracing data that follows the record; or NULL */
	size_t nmore;
};

void perf_records_open(
	struct perf_records *r, int fd, uint64_t begin, uint64_t end);

/* Returns false at the end. */
bool perf_records_next(struct perf_records *r, struct perf_bytes *to);

void perf_records_close(struct perf_records *r);

#endif
