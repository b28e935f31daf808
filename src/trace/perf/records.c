/* SPDX-License-Identifier: MIT */
#include "trace/perf/records.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/arena.h"
#include "base/file.h"
#include "trace/perf/file.h"
#include "trace/perf/swap.h"
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define WINDOW (1u << 20)
#define MORE_MAX (64u << 20) /* bytes of tracing data */
#define ZSTD_WINDOW 25       /* log2 of the most bytes to look back */
#define PLAIN_MAX (64u << 20)

struct perf_unpack {
	uint8_t *buf; /* owned */
	size_t at, n, cap;
	uint8_t *more; /* owned: tracing data */
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
};

/* Returns the header at a place of the buffer, in the order of this machine. */
static struct perf_event_header
take_header(const struct perf_records *r, const uint8_t *at)
{
	struct perf_event_header h;

	memcpy(&h, at, sizeof h);
	if (r->swapped)
		perf_swap_header(&h);
	return h;
}

/* Stores the header of a complete record, for those who parse the record. */
static void
keep_header(const struct perf_records *r, uint8_t *at,
	const struct perf_event_header *h)
{
	if (r->swapped)
		memcpy(at, h, sizeof *h);
}

void
perf_records_open(struct perf_records *r, int fd, uint64_t begin, uint64_t end)
{
	*r = (struct perf_records){ .fd = fd, .offset = begin, .end = end };
	r->buf = mem_resize(NULL, WINDOW, 1);
}

static bool
stop(struct perf_records *r, const char *why)
{
	r->damage = why;
	return false;
}

static uint64_t
place_of(const struct perf_records *r)
{
	return r->offset + r->at;
}

/* Makes n <= WINDOW bytes available. Returns false if the records end
 * before. */
static bool
fill(struct perf_records *r, size_t n)
{
	uint64_t left;
	size_t room;
	int64_t got;

	if (r->n - r->at >= n)
		return true;
	memmove(r->buf, r->buf + r->at, r->n - r->at);
	r->offset += r->at;
	r->n -= r->at;
	r->at = 0;
	left = r->end - r->offset - r->n;
	room = WINDOW - r->n < left ? WINDOW - r->n : (size_t)left;
	got = room == 0 ? 0
			: file_pread(r->fd, r->buf + r->n, room,
				  (int64_t)(r->offset + r->n));
	r->n += got < 0 ? 0 : (size_t)got;
	return r->n >= n;
}

static struct perf_unpack *
unpack_of(struct perf_records *r)
{
	if (r->unpack == NULL) {
		r->unpack = mem_resize(NULL, 1, sizeof *r->unpack);
		memset(r->unpack, 0, sizeof *r->unpack);
	}
	return r->unpack;
}

#ifdef HAVE_ZSTD
static bool
start_zstd(struct perf_unpack *u)
{
	if (u->zstd != NULL)
		return true;
	u->zstd = ZSTD_createDStream();
	return u->zstd != NULL &&
		!ZSTD_isError(ZSTD_DCtx_setParameter(
			u->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW));
}

/* Unpacks the payload of a compressed record behind what earlier ones left. */
static bool
unpack(struct perf_records *r, const uint8_t *from, size_t n)
{
	struct perf_unpack *u = unpack_of(r);
	ZSTD_inBuffer in = { from, n, 0 };

	if (u->n > u->at)
		memmove(u->buf, u->buf + u->at, u->n - u->at);
	u->n -= u->at;
	u->at = 0;
	if (!start_zstd(u))
		return stop(r, "zstd does not start");
	while (in.pos < in.size) {
		ZSTD_outBuffer out;
		size_t how;

		if (u->cap - u->n < WINDOW) {
			if (u->cap >= PLAIN_MAX)
				return stop(r,
					"a record unpacks to more than "
					"64 MiB");
			u->cap = u->cap * 2 + 2 * WINDOW;
			u->buf = mem_resize(u->buf, u->cap, 1);
		}
		out = (ZSTD_outBuffer){ u->buf, u->cap, u->n };
		how = ZSTD_decompressStream(u->zstd, &out, &in);
		if (ZSTD_isError(how))
			return stop(r, "a compressed record is damaged");
		u->n = out.pos;
	}
	return true;
}
#else
static bool
unpack(struct perf_records *r, const uint8_t *from, size_t n)
{
	(void)from;
	(void)n;
	return stop(r,
		"this build of weft has no zstd, which compressed "
		"records need: record without -z");
}
#endif

/* Takes a record that was unpacked, if one is complete. */
static bool
next_unpacked(struct perf_records *r, struct perf_bytes *to)
{
	struct perf_unpack *u = r->unpack;
	struct perf_event_header h;

	if (u == NULL || u->n - u->at < sizeof h)
		return false;
	h = take_header(r, u->buf + u->at);
	if (h.size < sizeof h)
		return stop(r, "a record without a size");
	if (h.size > u->n - u->at)
		return false;
	keep_header(r, u->buf + u->at, &h);
	*to = (struct perf_bytes){ .at = u->buf + u->at,
		.size = h.size,
		.type = h.type,
		.offset = r->packed_at };
	u->at += h.size;
	return true;
}

/* Moves over n bytes. */
static bool
skip(struct perf_records *r, uint64_t n)
{
	if (n <= r->n - r->at) {
		r->at += (size_t)n;
		return true;
	}
	if (n > r->end - place_of(r))
		return stop(r, "the data of the last record is cut");
	r->offset = place_of(r) + n;
	r->at = r->n = 0;
	return true;
}

/* Reads the tracing data that follows its record. */
static bool
take_more(struct perf_records *r, struct perf_bytes *to)
{
	struct perf_unpack *u = unpack_of(r);
	uint32_t n;
	int64_t got;

	if (to->size < 12)
		return stop(r, "a record of tracing data without a size");
	memcpy(&n, to->at + 8, sizeof n);
	if (r->swapped)
		n = __builtin_bswap32(n);
	if (n > MORE_MAX)
		return stop(r, "too much tracing data");
	u->more = mem_resize(u->more, (size_t)n + 1, 1);
	got = file_pread(r->fd, u->more, n, (int64_t)place_of(r));
	to->more = u->more;
	to->nmore = got < 0 ? 0 : (size_t)got;
	return skip(r, (n + UINT64_C(7)) & ~UINT64_C(7));
}

/* Handles what follows some records in the file. */
static bool
take_behind(struct perf_records *r, struct perf_bytes *to)
{
	uint64_t n;

	if (to->type == PERF_FILE_TRACING_DATA)
		return take_more(r, to);
	if (to->type != PERF_FILE_AUXTRACE || to->size < 16)
		return true;
	memcpy(&n, to->at + 8, sizeof n);
	if (r->swapped)
		n = __builtin_bswap64(n);
	return skip(r, n);
}

/* Unpacks a compressed record; the payload of the second kind begins with its
 * size. */
static bool
take_packed(struct perf_records *r, const struct perf_bytes *b)
{
	uint64_t n = b->size - 8;
	const uint8_t *from = b->at + 8;

	r->packed_at = b->offset;
	if (b->type == PERF_FILE_COMPRESSED_2) {
		if (n < 8)
			return stop(r, "a compressed record is cut");
		memcpy(&n, from, sizeof n);
		if (r->swapped)
			n = __builtin_bswap64(n);
		from += 8;
		if (n > b->size - 16)
			return stop(r, "a compressed record is cut");
	}
	return unpack(r, from, (size_t)n);
}

static bool
next_in_file(struct perf_records *r, struct perf_bytes *to)
{
	struct perf_event_header h;

	if (!fill(r, sizeof h)) {
		if (r->n > r->at)
			stop(r, "the last record is cut");
		return false;
	}
	h = take_header(r, r->buf + r->at);
	if (h.size < sizeof h)
		return stop(r, "a record without a size");
	if (!fill(r, h.size))
		return stop(r, "the last record is cut");
	keep_header(r, r->buf + r->at, &h);
	*to = (struct perf_bytes){ .at = r->buf + r->at,
		.size = h.size,
		.type = h.type,
		.offset = place_of(r) };
	r->at += h.size;
	return true;
}

bool
perf_records_next(struct perf_records *r, struct perf_bytes *to)
{
	while (r->damage == NULL) {
		if (next_unpacked(r, to))
			return true;
		if (r->damage != NULL || !next_in_file(r, to))
			return false;
		if (to->type != PERF_FILE_COMPRESSED &&
			to->type != PERF_FILE_COMPRESSED_2)
			return take_behind(r, to);
		if (!take_packed(r, to))
			return false;
	}
	return false;
}

void
perf_records_close(struct perf_records *r)
{
	struct perf_unpack *u = r->unpack;

	mem_free(r->buf);
	r->buf = NULL;
	if (u == NULL)
		return;
#ifdef HAVE_ZSTD
	ZSTD_freeDStream(u->zstd);
#endif
	mem_free(u->buf);
	mem_free(u->more);
	mem_free(u);
	r->unpack = NULL;
}
