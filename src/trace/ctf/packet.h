/* SPDX-License-Identifier: MIT */
/*
 * packet.h - the begin of a packet: which stream class, how long, since when.
 * Called by stream.c, of which it is a part.
 */
#ifndef WEFT_TRACE_CTF_PACKET_H
#define WEFT_TRACE_CTF_PACKET_H

#include "trace/ctf/window.h"

struct trace_lost;

#define CTF_MAGIC 0xc1fc1fc1u

/* Moves to the next packet that can be read; false at the end of the file, or
 * where a finding says why it cannot be found. */
bool ctf_packet_next(struct ctf_stream *s);

/* True if all of the packet lies before s->from, as its header has it, and
 * something follows it. */
bool ctf_packet_is_early(const struct ctf_stream *s);

/* A clock's value in ns, within what an int64_t other than its maximum holds.
 */
int64_t ctf_packet_time(const struct ctf_clock *clock, uint64_t ticks);

/* What a packet said was lost. s->start is known. */
void ctf_packet_report_lost(
	const struct ctf_stream *s, const struct trace_lost *l);

/* Of stream.c: reads a window of that many bytes from the offset on. False with
 * a finding. */
bool ctf_stream_load(struct ctf_stream *s, int64_t offset, size_t bytes);

/* The same from the cursor on, a longer one if it cannot move. False if the
 * packet has no more, or too much. */
bool ctf_stream_more(struct ctf_stream *s);

#endif
