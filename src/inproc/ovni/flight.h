/* SPDX-License-Identifier: MIT */
/*
 * flight.h - the flight recorder: WEFT_FULL=overwrite, weft_dump().
 *
 * A full ring gives up its oldest records. What was given up and never written
 * is a gap of the stream, and counts as lost. Behind a gap the stream says
 * again where the thread was, as if it had ended before and started there:
 * what happened meanwhile is not known.
 */
#ifndef WEFT_INPROC_OVNI_FLIGHT_H
#define WEFT_INPROC_OVNI_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Where a thread is at some position of its stream. */
struct flight_state {
	char last; /* third letter of its last OH event; 0: there was none */
	int32_t cpu;
	uint64_t time; /* of the last record, ns */
};

struct flight {
	struct flight_state oldest;  /* at the oldest record that is kept */
	struct flight_state written; /* at the end of the file */
};

/* Gives up records until a record that ends there fits. */
bool weft_rt_flight_room(struct stream *s, uint64_t end);

/* Writes all that is kept and not yet written. The ring is taken. */
bool weft_rt_flight_drain(struct stream *s);

/* Of the stream of a thread (struct stream_format). */
bool weft_rt_flight_pass(
	struct stream *s, const unsigned char *record, bool is_written);
bool weft_rt_flight_bridge(struct stream *s);

#endif
