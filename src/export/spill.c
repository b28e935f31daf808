/* SPDX-License-Identifier: MIT */
#include "export/spill.h"

#include <string.h>

#include "base/arena.h"

void
spill_init(struct spill *s, struct arena *a, const char *dir, size_t budget)
{
	*s = (struct spill){
		.arena = a,
		.budget = budget & ~(size_t)7,
	};
	tempfile_init(&s->file, arena_strdup(a, dir));
}

void
spill_fini(struct spill *s)
{
	tempfile_fini(&s->file);
	mem_free(s->buf);
	s->buf = NULL;
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
	if (tempfile_append(&s->file, s->buf, s->used))
		s->used = 0;
}

void
spill_begin(struct spill *s)
{
	struct spill_run *r;

	if (!tempfile_make(&s->file))
		return;
	make_room(s, s->budget);
	s->used = 0;
	r = VEC_ADD(&s->runs, s->arena);
	r->at = r->end = s->file.size;
}

void
spill_add(struct spill *s, const struct entry *e)
{
	size_t size = entry_size(e);
	struct spill_run *r;

	if (s->file.err.kind != ERR_NONE)
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
	if (s->file.err.kind != ERR_NONE)
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
		struct spill_run *r = &s->runs.at[i];

		r->buf = s->buf + i * s->share;
		r->pos = r->have = 0;
	}
}

static void
refill(struct spill *s, struct spill_run *r)
{
	size_t left = r->have - r->pos;
	size_t want = s->share - left;

	memmove(r->buf, r->buf + r->pos, left);
	r->pos = 0;
	r->have = left;
	if ((int64_t)want > r->end - r->at)
		want = (size_t)(r->end - r->at);
	if (!tempfile_read(&s->file, r->buf + left, want, r->at))
		return;
	r->at += (int64_t)want;
	r->have += want;
}

static const struct entry *
in_buffer(const struct spill_run *r)
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
	struct spill_run *r = &s->runs.at[run];
	const struct entry *e = in_buffer(r);

	if (e == NULL && r->at < r->end) {
		refill(s, r);
		e = in_buffer(r);
	}
	return s->file.err.kind == ERR_NONE ? e : NULL;
}

void
spill_next(struct spill *s, int run)
{
	struct spill_run *r = &s->runs.at[run];

	(void)s;
	r->pos += entry_size(in_buffer(r));
}

void
spill_read_end(struct spill *s)
{
	int kept = 0;

	for (int i = 0; i < s->runs.n; i++) {
		struct spill_run *r = &s->runs.at[i];

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
		s->file.size = 0; /* lets the next spill run use the space
		                   * again */
}
