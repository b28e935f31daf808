/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the beginning of a packet, as the library writes it and its
 * metadata declares it. A stream is such packets, one after the other, each
 * with whole events; the events of all, without these heads, are the bytes of
 * the ring from position 0 (ringfile.h), but for those that it skipped.
 *
 * Events are lost between packets: a packet says how many were lost before it
 * begins, and one without events stands behind the last loss. On a full disk,
 * which has no room for that, the last packet begins where the one before ends,
 * and the loss may lie anywhere in it.
 *
 * While a stream has a ring, the file .channel_N.ring beside channel_N says
 * where: { "weft": { "ring": { "file": "/...", "id": "0123..." } } }.
 */
#ifndef WEFT_INPROC_CTF_WIRE_H
#define WEFT_INPROC_CTF_WIRE_H

#include <stdint.h>

#define CTFWIRE_MAGIC 0xc1fc1fc1u
#define CTFWIRE_WORKER 1 /* stream of a CPU */
#define CTFWIRE_THREAD 2 /* of the leader, of an external thread */
#define CTFWIRE_KERNEL 0

struct ctfwire_head {
	uint32_t magic, stream;
	uint16_t cpu;
	uint64_t packet_bits, content_bits; /* the same */
	uint64_t begin, end;                /* times of first and last event */
	uint64_t discarded;                 /* events, before it begins */
} __attribute__((packed));

_Static_assert(sizeof(struct ctfwire_head) == 50, "packet head changed");

#endif
