/* SPDX-License-Identifier: MIT */
/*
 * share_item.h - the bytes of an item in a block of a share.
 *
 * Most states are flat, 16 bytes: two words in little endian, written as such
 * because a copy of members that were just stored waits for the stores.
 *
 *	bits 0-1 SHARE_STATE, 2-7 depth, 8-15 type, 16-39 stream, 40-63 row
 *	bits 0-31 time since the item before, 32-63 the value, see share_turn()
 *
 * All other items, and states with a stack or with larger numbers, are a byte
 * of flags, the stream if it is another one (4 bytes), the time since the item
 * before them, and the members, in the form of varint.h. Items do not cross
 * blocks; the first of a block has its whole time, and its stream.
 */
#ifndef WEFT_EXPORT_SHARE_ITEM_H
#define WEFT_EXPORT_SHARE_ITEM_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "export/sink.h"

enum share_kind { SHARE_STATE, SHARE_LINK, SHARE_GAP };

#define ITEM_KIND 3u     /* bits of the flags: enum share_kind, or ITEM_OTHER */
#define ITEM_OTHER 3u    /* a state that is not flat */
#define ITEM_MOVED 4u    /* the stream is another one */
#define ITEM_BARE 8u     /* a state of ITEM_OTHER without a stack */
#define ITEM_NOTHING 16u /* the value is VALUE_NONE */
#define ITEM_MOST 96     /* bytes of an item without the stack */

#define SHARE_FLAT 16u /* bytes of a flat state */

/* The value of a state turned to the left: VALUE_NONE is 1. */
static inline uint64_t
share_turn(int64_t value)
{
	return (uint64_t)value << 1 | (uint64_t)value >> 63;
}

/* Can a state be flat that comes `since` ns after the item before it? */
static inline bool
share_is_flat(const struct record *r, uint32_t stream, uint64_t since)
{
	return ((stream | r->row) >> 24 | r->type >> 8 | r->depth >> 6 |
		       since >> 32 | share_turn(r->value) >> 32) == 0;
}

static inline void
share_flat_put(
	char *at, const struct record *r, uint32_t stream, uint64_t since)
{
	uint64_t from = SHARE_STATE | r->depth << 2 | r->type << 8 |
		(uint64_t)stream << 16 | (uint64_t)r->row << 40,
		 what = since | share_turn(r->value) << 32;

	memcpy(at, &from, sizeof from);
	memcpy(at + sizeof from, &what, sizeof what);
}

/* Returns true if the item that begins there is a flat state. */
static inline bool
share_flat_at(const char *at)
{
	return ((uint8_t)*at & ITEM_KIND) == SHARE_STATE;
}

/* Reads a flat state; r->time is that of the item before it. */
static inline void
share_flat_get(const char *at, struct record *r, uint32_t *stream)
{
	uint64_t from, what;

	memcpy(&from, at, sizeof from);
	memcpy(&what, at + sizeof from, sizeof what);
	r->time += (uint32_t)what;
	r->value = (int64_t)(what >> 33 | what >> 32 << 63);
	r->depth = from >> 2 & 63;
	r->type = from >> 8 & 255;
	r->row = (uint32_t)(from >> 40);
	*stream = from >> 16 & 0xffffff;
}

#endif
