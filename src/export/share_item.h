/* SPDX-License-Identifier: MIT */
/*
 * share_item.h - the bytes of an item in a block of a share.
 *
 * A state without a stack is a struct share_flat. All other items are a byte of
 * flags, the stream if it is another one (4 bytes), the time since the item
 * before them, and the members, in the form of varint.h. Items do not cross
 * blocks; the first of a block has its whole time, and its stream.
 */
#ifndef WEFT_EXPORT_SHARE_ITEM_H
#define WEFT_EXPORT_SHARE_ITEM_H

#include <stdint.h>

#define ITEM_KIND 3u  /* bits of the flags: enum share_kind, or ITEM_OTHER */
#define ITEM_OTHER 3u /* a state that does not fit into a struct share_flat */
#define ITEM_MOVED 4u /* the stream is another one */
#define ITEM_BARE 8u  /* a state of ITEM_OTHER without a stack */
#define ITEM_NOTHING 16u /* the value is VALUE_NONE */
#define ITEM_MOST 96     /* bytes of an item without the stack */

struct share_flat {
	uint8_t flags, depth;
	uint16_t type;
	uint32_t stream, row;
	uint32_t since; /* the item before it */
	int64_t value;
};

#endif
