/* SPDX-License-Identifier: MIT */
#include "export/perfetto/wire.h"

#include "base/arena.h"
#include "base/bug.h"
#include "export/single.h"

/* Numbers of fields, from the schema of Perfetto. */
enum {
	TRACE_PACKET = 1,

	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_CLOCK = 58,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK = 60,
	PACKET_FIRST = 87,

	DEFAULTS_CLOCK = 58,

	SNAPSHOT_CLOCK = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_INCREMENTAL = 3,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
	TRACK_ORDERING = 11,
	TRACK_RANK = 12,
	TRACK_ABOUT = 14,
	TRACK_MERGE = 15,
	TRACK_STATE = 18,

	PROCESS_PID = 1,
	PROCESS_NAME = 6,
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_NAME = 5,

	COUNTER_UNIT = 3,
	COUNTER_UNIT_NAME = 6,

	INTERNED_EVENT_NAMES = 2,
	NAME_IID = 1,
	NAME_NAME = 2,

	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_NAME = 23,
};

enum { SEQUENCE = 1 };
enum { STATE_CLEARED = 1, NEEDS_STATE = 2 };
/* Clocks; INCREMENTAL is one of the sequence. */
enum { REALTIME = 1, MONOTONIC = 3, BOOTTIME = 6, INCREMENTAL = 64 };
enum { ORDER_EXPLICIT = 3 };
enum { MERGE_NONE = 2 };
enum { UNIT_COUNT = 2, UNIT_BYTES = 3 };

/* Writes w->packet as a packet of the trace, and empties it. */
static void
put_packet(struct perfetto_wire *w)
{
	char head[2 * PROTO_VARINT_MAX];
	char *at = proto_tag(head, TRACE_PACKET, PROTO_BYTES);

	at = proto_varint(at, w->packet.n);
	outfile_write(&w->out, head, (size_t)(at - head));
	outfile_write(&w->out, w->packet.at, w->packet.n);
	w->packet.n = 0;
}

static void
put_clock(struct proto *p, int id, int64_t time)
{
	size_t at = proto_begin(p, SNAPSHOT_CLOCK);

	proto_u64(p, CLOCK_ID, (uint64_t)id);
	proto_i64(p, CLOCK_TIME, time);
	if (id == INCREMENTAL)
		proto_u64(p, CLOCK_INCREMENTAL, 1);
	proto_end(p, at);
}

/* Returns the clock of the trace: Perfetto's usual one if it is none of the
 * machine. */
static int
own_clock(const struct perfetto_wire *w)
{
	return w->has_clock ? MONOTONIC : BOOTTIME;
}

/* Writes the clocks at time 0, and that timestamps are of the incremental
 * one. */
static void
put_clocks(struct perfetto_wire *w, const struct sink_setup *setup)
{
	struct proto *p = &w->packet;
	size_t at = proto_begin(p, PACKET_DEFAULTS);

	proto_u64(p, DEFAULTS_CLOCK, INCREMENTAL);
	proto_end(p, at);
	at = proto_begin(p, PACKET_CLOCK_SNAPSHOT);
	put_clock(p, own_clock(w), w->origin);
	if (w->has_clock && setup->start_realtime != CLOCK_UNKNOWN)
		put_clock(p, REALTIME, setup->start_realtime);
	put_clock(p, INCREMENTAL, w->origin);
	proto_u64(p, SNAPSHOT_PRIMARY, (uint64_t)own_clock(w));
	proto_end(p, at);
}

bool
perfetto_begin(struct perfetto_wire *w, struct arena *a, const char *dir,
	const struct sink_setup *setup, struct err *err)
{
	bool ps = strcmp(setup->unit, "ps") == 0;

	w->per_ns = ps && !setup->ps_as_ns ? 1000 : 1;
	w->has_clock = setup->start_monotonic > 0 && !ps;
	w->origin = w->has_clock ? setup->start_monotonic : 0;
	w->time = (uint64_t)w->origin;
	if (!single_open(&w->out, a, dir, "trace.pftrace", setup, err))
		return false;
	proto_u64(&w->packet, PACKET_SEQUENCE, SEQUENCE);
	proto_u64(&w->packet, PACKET_FLAGS, STATE_CLEARED);
	proto_u64(&w->packet, PACKET_FIRST, 1);
	put_clocks(w, setup);
	put_packet(w);
	return true;
}

static void
put_unit(struct proto *p, const char *unit)
{
	size_t at = proto_begin(p, TRACK_COUNTER);

	if (unit != NULL && strcmp(unit, "B") == 0)
		proto_u64(p, COUNTER_UNIT, UNIT_BYTES);
	else if (unit != NULL && strcmp(unit, "1") == 0)
		proto_u64(p, COUNTER_UNIT, UNIT_COUNT);
	else if (unit != NULL)
		proto_text(p, COUNTER_UNIT_NAME, unit);
	proto_end(p, at);
}

/* Writes that the track is that of a process or thread of the machine. */
static void
put_owner(struct proto *p, const struct perfetto_track *t)
{
	const char *name = t->thread_name != NULL ? t->thread_name : t->name;
	size_t at;

	if (t->pid < 0)
		return;
	at = proto_begin(p, t->tid >= 0 ? TRACK_THREAD : TRACK_PROCESS);
	proto_i64(p, t->tid >= 0 ? THREAD_PID : PROCESS_PID, t->pid);
	if (t->tid >= 0)
		proto_i64(p, THREAD_TID, t->tid);
	proto_text(p, t->tid >= 0 ? THREAD_NAME : PROCESS_NAME, name);
	proto_end(p, at);
}

uint64_t
perfetto_describe(struct perfetto_wire *w, uint64_t number,
	const struct perfetto_track *t)
{
	struct proto *p = &w->packet;
	size_t at;

	if (number == 0)
		number = ++w->tracks;
	proto_u64(p, PACKET_SEQUENCE, SEQUENCE);
	at = proto_begin(p, PACKET_TRACK);
	proto_u64(p, TRACK_UUID, number);
	proto_text(p, TRACK_NAME, t->name);
	put_owner(p, t);
	if (t->parent != 0)
		proto_u64(p, TRACK_PARENT, t->parent);
	if (t->is_counter)
		put_unit(p, t->unit);
	proto_u64(p, TRACK_ORDERING, ORDER_EXPLICIT);
	proto_i64(p, TRACK_RANK, t->rank);
	if (t->about != NULL)
		proto_text(p, TRACK_ABOUT, t->about);
	proto_u64(p, TRACK_MERGE, MERGE_NONE);
	if (t->is_state)
		proto_bytes(p, TRACK_STATE, "", 0);
	proto_end(p, at);
	put_packet(w);
	return number;
}

struct perfetto_head
perfetto_head(uint64_t track)
{
	static const char first[PERFETTO_HEAD_TRACK] = {
		TRACE_PACKET << 3 | PROTO_BYTES, 0, PACKET_TIMESTAMP << 3, 0, 0,
		PACKET_SEQUENCE << 3, SEQUENCE, PACKET_FLAGS << 3, NEEDS_STATE,
		PACKET_TRACK_EVENT << 3 | PROTO_BYTES, 0, EVENT_TYPE << 3, 0
	};
	struct perfetto_head head = { .length = 0 };
	char text[PERFETTO_EVENT] = { 0 }, *at = text + sizeof first;

	memcpy(text, first, sizeof first);
	text[PERFETTO_HEAD_TIME] = (char)0x80;
	at = proto_varint(proto_tag(at, EVENT_TRACK, PROTO_VARINT), track);
	head.length = (uint64_t)(at - text);
	BUG_ON(head.length > sizeof head.word);
	text[1] = (char)(head.length - 2);
	text[PERFETTO_HEAD_SIZE] = (char)(head.length - PERFETTO_HEAD_SIZE - 1);
	memcpy(head.word, text, sizeof head.word);
	return head;
}

char *
perfetto_put_head(struct perfetto_wire *w, char *start,
	enum perfetto_event type, uint64_t time,
	const struct perfetto_head *head, char **size)
{
	bool forward = time >= w->time;
	char *at;

	memcpy(start, head->word, PERFETTO_HEAD_TIME);
	at = proto_varint(
		start + PERFETTO_HEAD_TIME, forward ? time - w->time : time);
	if (forward) {
		w->time = time;
	} else {
		at = proto_tag(at, PACKET_CLOCK, PROTO_VARINT);
		at = proto_varint(at, (uint64_t)own_clock(w));
	}
	at -= PERFETTO_HEAD_REST;
	memcpy(at + PERFETTO_HEAD_REST,
		(const char *)head->word + PERFETTO_HEAD_REST,
		sizeof head->word - PERFETTO_HEAD_REST);
	at[PERFETTO_HEAD_TYPE] = (char)type;
	*size = at + PERFETTO_HEAD_SIZE;
	return at + head->length;
}

void
perfetto_slice_far(struct perfetto_wire *w, enum perfetto_event type,
	uint64_t time, const struct perfetto_head *head,
	struct perfetto_field name)
{
	char *start = outfile_room(&w->out, PERFETTO_EVENT), *size;
	char *at = perfetto_put_head(w, start, type, time, head, &size);

	memcpy(at, &name.text, sizeof name.text);
	at += name.length;
	*size = (char)(*size + (char)name.length);
	start[1] = (char)(at - start - 2);
	w->out.at = at;
}

/* Gives the name a number, in the packet that uses it first. Returns false if
 * all numbers are given. */
static bool
intern(struct perfetto_wire *w, const char *name, struct perfetto_field *number)
{
	struct proto *p = &w->packet;
	char text[2 * PROTO_VARINT_MAX] = { 0 }, *at;
	size_t data, one;

	if (number == NULL || w->names == PERFETTO_NAMES)
		return false;
	w->names++;
	data = proto_begin(p, PACKET_INTERNED);
	one = proto_begin(p, INTERNED_EVENT_NAMES);
	proto_u64(p, NAME_IID, w->names);
	proto_text(p, NAME_NAME, name);
	proto_end(p, one);
	proto_end(p, data);
	at = proto_tag(text, EVENT_NAME_IID, PROTO_VARINT);
	number->length = (uint64_t)(proto_varint(at, w->names) - text);
	memcpy(&number->text, text, sizeof number->text);
	return true;
}

/* Writes the time of a packet. */
static void
put_time(struct perfetto_wire *w, uint64_t time)
{
	struct proto *p = &w->packet;

	if (time >= w->time) {
		proto_u64(p, PACKET_TIMESTAMP, time - w->time);
		w->time = time;
	} else {
		proto_u64(p, PACKET_TIMESTAMP, time);
		proto_u64(p, PACKET_CLOCK, (uint64_t)own_clock(w));
	}
}

struct perfetto_open
perfetto_event(struct perfetto_wire *w, enum perfetto_event type, uint64_t time,
	const struct perfetto_head *head, const char *name,
	struct perfetto_field *number)
{
	struct proto *p = &w->packet;
	struct perfetto_open open;
	bool numbered = number != NULL && number->length > 0;

	put_time(w, time);
	proto_u64(p, PACKET_SEQUENCE, SEQUENCE);
	proto_u64(p, PACKET_FLAGS, NEEDS_STATE);
	if (name != NULL && !numbered)
		numbered = intern(w, name, number);
	open.event = proto_begin(p, PACKET_TRACK_EVENT);
	proto_u64(p, EVENT_TYPE, (uint64_t)type);
	proto_raw(p, (const char *)head->word + PERFETTO_HEAD_TRACK,
		head->length - PERFETTO_HEAD_TRACK);
	if (numbered)
		proto_raw(p, &number->text, number->length);
	else if (name != NULL)
		proto_text(p, EVENT_NAME, name);
	return open;
}

void
perfetto_event_end(struct perfetto_wire *w, struct perfetto_open open)
{
	proto_end(&w->packet, open.event);
	put_packet(w);
}

bool
perfetto_end(struct perfetto_wire *w, struct err *err)
{
	proto_fini(&w->packet);
	return outfile_close(&w->out, err);
}
