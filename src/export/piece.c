/* SPDX-License-Identifier: MIT */
#include "export/piece.h"

#include <stdint.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/arena.h"
#include "base/bug.h"

#define GZIP_WINDOW (15 + 16) /* 32 KiB, and the head of a gzip member */
#define GZIP_MEMORY 8

struct piece_packer {
	enum compress_kind kind;
	int level;
	bool failed;
#ifdef HAVE_ZLIB
	z_stream gzip;
#endif
#ifdef HAVE_ZSTD
	ZSTD_CCtx *zstd;
#endif
};

bool
piece_can(enum compress_kind kind)
{
#ifdef HAVE_ZLIB
	if (kind == COMPRESS_GZIP)
		return true;
#endif
#ifdef HAVE_ZSTD
	if (kind == COMPRESS_ZSTD)
		return true;
#endif
	return kind == COMPRESS_NONE;
}

struct piece_packer *
piece_open(enum compress_kind kind, int level)
{
	struct piece_packer *p = mem_resize(NULL, 1, sizeof *p);

	*p = (struct piece_packer){ .kind = kind,
		.level = level > 0 ? level : 1 };
#ifdef HAVE_ZLIB
	if (kind == COMPRESS_GZIP)
		p->failed = deflateInit2(&p->gzip, p->level, Z_DEFLATED,
				    GZIP_WINDOW, GZIP_MEMORY,
				    Z_DEFAULT_STRATEGY) != Z_OK;
#endif
#ifdef HAVE_ZSTD
	if (kind == COMPRESS_ZSTD) {
		p->zstd = ZSTD_createCCtx();
		p->failed = p->zstd == NULL;
	}
#endif
	return p;
}

void
piece_close(struct piece_packer *p)
{
#ifdef HAVE_ZLIB
	if (p->kind == COMPRESS_GZIP && !p->failed)
		deflateEnd(&p->gzip);
#endif
#ifdef HAVE_ZSTD
	if (p->kind == COMPRESS_ZSTD)
		ZSTD_freeCCtx(p->zstd);
#endif
	mem_free(p);
}

size_t
piece_bound(size_t n)
{
	size_t bound = n + 1024;

#ifdef HAVE_ZLIB
	if (compressBound(n) + 64 > bound)
		bound = compressBound(n) + 64;
#endif
#ifdef HAVE_ZSTD
	if (ZSTD_compressBound(n) > bound)
		bound = ZSTD_compressBound(n);
#endif
	return bound;
}

#ifdef HAVE_ZLIB
static size_t
pack_gzip(struct piece_packer *p, char *to, size_t room, const char *from,
	size_t n)
{
	z_stream *z = &p->gzip;

	if (deflateReset(z) != Z_OK)
		return 0;
	z->next_in = (Bytef *)(uintptr_t)from; /* is only read */
	z->avail_in = (uInt)n;
	z->next_out = (Bytef *)to;
	z->avail_out = (uInt)room;
	return deflate(z, Z_FINISH) == Z_STREAM_END ? room - z->avail_out : 0;
}
#endif

size_t
piece_pack(struct piece_packer *p, char *to, size_t room, const char *from,
	size_t n)
{
	if (p->failed)
		return 0;
#ifdef HAVE_ZLIB
	if (p->kind == COMPRESS_GZIP)
		return pack_gzip(p, to, room, from, n);
#endif
#ifdef HAVE_ZSTD
	if (p->kind == COMPRESS_ZSTD) {
		size_t done =
			ZSTD_compressCCtx(p->zstd, to, room, from, n, p->level);

		return ZSTD_isError(done) ? 0 : done;
	}
#endif
	(void)to;
	(void)room;
	(void)from;
	(void)n;
	return 0;
}

static char *
put_le(char *to, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		*to++ = (char)(value >> 8 * i);
	return to;
}

#ifdef HAVE_ZLIB
/* A member of one stored block (RFC 1951, 1952). */
static size_t
stored_gzip(char *to, const char *from, size_t n)
{
	static const char head[] = { 0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0,
		(char)0xff, 1 };
	uint64_t sum = crc32(0, (const Bytef *)from, (uInt)n);
	char *at = to;

	memcpy(at, head, sizeof head);
	at = put_le(at + sizeof head, n, 2);
	at = put_le(at, ~(uint64_t)n, 2);
	memcpy(at, from, n);
	at = put_le(at + n, sum, 4);
	return (size_t)(put_le(at, n, 4) - to);
}
#endif

/* A frame of one raw block (RFC 8878): magic number, a descriptor that says
 * "single segment, 4 bytes of size", the size, the block's head. */
static size_t
stored_zstd(char *to, const char *from, size_t n)
{
	char *at = put_le(to, 0xfd2fb528, 4);

	at = put_le(at, 0xa0, 1);
	at = put_le(at, n, 4);
	at = put_le(at, n << 3 | 1, 3);
	memcpy(at, from, n);
	return (size_t)(at + n - to);
}

size_t
piece_stored(enum compress_kind kind, char *to, const char *from, size_t n)
{
#ifdef HAVE_ZLIB
	if (kind == COMPRESS_GZIP)
		return stored_gzip(to, from, n);
#endif
	BUG_ON(kind != COMPRESS_ZSTD);
	return stored_zstd(to, from, n);
}
