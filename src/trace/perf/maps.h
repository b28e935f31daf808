/* SPDX-License-Identifier: MIT */
/*
 * maps.h - which file a process had mapped at an address, as the records of
 * perf have told so far: mappings, forks, and execs.
 */
#ifndef WEFT_TRACE_PERF_MAPS_H
#define WEFT_TRACE_PERF_MAPS_H

#include <stdint.h>

#include "base/intern.h"
#include "base/map.h"
#include "base/vec.h"

struct arena;
struct perf_mmap;

#define PERF_BUILD_MAX 20

struct perf_map {
	uint64_t lo, hi, offset; /* offset: of lo in the file */
	const char *name;        /* "/usr/bin/true", "[heap]", "//anon" */
	const uint8_t *build;    /* build id; or NULL */
	uint32_t build_size;
};

/* The build id of a file, which the header of the recording tells. */
struct perf_build {
	const char *path;
	uint8_t id[PERF_BUILD_MAX];
	uint32_t size;
};

struct perf_builds {
	VEC(struct perf_build) at;
};

struct perf_process;

struct perf_maps {
	struct arena *arena;              /* borrowed */
	const struct perf_builds *builds; /* borrowed */
	VEC(struct perf_process *) processes;
	struct map of_pid;   /* PID -> 1 + index; owned */
	size_t ncached;      /* pages in the caches of the processes */
	struct intern paths; /* of the first nbuilds builds */
	VEC(int) build_of;   /* by path: index of the first build */
	int nbuilds;
};

/* Adds a mapping, above all earlier ones of the process. */
void perf_maps_add(struct perf_maps *m, const struct perf_mmap *at);

/* Gives a new process the mappings that its parent has now. */
void perf_maps_fork(struct perf_maps *m, uint32_t pid, uint32_t parent);

/* Forgets the mappings of a process, which runs another program now. */
void perf_maps_exec(struct perf_maps *m, uint32_t pid);

/* Returns the mapping of a process at an address, or NULL. */
const struct perf_map *perf_maps_find(
	struct perf_maps *m, uint32_t pid, uint64_t address);

void perf_maps_fini(struct perf_maps *m);

#endif
