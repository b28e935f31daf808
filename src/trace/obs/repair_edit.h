/* SPDX-License-Identifier: MIT */
/*
 * repair_edit.h - an event that a whole stream would have, or would not have.
 *
 * Which ones there are, and what they mean, others decide: here they are bytes
 * at a place.
 */
#ifndef WEFT_TRACE_OBS_REPAIR_EDIT_H
#define WEFT_TRACE_OBS_REPAIR_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#define REPAIR_TAIL INT64_MAX
#define REPAIR_PAYLOAD 32

struct repair_edit {
	int64_t offset; /* of the event before which it stands; REPAIR_TAIL:
	                 * behind the last one */
	int64_t time;   /* ns, as events have it */
	bool drop;      /* the event at the offset is left out */
	bool cut;       /* the writer did not live to send it: the metadata
	                 * will say that the end is not its own */
	bool jumbo;
	char name[3];
	uint32_t size; /* of the payload */
	uint8_t data[REPAIR_PAYLOAD];
};

/* Edit i of a stream, in its order. False: there are no more. */
typedef bool repair_edit_fn(
	const void *arg, int stream, int i, struct repair_edit *to);

#endif
