/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where the values of packets and events are, as short programs.
 *
 * A code reads a struct: its operations put values into an array of slots, one
 * per field (trace/event.h). Fields whose positions relative to each other are
 * known form a run, whose bounds are checked once; most events are one run of
 * whole bytes (`fixed`), which decode.c reads without any further check.
 *
 * A length or tag that is needed later is also kept under its key, a number of
 * the stream class. Keys are assigned while the codes that need them are built,
 * possibly long after the code that holds the field; therefore all codes of a
 * trace are built first and finished together.
 */
#ifndef WEFT_TRACE_CTF_LAYOUT_H
#define WEFT_TRACE_CTF_LAYOUT_H

#include "base/err.h"
#include "base/map.h"
#include "trace/ctf/code.h"
#include "trace/ctf/type.h"

struct arena;

/* An event class with the fields of all its contexts. */
struct ctf_event_layout {
	const char *name, *uri;
	struct ctf_code code; /* all fields except the packet context */
	uint32_t class;       /* index in the trace's classes */
};

/* A stream class. The uint32_t members are slots of fields that the reader
 * itself needs; CTF_NO_SLOT if the trace has no such field. */
struct ctf_stream_layout {
	uint64_t id;
	struct ctf_code packet_header, packet_context, header;
	uint32_t magic, uuid, stream_id, instance; /* packet header */
	uint32_t content_size, packet_size, begin, end, discarded, sequence;
	uint32_t event_id, clock; /* slots of the header; CTF_NO_SLOT: the id
	                           * has a key, the operations move the clock */
	const struct ctf_clock *ticks; /* NULL: events have no time */
	uint32_t nkeys;
	VEC(struct ctf_event_layout) events;
	struct map by_id;                      /* event id -> index + 1 */
	const struct ctf_event_layout **small; /* by id, for ids below nsmall */
	uint64_t nsmall;
	int nvalues; /* largest number of fields of an event */
};

#define CTF_SMALL 1024

struct ctf_layout {
	VEC(struct ctf_stream_layout) streams;
};

/*
 * Builds the codes of all classes. Returns false with err, which shows the line
 * of the metadata: a length that names no field, a variant without a tag, and
 * so on.
 */
bool ctf_layout_make(struct ctf_layout *l, struct arena *a,
	const struct ctf_meta *m, struct err *err);

void ctf_layout_fini(struct ctf_layout *l);

/* Returns the class of events of that id, or NULL. */
static inline const struct ctf_event_layout *
ctf_layout_event(const struct ctf_stream_layout *s, uint64_t id)
{
	const uint64_t *at;

	if (__builtin_expect(id < s->nsmall, 1))
		return s->small[id];
	at = map_get(&s->by_id, id);
	return at == NULL ? NULL : &s->events.at[*at - 1];
}

#endif
