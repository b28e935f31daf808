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
 * Events of slices are the hot loop, so they are copied from parts that are
 * already encoded: of the time all bits but the lowest 21, of the track its
 * number, of the name its number.
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
#define PERFETTO_TIME_BITS 21

/* Types of events. */
enum perfetto_event {
	PERFETTO_BEGIN = 1,
	PERFETTO_END,
	PERFETTO_INSTANT,
	PERFETTO_COUNTER,
	PERFETTO_STATE,
};

/* A field that is encoded: the number of a track or of a name. */
struct perfetto_field {
	char text[15];
	uint8_t length; /* 0: none yet */
};

struct perfetto_wire {
	struct outfile out;
	struct proto packet; /* packet that is no event of a slice */
	int64_t origin;      /* added to all times; ns */
	int64_t per_ns;      /* trace time units per ns */
	bool has_clock;      /* the origin is a clock of the machine */
	uint64_t high;       /* the time's high bits, and their varint */
	uint64_t high_text;
	uint32_t high_length;
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

/* Returns the number of a track as a field of an event. */
struct perfetto_field perfetto_track_field(uint64_t number);

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

/* Encodes the high bits of the time. */
void perfetto_set_high(struct perfetto_wire *w, uint64_t high);

static inline char *
perfetto_put_time(struct perfetto_wire *w, char *at, uint64_t time)
{
	uint64_t high = time >> PERFETTO_TIME_BITS;
	uint32_t low = (uint32_t)((time & 0x7f) | (time >> 7 & 0x7f) << 8 |
			       (time >> 14 & 0x7f) << 16) |
		0x808080;

	if (__builtin_expect(high == 0, 0))
		return proto_varint(at, time);
	if (__builtin_expect(high != w->high, 0))
		perfetto_set_high(w, high);
	memcpy(at, &low, sizeof low);
	memcpy(at + 3, &w->high_text, sizeof w->high_text);
	return at + 3 + w->high_length;
}

/* The fields of an event before its track: sequence 1, needs the state of the
 * sequence, a track_event of `n` bytes, its type. */
static inline char *
perfetto_put_head(char *at, uint8_t n, enum perfetto_event type)
{
	const char head[8] = { 0x50, 1, 0x68, 2, 0x5a, (char)n, 0x48,
		(char)type };

	memcpy(at, head, sizeof head);
	return at + sizeof head;
}

/* Writes the begin of a slice, or a state, with an interned name, or the end of
 * a slice (name NULL). */
static inline void
perfetto_slice(struct perfetto_wire *w, enum perfetto_event type, uint64_t time,
	const struct perfetto_field *track, const struct perfetto_field *name)
{
	char *start = outfile_room(&w->out, PERFETTO_EVENT), *at;
	uint8_t n = (uint8_t)(2 + track->length);

	start[0] = 0x0a;
	start[2] = 0x40;
	at = perfetto_put_time(w, start + 3, time);
	if (name != NULL)
		n = (uint8_t)(n + name->length);
	at = perfetto_put_head(at, n, type);
	memcpy(at, track, sizeof *track);
	at += track->length;
	if (name != NULL) {
		memcpy(at, name, sizeof *name);
		at += name->length;
	}
	start[1] = (char)(at - start - 2);
	w->out.at = at;
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
	const struct perfetto_field *track, const char *name,
	struct perfetto_field *number);
void perfetto_event_end(struct perfetto_wire *w, struct perfetto_open open);

/* Finishes the file. */
bool perfetto_end(struct perfetto_wire *w, struct err *err);

#endif
