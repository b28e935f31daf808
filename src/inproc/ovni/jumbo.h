/* SPDX-License-Identifier: MIT */
/*
 * jumbo.h - events with up to 2^32 - 1 bytes.
 *
 * Small events go through the ring. The thread writes an event of more than a
 * quarter of the ring directly to the file, unless a handler emits it in the
 * middle of another event: then it is lost. A flight recorder keeps events up
 * to half of its ring and loses larger ones.
 */
#ifndef WEFT_INPROC_OVNI_JUMBO_H
#define WEFT_INPROC_OVNI_JUMBO_H

#include <stdint.h>

struct thread;

/* Records a jumbo event. time: the event's time; NULL: now. */
void weft_rt_jumbo(struct thread *th, uint32_t first, const uint64_t *time,
	const void *data, uint32_t n);

#endif
