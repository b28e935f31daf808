/* SPDX-License-Identifier: MIT */
/*
 * window.h - a stream that is read through a window, and its current packet:
 * the state shared by stream.c, packet.c and tail.c.
 */
#ifndef WEFT_TRACE_CTF_WINDOW_H
#define WEFT_TRACE_CTF_WINDOW_H

#include "trace/ctf/decode.h"

struct findings;
struct ringfile;
struct trace;

/* The part of a stream that is not in its file (tail.h). */
struct ctf_tail {
	int64_t begin; /* offset in the stream */
	uint8_t *at;   /* packets */
	size_t n;
	uint64_t bytes; /* bytes of events in the packets */
	struct ringfile *page;
	const char *ring, *mark; /* paths of the ring, and of the file that
	                          * names it */
	bool live;
};

/* The state of a stream's packets so far. When a tracer starts another file of
 * the stream, the packets of the new file continue from here (chain.h). */
struct ctf_sofar {
	bool any;           /* a packet was read */
	bool again;         /* the state comes from the previous file, whose
	                     * packets may occur again in this one, because
	                     * snapshots overlap */
	uint64_t discarded; /* events */
	uint64_t sequence;  /* number of the last packet, if packets are
	                     * numbered */
	int64_t begin, end; /* times of the last packet */
};

struct ctf_stream {
	/* The current event. */
	int64_t time; /* ns, never less than the time of the previous event */
	const struct ctf_event_layout *event;
	uint64_t begin, payload; /* bits in the window; the event ends at
	                          * cursor.pos */
	union value *values;     /* owned */

	const struct ctf_layout *layout;
	const struct ctf_meta *meta;
	const struct ctf_stream_layout *class; /* class of the packet */
	const char *file;                      /* borrowed */
	/* the bytes after the file's end; borrowed, or NULL */
	const struct ctf_tail *tail;
	struct trace *trace;  /* trace to which losses are reported; or NULL */
	int number;           /* index of the stream in the trace */
	const int64_t *start; /* time of the trace's first event, once all
	                       * streams are open; or NULL */
	struct findings *findings; /* borrowed */
	struct ctf_cursor cursor;
	int64_t offset_ns;   /* offset of the clock */
	union value *header; /* owned: values of the packet's fields, then of
	                      * the event's */
	uint64_t nevents;

	/* The packet. */
	int64_t packet;   /* offset in the file */
	uint64_t content; /* bits of the packet that hold events */
	uint64_t latest;  /* clock at the packet's end; UINT64_MAX: not known */
	int64_t next; /* offset of the next packet; `size` if this packet is the
	               * last */
	bool sized, cut; /* the packet states its size, but the file ends
	                  * within it */
	bool foreign;    /* the packet has the UUID of another trace */
	bool clamped;    /* reported that times do not fit */
	bool followed;   /* another file continues the stream */
	bool looked_at;  /* faults of the first packet were reported */
	bool skips;      /* packets that end before `from` (ns) are skipped */
	int64_t from;
	struct ctf_sofar sofar; /* state after the previous packets */
	struct ctf_cursor head; /* cursor over a copy of the packet's context */
	uint8_t *head_copy;     /* owned */

	/* The window. */
	uint8_t *buf;   /* owned; NULL: closed */
	size_t cap;     /* without the slack */
	size_t have;    /* bytes that were read */
	int64_t window; /* offset of buf in the file */
	int64_t base;   /* offset of cursor.data, which is in buf */
	int64_t size;  /* bytes of the file when it was opened, plus its tail */
	int64_t waits; /* how many bytes to read of a file that follows another
	                * file; or 0 */
	int fd;        /* -1: opens the file for each read */
	bool keep_open;
};

#endif
