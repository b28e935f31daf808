/* SPDX-License-Identifier: MIT */
/*
 * ringfile.h - the file behind a thread's ring, as a crash leaves it.
 *
 * The library writes it, weft reads it. A page of what follows, then size bytes
 * of ring. Byte p of the stream's position is byte p % size of the ring and
 * byte 8 + p - skip of stream.obs. What was recorded and is not in stream.obs
 * is the range from (size of stream.obs) - 8 + skip to head.
 *
 * stream.json names the file and its id while the thread runs; a file with
 * another id belongs to somebody else by now.
 */
#ifndef WEFT_RT_RINGFILE_H
#define WEFT_RT_RINGFILE_H

#include <stdint.h>

#define RINGFILE_MAGIC "weftring"
#define RINGFILE_VERSION 1
#define RINGFILE_PAGE 4096 /* the ring begins here */
#define RINGFILE_LOST 64   /* intervals kept; the last one is widened */

struct ringfile_lost {
	uint64_t from, to; /* times of the first and last event lost, ns */
	uint64_t count;
};

struct ringfile {
	char magic[8];
	uint32_t version;
	int32_t pid, tid;
	uint32_t nlost;
	uint64_t id;    /* random, also in stream.json */
	uint64_t size;  /* of the ring, bytes, a power of two */
	uint64_t skip;  /* positions that are not in the file */
	uint64_t first; /* the oldest position that is whole in the ring */
	_Alignas(64) uint64_t head; /* all records before are whole */
	_Alignas(64) uint64_t tail; /* all records before are in stream.obs */
	struct ringfile_lost lost[RINGFILE_LOST];
};

#endif
