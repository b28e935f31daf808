/* SPDX-License-Identifier: MIT */
#include "export/spill.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/tempfile.h"

void
spill_init(struct spill *s, struct arena *a, const char *dir, size_t budget)
{
	*s = (struct spill){
		.arena = a,
		.dir = arena_strdup(a, dir),
		.fd = -1,
		.budget = budget & ~(size_t)7,
	};
}

void
spill_fini(struct spill *s)
{
	if (s->fd >= 0)
		close(s->fd);
	mem_free(s->buf);
	s->fd = -1;
	s->buf = NULL;
}

static bool
make_file(struct spill *s)
{
	s->fd = tempfile_open(s->arena, s->dir, &s->err);
	return s->fd >= 0;
}

static void
make_room(struct spill *s, size_t bytes)
{
	if (bytes <= s->room)
		return;
	s->buf = mem_resize(s->buf, bytes, 1);
	s->room = bytes;
}

static void
flush(struct spill *s)
{
	const char *at = s->buf;

	while (s->used > 0 && s->err.kind == ERR_NONE) {
		ssize_t done = pwrite(s->fd, at, s->used, s->size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			err_set(&s->err, ERR_SYSTEM,
				"cannot write a temporary file in %s", s->dir);
			return;
		}
		at += done;
		s->size += done;
		s->used -= (size_t)done;
	}
}

void
spill_begin(struct spill *s)
{
	struct run *r;

	if (s->err.kind != ERR_NONE || (s->fd < 0 && !make_file(s)))
		return;
	make_room(s, s->budget);
	s->used = 0;
	r = VEC_ADD(&s->runs, s->arena);
	r->at = r->end = s->size;
}

void
spill_add(struct spill *s, const struct entry *e)
{
	size_t size = entry_size(e);
	struct run *r;

	if (s->err.kind != ERR_NONE)
		return;
	r = &s->runs.at[s->runs.n - 1];
	if (r->end == r->at)
		r->first_time = e->time;
	if (size > s->room - s->used) {
		flush(s);
		make_room(s, s->used + size);
	}
	memcpy(s->buf + s->used, e, size);
	s->used += size;
	r->end += (int64_t)size;
	if (size > s->entry_max)
		s->entry_max = size;
}

void
spill_end(struct spill *s)
{
	flush(s);
}

bool
spill_has(const struct spill *s, int64_t limit)
{
	if (s->err.kind != ERR_NONE)
		return false;
	for (int i = 0; i < s->runs.n; i++)
		if (s->runs.at[i].first_time <= limit)
			return true;
	return false;
}

void
spill_read(struct spill *s)
{
	size_t n = (size_t)s->runs.n;

	s->share = (s->budget / n) & ~(size_t)7;
	if (s->share < s->entry_max)
		s->share = s->entry_max;
	make_room(s, s->share * n);
	for (size_t i = 0; i < n; i++) {
		struct run *r = &s->runs.at[i];

		r->buf = s->buf + i * s->share;
		r->pos = r->have = 0;
	}
}

static void
refill(struct spill *s, struct run *r)
{
	size_t left = r->have - r->pos;
	size_t want = s->share - left;
	int64_t got;

	memmove(r->buf, r->buf + r->pos, left);
	r->pos = 0;
	r->have = left;
	if ((int64_t)want > r->end - r->at)
		want = (size_t)(r->end - r->at);
	got = file_pread(s->fd, r->buf + left, want, r->at);
	if (got != (int64_t)want) {
		if (got >= 0)
			errno = EIO; /* someone cut the file */
		err_set(&s->err, ERR_SYSTEM,
			"cannot read a temporary file in %s", s->dir);
		return;
	}
	r->at += got;
	r->have += want;
}

static const struct entry *
in_buffer(const struct run *r)
{
	const struct entry *e = (const void *)(r->buf + r->pos);
	size_t left = r->have - r->pos;

	if (left < sizeof *e || left < entry_size(e))
		return NULL;
	return e;
}

const struct entry *
spill_head(struct spill *s, int run)
{
	struct run *r = &s->runs.at[run];
	const struct entry *e = in_buffer(r);

	if (e == NULL && r->at < r->end) {
		refill(s, r);
		e = in_buffer(r);
	}
	return s->err.kind == ERR_NONE ? e : NULL;
}

void
spill_next(struct spill *s, int run)
{
	struct run *r = &s->runs.at[run];

	(void)s;
	r->pos += entry_size(in_buffer(r));
}

void
spill_read_end(struct spill *s)
{
	int kept = 0;

	for (int i = 0; i < s->runs.n; i++) {
		struct run *r = &s->runs.at[i];

		if (r->have > 0) {
			const struct entry *e = spill_head(s, i);

			if (e == NULL)
				continue;
			r->first_time = e->time;
			r->at -= (int64_t)(r->have - r->pos);
		}
		s->runs.at[kept++] = *r;
	}
	s->runs.n = kept;
	if (kept == 0)
		s->size = 0; /* the space is used again */
}
