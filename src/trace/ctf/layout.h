/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where the values of packets and events lie, as short programs.
 *
 * A code reads a struct: its operations put values into a row of slots, one
 * for each field (trace/event.h). Fields whose place relative to each other is
 * known form a run, whose bounds are checked once; most events are one run of
 * whole bytes (`fixed`), which decode.c reads without asking anything else.
 *
 * A length or a tag that is needed later is also kept under its key, a number
 * of the stream. Keys are given while the codes that need them are made, which
 * may be long after the code that has the field: so all codes of a trace are
 * made first and finished together.
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
	struct ctf_code code; /* all but the packet's context */
	uint32_t class;       /* of the trace */
};

/* A stream class. Slots of what the reader itself needs: CTF_NO_SLOT if the
 * trace does not say it. */
struct ctf_stream_layout {
	uint64_t id;
	struct ctf_code packet_header, packet_context, header;
	uint32_t magic, uuid, stream_id, instance; /* packet header */
	uint32_t content_size, packet_size, begin, end, discarded, sequence;
	uint32_t event_id, clock; /* header; NO_SLOT: key, or clock by ops */
	const struct ctf_clock *ticks; /* NULL: there is no time */
	uint32_t nkeys;
	VEC(struct ctf_event_layout) events;
	struct map by_id;                      /* event id -> index + 1 */
	const struct ctf_event_layout **small; /* by id, of small ones */
	uint64_t nsmall;
	int nvalues; /* most fields of an event */
};

#define CTF_SMALL 1024

struct ctf_layout {
	VEC(struct ctf_stream_layout) streams;
};

/*
 * Makes the codes of all classes. False with err, which shows the row of the
 * metadata: a length that is no field, a variant without a tag, and so on.
 */
bool ctf_layout_make(struct ctf_layout *l, struct arena *a,
	const struct ctf_meta *m, struct err *err);

void ctf_layout_fini(struct ctf_layout *l);

/* The class of events of that id, or NULL. */
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
