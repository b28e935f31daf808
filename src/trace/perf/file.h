/* SPDX-License-Identifier: MIT */
/*
 * file.h - what a file of perf says before its records: events with their
 * attributes and ids, formats of tracepoints, host and CPUs. The file may have
 * the form that perf writes to a pipe, where records carry all of that.
 */
#ifndef WEFT_TRACE_PERF_FILE_H
#define WEFT_TRACE_PERF_FILE_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/perf/maps.h"
#include "trace/perf/tracing.h"

struct arena;

/* Types of records that perf itself writes. */
enum {
	PERF_FILE_ATTR = 64,
	PERF_FILE_TRACING_DATA = 66,
	PERF_FILE_BUILD_ID = 67,
	PERF_FILE_ROUND = 68,
	PERF_FILE_AUXTRACE = 71,
	PERF_FILE_UPDATE = 78,
	PERF_FILE_FEATURE = 80,
	PERF_FILE_COMPRESSED = 81,
	PERF_FILE_COMPRESSED_2 = 83,
};

struct perf_file_event {
	struct perf_event_attr attr;
	const char *name; /* "cycles"; "" if the file has none */
};

struct perf_file {
	struct arena *arena; /* borrowed */
	int fd;              /* borrowed */
	uint64_t size;       /* bytes of the file */
	bool is_pipe;
	bool swapped;       /* a machine of the other byte order wrote it */
	uint64_t data, end; /* byte offsets of the records */
	bool unfinished;    /* perf did not end regularly */
	VEC(struct perf_file_event) event;
	struct map ids; /* counter id -> index of the event */
	struct perf_tracepoints tracepoints;
	struct perf_builds builds; /* of files with samples */
	const char *host;          /* or NULL */
	uint32_t ncpus;            /* 0: not known */
};

/* Returns true if the file begins as perf's files do, in either byte order. */
bool perf_file_is(const char *path);

/* Reads all but the records. Returns false with err, which does not name the
 * file. */
bool perf_file_read(struct perf_file *f, struct err *err);

/* Takes a record of the pipe form. `more` are the bytes that follow a record of
 * tracing data. Returns false with err if it is damaged. */
bool perf_file_take(struct perf_file *f, const uint8_t *record, size_t size,
	const uint8_t *more, size_t nmore, struct err *err);

/* Returns the tracepoint of that id, or NULL. */
const struct tracepoint *perf_file_tracepoint(
	const struct perf_file *f, uint64_t id);

/* Returns true if all events have times of CLOCK_MONOTONIC. */
bool perf_file_is_monotonic(const struct perf_file *f);

void perf_file_fini(struct perf_file *f);

#endif
