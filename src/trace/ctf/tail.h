/* SPDX-License-Identifier: MIT */
/*
 * tail.h - the packet that our recorder has not written: what the ring of a
 * stream holds, of a process that was killed or still runs.
 *
 * The file ends with a whole packet or what was being written when it stopped;
 * behind its last whole packet the tail goes on, as a packet of its own: a
 * snapshot in memory. inproc/ctf/wire.h says how ring and file belong together.
 */
#ifndef WEFT_TRACE_CTF_TAIL_H
#define WEFT_TRACE_CTF_TAIL_H

struct arena;
struct ctf_stream;
struct findings;
struct ctf_tail;

/* The tail of a file of that stream, which is not open yet but knows its
 * layout; or NULL: it has none. Findings say what is read from where, and what
 * cannot be. */
struct ctf_tail *ctf_tail_open(struct arena *a, const struct ctf_stream *s,
	const char *file, struct findings *fs);

#endif
