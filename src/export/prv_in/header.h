/* SPDX-License-Identifier: MIT */
/*
 * header.h - the first line of a .prv file: its duration, nodes with their
 * CPUs, and applications with their tasks and threads.
 *
 *	#Paraver (DATE):END_ns:N(cpus,...):APPLS:TASKS(threads:node,...),...
 */
#ifndef WEFT_EXPORT_PRV_IN_HEADER_H
#define WEFT_EXPORT_PRV_IN_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct arena;

struct prv_in_task {
	uint32_t appl; /* from 0 */
	uint32_t threads;
	uint32_t node; /* from 1; 0: none */
};

struct prv_in_appl {
	uint32_t first, tasks; /* in prv_in_header.tasks */
};

struct prv_in_header {
	int64_t end;        /* in the file's unit */
	int64_t unit_ns;    /* ns of a unit: 1, 1000 or 1000000 */
	VEC(uint32_t) cpus; /* of each node */
	VEC(struct prv_in_appl) appls;
	VEC(struct prv_in_task) tasks; /* of all applications, in order */
	uint64_t threads;
};

/* Returns true if a file of n bytes that begin so is a .prv file. */
bool prv_in_header_is(const char *head, size_t n);

/* Parses a line that ends with a NUL. Returns false with err, which names the
 * column. */
bool prv_in_header_parse(struct prv_in_header *h, struct arena *a,
	const char *line, struct err *err);

#endif
