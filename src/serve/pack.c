/* SPDX-License-Identifier: MIT */
#include "serve/pack.h"

#include <string.h>

#include "base/arena.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib's way to ask for gzip */
#define LEVEL \
	6 /* level 7 saves 2 % and takes 1.6 times as long, level 5 takes half \
	   * as long and 6 % more bytes */
#define RAW_MOST \
	(48 << 20) /* bytes before compression: the page \
	            * decompresses a chunk of this size at a time */
#define TRAILER \
	64                     /* the most bytes that the end of the stream \
	                        * takes */
#define ROOM_FIRST (256 << 10) /* limit of the compressed bytes */

struct pack {
	z_stream z;
	z_stream saved; /* the state when the unit began */
	bool in_unit;
	bool full; /* the unit does not fit in the limit */
	size_t most, raw, saved_raw, saved_n;
	uint8_t *at; /* packed bytes; owned */
	size_t n, room;
};

struct pack *
pack_open(size_t most, struct err *err)
{
	struct pack *p = mem_resize(NULL, 1, sizeof *p);

	*p = (struct pack){ .most = most };
	if (deflateInit2(&p->z, LEVEL, Z_DEFLATED, GZIP_WINDOW, 9,
		    Z_DEFAULT_STRATEGY) == Z_OK)
		return p;
	mem_free(p);
	err_set(err, ERR_LIMIT, "zlib cannot be initialised");
	return NULL;
}

static void
run(struct pack *p, const void *from, size_t n, int flush)
{
	p->z.next_in = (z_const Bytef *)(uintptr_t)from;
	p->z.avail_in = (uInt)n;
	do {
		if (p->room - p->n < ROOM_FIRST / 2) {
			p->room = p->room == 0 ? ROOM_FIRST : 2 * p->room;
			p->at = mem_resize(p->at, p->room, 1);
		}
		p->z.next_out = p->at + p->n;
		p->z.avail_out = (uInt)(p->room - p->n);
		deflate(&p->z, flush);
		p->n = p->room - p->z.avail_out;
	} while (p->z.avail_out == 0);
}

void
pack_begin(struct pack *p)
{
	p->full = deflateCopy(&p->saved, &p->z) != Z_OK;
	p->in_unit = !p->full;
	p->saved_n = p->n;
	p->saved_raw = p->raw;
}

static void
put_u32(uint8_t to[4], size_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> (8 * i));
}

void
pack_put(struct pack *p, const char *name, const void *body, size_t n)
{
	size_t length = strlen(name);
	uint8_t head[8];

	p->full = p->full || n > RAW_MOST ||
		p->raw + length + n + sizeof head > RAW_MOST || p->n > p->most;
	if (p->full)
		return;
	put_u32(head, length);
	put_u32(head + 4, n);
	p->raw += length + n + sizeof head;
	run(p, head, sizeof head, Z_NO_FLUSH);
	run(p, name, length, Z_NO_FLUSH);
	run(p, body, n, Z_NO_FLUSH);
}

bool
pack_end(struct pack *p, size_t spare)
{
	if (!p->full)
		run(p, NULL, 0, Z_SYNC_FLUSH);
	p->full = p->full || p->n + TRAILER + spare > p->most;
	if (p->full && p->in_unit) {
		deflateEnd(&p->z);
		deflateCopy(&p->z, &p->saved);
		p->n = p->saved_n;
		p->raw = p->saved_raw;
	}
	if (p->in_unit)
		deflateEnd(&p->saved);
	p->in_unit = false;
	return !p->full;
}

bool
pack_is_full(const struct pack *p)
{
	return p->full;
}

size_t
pack_size(const struct pack *p)
{
	return p->n;
}

size_t
pack_room(const struct pack *p, size_t spare)
{
	size_t used = p->n + TRAILER + spare;

	return used < p->most ? p->most - used : 0;
}

const uint8_t *
pack_finish(struct pack *p, size_t *n)
{
	run(p, NULL, 0, Z_FINISH);
	*n = p->n;
	return p->at;
}

void
pack_close(struct pack *p)
{
	if (p == NULL)
		return;
	deflateEnd(&p->z);
	mem_free(p->at);
	mem_free(p);
}

#else

struct pack *
pack_open(size_t most, struct err *err)
{
	(void)most;
	err_set(err, ERR_INPUT,
		"a report needs zlib, and this build lacks it: install "
		"zlib1g-dev, and build again");
	return NULL;
}

void
pack_begin(struct pack *p)
{
	(void)p;
}

void
pack_put(struct pack *p, const char *name, const void *body, size_t n)
{
	(void)p;
	(void)name;
	(void)body;
	(void)n;
}

bool
pack_end(struct pack *p, size_t spare)
{
	(void)p;
	(void)spare;
	return false;
}

bool
pack_is_full(const struct pack *p)
{
	(void)p;
	return true;
}

size_t
pack_size(const struct pack *p)
{
	(void)p;
	return 0;
}

size_t
pack_room(const struct pack *p, size_t spare)
{
	(void)p;
	(void)spare;
	return 0;
}

const uint8_t *
pack_finish(struct pack *p, size_t *n)
{
	(void)p;
	*n = 0;
	return NULL;
}

void
pack_close(struct pack *p)
{
	(void)p;
}

#endif
