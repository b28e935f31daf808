/* SPDX-License-Identifier: MIT */
/*
 * samples.h - the samples of `perf record`, as records of a sink.
 *
 * For flame graphs a record is a sample: its call path lasts as long as its
 * weight says (the period: ns or events), and the time of the timeline means
 * nothing. As a timeline, a thread shows the functions of a sample until its
 * next one: a guess.
 */
#ifndef WEFT_CLI_TRACE_SAMPLES_H
#define WEFT_CLI_TRACE_SAMPLES_H

#include <stdbool.h>

#include "base/err.h"

struct loss;
struct pipeline;
struct sink;

/* Returns true if the open trace is a recording of perf that has samples. */
bool samples_are_in(const struct pipeline *r);

struct samples;

/* Prepares to read the events that the filters of `weft dump` keep; timeline:
 * as a timeline. Returns NULL with err for cmd_usage_error() if a filter is
 * wrong. The result is in the pipeline's arena. */
struct samples *samples_open(
	struct pipeline *r, bool timeline, struct err *err);

/* Passes the samples on, once. */
void samples_play(struct samples *s, struct sink *to);

/* Calls fn for each loss of the closed sink, and for what the output of an open
 * trace leaves out: what a reader does not pass on, events beside the samples,
 * or samples if s is NULL. */
void samples_losses(const struct pipeline *r, const struct samples *s,
	struct sink *sink, void (*fn)(void *arg, const struct loss *loss),
	void *arg);

#endif
