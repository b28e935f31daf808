/* SPDX-License-Identifier: MIT */
/*
 * relate.h - relates the clocks of several traces, so that their events can be
 * put on one axis: the times of the first trace.
 *
 *	struct relate_input in[2] = { { .name = "a", .trace = ta },
 *		{ .name = "b", .trace = tb } };
 *	if (!relate(&arena, in, 2, &options, &err))
 *		...
 *	axis = relate_time(&in[1], ev.time);
 *
 * Clocks are places of a graph: the times of each trace, CLOCK_MONOTONIC of
 * each boot of a machine, and the time of day. The metadata of a trace, a table
 * of clocks, or the user relates two places, each with an error. Two traces are
 * related by the way with the smallest sum of errors. Traces without a way are
 * not related: no time of an event is ever guessed.
 */
#ifndef WEFT_TRACE_RELATE_H
#define WEFT_TRACE_RELATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

struct arena;
struct trace;
struct trace_node;

/* The error (ns) of the time of day between machines: that of a time server. A
 * relation whose error is not known counts as much in the choice of a way. */
#define RELATE_DAY_ERROR INT64_C(10000000)

/* A step from one clock to the next. Forwards, the correction of the node is
 * taken back, then `shift` is added; backwards the other way round. */
struct relate_step {
	const struct trace_node *node; /* or NULL */
	int64_t shift;
	bool back;
};

enum relate_how {
	RELATE_FIRST,  /* the axis is its own time */
	RELATE_BOOT,   /* both clocks are of one boot of a machine */
	RELATE_TABLE,  /* by measurements of the clocks */
	RELATE_HOST,   /* the same host name, and clocks that are close */
	RELATE_DAY,    /* the time of day */
	RELATE_GIVEN,  /* the user */
	RELATE_BESIDE, /* both begin at 0 */
};

struct relate_input {
	const char *name;
	const struct trace *trace;
	/* The result. */
	bool is_related;
	enum relate_how how; /* the weakest of the steps */
	int64_t error;       /* ns; -1: not known */
	int machine;         /* inputs of one machine have the same number */
	VEC(struct relate_step) way;
	int64_t zero; /* its time at its first event; TRACE_UNKNOWN: not known
	               * before that is read */
};

/* Time 0 of the trace a is at `shift` ns after time 0 of the trace b. */
struct relate_given {
	int a, b;
	int64_t shift;
};

struct relate_options {
	const struct relate_given *given;
	int ngiven;
	bool beside; /* all begin at 0 */
};

/* Fills in the results. Returns false with err if an input is not related to
 * the first one; the text says what would help. */
bool relate(struct arena *a, struct relate_input *in, int n,
	const struct relate_options *options, struct err *err);

/* Returns true if the trace has neither a clock of a machine nor the time of
 * day: its time is simulated, or written by hand. */
bool relate_is_virtual(const struct trace *t);

/* Returns true if its time is that of no machine: it is virtual, and no
 * recorder of programs wrote it that does not tell its clock, as perf without
 * -k mono, and Nanos6. */
bool relate_is_simulated(const struct trace *t);

/* Return the time on the axis of a time of the input, and the other way
 * round. */
int64_t relate_time(const struct relate_input *in, int64_t time);
int64_t relate_local(const struct relate_input *in, int64_t axis);

/* Returns "boot id", "time of day"... */
const char *relate_how_name(enum relate_how how);

#endif
