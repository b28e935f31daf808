/* SPDX-License-Identifier: MIT */
/*
 * perfdata.h - the files of `perf record`: their records, in order of time.
 *
 *	struct perfdata p;
 *	if (perfdata_open(&p, &arena, "perf.data", &err))
 *		while ((event = perfdata_next(&p, &record)) != NULL)
 *			if (record.type == PERF_RECORD_SAMPLE)
 *				use(event->name, &record);
 *
 * perf writes a block of each CPU's ring in turn; the records are sorted by
 * time, those without one stay in front. Damage costs what is behind it, and is
 * told. Not read: what perf wrote to a pipe, and compressed records (-z).
 */
#ifndef WEFT_MEM_DB_PERFDATA_H
#define WEFT_MEM_DB_PERFDATA_H

#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "perf/record.h"

struct arena;

struct perfdata_event {
	struct perf_event_attr attr;
	const char *name; /* "" if the file does not tell */
};

struct perfdata_build {
	const char *path;
	uint32_t bytes;
	uint8_t id[20];
};

struct perfdata_place {
	uint64_t time;
	size_t offset; /* in the file */
	int event;
};

struct perfdata {
	struct arena *arena;
	const char *data; /* the file */
	size_t size;
	VEC(struct perfdata_event) event;
	VEC(struct perfdata_build) build;  /* of files that were sampled */
	VEC(struct perfdata_place) record; /* sorted */
	struct map ids;                    /* id of a counter: event */
	struct map comm;                   /* tid: address of its name */
	int next;
	const char *damage;  /* NULL: none */
	uint64_t damaged_at; /* byte */
	uint64_t bad;        /* records whose fields have no room */
	uint64_t lost;       /* told by the kernel, so far */
};

/* True if the file begins as perf's do. */
bool perfdata_is(const char *path);

/* Reads the file, whose memory is the arena's. */
bool perfdata_open(
	struct perfdata *p, struct arena *a, const char *path, struct err *err);

/*
 * The next record and the event that it belongs to; NULL: there are no more.
 * Threads keep the names that records up to here have given them.
 */
const struct perfdata_event *perfdata_next(
	struct perfdata *p, struct perf_record *r);

/* The name of a thread now, or NULL. */
const char *perfdata_comm(const struct perfdata *p, uint32_t tid);

void perfdata_close(struct perfdata *p);

#endif
