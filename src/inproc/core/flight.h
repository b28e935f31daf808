/* SPDX-License-Identifier: MIT */
/*
 * flight.h - the flight recorder: WEFT_FULL=overwrite, weft_dump().
 *
 * A full ring gives up its oldest records. What was given up and never written
 * is a gap of the stream, and counts as lost. Behind a gap the stream says
 * again where the thread was, as if it had ended before and started there:
 * what happened meanwhile is not known.
 */
#ifndef WEFT_INPROC_CORE_FLIGHT_H
#define WEFT_INPROC_CORE_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Gives up records until a record that ends there fits. */
bool weft_rt_flight_room(struct stream *s, uint64_t end);

/* Writes all that is kept and not yet written. The ring is taken. */
bool weft_rt_flight_drain(struct stream *s);

#endif
