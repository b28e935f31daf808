/* SPDX-License-Identifier: MIT */
/*
 * join.h - passes the shares of several inputs (share.h) to one sink, as one
 * timeline.
 *
 *	struct join_input in[2] = { { .share = a, .name = "run" }, ... };
 *	struct join *j = join_open(&arena, in, 2);
 *	join_declare(j, sink);
 *	ok = join_records(j, sink, &err);
 *	join_fini(j);
 *
 * Rows come class by class, in a class machine by machine, then in the order of
 * the inputs; rows of one thread of a machine stand beside each other. A name
 * that rows of several inputs have gets the name of its input in front:
 * "run:CPU 0.0". Types with the same class, key, kind and unit are one type,
 * marks also need the same title; of two types with one Paraver number, the
 * second gets the next free number from JOIN_NUMBERS on, in all classes. A
 * state's value that has two texts gets, in the later input, the next value
 * above it that is free. Records come in order of time, then of the inputs.
 *
 * What an input shows ends with it: after its end, before that of the others,
 * its states have no value.
 */
#ifndef WEFT_EXPORT_JOIN_H
#define WEFT_EXPORT_JOIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "export/join_input.h"

struct arena;
struct join;
struct sink;

/* in: borrowed, as long as the join lives. */
struct join *join_open(struct arena *a, const struct join_input *in, int n);

/* Declares all rows, types, labels, panels and kinds of links. */
void join_declare(struct join *j, struct sink *to);

/* Passes on the records and findings, then the end; stops early when *stop is
 * not 0 (NULL: never). Returns false with err if a share failed. */
bool join_records(struct join *j, struct sink *to, const atomic_int *stop,
	struct err *err);

/* Returns how many types have another number than in their own input. */
int join_renumbered(const struct join *j);

void join_fini(struct join *j);

#endif
