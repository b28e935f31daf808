/* SPDX-License-Identifier: MIT */
/*
 * record.h - an event as it lies in the ring and in stream.obs (ovni v3).
 *
 * Flags, three letters, time in 8 bytes, payload. Low nibble of the flags:
 * payload size - 1, or 0 for none. Jumbo: the payload is a u32 and as many
 * bytes.
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
