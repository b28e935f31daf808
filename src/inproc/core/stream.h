/* SPDX-License-Identifier: MIT */
/*
 * stream.h - a ring and the file that it is drained to.
 *
 * One producer at a time records into the ring by the code of a public header;
 * this file has the state for a full ring and for losses. To the core, records
 * are bytes. The format defines their meaning, and what is written between them
 * in the file. Each ovni thread has one stream; in CTF each CPU and each thread
 * without a CPU has one.
 */
#ifndef WEFT_INPROC_CORE_STREAM_H
#define WEFT_INPROC_CORE_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "inproc/core/assert.h"
#include "inproc/core/ring.h"
#include "inproc/core/ringfile.h"
#include "weft/trace.h"

#define STREAM_PATH (PATH_MAX + 64)
#define STREAM_HEAD 128 /* most bytes of a packet's head */

/* The most bytes of a bridge, the events after a gap: in ovni OHr, OHe, OHx,
 * OHp, OHw. A gap is larger, so that positions after the gap stay ahead of
 * positions in the file. */
#define STREAM_BRIDGE 128

struct stream;

struct stream_format {
	/* Return the size of a record in the ring, and its time. */
	uint64_t (*size)(const struct stream *s, const unsigned char *record);
	uint64_t (*time)(const struct stream *s, const unsigned char *record);

	/* Stores the path of the stream's file. */
	void (*path)(const struct stream *s, char path[STREAM_PATH]);

	/* Returns the end of the records that follow one head, at most `to`.
	 * NULL if the format has no heads. */
	uint64_t (*cut)(const struct stream *s, uint64_t from, uint64_t to);

	/* Writes the head that precedes these records in the file. Returns its
	 * bytes. NULL: records follow each other directly. */
	uint64_t (*head)(const struct stream *s, uint64_t from, uint64_t to,
		unsigned char head[STREAM_HEAD]);

	/* Records that the producer begins to wait or goes on; at most
	 * wait_size bytes each time. */
	void (*wait)(struct stream *s, bool begins);
	uint64_t wait_size;

	/* Called when a flight recorder gave up a record or wrote it. Returns
	 * true if the record is the recorder's own, so the program lost
	 * nothing. May be NULL. */
	bool (*pass)(
		struct stream *s, const unsigned char *record, bool is_written);

	/* Writes the events that tell that records are missing. May be NULL. */
	bool (*bridge)(struct stream *s);

	/* An exec begins: ends the file in such a way that it can go on; or the
	 * exec failed, and it goes on. is_whole: the file has all records. The
	 * caller has taken the ring and holds the process's lock. May be
	 * NULL. */
	void (*replace)(struct stream *s, bool begins, bool is_whole);

	/* The process ends: writes the rest. The caller has taken the ring.
	 * Also called for streams without a file. */
	void (*end)(struct stream *s);
};

/*
 * State of the lost intervals in the ring's page (lost.h). The producer and its
 * handlers access it, and after the last event the thread that ends the stream.
 * The drainer of a flight recorder counts the records it gives up: so the order
 * of the intervals, and which of them may be extended, change under busy.
 */
struct lost {
	int busy; /* atomic, RANK_LOST: the order is being changed, with all
	           * signals blocked; for some instructions */
	uint8_t order[RINGFILE_LOST]; /* indices into the page, by time */
	uint8_t last;                 /* index of the last refusal */
	uint8_t gap;                  /* index of the flight recorder's gap */
	bool has_gap;                 /* gap may be extended; used by the
	                               * drainer only */
	bool has_last;                /* last may be extended; used by the
	                               * producer only */
	uint64_t at;                  /* ring position of the last refusal; used
	                               * by the producer only */
	bool is_extending; /* atomic, set by the producer: other threads must
	                    * not join intervals now */
	uint32_t joins;    /* atomic, read by any thread; odd: two intervals
	                    * are being joined */
	uint64_t told;     /* written by the drainer; atomic, read by the
	                    * producer: intervals that ended before are in the
	                    * file and need no index of their own; 0: none */
};

/*
 * Three threads may access a stream at a time: the producer, which owns the
 * ring (in ovni the thread itself, in CTF the thread on the CPU); the drainer,
 * which has taken the ring; and a thread that walks the list, under the
 * process's lock. The thread that ends a stream has taken its ring for good,
 * and also acts as the producer if that has left.
 */
struct stream {
	struct ring_mem mem;    /* first member, for the pool; never changes */
	struct weft_ring *ring; /* used by the producer; the exit changes only
	                         * its limit, which is atomic. NULL: retired
	                         * (CTF), under the lock */
	const struct stream_format *format; /* never changes */
	struct stream *next; /* next stream in the list; used under the
	                      * process's lock */
	bool has_file;   /* never changes; false: the stream cannot record */
	bool is_waiting; /* the producer waits, and has recorded that */
	uint64_t paid;   /* used by the producer, atomic for its handlers: with
	                  * WEFT_MAX_MB the position up to which it may
	                  * record */

	/* Used by the drainer only. */
	int drainer; /* atomic, futex: id of the thread that drains the
	              * ring; 0: none */
	uint64_t at; /* byte offset in the file of the ring's tail */
	int cancel; /* earlier state, as pthread_setcancelstate() returned it */
	bool is_last;    /* the current drain is the last one */
	bool is_emptied; /* atomic; the ring will hold nothing any more */
	bool is_ended;   /* atomic; the file is final */
	bool is_awaited; /* atomic, set by a thread that waits for the ring */

	bool is_replaced; /* an exec ended the stream; used under the process's
	                   * lock by the thread that calls exec */

	struct lost lost;
};

static inline const unsigned char *
weft_rt_stream_record(const struct stream *s, uint64_t position)
{
	WEFT_ASSERT(record_lies_in_the_ring,
		__atomic_load_n(&s->mem.file->head, __ATOMIC_RELAXED) -
				position - 1 <
			s->mem.file->size);
	return s->mem.data + (position & (s->mem.file->size - 1));
}

/* Gives the ring to an owner. Positions, and the byte offset in the file, go on
 * from start. */
void weft_rt_stream_set_up(struct stream *s, int tid, uint64_t start);

/* Adds the stream to the process's list, or removes it. Call under the lock. */
void weft_rt_stream_list(struct stream *s);
void weft_rt_stream_unlist(struct stream *s);

#endif
