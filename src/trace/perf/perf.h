/* SPDX-License-Identifier: MIT */
/*
 * perf.h - files of `perf record` and `perf sched record` as a source of
 * events, one stream a CPU.
 *
 * A tracepoint is a class of its name, with the fields that the file describes,
 * so that the model linux shows threads and CPUs. Other records are classes
 * named "perf:...": samples, switches of threads, names, forks, ends. Events
 * are sorted by rounds, as perf marks them; memory is a round and no file.
 */
#ifndef WEFT_TRACE_PERF_PERF_H
#define WEFT_TRACE_PERF_PERF_H

#include "trace/source.h"

struct perf_map;

extern const struct source_ops source_perf;

/* Returns the name of a thread of source_perf at the last event. */
const char *perf_thread_name(struct source *source, uint32_t tid);

/* Returns what a process of source_perf had mapped at an address when the last
 * event happened (maps.h), or NULL. Valid until the next event. */
const struct perf_map *perf_map_at(
	struct source *source, uint32_t pid, uint64_t address);

#endif
