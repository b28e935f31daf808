/* SPDX-License-Identifier: MIT */
/*
 * packet.h - reads the header of a packet: its stream class, its size, its
 * times. A part of stream.c.
 */
#ifndef WEFT_TRACE_CTF_PACKET_H
#define WEFT_TRACE_CTF_PACKET_H

#include "trace/ctf/window.h"

struct trace_lost;

#define CTF_MAGIC 0xc1fc1fc1u

/* Moves to the next readable packet. Returns false at the end of the file, or
 * with a finding if the next packet cannot be found. */
bool ctf_packet_next(struct ctf_stream *s);

/* Returns true if, by its header, the whole packet is before s->from, and more
 * packets follow. */
bool ctf_packet_is_early(const struct ctf_stream *s);

/* Converts a clock value to ns, limited to the range of int64_t below its
 * maximum. */
int64_t ctf_packet_time(const struct ctf_clock *clock, uint64_t ticks);

/* Reports the losses that a packet's header states. s->start must be known. */
void ctf_packet_report_lost(
	const struct ctf_stream *s, const struct trace_lost *l);

/* Reads a window of `bytes` bytes at the offset. Returns false with a finding.
 * (In stream.c.) */
bool ctf_stream_load(struct ctf_stream *s, int64_t offset, size_t bytes);

/* Reads a window that begins at the cursor; if the window begins there already,
 * reads a longer one. Returns false if the packet has no more bytes, or an
 * event is too large. */
bool ctf_stream_more(struct ctf_stream *s);

#endif
