/* SPDX-License-Identifier: MIT */
/*
 * tail.h - the packet that our recorder has not yet written: the contents of
 * the ring of a stream whose process was killed or still runs.
 *
 * The file ends with a whole packet, or with a part of a packet that was being
 * written. The tail continues after the last whole packet, as a packet of its
 * own: a snapshot in memory. inproc/ctf/wire.h says how ring and file belong
 * together.
 */
#ifndef WEFT_TRACE_CTF_TAIL_H
#define WEFT_TRACE_CTF_TAIL_H

struct arena;
struct ctf_stream;
struct findings;
struct ctf_tail;

/* Returns the tail of the stream's file, or NULL if it has none. The stream is
 * not open yet but knows its layout. Findings report the bytes that are read
 * from the ring, and the reason if they cannot be read. */
struct ctf_tail *ctf_tail_open(struct arena *a, const struct ctf_stream *s,
	const char *file, struct findings *fs);

#endif
