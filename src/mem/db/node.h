/* SPDX-License-Identifier: MIT */
/*
 * node.h - the kinds of nodes in a calling-context tree that joins code and
 * data. The values are those that profiles of this sort have always had.
 *
 *	<program>                     NODE_ROOT
 *	  main -> ... -> walk         frames; the last is a NODE_LEAF
 *	<datacentric>                 NODE_ROOT
 *	  <dynamic variable>
 *	    main -> ... -> build      the last: NODE_ALLOCATION
 *	      <memory access>         NODE_ACCESS
 *	        main -> ... -> walk
 *	  <static variable>
 *	    table                     NODE_VARIABLE
 *	      main -> ... -> walk
 *	  <stack>, <unknown attribute>   NODE_UNKNOWN
 */
#ifndef WEFT_MEM_DB_NODE_H
#define WEFT_MEM_DB_NODE_H

#include <stdbool.h>
#include <stdint.h>

enum node_kind {
	NODE_FRAME = 0,
	NODE_LEAF = 1,
	NODE_ALLOCATION = 2,
	NODE_VARIABLE = 4, /* a static one */
	NODE_UNKNOWN = 8,
	NODE_ROOT = 16,
	NODE_ACCESS = 32,
};

#define NODE_KINDS 0x3f /* all bits */

/* No two of the kinds above the frames go together. */
static inline bool
node_is_valid(uint32_t kind)
{
	uint32_t kinds = kind & ~(uint32_t)NODE_LEAF;

	return (kind & ~(uint32_t)NODE_KINDS) == 0 &&
		(kinds & (kinds - 1)) == 0;
}

/* Something that has an address: a block by its allocation, or a static. */
static inline bool
node_is_variable(uint32_t kind)
{
	return (kind & (NODE_ALLOCATION | NODE_VARIABLE)) != 0;
}

static inline bool
node_is_root(uint32_t kind)
{
	return (kind & NODE_ROOT) != 0;
}

/* A function; its costs count where it was called from. */
static inline bool
node_is_code(uint32_t kind)
{
	return (kind & ~(uint32_t)(NODE_LEAF | NODE_ALLOCATION)) == 0;
}

/* Has no counterpart in the program. */
static inline bool
node_is_placeholder(uint32_t kind)
{
	return (kind & (NODE_ROOT | NODE_ACCESS | NODE_UNKNOWN)) != 0;
}

/* What it costs is not part of its parent's: roots stand beside each other,
 * and the same samples are below both. */
static inline bool
node_adds_up(uint32_t kind)
{
	return !node_is_root(kind);
}

#endif
