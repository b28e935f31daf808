/* SPDX-License-Identifier: MIT */
/*
 * type_list.h - the types of a trace, and types by their titles.
 */
#ifndef WEFT_CLI_TRACE_TYPE_LIST_H
#define WEFT_CLI_TRACE_TYPE_LIST_H

#include "base/err.h"
#include "base/vec.h"
#include "emu/model.h"
#include "export/sink.h"
#include "trace/trace.h"

/* The trace to filter. */
struct filter_trace {
	struct arena *arena;
	const struct trace *trace;
	const struct model *const *models; /* every available model; NULL
	                                    * ends the list */
	/* Declares all rows, types and labels to the sink. */
	bool (*declare)(void *arg, struct sink *sink, struct err *err);
	void *arg;
	bool of_records; /* rows have names and no numbers; types may appear
	                  * with their first record */
};

/* A sink that remembers all declared types. */
struct type_list {
	struct sink base;
	struct arena *arena;
	VEC(struct type) types;
};

/* Lists the types of the trace. Only the emulator knows all of them, and
 * declares them to a sink, once. */
bool type_list_fill(
	struct type_list *l, const struct filter_trace *of, struct err *err);

/* Returns true for a type that the first record of a file may declare:
 * "prv.state", "prv.6", "6". */
bool type_list_may_appear(const char *item);

/* Returns a list for --type with titles ("Regions") replaced by the keys of
 * their types ("ovni.mark99"). A title that several keys have stays. */
const char *type_list_keys(
	const struct type_list *l, struct arena *a, const char *list);

#endif
