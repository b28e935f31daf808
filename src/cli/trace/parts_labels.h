/* SPDX-License-Identifier: MIT */
/*
 * parts_labels.h - labels that events have defined, and names that rows have
 * got, in several parts of a trace (parts.h). All processes learn them, and
 * declare labels in the order in which one emulation defines them.
 */
#ifndef WEFT_CLI_TRACE_PARTS_LABELS_H
#define WEFT_CLI_TRACE_PARTS_LABELS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "export/share.h"

struct arena;
struct parts_bytes;
struct sink;

/* A label that is not declared yet. */
struct parts_label {
	struct share_label is;
	uint64_t number; /* in the order of arrival */
};

struct parts_labels {
	struct arena *arena; /* set by the caller */
	VEC(struct parts_label) waiting;
	VEC(const char *) texts; /* of the declared labels */
	VEC(struct map) known;   /* by type: value -> index in texts + 1 */
	uint64_t taken;          /* number of labels */
	int sent, sent_names;    /* of the share */
	/* A value has two texts: one emulation would have given one of them
	 * another value. */
	bool is_clash;
};

/* Appends the labels and names that are new in this part's share. Labels that
 * are declared before the first event are the same in all parts. */
void parts_labels_put(struct parts_labels *l, const struct share *s,
	bool is_first, struct parts_bytes *to);

/* Reads what a process has put; gives its names to the rows of the sink. */
void parts_labels_take(
	struct parts_labels *l, const char **at, struct sink *to);

/* Declares the labels that were defined before a time. */
void parts_labels_declare(
	struct parts_labels *l, int64_t before, struct sink *to);

void parts_labels_fini(struct parts_labels *l);

#endif
