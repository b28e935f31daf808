/* SPDX-License-Identifier: MIT */
/*
 * stat_count.h - counts times and executions for weft stat.
 *
 *	pipeline_open(&r, trace);
 *	stat_count_resolve(&r, &err);
 *	sink = stat_count(&r, &report, &options, &err);
 *	stat_print_data(&report, TABLE_JSON);
 *	sink_close(sink, &err);
 */
#ifndef WEFT_CLI_TRACE_STAT_COUNT_H
#define WEFT_CLI_TRACE_STAT_COUNT_H

#include "cli/trace/pipeline.h"
#include "cli/trace/stat_print.h"

struct index;
struct sink_bytes;

struct stat_count_options {
	/* An index of the trace as it is now, made with the same options. If it
	 * keeps the sums, the trace is not emulated. NULL: there is none. */
	const struct index *index;
	int slices; /* as in struct stat_options */
	bool tasks; /* count executions of tasks */
};

/* Reads the options of r->filter. A type that no model has may be the type of a
 * breakdown. Returns false with err, like pipeline_resolve_filter(). */
bool stat_count_resolve(struct pipeline *r, struct err *err);

/*
 * Emulates the open trace and fills in the report. The caller sets by, class,
 * any_class, chosen, chart and order before. The table lives as long as the
 * sink and the run. Returns NULL with err.
 */
struct sink *stat_count(struct pipeline *r, struct stat_report *report,
	const struct stat_count_options *o, struct err *err);

/*
 * Returns a sink in front of the index's sink. It computes the sums that the
 * index keeps for stat_count(), and sets *to before the index is closed.
 * Returns the index's sink itself if options of r would make the sums differ
 * from the sums of weft stat.
 */
struct sink *stat_count_beside(
	struct pipeline *r, struct sink *index, struct sink_bytes *to);

#endif
