/* SPDX-License-Identifier: MIT */
/*
 * image.h - one program image of a measurement: what process.mem says, as
 * tables, and the samples of its threads.
 *
 *	if (image_load(&image, &arena, folder, &findings))
 *		image_samples(&image, each, arg);
 *
 * A recording of perf becomes images, too (perfimage.h), with its samples in
 * them. Numbers of the files become pointers here. One that was never written,
 * as its record was damaged, is NULL to image_object() and image_path().
 */
#ifndef WEFT_MEM_DB_IMAGE_H
#define WEFT_MEM_DB_IMAGE_H

#include "base/map.h"
#include "mem/db/findings.h"
#include "mem/wire.h"

#define IMAGE_EVENTS 32 /* numbers of events are below */
#define IMAGE_LOSSES 16 /* kinds of losses are below */

struct cost;

struct image_module {
	const struct mem_module *record;
	const char *path;
	uint32_t until; /* epoch: paths of it lie in the module no more */
	uint64_t gone;  /* time of that */
};

struct image_object {
	const struct mem_object *record;
	const char *name; /* that the program gave it, or NULL */
};

struct image_region {
	const struct mem_region *record;
	const char *name;
};

/* A site with all that was written of it, in order. */
struct image_site {
	VEC(const struct mem_site *) record;
};

/* One that stands in no file of a thread. */
struct image_sample {
	struct mem_sample sample;
	int32_t tid;
};

struct image {
	struct arena *arena;
	const char *folder;
	struct mem_head head;
	struct mem_findings *findings;
	const char *program, *version, *host;
	VEC(const char *) argument;
	VEC(const char *) note;
	const struct mem_event *event[IMAGE_EVENTS];
	const struct mem_setup *setup; /* NULL: it is missing */
	VEC(struct image_module) module;
	VEC(struct image_region) region;
	VEC(struct image_object) object;
	VEC(struct image_site) site;
	VEC(const struct mem_thread *) thread;
	VEC(const struct mem_heap *) heap;
	VEC(const struct mem_local *) local;
	VEC(const struct mem_thread_end *) end; /* of threads */
	VEC(struct image_sample) sample;        /* of a recording */
	struct map by_module, by_region, by_object, by_path, by_site, by_tid;
	uint64_t samples;            /* that image_samples() told */
	int silent;                  /* threads without any; likewise */
	uint64_t silent_ns;          /* of their CPU time, as far as known */
	struct cost *cost;           /* its reader's: by event */
	uint64_t lost[IMAGE_LOSSES]; /* of all files */
	uint64_t ring_from, ring_to; /* when the first and last full ring was
	                              * seen; 0: never */
	uint64_t last;               /* time of the last record */
	bool ended;                  /* it came to its end */
	int64_t rank;                /* of MPI, -1: none */
	uint64_t damaged;            /* samples whose numbers lead nowhere */
};

/* Reads folder/process.mem; false with a finding if there is no head. */
bool image_load(struct image *i, struct arena *a, const char *folder,
	struct mem_findings *findings);

/* Tells each sample of each thread, thread by thread; those of one come in the
 * order in which they were drained. */
void image_samples(struct image *i,
	void (*each)(void *arg, const struct mem_sample *s, int32_t tid),
	void *arg);

/* What a number stands for, or NULL. */
const struct image_module *image_module(const struct image *i, uint32_t n);
const struct image_region *image_region(const struct image *i, uint32_t n);
const struct image_object *image_object(const struct image *i, uint32_t n);
const struct mem_path *image_path(const struct image *i, uint32_t n);
const struct mem_thread *image_thread(const struct image *i, int32_t tid);

/* Index of the module that code at an address was in, in an epoch of the
 * module map; -1: in none. */
int image_module_at(const struct image *i, uint64_t address, uint32_t epoch);

/* The same by time, where no epoch is known. */
int image_module_then(const struct image *i, uint64_t address, uint64_t time);

/* Is there a later image of the same process: did it end by an exec? */
bool image_is_replaced(const struct image *all, int n, int which);

void image_fini(struct image *i);

#endif
