/* SPDX-License-Identifier: MIT */
#include "serve/compress.h"

#include <string.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "base/arena.h"
#include "serve/answer.h"
#include "serve/request.h"

#define GZIP_WINDOW (15 + 16) /* zlib's way to ask for gzip */

/* Replaces the body by another block. */
static void
replace(struct answer *to, char *body, size_t size)
{
	mem_free(to->owned);
	to->owned = body;
	to->body = body;
	to->size = size;
}

static bool
by_zstd(struct answer *to)
{
#ifdef HAVE_ZSTD
	size_t room = ZSTD_compressBound(to->size);
	char *body = mem_resize(NULL, room, 1);
	size_t n = ZSTD_compress(body, room, to->body, to->size, 1);

	if (!ZSTD_isError(n) && n < to->size) {
		replace(to, body, n);
		return true;
	}
	mem_free(body);
#else
	(void)to;
#endif
	return false;
}

static bool
by_gzip(struct answer *to)
{
	z_stream z = { 0 };
	char *body;
	size_t room;
	int code;

	if (to->size > UINT32_MAX / 2 ||
		deflateInit2(&z, 1, Z_DEFLATED, GZIP_WINDOW, 8,
			Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	room = deflateBound(&z, (uLong)to->size);
	body = mem_resize(NULL, room, 1);
	z.next_in = (z_const Bytef *)(uintptr_t)to->body;
	z.avail_in = (uInt)to->size;
	z.next_out = (Bytef *)body;
	z.avail_out = (uInt)room;
	code = deflate(&z, Z_FINISH);
	deflateEnd(&z);
	if (code == Z_STREAM_END && z.total_out < to->size) {
		replace(to, body, z.total_out);
		return true;
	}
	mem_free(body);
	return false;
}

/* Decompresses a body that was compressed at build time: it is trusted. */
static void
unpack(struct answer *to)
{
	size_t room = 8 * to->size + 4096, n = 0;
	char *body = mem_resize(NULL, room, 1);
	z_stream z = { .next_in = (z_const Bytef *)(uintptr_t)to->body,
		.avail_in = (uInt)to->size };
	int code = inflateInit2(&z, GZIP_WINDOW);

	while (code == Z_OK) {
		z.next_out = (Bytef *)body + n;
		z.avail_out = (uInt)(room - n);
		code = inflate(&z, Z_NO_FLUSH);
		n = z.total_out;
		if (code == Z_OK && n == room)
			body = mem_resize(body, room *= 2, 1);
	}
	inflateEnd(&z);
	replace(to, body, n);
}

const char *
compress_answer(const struct request *q, struct answer *to)
{
	if (to->gzip && request_takes(q, "gzip"))
		return "gzip";
	if (to->gzip)
		unpack(to);
	if (to->size <= COMPRESS_FROM)
		return NULL;
	if (request_takes(q, "zstd") && by_zstd(to))
		return "zstd";
	if (request_takes(q, "gzip") && by_gzip(to))
		return "gzip";
	return NULL;
}
