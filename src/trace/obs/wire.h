/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the byte layout of an ovni stream. Little endian, no padding.
 *
 * Readers copy these structs out with memcpy: an event starts at any byte.
 */
#ifndef WEFT_TRACE_OBS_WIRE_H
#define WEFT_TRACE_OBS_WIRE_H

#include <assert.h>
#include <stdint.h>

#define OBS_MAGIC "ovni"
#define OBS_VERSION 1
#define OBS_METADATA_VERSION 3

#define OBS_JUMBO 0x10   /* flag: the payload is a u32 size and its bytes */
#define OBS_PAYLOAD 0x0f /* bytes of payload - 1; 0: none */
#define OBS_UNKNOWN 0xe0 /* flags that no event has */

struct obs_file_header {
	char magic[4];
	uint32_t version;
};

struct obs_event_header {
	uint8_t flags;
	char mcv[3];      /* model, category, value */
	uint8_t clock[8]; /* ns, of the node that wrote the stream */
};

/* Offset of the first event. */
#define OBS_FIRST ((int64_t)sizeof(struct obs_file_header))
#define OBS_EVENT_MAX (sizeof(struct obs_event_header) + 16)

static_assert(sizeof(struct obs_file_header) == 8, "file header changed");
static_assert(sizeof(struct obs_event_header) == 12, "event header changed");

#endif
