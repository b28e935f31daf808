/* SPDX-License-Identifier: MIT */
#include "task/tail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIECE \
	((uint64_t)64 << 10) /* bytes of the file that one write fills \
	                      */

/*
 * Sets how far the tail is filled before it is flushed: to where the file
 * offset is a multiple of PIECE, because the kernel then caches the file in
 * large pages; but far enough for a record of that many words.
 */
static void
set_end(struct tail *t, size_t words)
{
	uint64_t at = t->begin + t->map->flushed, room;

	room = (at + t->map->tail_bytes) / PIECE * PIECE;
	if (room < at + 8 * words)
		room = at + t->map->tail_bytes;
	t->end = t->words + (room - at) / 8;
	/* May point before the tail: then there is no room for a usual
	 * record. */
	t->usual = t->end - TAIL_USUAL;
}

/* Empties the tail by writing that many bytes. Bytes after `head` have no
 * records, and the next flush overwrites them. */
static void
flush(struct tail *t, uint64_t bytes)
{
	const char *from = (const char *)t->words;
	uint64_t flushed = t->map->flushed, n = t->map->head - flushed;

	for (uint64_t done = 0; done < bytes && t->why == 0;) {
		ssize_t got = pwrite(t->fd, from + done, bytes - done,
			(off_t)(t->begin + flushed + done));

		if (got > 0)
			done += (uint64_t)got;
		else if (errno != EINTR)
			t->why = errno;
	}
	t->map->why = (uint32_t)t->why;
	if (t->why != 0)
		return;
	__atomic_store_n(&t->map->flushed, flushed + n, __ATOMIC_RELEASE);
	t->at = t->words;
}

void
tail_flush(struct tail *t)
{
	flush(t, t->map->head - t->map->flushed);
	if (t->why == 0)
		set_end(t, 0);
}

__attribute__((noinline, cold)) uint64_t *
tail_make_room(struct tail *t, size_t words)
{
	if (t->why == 0)
		flush(t, (uint64_t)(t->end - t->words) * 8);
	if (t->why == 0) {
		set_end(t, words);
		return t->at;
	}
	t->end = t->at; /* later records must not follow either, even if they
	                 * are smaller */
	t->usual = t->words - 1;
	return NULL;
}

__attribute__((noinline, cold)) void
tail_put_time(struct tail *t, int64_t now)
{
	uint64_t *to = tail_room(t, 2);

	if (to == NULL)
		return;
	to[1] = (uint64_t)now;
	tail_commit(t, journal_word(JOURNAL_TIME, 0, 0), 2);
	t->last = now;
}

bool
tail_open(struct tail *t, int fd, const struct journal_head *head)
{
	void *map;

	*t = (struct tail){ .fd = fd,
		.begin = JOURNAL_TAIL + head->tail_bytes };
	t->why = posix_fallocate(fd, 0, (off_t)t->begin);
	if (t->why != 0)
		return false;
	map = mmap(NULL, t->begin, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_POPULATE, fd, 0);
	if (map == MAP_FAILED) {
		t->why = errno;
		return false;
	}
	t->map = map;
	t->words = (uint64_t *)((char *)map + JOURNAL_TAIL);
	t->at = t->words;
	*t->map = *head;
	set_end(t, 0);
	memcpy(t->map->magic, JOURNAL_MAGIC, sizeof t->map->magic);
	return true;
}

void
tail_close(struct tail *t, uint64_t lost)
{
	if (t->map == NULL)
		return;
	tail_flush(t);
	t->map->lost = lost;
	munmap(t->map, t->begin);
}
