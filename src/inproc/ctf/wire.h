/* SPDX-License-Identifier: MIT */
/*
 * wire.h - the head of a packet, as the library writes it and the metadata
 * declares it. A stream is a sequence of packets, each with whole events. The
 * events of all packets, without the heads, are the bytes of the ring from
 * position 0 (ringfile.h), except skipped ones.
 *
 * Events are lost between packets: a packet's head says how many were lost
 * before it begins, and an empty packet follows the last loss. If a full disk
 * has no room for that packet, the last packet is changed to begin where the
 * one before ends, and the loss may lie anywhere in it.
 *
 * While a stream has a ring, the file .channel_N.ring beside channel_N names
 * the ring's file: { "weft": { "ring": { "file": "/...", "id": "0123..." } } }.
 */
#ifndef WEFT_INPROC_CTF_WIRE_H
#define WEFT_INPROC_CTF_WIRE_H

#include <stdint.h>

#define CTFWIRE_MAGIC 0xc1fc1fc1u
#define CTFWIRE_WORKER 1 /* stream of a CPU */
#define CTFWIRE_THREAD 2 /* stream of the leader or of an external thread */
#define CTFWIRE_KERNEL 0

struct ctfwire_head {
	uint32_t magic, stream;
	uint16_t cpu;
	uint64_t packet_bits, content_bits; /* sizes in bits: of the whole
	                                     * packet, and of its content */
	uint64_t begin, end;                /* times of first and last event */
	uint64_t discarded; /* number of events lost before the packet begins */
} __attribute__((packed));

_Static_assert(sizeof(struct ctfwire_head) == 50, "packet head changed");

#endif
