/* SPDX-License-Identifier: MIT */
/*
 * jumbo.h - events with up to 2^32 - 1 bytes.
 *
 * Small ones go through the ring. One of more than a quarter of the ring goes
 * to the file at once, by its own thread, unless a handler emits it in the
 * middle of an event: then it is lost. A flight recorder keeps what fits half
 * of its ring, and loses what is larger.
 */
#ifndef WEFT_INPROC_OVNI_JUMBO_H
#define WEFT_INPROC_OVNI_JUMBO_H

#include <stdint.h>

struct thread;

/* time: of the event; NULL: now */
void weft_rt_jumbo(struct thread *th, uint32_t first, const uint64_t *time,
	const void *data, uint32_t n);

#endif
