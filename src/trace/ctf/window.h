/* SPDX-License-Identifier: MIT */
/*
 * window.h - a stream that is read through a window, and its packet: what
 * stream.c, packet.c and tail.c share.
 */
#ifndef WEFT_TRACE_CTF_WINDOW_H
#define WEFT_TRACE_CTF_WINDOW_H

#include "trace/ctf/decode.h"

struct findings;
struct ringfile;
struct trace;

/* What lies behind the file (tail.h). */
struct ctf_tail {
	int64_t begin; /* where in the stream it begins */
	uint8_t *at;   /* packets */
	size_t n;
	uint64_t bytes; /* of events in them */
	struct ringfile *page;
	const char *ring, *mark; /* files: the ring, and what names it */
	bool live;
};

/* What the packets of a stream told so far. Where a tracer began another file,
 * its packets go on with it (chain.h). */
struct ctf_sofar {
	bool any;           /* there was a packet */
	bool again;         /* it is of the file before: packets up to it may
	                     * come once more, as snapshots overlap */
	uint64_t discarded; /* events */
	uint64_t sequence;  /* of the last packet, if they have numbers */
	int64_t begin, end; /* times of the last packet */
};

struct ctf_stream {
	/* The current event. */
	int64_t time; /* ns, never less than the last */
	const struct ctf_event_layout *event;
	uint64_t begin, payload; /* bits in the window; it ends at cursor.pos */
	union value *values;     /* owned */

	const struct ctf_layout *layout;
	const struct ctf_meta *meta;
	const struct ctf_stream_layout *class; /* of the packet */
	const char *file;                      /* borrowed */
	const struct ctf_tail *tail; /* goes on behind it; borrowed, or NULL */
	struct trace *trace;  /* whose stream that is told of losses; or NULL */
	int number;           /* of it */
	const int64_t *start; /* time of the trace's first event, once all
	                       * streams are open; or NULL */
	struct findings *findings; /* borrowed */
	struct ctf_cursor cursor;
	int64_t offset_ns;   /* of the clock */
	union value *header; /* owned: of the packet, then of the event */
	uint64_t nevents;

	/* The packet. */
	int64_t packet;   /* offset in the file */
	uint64_t content; /* bits of it that hold events */
	uint64_t latest;  /* clock of its end; UINT64_MAX: it does not say */
	int64_t next;     /* offset of the next one; size if there is none */
	bool sized, cut;  /* it says its size; the file ends before it */
	bool foreign;     /* its UUID is that of another trace */
	bool clamped;     /* said that times are too large */
	bool followed;    /* another file goes on with the stream */
	bool looked_at;   /* what is wrong with the first packet was said */
	bool skips;       /* packets that end before `from`, ns, are left out */
	int64_t from;
	struct ctf_sofar sofar; /* of the packets before */
	struct ctf_cursor head; /* over a copy of its context */
	uint8_t *head_copy;     /* owned */

	/* The window. */
	uint8_t *buf;        /* owned; NULL: closed */
	size_t cap;          /* without the slack */
	size_t have;         /* bytes that were read */
	int64_t window;      /* offset of buf in the file */
	int64_t base;        /* that of cursor.data, which is in buf */
	int64_t size;        /* of the file, when it was opened, and its tail */
	uint64_t read_bytes; /* so far, of it and of its tail */
	int64_t waits; /* bytes, if it is read when another file ended; or 0 */
	int fd;        /* -1: opened for each read */
	bool keep_open;
};

#endif
