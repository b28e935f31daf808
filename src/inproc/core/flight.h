/* SPDX-License-Identifier: MIT */
/*
 * flight.h - the flight recorder: WEFT_FULL=overwrite, weft_dump().
 *
 * A full ring gives up its oldest records. Records given up before they were
 * written leave a gap in the stream and count as lost. After a gap the stream
 * states the thread's state anew, as if the thread had ended before the gap and
 * started after it.
 */
#ifndef WEFT_INPROC_CORE_FLIGHT_H
#define WEFT_INPROC_CORE_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

struct stream;

/* Gives up records until a record that ends at position end fits. */
bool weft_rt_flight_room(struct stream *s, uint64_t end);

/* Writes all kept records that are not yet written. The caller has taken the
 * ring. */
bool weft_rt_flight_drain(struct stream *s);

#endif
