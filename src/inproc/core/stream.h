/* SPDX-License-Identifier: MIT */
/*
 * stream.h - a ring and the file that it is drained to.
 *
 * One producer at a time records into the ring by the code of a public header;
 * here is what happens when it has no room, and what losses are. Records are
 * bytes: what they mean, and what stands between them in the file, says the
 * format. A thread of ovni has one stream; in CTF a CPU has one, and each
 * thread that is on none.
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
#define STREAM_HEAD 128 /* bytes, at most */

/* Bytes of a bridge at most: in ovni OHr, OHe, OHx, OHp, OHw. A gap is larger,
 * so that positions behind it stay ahead of the file's. */
#define STREAM_BRIDGE 128

struct stream;

struct stream_format {
	/* The size of a record in the ring, and its time. */
	uint64_t (*size)(const struct stream *s, const unsigned char *record);
	uint64_t (*time)(const struct stream *s, const unsigned char *record);

	/* The file. */
	void (*path)(const struct stream *s, char path[STREAM_PATH]);

	/* Where the records end that follow one head: at most at to. NULL, if
	 * there are no heads. */
	uint64_t (*cut)(const struct stream *s, uint64_t from, uint64_t to);

	/* What stands in the file before these records: its bytes. NULL: they
	 * follow each other. */
	uint64_t (*head)(const struct stream *s, uint64_t from, uint64_t to,
		unsigned char head[STREAM_HEAD]);

	/* Records that the producer stands still, or goes on; at most wait_size
	 * bytes each time. */
	void (*wait)(struct stream *s, bool begins);
	uint64_t wait_size;

	/* A flight recorder gave a record up, or wrote it. True: it is of the
	 * recorder, so the program lost nothing. May be NULL. */
	bool (*pass)(
		struct stream *s, const unsigned char *record, bool is_written);

	/* Writes what says that records are missing here. May be NULL. */
	bool (*bridge)(struct stream *s);

	/* The process ends: writes what is left; the ring is taken. Also of
	 * streams that have no file. */
	void (*end)(struct stream *s);
};

/*
 * What is known of the lost intervals in the page (lost.h). The producer's, and
 * its handlers'; behind the last event, of who ends the stream. Who drains a
 * flight recorder counts what that gives up: so the order of the intervals, and
 * which of them go on, change under busy.
 */
struct lost {
	int busy; /* atomic, RANK_LOST: somebody changes the order, with all
	           * signals blocked; for some instructions */
	uint8_t order[RINGFILE_LOST]; /* places in the page, by time */
	uint8_t last;                 /* the place of the last refusal */
	uint8_t gap;                  /* of what a flight recorder gives up */
	bool has_gap;                 /* may it go on? Of who drains */
	bool has_last;     /* may the refusal go on? The producer's */
	uint64_t at;       /* the ring's position then; the producer's */
	bool is_extending; /* atomic, the producer's: others may not join */
	uint32_t joins;    /* atomic, read by any thread; odd: two are being
	                    * joined */
	uint64_t told;     /* the drainer's; atomic, read by the producer: what
	                    * ended before is in the file, and needs no place of its
	                    * own; 0: nothing */
};

/*
 * Three threads may touch a stream at a time: the producer, which owns the ring
 * (of ovni the thread itself, in CTF who is on the CPU); the drainer, which has
 * taken the ring; and whoever goes through the list, under the process's lock.
 * Who ends a stream has taken its ring for good, and is the producer, too, if
 * that has left.
 */
struct stream {
	struct ring_mem mem;    /* first: the pool keeps it; as it was made */
	struct weft_ring *ring; /* of the producer; its limit is the exit's,
	                           too: atomic. NULL: retired (CTF), under the
	                           lock */
	const struct stream_format *format; /* as it was made */
	struct stream *next;                /* under the process's lock */
	bool has_file;   /* as it was made; false: nothing can be recorded */
	bool is_waiting; /* the producer's: it waits, and the stream says so */
	uint64_t paid; /* the producer's; atomic for its handlers. WEFT_MAX_MB:
	                * the position up to which it may record */

	/* The drainer's. */
	int drainer;     /* atomic, futex: id of the thread that writes the ring
	                    out; 0: who takes it */
	uint64_t at;     /* where in the file the ring's tail goes */
	int cancel;      /* as pthread_setcancelstate() had it */
	bool is_last;    /* what is drained now is the last */
	bool is_emptied; /* atomic; its ring will hold nothing any more */
	bool is_ended;   /* atomic; the file is what it will be */
	bool is_awaited; /* atomic, set by any thread: it waits for the ring */

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

/* Gives the ring to an owner; its file goes on at that offset, and positions
 * count from there. */
void weft_rt_stream_set_up(struct stream *s, int tid, uint64_t start);

/* Puts it among those of the process, or takes it out. Under the lock. */
void weft_rt_stream_list(struct stream *s);
void weft_rt_stream_unlist(struct stream *s);

#endif
