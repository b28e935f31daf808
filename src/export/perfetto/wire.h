/* SPDX-License-Identifier: MIT */
/*
 * wire.h - packets of a Perfetto trace.
 *
 * A trace is a sequence of packets, each a field 1 of the message Trace. All
 * packets belong to sequence 1. A packet describes a track, or is an event of a
 * track: the begin or the end of a slice, an instant, a new value of a counter.
 * Names of events are interned: the first packet with a name tells its number,
 * later ones have the number only.
 *
 * Timestamps are the ns since the packet before: a clock of the sequence adds
 * them up. A packet of an earlier time has the time of the trace's own clock.
 *
 * Events of slices are the hot loop, so they are copied from parts that are
 * already encoded: of the track all that comes before the name, of the name its
 * number.
 */
#ifndef WEFT_EXPORT_PERFETTO_WIRE_H
#define WEFT_EXPORT_PERFETTO_WIRE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "export/proto.h"
#include "export/sink.h"

#define PERFETTO_NAMES 65536 /* most names that are interned */
#define PERFETTO_EVENT 64    /* bytes of an event of a slice, and more */
#define PERFETTO_NEAR \
	14 /* bits of a time after the packet before that \
	    * has room in a perfetto_head */

/* Types of events. */
enum perfetto_event {
	PERFETTO_BEGIN = 1,
	PERFETTO_END,
	PERFETTO_INSTANT,
	PERFETTO_COUNTER,
	PERFETTO_STATE,
};

/* The number of a name, encoded as a field of an event. */
struct perfetto_field {
	uint64_t text, length; /* length 0: none yet */
};

/*
 * The packet of an event up to its name, encoded, as words of little-endian
 * bytes: a packet of some length, a time of two bytes, sequence 1, needs the
 * state of the sequence, a track_event of some length, its type, its track.
 * Both lengths lack that of the name; the type is 0, and so is the time but for
 * the bit that says that its first byte has a second.
 */
struct perfetto_head {
	uint64_t word[3];
	uint64_t length; /* 0: none yet */
};

#define PERFETTO_HEAD_TIME 3  /* where the time is */
#define PERFETTO_HEAD_REST 5  /* what comes after the time */
#define PERFETTO_HEAD_SIZE 10 /* the length of the event */
#define PERFETTO_HEAD_TYPE 12 /* the event's type */
#define PERFETTO_HEAD_TRACK 13

struct perfetto_wire {
	struct outfile out;
	struct proto packet;    /* packet that is no event of a slice */
	int64_t origin;         /* added to all times; ns */
	int64_t per_ns;         /* trace time units per ns */
	bool has_clock;         /* the origin is a clock of the machine */
	uint64_t time;          /* of the clock of the sequence */
	uint64_t tracks, names; /* numbers given so far */
	uint64_t rounded;       /* times that were not whole ns */
};

/* What is special about a track. */
struct perfetto_track {
	uint64_t parent; /* number of the track above; 0: none */
	const char *name;
	const char *about; /* or NULL */
	int32_t rank;      /* among the tracks of its parent */
	bool is_counter, is_state;
	const char *unit; /* unit of a counter, or NULL */
	int64_t pid, tid; /* ids of a process or thread; -1: it is neither */
	const char *thread_name; /* or NULL: `name` */
};

/* Opens the file and writes the packet that begins the sequence. */
bool perfetto_begin(struct perfetto_wire *w, struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err);

/* Describes a track. Number 0: it is new. Returns its number. A track that is
 * described again gets the new name. */
uint64_t perfetto_describe(struct perfetto_wire *w, uint64_t number,
	const struct perfetto_track *track);

/* Returns the head of events of a track. */
struct perfetto_head perfetto_head(uint64_t track);

/* Converts a time to ns on the clock of the trace. */
static inline uint64_t
perfetto_time(struct perfetto_wire *w, int64_t time)
{
	int64_t ns = time;

	if (w->per_ns > 1) {
		ns = time / w->per_ns;
		w->rounded += ns * w->per_ns != time;
	}
	return (uint64_t)w->origin + (uint64_t)ns;
}

static const struct perfetto_field perfetto_no_name = { 0, 0 };

/* Writes time, type and track of an event of any time; `start` has room for
 * PERFETTO_EVENT bytes. Returns the end. The length of the packet, at start[1],
 * is not written yet, and `size` has the place of the event's, which lacks what
 * comes after the track. */
char *perfetto_put_head(struct perfetto_wire *w, char *start,
	enum perfetto_event type, uint64_t time,
	const struct perfetto_head *head, char **size);

/* Does the same as perfetto_slice(), for any time. */
void perfetto_slice_far(struct perfetto_wire *w, enum perfetto_event type,
	uint64_t time, const struct perfetto_head *head,
	struct perfetto_field name);

/* Returns true if the time is so near to the packet before that it needs two
 * bytes, and the file's buffer has room for two events. */
static inline bool
perfetto_is_near(const struct perfetto_wire *w, uint64_t time)
{
	return __builtin_expect((time - w->time) >> PERFETTO_NEAR == 0, 1) &&
		__builtin_expect(
			w->out.end - w->out.at >= 2 * PERFETTO_EVENT, 1);
}

/* Writes an event that is `after` ns behind the packet before, which are near.
 * Returns its end. */
static inline char *
perfetto_put_slice(char *at, enum perfetto_event type, uint64_t after,
	const struct perfetto_head *head, struct perfetto_field name)
{
	uint64_t two = after + (after & ~UINT64_C(0x7f)); /* 7 bits a byte */
	uint64_t word = head->word[0] + (name.length << 8) +
		(two << 8 * PERFETTO_HEAD_TIME);

	memcpy(at, &word, sizeof word);
	word = head->word[1] + (name.length << 8 * (PERFETTO_HEAD_SIZE - 8)) +
		((uint64_t)type << 8 * (PERFETTO_HEAD_TYPE - 8));
	memcpy(at + 8, &word, sizeof word);
	memcpy(at + 16, &head->word[2], sizeof head->word[2]);
	at += head->length;
	memcpy(at, &name.text, sizeof name.text);
	return at + name.length;
}

/* Writes the begin of a slice, or a state, with an interned name, or the end of
 * a slice, whose name has length 0. */
static inline void
perfetto_slice(struct perfetto_wire *w, enum perfetto_event type, uint64_t time,
	const struct perfetto_head *head, struct perfetto_field name)
{
	if (perfetto_is_near(w, time)) {
		w->out.at = perfetto_put_slice(
			w->out.at, type, time - w->time, head, name);
		w->time = time;
	} else {
		perfetto_slice_far(w, type, time, head, name);
	}
}

/*
 * Writes an event with any fields: begin, then fields of TrackEvent appended to
 * w->packet, then end. `name` is written as the event's name, and gets a number
 * if numbers are left; NULL: the event has no name.
 */
struct perfetto_open {
	size_t event; /* for proto_end() */
};
struct perfetto_open perfetto_event(struct perfetto_wire *w,
	enum perfetto_event type, uint64_t time,
	const struct perfetto_head *head, const char *name,
	struct perfetto_field *number);
void perfetto_event_end(struct perfetto_wire *w, struct perfetto_open open);

/* Finishes the file. */
bool perfetto_end(struct perfetto_wire *w, struct err *err);

#endif
