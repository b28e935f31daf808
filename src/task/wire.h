/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the file format of a simulation's native stream.
 */
#ifndef WEFT_TASK_WIRE_H
#define WEFT_TASK_WIRE_H

#include <stdint.h>

/*
 * The file consists of a header, the tail, and records. Stream positions count
 * the bytes of records from 0: positions below `flushed` lie after the tail,
 * positions from `flushed` to `head` at the beginning of the tail.
 *
 * A record consists of words of 8 bytes in the byte order of the machine. The
 * first word has the ps since the previous record (32 bits), a number (28 bits)
 * and the kind (4 bits, at the top).
 *
 * Most tasks are named by a slot instead of their id: a short record has the
 * kind JOURNAL_SHORT, and its number consists of the event (3 bits, at the
 * top), a slot (10 bits) and a class (15 bits). A start writes its id into the
 * slot; later short records of this slot are about that id.
 */
#define JOURNAL_MAGIC "WEFTTASK"
#define JOURNAL_VERSION 2 /* version 1 had no short records */
#define JOURNAL_TAIL UINT64_C(4096)
#define JOURNAL_TAIL_BYTES \
	((uint64_t)128 << 10) /* less if the disk has little room */

struct journal_head {
	char magic[8];
	uint32_t version, tail_bytes;
	uint64_t run;
	uint64_t flushed, head; /* stream positions */
	uint64_t lost;          /* rows without room */
	uint32_t why;           /* errno after which everything is lost; 0:
	                         * none */
	uint32_t zero;
	char store[256]; /* server and database; empty: the store is a file */
};

/* Comments: the contents of the number ("-": unused), then the words that
 * follow. */
enum journal_kind {
	JOURNAL_NONE,
	JOURNAL_NAME,     /* defines the next name: its bytes, padded to
	                   * words */
	JOURNAL_CLASS,    /* defines the next class: numbers of three names,
	                   * from 1, 0: none; kind and what in one word,
	                   * location in the next */
	JOURNAL_START,    /* class: id, parent or 0 */
	JOURNAL_START_AT, /* the same, with the time of the start */
	JOURNAL_END,      /* -: id */
	JOURNAL_TAG,      /* class, of one name: id */
	JOURNAL_STEP,
	JOURNAL_MILESTONE, /* class: id */
	JOURNAL_TIME,      /* -: the time to which the next record adds */
	JOURNAL_FACT,      /* name of a property: name of its value */
	JOURNAL_FINISH,    /* -: the simulation ended regularly */
	JOURNAL_SHORT,     /* event, slot, class: see above */
	JOURNAL_KINDS
};

enum journal_short {
	SHORT_START, /* slot, class: id, parent */
	SHORT_TOP,   /* slot, class: id; has no parent */
	SHORT_CHILD, /* the same; the upper 10 bits of the time are the
	              * parent's slot */
	SHORT_END,   /* slot */
	SHORT_TAG,   /* slot, class */
	SHORT_STEP,
	SHORT_MILESTONE,
};

#define JOURNAL_SLOTS 1024u
#define JOURNAL_SLOT_SHIFT 15
#define JOURNAL_WHAT_SHIFT 25
#define JOURNAL_CLASS_MAX ((UINT32_C(1) << JOURNAL_SLOT_SHIFT) - 1)
#define JOURNAL_CHILD_SHIFT 22 /* bit of the parent's slot */

#define JOURNAL_NUMBER_MAX ((UINT32_C(1) << 28) - 1)

#endif
