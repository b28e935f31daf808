/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the native stream of a simulation, as it is in its file.
 */
#ifndef WEFT_TASK_WIRE_H
#define WEFT_TASK_WIRE_H

#include <stdint.h>

/*
 * The file: a header, the tail, then records. A stream's positions count bytes
 * of records from 0: those before `flushed` lie behind the tail, those from
 * there to `head` at the begin of the tail.
 *
 * Records are words of 8 bytes in the order of the machine. First word: the
 * time since the record before in ps (32 bits), a number (28 bits), the kind (4
 * bits, from the top).
 *
 * Most tasks are named by a place instead of their id: a short record is of
 * kind JOURNAL_SHORT, and its number is what it tells (3 bits, from the top),
 * a place (10 bits) and a class (15 bits). A start puts its id there, what
 * follows is of the id that is there.
 */
#define JOURNAL_MAGIC "WEFTTASK"
#define JOURNAL_VERSION 2 /* 1: no short records */
#define JOURNAL_TAIL UINT64_C(4096)
#define JOURNAL_TAIL_BYTES \
	((uint64_t)128 << 10) /* or less, if there is little \
	                       * room */

struct journal_head {
	char magic[8];
	uint32_t version, tail_bytes;
	uint64_t run;
	uint64_t flushed, head; /* positions */
	uint64_t lost;          /* rows that had no room */
	uint32_t why;           /* an errno: what follows is lost */
	uint32_t zero;
	char store[256]; /* server and database; empty: beside a file */
};

enum journal_kind {
	JOURNAL_NONE,
	JOURNAL_NAME,     /* the next name: its bytes; padded to words */
	JOURNAL_CLASS,    /* the next class, three names, from 1, or 0: of
	                   * kind and what (a word), of location */
	JOURNAL_START,    /* class: id, parent or 0 */
	JOURNAL_START_AT, /* the same, and the time of the start */
	JOURNAL_END,      /* -: id */
	JOURNAL_TAG,      /* class, of one name: id */
	JOURNAL_STEP,
	JOURNAL_MILESTONE, /* class: id */
	JOURNAL_TIME,      /* -: the time that the next record counts from */
	JOURNAL_FACT,      /* name of a property: name of its value */
	JOURNAL_FINISH,    /* -: the simulation ended in an orderly way */
	JOURNAL_SHORT,     /* what, place, class: see below */
	JOURNAL_KINDS
};

enum journal_short {
	SHORT_START, /* place, class: id, parent */
	SHORT_TOP,   /* place, class: id; no parent */
	SHORT_CHILD, /* the same; the upper 10 bits of the time are the place
	              * of the parent */
	SHORT_END,   /* place */
	SHORT_TAG,   /* place, class */
	SHORT_STEP,
	SHORT_MILESTONE,
};

#define JOURNAL_PLACES 1024u
#define JOURNAL_PLACE_SHIFT 15
#define JOURNAL_WHAT_SHIFT 25
#define JOURNAL_CLASS_MAX ((UINT32_C(1) << JOURNAL_PLACE_SHIFT) - 1)
#define JOURNAL_CHILD_SHIFT 22 /* of the place of the parent */

#define JOURNAL_NUMBER_MAX ((UINT32_C(1) << 28) - 1)

#endif
