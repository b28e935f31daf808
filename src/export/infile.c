/* SPDX-License-Identifier: MIT */
#include "export/infile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define RAW_BYTES (64u << 10)
/* A file that unpacks to more than this is a bomb: gzip packs at most by 1032.
 */
#define RATIO_MAX 1100
#define RATIO_FREE (64u << 20)
#define ZSTD_WINDOW \
	25 /* log2 of the most bytes that a frame refers back to \
	    */

enum packing {
	PACKING_NONE,
	PACKING_GZIP,
	PACKING_ZSTD,
};

struct infile_unpack {
	enum packing packing;
	uint8_t raw[RAW_BYTES];
	size_t at, n; /* unused bytes of raw: at..n */
	uint64_t out; /* bytes unpacked */
#ifdef HAVE_ZLIB
	z_stream gzip;
	bool between; /* between two members of a gzip file */
#endif
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
	size_t wanted; /* 0: between two frames */
#endif
};

static enum packing
packing_of(const uint8_t *head, size_t n)
{
	static const uint8_t gzip[] = { 0x1f, 0x8b },
			     zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (n >= sizeof gzip && memcmp(head, gzip, sizeof gzip) == 0)
		return PACKING_GZIP;
	if (n >= sizeof zstd && memcmp(head, zstd, sizeof zstd) == 0)
		return PACKING_ZSTD;
	return PACKING_NONE;
}

/* Reads up to n bytes of the file itself. */
static size_t
read_raw(struct infile *f, void *to, size_t n)
{
	ssize_t got;

	do
		got = read(f->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		f->trouble = strerror(errno);
	if (got <= 0)
		return 0;
	f->done += (uint64_t)got;
	return (size_t)got;
}

static bool
start_gzip(struct infile_unpack *u)
{
#ifdef HAVE_ZLIB
	u->between = true;
	return inflateInit2(&u->gzip, 15 + 16) == Z_OK;
#else
	(void)u;
	return false;
#endif
}

static bool
start_zstd(struct infile_unpack *u)
{
#ifdef HAVE_ZSTD
	u->zstd = ZSTD_createDStream();
	return u->zstd != NULL &&
		!ZSTD_isError(ZSTD_DCtx_setParameter(
			u->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW));
#else
	(void)u;
	return false;
#endif
}

static void
stop(struct infile_unpack *u)
{
	(void)u; /* a build with neither library */
#ifdef HAVE_ZLIB
	if (u->packing == PACKING_GZIP)
		inflateEnd(&u->gzip);
#endif
#ifdef HAVE_ZSTD
	if (u->packing == PACKING_ZSTD)
		ZSTD_freeDStream(u->zstd);
#endif
}

/* Begins to decompress. The first n bytes of the file are at head. */
static bool
start(struct infile *f, enum packing packing, const void *head, size_t n,
	struct err *err)
{
	struct infile_unpack *u = mem_resize(NULL, 1, sizeof *u);

	memset(u, 0, sizeof *u);
	u->packing = packing;
	memcpy(u->raw, head, n);
	u->n = n;
	f->unpack = u;
	if (packing == PACKING_GZIP ? start_gzip(u) : start_zstd(u))
		return true;
	return err_set(err, ERR_INPUT,
		"it is compressed with %s, which this build of weft cannot "
		"decompress",
		packing == PACKING_GZIP ? "gzip" : "zstd");
}

#ifdef HAVE_ZLIB
static size_t
unpack_gzip(struct infile *f, char *to, size_t room)
{
	struct infile_unpack *u = f->unpack;
	int how;

	if (u->between && u->out > 0 &&
		packing_of(u->raw + u->at, u->n - u->at) != PACKING_GZIP) {
		f->is_over = true; /* gzip ignores what follows, too */
		return 0;
	}
	if (u->between && u->out > 0)
		inflateReset(&u->gzip);
	u->between = false;
	u->gzip.next_in = u->raw + u->at;
	u->gzip.avail_in = (uInt)(u->n - u->at);
	u->gzip.next_out = (unsigned char *)to;
	u->gzip.avail_out = (uInt)(room < INT32_MAX ? room : INT32_MAX);
	how = inflate(&u->gzip, Z_NO_FLUSH);
	u->at = u->n - u->gzip.avail_in;
	if (how == Z_STREAM_END)
		u->between = true;
	else if (how != Z_OK && how != Z_BUF_ERROR)
		f->trouble = "it is damaged gzip data";
	return (size_t)(u->gzip.next_out - (unsigned char *)to);
}
#endif

#ifdef HAVE_ZSTD
static size_t
unpack_zstd(struct infile *f, char *to, size_t room)
{
	struct infile_unpack *u = f->unpack;
	ZSTD_inBuffer in = { u->raw, u->n, u->at };
	ZSTD_outBuffer out = { to, room, 0 };

	u->wanted = ZSTD_decompressStream(u->zstd, &out, &in);
	u->at = in.pos;
	if (ZSTD_isError(u->wanted))
		f->trouble = "it is damaged zstd data";
	return out.pos;
}
#endif

static size_t
unpack_some(struct infile *f, char *to, size_t room)
{
#ifdef HAVE_ZLIB
	if (f->unpack->packing == PACKING_GZIP)
		return unpack_gzip(f, to, room);
#endif
#ifdef HAVE_ZSTD
	if (f->unpack->packing == PACKING_ZSTD)
		return unpack_zstd(f, to, room);
#endif
	(void)to;
	(void)room;
	f->trouble = "it cannot be decompressed";
	return 0;
}

/* Returns true if the file may end here: between two members or frames. */
static bool
is_whole(const struct infile_unpack *u)
{
#ifdef HAVE_ZLIB
	if (u->packing == PACKING_GZIP)
		return u->between;
#endif
#ifdef HAVE_ZSTD
	if (u->packing == PACKING_ZSTD)
		return u->wanted == 0;
#endif
	return u->out > 0;
}

/* Adds bytes of the file to the compressed ones. Returns false at its end. */
static bool
more_raw(struct infile *f)
{
	struct infile_unpack *u = f->unpack;
	size_t got;

	memmove(u->raw, u->raw + u->at, u->n - u->at);
	u->n -= u->at;
	u->at = 0;
	got = read_raw(f, u->raw + u->n, sizeof u->raw - u->n);
	u->n += got;
	return got > 0;
}

static size_t
unpack(struct infile *f, char *to, size_t room)
{
	struct infile_unpack *u = f->unpack;
	size_t got = 0;

	while (got == 0 && f->trouble == NULL && !f->is_over) {
		bool more = u->n - u->at > 4 || more_raw(f);

		if (u->n == u->at && !more) {
			f->is_over = true;
			if (!is_whole(u))
				f->trouble = "the compressed file is cut";
			return 0;
		}
		got = unpack_some(f, to, room);
		u->out += got;
		if (got == 0 && !more && u->n - u->at > 0 && !f->is_over)
			f->trouble = "the compressed file is cut";
		if (u->out / RATIO_MAX > f->done && u->out > RATIO_FREE)
			f->trouble = "it unpacks to more than 1100 times its "
				     "size, which no file of records does";
	}
	return got;
}

bool
infile_fill(struct infile *f)
{
	size_t left = (size_t)(f->end - f->at), got;

	if (f->is_over || f->trouble != NULL || left == f->cap)
		return false;
	f->offset += (uint64_t)(f->at - f->buf);
	memmove(f->buf, f->at, left);
	got = f->unpack != NULL ? unpack(f, f->buf + left, f->cap - left)
				: read_raw(f, f->buf + left, f->cap - left);
	f->at = f->buf;
	f->end = f->buf + left + got;
	f->is_over = f->is_over || got == 0;
	return got > 0;
}

void
infile_grow(struct infile *f)
{
	size_t at = (size_t)(f->at - f->buf), end = (size_t)(f->end - f->buf);

	f->buf = mem_resize(f->buf, 2 * f->cap + 1, 1);
	f->cap *= 2;
	f->at = f->buf + at;
	f->end = f->buf + end;
}

static void
stop_unpacking(struct infile *f)
{
	if (f->unpack == NULL)
		return;
	stop(f->unpack);
	mem_free(f->unpack);
	f->unpack = NULL;
}

/* Reads the first bytes, and begins to decompress if they say so. */
static bool
begin(struct infile *f, struct err *err)
{
	enum packing packing;
	size_t n = 0, got;

	f->at = f->end = f->buf;
	f->done = f->offset = 0;
	f->is_over = false;
	f->trouble = NULL;
	do {
		got = read_raw(f, f->buf + n, 4 - n);
		n += got;
	} while (n < 4 && got > 0);
	if (f->trouble != NULL)
		return err_set(err, ERR_SYSTEM, "%s", f->trouble);
	packing = packing_of((const uint8_t *)f->buf, n);
	if (packing != PACKING_NONE)
		return start(f, packing, f->buf, n, err);
	f->end = f->buf + n;
	return true;
}

bool
infile_open(struct infile *f, const char *path, size_t cap, struct err *err)
{
	struct stat st;

	*f = (struct infile){ .cap = cap };
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		return err_set(err, ERR_SYSTEM, "%s", strerror(errno));
	if (fstat(f->fd, &st) == 0 && S_ISREG(st.st_mode))
		f->size = (uint64_t)st.st_size;
	f->buf = mem_resize(NULL, cap + 1, 1);
	if (begin(f, err))
		return true;
	infile_close(f);
	return false;
}

bool
infile_rewind(struct infile *f)
{
	stop_unpacking(f);
	return lseek(f->fd, 0, SEEK_SET) == 0 && begin(f, &(struct err){ 0 });
}

void
infile_close(struct infile *f)
{
	stop_unpacking(f);
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	mem_free(f->buf);
	f->buf = NULL;
}
