/* SPDX-License-Identifier: MIT */
/*
 * node.h - the kinds of nodes in a calling-context tree of code and data. The
 * values are those that are customary in profiles of this kind.
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
	NODE_VARIABLE = 4, /* a static variable */
	NODE_UNKNOWN = 8,
	NODE_ROOT = 16,
	NODE_ACCESS = 32,
};

#define NODE_KINDS 0x3f /* all bits */

/* Returns true if the kind is valid: NODE_LEAF may be combined with any other
 * kind, but no two other kinds with each other. */
static inline bool
node_is_valid(uint32_t kind)
{
	uint32_t kinds = kind & ~(uint32_t)NODE_LEAF;

	return (kind & ~(uint32_t)NODE_KINDS) == 0 &&
		(kinds & (kinds - 1)) == 0;
}

/* Returns true for a variable: a block, named by its allocation, or a static
 * variable. */
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

/* Returns true for a function; its costs are part of its caller's. */
static inline bool
node_is_code(uint32_t kind)
{
	return (kind & ~(uint32_t)(NODE_LEAF | NODE_ALLOCATION)) == 0;
}

/* Returns true for a node without a counterpart in the program. */
static inline bool
node_is_placeholder(uint32_t kind)
{
	return (kind & (NODE_ROOT | NODE_ACCESS | NODE_UNKNOWN)) != 0;
}

/* Returns true if the node's cost is part of its parent's. Roots are no part of
 * each other: the same samples are below both. */
static inline bool
node_adds_up(uint32_t kind)
{
	return !node_is_root(kind);
}

#endif
