/* SPDX-License-Identifier: MIT */
/*
 * part.h - the emulation of a part of a trace: the streams of some nodes.
 *
 * Several emulations, each of a part, together write the records of one
 * emulation of the whole trace. All of them open the trace with all its tables,
 * so that rows and types have the same numbers; the source then leaves out the
 * streams of other parts (source_keep()). `told` says where each record belongs
 * among those of the other parts: records are in the order of (time, stream),
 * then in the order in which a part writes them.
 *
 * Values of CPUs in a breakdown concern all parts. Instead of the sorted rows a
 * part writes records with the row of a CPU's position, the CPU's value, and as
 * depth the number of records that follow it in the same event; struct
 * breakdown_join makes the rows of them.
 */
#ifndef WEFT_EMU_PART_H
#define WEFT_EMU_PART_H

#include <stdbool.h>
#include <stdint.h>

struct source_stream;

/* Streams of records that are not from an event; see part_stream(). */
#define PART_BEGIN 0              /* initial values */
#define PART_END (UINT32_MAX - 1) /* behind the last event */
/* A bit of the stream: the record is a punctual value that begins 1 ns before,
 * unless some part has written a record of its time. */
#define PART_POINT 1u

struct emu_part {
	const bool *keep; /* by stream: it belongs to the part */
	/* The first part also writes what no event writes, and checks what
	 * concerns all parts; it must have an event. */
	bool is_first;
	/* First part: the first events of all streams (source_streams()). */
	const struct source_stream *streams;

	/* Where the emulation is. */
	int64_t now;
	uint32_t stream;
	/* Set by the caller: records keep the order in which they are written,
	 * so punctual values get the time of their event, and PART_POINT. */
	bool marks_points;
	/* At the end: long flushes of running threads (flush.c). */
	uint64_t nflushes;
	int64_t flushes, longest_flush;
	/* Other parts might show what this one met: events that were left out,
	 * threads without an end, channels of all nodes. */
	bool is_alone;
	int nopened;   /* number of findings before the first event */
	int nfindings; /* number of findings before the checks at the end */
	bool was_cut;  /* threads without an end were known before */
	bool is_over;  /* set by the caller: the emulation shall end */
};

/* Returns the place of the records of a stream's events. */
static inline uint32_t
part_stream(uint32_t stream)
{
	return (stream + 1) * 2;
}

#endif
