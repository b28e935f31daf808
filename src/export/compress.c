/* SPDX-License-Identifier: MIT */
#include "export/compress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"

/* Pieces that wait or are worked on, per thread: a thread that is done finds
 * the next one while the caller still fills another. */
#define PIECES_PER_JOB 2

enum piece_state { FREE, WAITS, WORKED_ON, DONE };

struct piece {
	enum piece_state state;
	char *text, *packed; /* owned; NULL: not used yet */
	size_t n, room, npacked;
};

struct compress {
	struct outfile_pack base;
	struct compress_options options;
	struct piece piece[PIECES_PER_JOB * COMPRESS_JOBS];
	unsigned npieces;
	unsigned filled, written; /* pieces handed over, and written, so far */
	struct piece_packer *own; /* the caller's, if there are no threads */

	int nthreads;
	pthread_t thread[COMPRESS_JOBS];
	pthread_mutex_t lock; /* for the members below, and piece.state */
	pthread_cond_t changed;
	unsigned taken; /* pieces that a thread has taken so far */
	bool ended;
};

static void
work_on(struct piece *p, struct piece_packer *packer)
{
	size_t room = piece_bound(p->n);

	if (p->room < room) {
		p->packed = mem_resize(p->packed, room, 1);
		p->room = room;
	}
	p->npacked = piece_pack(packer, p->packed, p->room, p->text, p->n);
}

static void *
work(void *arg)
{
	struct compress *c = arg;
	struct piece_packer *packer =
		piece_open(c->options.kind, c->options.level);

	pthread_mutex_lock(&c->lock);
	for (;;) {
		struct piece *p = &c->piece[c->taken % c->npieces];

		if (c->taken == c->filled && c->ended)
			break;
		if (c->taken == c->filled) {
			pthread_cond_wait(&c->changed, &c->lock);
			continue;
		}
		c->taken++;
		p->state = WORKED_ON;
		pthread_mutex_unlock(&c->lock);
		work_on(p, packer);
		pthread_mutex_lock(&c->lock);
		p->state = DONE;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
	piece_close(packer);
	return NULL;
}

static bool
write_all(int fd, const char *at, size_t n, struct err *err)
{
	while (n > 0) {
		ssize_t done = write(fd, at, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return err_set(err, ERR_SYSTEM, "cannot write");
		at += done;
		n -= (size_t)done;
	}
	return true;
}

static bool
write_piece(struct compress *c, struct piece *p, int fd, struct err *err)
{
	c->written++;
	p->state = FREE;
	p->n = 0;
	if (p->npacked == 0)
		return err_set(err, ERR_LIMIT, "the compressor failed");
	return fd < 0 || write_all(fd, p->packed, p->npacked, err);
}

/* Waits until the oldest piece is done and writes it. */
static bool
write_oldest(struct compress *c, int fd, struct err *err)
{
	struct piece *p = &c->piece[c->written % c->npieces];

	if (c->nthreads > 0) {
		pthread_mutex_lock(&c->lock);
		while (p->state != DONE)
			pthread_cond_wait(&c->changed, &c->lock);
		pthread_mutex_unlock(&c->lock);
	} else {
		work_on(p, c->own);
	}
	return write_piece(c, p, fd, err);
}

/* Hands the piece that is being filled to the threads. */
static void
hand_over(struct compress *c, struct piece *p)
{
	pthread_mutex_lock(&c->lock);
	p->state = WAITS;
	c->filled++;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* Returns the piece to be filled; writes the oldest one if all are in use. */
static struct piece *
next_piece(struct compress *c, int fd, bool *ok, struct err *err)
{
	struct piece *p;

	if (c->filled - c->written == c->npieces)
		*ok = write_oldest(c, fd, err);
	p = &c->piece[c->filled % c->npieces];
	if (p->text == NULL)
		p->text = mem_resize(NULL, COMPRESS_PIECE, 1);
	return p;
}

static bool
compress_put(struct outfile_pack *pack, int fd, const char *at, size_t n,
	struct err *err)
{
	struct compress *c = (struct compress *)pack;
	bool ok = true;

	while (n > 0 && ok) {
		struct piece *p = next_piece(c, fd, &ok, err);
		size_t part = COMPRESS_PIECE - p->n;

		part = part < n ? part : n;
		memcpy(p->text + p->n, at, part);
		p->n += part;
		at += part;
		n -= part;
		if (p->n < COMPRESS_PIECE)
			continue;
		hand_over(c, p);
		/* The next user of this slot starts to fill it when the piece
		 * is written. */
	}
	return ok;
}

static void
end_threads(struct compress *c)
{
	pthread_mutex_lock(&c->lock);
	c->ended = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	for (int i = 0; i < c->nthreads; i++)
		pthread_join(c->thread[i], NULL);
	pthread_mutex_destroy(&c->lock);
	pthread_cond_destroy(&c->changed);
}

static bool
compress_end(struct outfile_pack *pack, int fd, struct err *err)
{
	struct compress *c = (struct compress *)pack;
	struct piece *last;
	bool ok = true;

	while (c->filled - c->written == c->npieces && ok)
		ok = write_oldest(c, fd, err);
	last = &c->piece[c->filled % c->npieces];
	if (ok && (last->n > 0 || c->filled == 0)) {
		/* An empty text is one empty member. */
		if (last->text == NULL)
			last->text = mem_resize(NULL, COMPRESS_PIECE, 1);
		hand_over(c, last);
	}
	while (c->written != c->filled && ok)
		ok = write_oldest(c, fd, err);
	end_threads(c);
	for (unsigned i = 0; i < c->npieces; i++) {
		mem_free(c->piece[i].text);
		mem_free(c->piece[i].packed);
	}
	if (c->own != NULL)
		piece_close(c->own);
	return ok;
}

static const struct outfile_pack_ops ops = {
	.put = compress_put,
	.end = compress_end,
};

/* Starts the threads; a machine that refuses them does the work itself. */
static void
start_threads(struct compress *c, int jobs)
{
	sigset_t all, before;

	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (c->nthreads < jobs &&
		pthread_create(&c->thread[c->nthreads], NULL, work, c) == 0)
		c->nthreads++;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void
compress_begin(
	struct outfile *f, struct arena *a, const struct compress_options *o)
{
	struct compress *c;
	int jobs = o->jobs > COMPRESS_JOBS ? COMPRESS_JOBS : o->jobs;

	if (o->kind == COMPRESS_NONE || f->fd < 0)
		return;
	c = ARENA_NEW(a, struct compress);
	c->base.ops = &ops;
	c->options = *o;
	c->npieces = PIECES_PER_JOB * (unsigned)(jobs > 1 ? jobs : 1);
	if (jobs <= 1)
		c->own = piece_open(o->kind, o->level);
	start_threads(c, jobs > 1 ? jobs : 0);
	if (c->nthreads == 0 && c->own == NULL)
		c->own = piece_open(o->kind, o->level);
	outfile_pack(f, &c->base);
}

static bool
ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);

	return n >= m && strcmp(text + n - m, end) == 0;
}

enum compress_kind
compress_of_name(const char *path)
{
	for (enum compress_kind k = COMPRESS_GZIP; k <= COMPRESS_ZSTD; k++)
		if (ends_with(path, compress_extension(k)))
			return k;
	return COMPRESS_NONE;
}

const char *
compress_extension(enum compress_kind kind)
{
	static const char *const ends[] = {
		[COMPRESS_NONE] = "",
		[COMPRESS_GZIP] = ".gz",
		[COMPRESS_ZSTD] = ".zst",
	};

	return ends[kind];
}

bool
compress_check(const struct compress_options *o, struct err *err)
{
	int most = o->kind == COMPRESS_ZSTD ? 19 : 9;

	if (!piece_can(o->kind))
		return err_set(err, ERR_INPUT,
			"this build of weft does not compress to *%s",
			compress_extension(o->kind));
	if (o->level < 0 || o->level > most)
		return err_set(err, ERR_INPUT, "the level is 1 to %d", most);
	return true;
}

size_t
compress_stored(enum compress_kind kind, char *to, const char *from, size_t n)
{
	BUG_ON(n > COMPRESS_STORED_MAX);
	if (kind != COMPRESS_NONE)
		return piece_stored(kind, to, from, n);
	memcpy(to, from, n);
	return n;
}
