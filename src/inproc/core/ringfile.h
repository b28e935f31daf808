/* SPDX-License-Identifier: MIT */
/*
 * ringfile.h - the file behind a thread's ring, as a crash leaves it.
 *
 * The library writes it, weft reads it. A page of what follows, then size bytes
 * of ring. Byte p of the stream's position is byte p % size of the ring and
 * byte 8 + p - skip of stream.obs. What was recorded and is not in stream.obs
 * is the range from (size of stream.obs) - 8 + skip to head.
 *
 * An interval of lost events lies between two events that were recorded; of
 * more than RINGFILE_LOST the two that are closest become one, with what was
 * recorded between them.
 *
 * stream.json names the file and its id while the thread runs; a file with
 * another id belongs to somebody else by now.
 *
 * The process that has the ring mapped holds a lock on the file, which every
 * container of the kernel sees, and which goes when the process does: a process
 * id in a name means nothing in another pid namespace.
 */
#ifndef WEFT_INPROC_CORE_RINGFILE_H
#define WEFT_INPROC_CORE_RINGFILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>

#define RINGFILE_MAGIC "weftring"
#define RINGFILE_VERSION 1
#define RINGFILE_PAGE 4096 /* the ring begins here */
#define RINGFILE_LOST 64   /* intervals kept; of more, the closest are one */

/* In no order. Who is killed while two become one leaves both: they overlap. */
struct ringfile_lost {
	uint64_t from, to; /* times of the first and last event lost, ns */
	uint64_t count;
};

/* Of the process's threads the producer and the drainer write here (stream.h);
 * weft reads what a dead process left. */
struct ringfile {
	char magic[8];
	uint32_t version;
	int32_t pid, tid;
	uint32_t nlost; /* the producer's; atomic, read by the drainer */
	uint64_t id;    /* random, also in stream.json; of who begins or ends
	                   the stream */
	uint64_t size;  /* of the ring, bytes, a power of two */
	uint64_t skip;  /* positions that are not in the file; the drainer's */
	uint64_t first; /* the oldest position that is whole in the ring; the
	                   drainer's, atomic, read by the producer */
	_Alignas(64) uint64_t head; /* all records before are whole; the
	                               producer's, atomic */
	_Alignas(64) uint64_t tail; /* all records before are in stream.obs; the
	                               drainer's, atomic */
	struct ringfile_lost lost[RINGFILE_LOST]; /* the producer's, and of a
	                               flight recorder the drainer's; atomic */
	uint32_t has_lock; /* 1: who has it mapped holds the lock */
};

/* Takes the lock for the open file, and all mappings made from it. False: it
 * is held, or the file system has none; errno says which. */
static inline bool
ringfile_hold(int fd)
{
	struct flock all = { .l_type = F_WRLCK };

	return fcntl(fd, F_OFD_SETLK, &all) == 0;
}

/* Returns whether somebody else holds the lock. */
static inline bool
ringfile_is_held(int fd)
{
	struct flock all = { .l_type = F_WRLCK };

	return fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
}

#endif
