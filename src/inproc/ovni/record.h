/* SPDX-License-Identifier: MIT */
/*
 * record.h - an event as stored in the ring and in stream.obs (ovni v3).
 *
 * Layout: flags, three letters, time (8 bytes), payload. The low nibble of the
 * flags is the payload size - 1, or 0 for none. A jumbo event's payload is a
 * u32 n and n bytes.
 */
#ifndef WEFT_INPROC_OVNI_RECORD_H
#define WEFT_INPROC_OVNI_RECORD_H

#include <stdint.h>
#include <string.h>

#define RECORD_HEAD 12
#define RECORD_JUMBO 0x10

static inline uint64_t
record_size(const unsigned char *record)
{
	unsigned nibble = record[0] & 15u;
	uint32_t n;

	if (record[0] & RECORD_JUMBO) {
		memcpy(&n, record + RECORD_HEAD, 4);
		return RECORD_HEAD + 4 + (uint64_t)n;
	}
	return RECORD_HEAD + (nibble == 0 ? 0 : nibble + 1);
}

static inline uint64_t
record_time(const unsigned char *record)
{
	uint64_t time;

	memcpy(&time, record + 4, 8);
	return time;
}

#endif
