/* SPDX-License-Identifier: MIT */
/*
 * perfdata.h - reads the files of `perf record`: the records in time order.
 *
 *	struct perfdata p;
 *	if (perfdata_open(&p, &arena, "perf.data", &err))
 *		while ((event = perfdata_next(&p, &record)) != NULL)
 *			if (record.type == PERF_RECORD_SAMPLE)
 *				use(event->name, &record);
 *
 * perf writes blocks of each CPU's perf ring in turn. Records are sorted by
 * time; those without a time come first. Reading ends at damage, which is
 * reported. Data that perf wrote to a pipe and compressed records (-z) are not
 * supported.
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
	const char *name; /* name of the event; "" if the file has none */
};

struct perfdata_build {
	const char *path;
	uint32_t bytes;
	uint8_t id[20];
};

struct perfdata_offset {
	uint64_t time;
	size_t offset; /* byte offset in the file */
	int event;
};

struct perfdata {
	struct arena *arena;
	const char *data; /* the file */
	size_t size;
	VEC(struct perfdata_event) event;
	VEC(struct perfdata_build) build;   /* build ids of sampled files */
	VEC(struct perfdata_offset) record; /* sorted by time */
	struct map ids;                     /* counter id to event */
	struct map comm;                    /* TID to the address of its name */
	int next;
	const char *damage;  /* description of the damage; NULL: none */
	uint64_t damaged_at; /* byte offset */
	uint64_t bad;        /* records that are too short for their fields */
	uint64_t lost;       /* lost samples that the kernel has reported so
	                      * far */
};

/* Returns true if the file begins with perf's magic. */
bool perfdata_is(const char *path);

/* Reads the file; the arena owns its memory. Returns false and sets err on
 * failure. */
bool perfdata_open(
	struct perfdata *p, struct arena *a, const char *path, struct err *err);

/*
 * Returns the next record's event and stores the record in *r; NULL at the end.
 * Names that the record gives to threads are kept.
 */
const struct perfdata_event *perfdata_next(
	struct perfdata *p, struct perf_record *r);

/* Returns the thread's current name, or NULL. */
const char *perfdata_comm(const struct perfdata *p, uint32_t tid);

void perfdata_close(struct perfdata *p);

#endif
