/* SPDX-License-Identifier: MIT */
/*
 * repair_edit.h - an event to insert into a stream, or to drop from it.
 *
 * The caller decides which events and why; the repair handles them as bytes at
 * an offset.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_EDIT_H
#define WEFT_TRACE_OBS_REPAIR_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#define REPAIR_TAIL INT64_MAX
#define REPAIR_PAYLOAD 32

struct repair_edit {
	int64_t offset; /* byte offset of the event before which to insert;
	                 * REPAIR_TAIL: after the last event */
	int64_t time;   /* ns, as in struct event */
	bool drop;      /* drops the event at the offset */
	bool cut;       /* the killed writer did not send this event: the
	                 * metadata will say that the end is inferred */
	bool jumbo;
	char name[3];
	uint32_t size; /* bytes of the payload */
	uint8_t data[REPAIR_PAYLOAD];
};

/* Returns edit i of a stream in *to, in stream order. Returns false if there
 * are no more. */
typedef bool repair_edit_fn(
	const void *arg, int stream, int i, struct repair_edit *to);

#endif
