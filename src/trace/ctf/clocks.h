/* SPDX-License-Identifier: MIT */
/* clocks.h - how the clocks of CTF streams follow from those of machines. */
#ifndef WEFT_TRACE_CTF_CLOCKS_H
#define WEFT_TRACE_CTF_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

struct ctf_stream;
struct trace;
struct trace_part;

/* Returns the clock value at which the stream's times begin: our recorder
 * counts from its start, LTTng from boot. */
int64_t ctf_clock_origin(const struct trace_part *part);

/* Sets the clocks at the start of the trace, which is the first event of this
 * stream. A clock offset of 0 means that the tracer did not know the time of
 * day. */
void ctf_clock_start(struct trace *t, const struct ctf_stream *s);

/* Tells of the nodes how the trace's times follow from CLOCK_MONOTONIC. Returns
 * false if some stream has another clock. */
bool ctf_clock_nodes(struct trace *t, const struct ctf_stream *streams);

#endif
