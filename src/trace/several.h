/* SPDX-License-Identifier: MIT */
/*
 * several.h - several related traces (relate.h) read as one: the tables of all,
 * one behind the other, and the events of all in order of time.
 *
 * Indexes of the first trace stay; those of the others are moved behind them.
 * Times are those of the axis. The traces need not be of one format. Events
 * with equal times come in the order of the traces.
 *
 * The tables are for reading events. What is needed to emulate them stays with
 * each trace: losses and damage, the models that threads require, counters.
 * Findings about losses are those of the traces.
 */
#ifndef WEFT_TRACE_SEVERAL_H
#define WEFT_TRACE_SEVERAL_H

#include "trace/relate.h"
#include "trace/source.h"

/* Returns a source over n others, which stay the caller's. `in` tells how they
 * are related, and has their traces. Both arrays are borrowed. */
struct source *several_open(struct arena *a, struct source *const *from,
	struct relate_input *in, int n, struct findings *fs);

/* Sets the clocks at the first event of the joint axis, once the zeros of all
 * inputs are known as far as they can be. */
void several_set_start(struct source *s);

/* Returns the input's time of its time 0. */
int64_t several_zero(const struct relate_input *in);

#endif
