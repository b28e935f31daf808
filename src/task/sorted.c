/* SPDX-License-Identifier: MIT */
#include "task/sorted.h"

#include <string.h>

#include "base/arena.h"

#define DIGIT 11 /* bits sorted in one pass */
#define VALUES ((size_t)1 << DIGIT)
#define SHARE_MIN \
	((size_t)128) /* least number of a spill run's tasks in \
	               * memory during a merge */

void
sorted_init(struct sorted *s, struct arena *a, const char *dir)
{
	*s = (struct sorted){ .arena = a, .current = -1 };
	tempfile_init(&s->file, dir);
}

void
sorted_fini(struct sorted *s)
{
	tempfile_fini(&s->file);
	mem_free(s->task);
	mem_free(s->spare);
	s->task = s->spare = NULL;
}

/* Does one stable pass of a radix sort, by DIGIT bits of the start. */
static void
pass(const struct sorted_task *from, struct sorted_task *to, size_t n,
	int64_t first, unsigned shift)
{
	size_t at[VALUES] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[(uint64_t)(from[i].start - first) >> shift & (VALUES - 1)]++;
	for (size_t v = 0; v < VALUES; v++) {
		size_t here = at[v];

		at[v] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[(uint64_t)(from[i].start - first) >> shift &
			(VALUES - 1)]++] = from[i];
}

/* Sorts the tasks in memory. */
static void
sort(struct sorted *s)
{
	int64_t first = INT64_MAX, last = 0;

	for (size_t i = 0; i < s->n; i++) {
		int64_t start = s->task[i].start;

		first = start < first ? start : first;
		last = start > last ? start : last;
	}
	for (unsigned shift = 0; shift < 64 && s->n > 0 &&
		(uint64_t)(last - first) >> shift != 0;
		shift += DIGIT) {
		struct sorted_task *from = s->task;

		if (s->spare == NULL)
			s->spare =
				mem_resize(NULL, SORTED_ROOM, sizeof *s->spare);
		pass(from, s->spare, s->n, first, shift);
		s->task = s->spare;
		s->spare = from;
	}
}

/* Writes the tasks in memory as a spill run. */
static void
flush(struct sorted *s)
{
	struct sorted_run run = { .first = s->file.size };

	sort(s);
	tempfile_append(&s->file, s->task, s->n * sizeof *s->task);
	run.end = s->file.size;
	VEC_PUSH(&s->runs, s->arena, run);
	s->n = 0;
}

void
sorted_add(struct sorted *s, const struct sorted_task *t)
{
	if (s->task == NULL)
		s->task = mem_resize(NULL, SORTED_ROOM, sizeof *s->task);
	if (s->n == SORTED_ROOM)
		flush(s);
	s->task[s->n] = *t;
	s->task[s->n++].index = s->total++;
}

/* Reads the next tasks of a spill run into its share of the buffer. */
static void
refill(struct sorted *s, struct sorted_run *r)
{
	size_t want = s->share * sizeof *r->task;

	if ((int64_t)want > r->end - r->at)
		want = (size_t)(r->end - r->at);
	r->pos = r->n = 0;
	if (want == 0 || !tempfile_read(&s->file, r->task, want, r->at))
		return;
	r->at += (int64_t)want;
	r->n = want / sizeof *r->task;
}

static int64_t
key_of(const struct sorted_run *r)
{
	return r->pos < r->n ? r->task[r->pos].start : LOSER_END;
}

/* Gives each spill run an equal share of both buffers, which grow if a share
 * would be smaller than SHARE_MIN. */
static void
make_shares(struct sorted *s)
{
	size_t n = (size_t)s->runs.n;

	s->share = SORTED_ROOM / n;
	if (s->share < SHARE_MIN) {
		s->share = SHARE_MIN;
		s->task = mem_resize(s->task, n * SHARE_MIN, sizeof *s->task);
	}
	mem_free(s->spare);
	s->spare = NULL;
}

void
sorted_start(struct sorted *s)
{
	int n;
	int64_t *key;

	s->pos = 0;
	s->current = -1;
	if (!s->complete && s->file.fd >= 0)
		flush(s);
	else if (!s->complete)
		sort(s);
	n = s->runs.n;
	if (n == 0) {
		s->complete = true;
		return;
	}
	if (!s->complete)
		make_shares(s);
	s->complete = true;
	key = ARENA_ARRAY(s->arena, int64_t, n);
	for (int i = 0; i < n; i++) {
		struct sorted_run *r = &s->runs.at[i];

		r->at = r->first;
		r->task = s->task + (size_t)i * s->share;
		refill(s, r);
		key[i] = key_of(r);
	}
	loser_init(&s->tree, s->arena, key, n);
}

const struct sorted_task *
sorted_next(struct sorted *s)
{
	struct sorted_run *r;

	if (s->runs.n == 0)
		return s->pos < s->n ? &s->task[s->pos++] : NULL;
	if (s->current >= 0) {
		r = &s->runs.at[s->current];
		if (++r->pos == r->n)
			refill(s, r);
		loser_replay(&s->tree, key_of(r));
	}
	s->current = s->file.err.kind == ERR_NONE ? loser_top(&s->tree) : -1;
	if (s->current < 0)
		return NULL;
	r = &s->runs.at[s->current];
	return &r->task[r->pos];
}

bool
sorted_failed(const struct sorted *s, struct err *err)
{
	if (s->file.err.kind != ERR_NONE && err->kind == ERR_NONE)
		*err = s->file.err;
	return s->file.err.kind != ERR_NONE;
}
