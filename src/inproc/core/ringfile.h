/* SPDX-License-Identifier: MIT */
/*
 * ringfile.h - the layout of the file behind a thread's ring, which survives a
 * crash.
 *
 * The library writes the file, weft reads it. It has a page with struct
 * ringfile, then size bytes of ring. Position p of the stream is byte p % size
 * of the ring and byte 8 + p - skip of stream.obs. Recorded bytes that are not
 * in stream.obs are those from (size of stream.obs) - 8 + skip to head.
 *
 * An interval of lost events lies between two recorded events. When there are
 * more than RINGFILE_LOST intervals, the two closest are joined, with the
 * events recorded between them.
 *
 * stream.json names the file and its id while the thread runs; a file with
 * another id has been given to another stream.
 *
 * The process that maps the ring holds a lock on the file. Every container of
 * the kernel sees the lock, and the lock ends with the process; a process id in
 * a name would mean nothing in another pid namespace.
 */
#ifndef WEFT_INPROC_CORE_RINGFILE_H
#define WEFT_INPROC_CORE_RINGFILE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>

#define RINGFILE_MAGIC "weftring"
#define RINGFILE_VERSION 1
#define RINGFILE_PAGE 4096 /* the ring begins here */
#define RINGFILE_LOST 64   /* intervals kept; more are joined */

/* Intervals in no order. A process killed while it joins two leaves both; they
 * overlap. */
struct ringfile_lost {
	uint64_t from, to; /* times of the first and last event lost, ns */
	uint64_t count;
};

/* In the process only the producer and the drainer write here (stream.h); weft
 * reads the file after the process died. */
struct ringfile {
	char magic[8];
	uint32_t version;
	int32_t pid, tid;
	uint32_t nlost; /* written by the producer; atomic, read by the
	                 * drainer */
	uint64_t id;    /* random, also in stream.json; written when a stream
	                 * begins or ends */
	uint64_t size;  /* size of the ring in bytes, a power of two */
	uint64_t skip;  /* positions that are not in the file; written by the
	                 * drainer */
	uint64_t first; /* the oldest complete position in the ring; written by
	                 * the drainer, atomic, read by the producer */
	_Alignas(64) uint64_t head; /* all records before are complete; written
	                             * by the producer, atomic */
	_Alignas(64) uint64_t tail; /* all records before are in stream.obs;
	                             * written by the drainer, atomic */
	struct ringfile_lost lost[RINGFILE_LOST]; /* written by the producer,
	                                           * and by a flight recorder's
	                                           * drainer; atomic */
	uint32_t has_lock; /* 1: the process that maps the file holds its
	                    * lock */
};

/* Locks the open file and all mappings made from it. Returns false if the lock
 * is held or the file system has no locks; errno says which. */
static inline bool
ringfile_hold(int fd)
{
	struct flock all = { .l_type = F_WRLCK };

	return fcntl(fd, F_OFD_SETLK, &all) == 0;
}

/* Returns true if another process holds the lock. */
static inline bool
ringfile_is_held(int fd)
{
	struct flock all = { .l_type = F_WRLCK };

	return fcntl(fd, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
}

#endif
