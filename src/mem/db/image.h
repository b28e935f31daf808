/* SPDX-License-Identifier: MIT */
/*
 * image.h - one program image of a measurement: the tables of process.mem, and
 * the samples of the threads.
 *
 *	if (image_load(&image, &arena, directory, &findings))
 *		image_samples(&image, each, arg);
 *
 * A file of perf record also becomes images (perfimage.h), which contain their
 * samples. Numbers in the files become pointers here. For a number whose record
 * is missing because of damage, image_object() and image_path() return NULL.
 */
#ifndef WEFT_MEM_DB_IMAGE_H
#define WEFT_MEM_DB_IMAGE_H

#include "base/map.h"
#include "mem/db/findings.h"
#include "mem/wire.h"

#define IMAGE_EVENTS 32 /* limit of event numbers */
#define IMAGE_LOSSES 16 /* limit of loss kinds */

struct cost;

struct image_module {
	const struct mem_module *record;
	int file; /* index in the profile's symbols + 1; 0: not known yet */
	const char *path;
	uint32_t until; /* no call path from this epoch on lies in the module */
	uint64_t gone;  /* time of that epoch */
};

struct image_object {
	const struct mem_object *record;
	const char *name; /* given by the program, or NULL */
	uint32_t number;
	uint64_t owner; /* in a profile, as in owner.c; 0: not known yet */
};

struct image_path {
	const struct mem_path *record;
	/* Filled in by a profile; 0: not known yet. */
	uint32_t number; /* of its contents, see tree_number() */
	uint32_t kind;   /* of the blocks to which `owner` applies */
	uint64_t owner;  /* of unnamed blocks of this path, as in owner.c */
};

struct image_region {
	const struct mem_region *record;
	const char *name;
};

/* The records of one site, in order. */
struct image_site {
	VEC(const struct mem_site *) record;
};

/* A sample that was not read from the file of a thread. */
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
	const char *node; /* name of the machine; NULL: unknown */
	VEC(const char *) argument;
	VEC(const char *) note;
	const struct mem_event *event[IMAGE_EVENTS];
	const struct mem_setup *setup; /* NULL: missing */
	VEC(struct image_module) module;
	VEC(struct image_region) region;
	VEC(struct image_object) object;
	VEC(struct image_path) path;
	VEC(struct image_site) site;
	VEC(const struct mem_thread *) thread;
	VEC(const struct mem_heap *) heap;
	VEC(const struct mem_local *) local;
	VEC(const struct mem_thread_end *) end; /* ends of threads */
	VEC(struct image_sample)
	sample; /* samples of a file of perf
	         * record */
	struct map by_module, by_region, by_object, by_path, by_site, by_tid;
	uint64_t samples;   /* passed on by image_samples() */
	int silent;         /* threads without samples, counted by
	                     * image_samples() */
	uint64_t silent_ns; /* the CPU time of these threads, as far as
	                     * it is known */
	const struct mem_frame *frame; /* of the sample that image_samples()
	                                * passes on, or NULL */
	struct cost *cost;             /* by event; filled by charge_image() */
	uint64_t lost[IMAGE_LOSSES];   /* losses in all files */
	uint64_t ring_from, ring_to;   /* times of the first and the last full
	                                * perf ring; 0: never */
	uint64_t last;                 /* time of the last record */
	bool ended;                    /* the program ended normally */
	int64_t rank;                  /* MPI rank of the process; -1: none */
	uint64_t damaged;              /* samples that name missing records */
};

/* Reads folder/process.mem. Returns false and adds a finding if the file has no
 * head. */
bool image_load(struct image *i, struct arena *a, const char *folder,
	struct mem_findings *findings);

/* Adds a call path. */
void image_add_path(struct image *i, const struct mem_path *r);

/* Passes on each sample, thread by thread, in the order in which a thread's
 * samples were drained. */
void image_samples(struct image *i,
	void (*each)(void *arg, const struct mem_sample *s, int32_t tid),
	void *arg);

/* Return the record with a number, or NULL. */
const struct image_module *image_module(const struct image *i, uint32_t n);
const struct image_region *image_region(const struct image *i, uint32_t n);
struct image_object *image_object(const struct image *i, uint32_t n);
struct image_path *image_path(const struct image *i, uint32_t n);
const struct mem_thread *image_thread(const struct image *i, int32_t tid);

/* Returns the index of the module with code at an address in an epoch of the
 * module map, or -1. */
int image_module_at(const struct image *i, uint64_t address, uint32_t epoch);

/* Does the same by a time, for callers that do not know the epoch. */
int image_module_then(const struct image *i, uint64_t address, uint64_t time);

/* Returns true if a later image of the same process exists: the image ended by
 * an exec. */
bool image_is_replaced(const struct image *all, int n, int which);

void image_fini(struct image *i);

#endif
