/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_rounds.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/team.h"
#include "cli/trace/breakdown_join.h"
#include "cli/trace/nowhere.h"
#include "cli/trace/parts_losses.h"
#include "cli/trace/parts_merge.h"
#include "cli/trace/parts_send.h"
#include "cli/trace/parts_values.h"
#include "cli/trace/pipeline.h"
#include "cli/undo.h"
#include "emu/part.h"
#include "export/share.h"

/* A round begins when all processes together have so many bytes of records. */
#define WINDOW ((size_t)2 << 20)
#define LEAST_WINDOW ((size_t)1 << 18) /* of one process */
#define BLOCK 16384                    /* bytes of a block of records */
#define MEMORY ((size_t)16 << 20)      /* bytes of records that stay here */

/* What all processes know of a block of records. */
struct known {
	int64_t first; /* time of its first item */
	uint64_t size;
};

/* What a process tells the others when a round begins. */
struct told {
	int64_t until; /* all its records before this time are there */
	int64_t stops; /* it has failed, or is_whole */
	int64_t is_whole;
	int64_t is_cut; /* it got a signal that asks to end */
	int64_t n;
	const struct known *blocks;
};

struct round {
	struct parts_rounds *of;
	struct arena arena; /* goes away at the end of the round */
	struct told *told;  /* by process */
	int64_t *cuts;      /* slice i: cuts[i] to cuts[i + 1] */
};

static int
count_declared(const struct share *s)
{
	return s->rows.n + s->types.n + s->panels.n + s->link_kinds.n;
}

static void
any_flags(void *arg, bool *flags, size_t n)
{
	struct parts_rounds *r = arg;

	/* After a failure not all processes have a sink, or all its types. */
	if (r->is_over)
		return;
	r->is_over = parts_most(r->team, (int64_t)n) !=
		-parts_most(r->team, -(int64_t)n);
	if (!r->is_over)
		parts_any(r->team, flags, n);
}

static void
opened(void *arg, struct outfile *file)
{
	parts_files_opened(&((struct parts_rounds *)arg)->files, file);
}

static void
gone(void *arg, const char *path)
{
	parts_files_gone(&((struct parts_rounds *)arg)->files, path);
}

static void
declare(const struct share *s, struct sink *to)
{
	for (int i = 0; i < s->rows.n; i++)
		sink_row(to, &s->rows.at[i]);
	for (int i = 0; i < s->types.n; i++)
		sink_type(to, &s->types.at[i]);
	for (int i = 0; i < s->panels.n; i++)
		sink_panel(to, &s->panels.at[i]);
	for (int i = 0; i < s->link_kinds.n; i++)
		sink_link_kind(to, &s->link_kinds.at[i]);
}

/* Opens the output, when the rows and types are known. All processes call it.
 * On failure the rounds are over. */
static void
open_output(struct parts_rounds *r)
{
	static struct sink nowhere;
	bool writes = !r->out->by_one || r->team->rank == 0;

	r->files = (struct parts_files){ .arena = r->arena,
		.team = r->team,
		.dir = r->out->dir,
		.lock = -1 };
	r->setup = *r->out->setup;
	r->pieces = (struct sink_pieces){ r, any_flags, opened };
	r->setup.gone = gone;
	r->setup.gone_arg = r;
	if (!r->out->by_one) {
		r->setup.pieces = &r->pieces;
		r->setup.no_cfg = r->setup.no_cfg || r->team->rank > 0;
	}
	nowhere.ops = &sink_nowhere;
	/* Formats that are closed again at once ask nothing. */
	r->is_over = true;
	if (parts_files_begin(&r->files, &r->err))
		r->sink = writes ? r->out->open(r->out->arg, r->files.own,
					   &r->setup, &r->err)
				 : &nowhere;
	r->is_over = !parts_agree(r->arena, r->team, &r->err);
	if (r->is_over) {
		r->front = r->sink; /* parts_rounds_close() closes it */
		return;
	}
	r->front = r->run->breakdown ? breakdown_join_open(r->arena, r->sink)
				     : r->sink;
	if (r->run->breakdown)
		r->values = parts_values_open(r->arena, r->team);
	declare(r->share, r->front);
	r->declared = count_declared(r->share);
}

static void
put(struct parts_rounds *r, int64_t until, struct parts_bytes *to)
{
	const struct share *s = r->share;
	struct told me = {
		.until = until, .is_cut = undo_is_noted(), .n = s->blocks.n
	};

	/* What comes later than the output was opened is in no output. */
	r->is_whole = r->is_whole || r->labels.is_clash ||
		count_declared(s) != r->declared;
	me.is_whole = r->is_whole;
	me.stops = r->is_whole || r->err.kind != ERR_NONE;
	parts_put(to, &me, sizeof me);
	for (int i = 0; i < s->blocks.n; i++)
		parts_put(to,
			&(struct known){
				s->blocks.at[i].first, s->blocks.at[i].size },
			sizeof(struct known));
	parts_labels_put(&r->labels, s, r->team->rank == 0, to);
	parts_files_put(&r->files, to);
}

/* Reads what all processes tell. Returns false if the rounds are over. */
static bool
take(struct round *x, const struct parts_all *all)
{
	struct parts_rounds *r = x->of;
	bool stops = false, whole = false;

	for (int i = 0; i < r->team->size; i++) {
		struct told *told = &x->told[i];
		const char *at = all->at[i];
		struct known *blocks;

		memcpy(told, at, sizeof *told);
		at += sizeof *told;
		blocks = ARENA_ARRAY(&x->arena, struct known, told->n + 1);
		if (told->n > 0)
			memcpy(blocks, at, (size_t)told->n * sizeof *blocks);
		at += (size_t)told->n * sizeof *blocks;
		told->blocks = blocks;
		parts_labels_take(&r->labels, &at, r->front);
		parts_files_take(&r->files, i, &at);
		stops = stops || told->stops != 0;
		whole = whole || told->is_whole != 0;
		r->is_cut = r->is_cut || told->is_cut != 0;
	}
	r->is_whole = whole;
	r->is_over = stops;
	return !stops;
}

static int
by_first(const void *pa, const void *pb)
{
	const struct known *a = pa, *b = pb;

	return (a->first > b->first) - (a->first < b->first);
}

/* Returns the time up to which all records are there. */
static int64_t
end_of_window(const struct round *x)
{
	int64_t end = INT64_MAX;

	for (int i = 0; i < x->of->team->size; i++)
		if (x->told[i].until < end)
			end = x->told[i].until;
	return end;
}

/* Lists the blocks that begin before a time, in order. */
static struct known *
blocks_before(struct round *x, int64_t end, int *count)
{
	struct known *all;
	int n = 0;

	for (int i = 0; i < x->of->team->size; i++)
		n += (int)x->told[i].n;
	all = ARENA_ARRAY(&x->arena, struct known, n + 1);
	n = 0;
	for (int i = 0; i < x->of->team->size; i++)
		for (int k = 0; k < x->told[i].n; k++)
			if (x->told[i].blocks[k].first < end)
				all[n++] = x->told[i].blocks[k];
	qsort(all, (size_t)n, sizeof *all, by_first);
	*count = n;
	return all;
}

/* Cuts the window into slices with about equally many records. */
static void
cut(struct round *x)
{
	struct parts_rounds *r = x->of;
	int size = r->team->size, n, k = 1;
	int64_t end = end_of_window(x);
	const struct known *all = blocks_before(x, end, &n);
	uint64_t total = 0, sum = 0;

	x->cuts = ARENA_ARRAY(&x->arena, int64_t, size + 1);
	x->cuts[0] = r->bound;
	for (int i = 0; i < n; i++)
		total += all[i].size;
	for (int i = 0; i < n && !r->out->by_one; i++) {
		while (k < size && sum >= total / (unsigned)size * (unsigned)k)
			x->cuts[k++] = all[i].first > r->bound ? all[i].first
							       : r->bound;
		sum += all[i].size;
	}
	while (k <= size)
		x->cuts[k++] = end;
}

/* Blocks that one process sends to another: those that may have items of its
 * slice. */
struct lot {
	int first, end;
	size_t size;
};

static struct lot
lot_of(const struct told *from, const int64_t *cuts, int slice)
{
	const struct known *b = from->blocks;
	int n = (int)from->n;
	struct lot l = { 0, 0, 0 };

	if (cuts[slice] >= cuts[slice + 1])
		return l;
	while (l.first + 1 < n && b[l.first + 1].first < cuts[slice])
		l.first++;
	for (l.end = l.first; l.end < n && b[l.end].first < cuts[slice + 1];)
		l.size += (size_t)b[l.end++].size;
	return l;
}

/* Returns memory of n bytes or more. */
static char *
make_room(struct parts_buffer *b, size_t n)
{
	if (b->room <= n) {
		mem_free(b->at);
		b->room = n + n / 2 + 1;
		b->at = mem_resize(NULL, b->room, 1);
	}
	return b->at;
}

/* Copies a block. Returns false if it cannot be read. */
static bool
pack_block(struct parts_rounds *r, int block, char *to)
{
	const struct err *err;

	if (share_copy_block(r->share, block, to))
		return true;
	err = share_error(r->share);
	if (err != NULL && r->err.kind == ERR_NONE)
		r->err = *err;
	return false;
}

/* Copies the blocks that go to other processes. Returns their bytes, or NULL in
 * all processes if one cannot read its own: then the rounds are over. */
static char *
pack(struct round *x, size_t *size, size_t *at)
{
	struct parts_rounds *r = x->of;
	int me = r->team->rank;
	bool failed = false;
	size_t total = 0;
	char *data;

	for (int k = 0; k < r->team->size; k++) {
		size[k] = k == me ? 0 : lot_of(&x->told[me], x->cuts, k).size;
		at[k] = total;
		total += size[k];
	}
	data = make_room(&r->out_data, total);
	for (int k = 0; k < r->team->size; k++) {
		struct lot l = lot_of(&x->told[me], x->cuts, k);
		char *to = data + at[k];

		for (int b = l.first; b < l.end && k != me; b++) {
			failed = !pack_block(r, b, to) || failed;
			to += r->share->blocks.at[b].size;
		}
	}
	parts_any(r->team, &failed, 1);
	r->is_over = failed;
	return failed ? NULL : data;
}

/* Gives the blocks that arrived to the shares of the processes that sent
 * them. */
static void
lend(struct round *x, const char *data, const size_t *at)
{
	struct parts_rounds *r = x->of;

	for (int k = 0; k < r->team->size; k++) {
		struct lot l = lot_of(&x->told[k], x->cuts, r->team->rank);
		const struct known *b = x->told[k].blocks;
		const char *from = data + at[k];

		for (int i = l.first; i < l.end && k != r->team->rank; i++) {
			share_lend_block(r->other[k], from, (size_t)b[i].size,
				b[i].first);
			from += b[i].size;
		}
	}
}

/* Sends the records of the window where they belong, and writes those of this
 * process's slice. */
static void
write_window(struct round *x)
{
	struct parts_rounds *r = x->of;
	size_t n = (size_t)r->team->size, total = 0;
	size_t *out = ARENA_ARRAY(&x->arena, size_t, n),
	       *out_at = ARENA_ARRAY(&x->arena, size_t, n),
	       *in = ARENA_ARRAY(&x->arena, size_t, n),
	       *in_at = ARENA_ARRAY(&x->arena, size_t, n);
	struct parts_merge merge = { .share = r->other,
		.n = r->team->size,
		.from = x->cuts[r->team->rank],
		.to = x->cuts[r->team->rank + 1],
		.by_entry = r->by_entry };
	char *sent = pack(x, out, out_at), *got;

	if (sent == NULL)
		return;
	for (int k = 0; k < r->team->size; k++) {
		in[k] = k == r->team->rank
			? 0
			: lot_of(&x->told[k], x->cuts, r->team->rank).size;
		in_at[k] = total;
		total += in[k];
	}
	got = make_room(&r->in_data, total);
	team_alltoallv(r->team, &(struct team_parts){ sent, out, out_at },
		&(struct team_parts){ got, in, in_at });
	lend(x, got, in_at);
	if (merge.from < merge.to)
		parts_merge(&x->arena, &merge, r->front, &r->err);
	for (int k = 0; k < r->team->size; k++)
		if (k != r->team->rank)
			share_drop(r->other[k], r->other[k]->blocks.n);
}

/* Removes the blocks that no later window needs. */
static void
drop_written(struct parts_rounds *r)
{
	struct share *s = r->share;
	int n = 0;

	while (n + 1 < s->blocks.n && s->blocks.at[n + 1].first < r->bound)
		n++;
	if (n + 1 == s->blocks.n &&
		(r->bound == INT64_MAX || share_last(s) < r->bound))
		n++;
	share_drop(s, n);
}

/* Joins a round. All records of this process before `until` are in the share.
 */
static void
join_round(struct parts_rounds *r, int64_t until)
{
	struct round x = { .of = r };
	struct parts_bytes mine = { .arena = &x.arena };
	struct parts_all all;

	if (r->front == NULL)
		open_output(r);
	if (r->is_over)
		return;
	share_read(r->share);
	x.told = ARENA_ARRAY(&x.arena, struct told, r->team->size);
	put(r, until, &mine);
	all = parts_gather(&x.arena, r->team, &mine);
	if (take(&x, &all)) {
		parts_files_place(&r->files, &r->err);
		cut(&x);
		parts_labels_declare(
			&r->labels, x.cuts[r->team->size], r->front);
		if (r->values != NULL)
			parts_values_exchange(
				r->values, r->share, x.cuts, r->front);
		write_window(&x);
		r->bound = x.cuts[r->team->size];
		drop_written(r);
	}
	arena_fini(&x.arena);
}

/* The share has a full block. */
static void
full(void *arg)
{
	struct parts_rounds *r = arg;

	while (!r->is_over && r->share->bytes >= r->window &&
		share_last(r->share) > r->bound)
		join_round(r, share_last(r->share));
	r->part->is_over = r->is_over || r->is_cut;
	if (r->is_over)
		share_drop(r->share, r->share->blocks.n);
}

void
parts_rounds_begin(struct parts_rounds *r)
{
	struct share_options o = { .memory = MEMORY,
		.spill_dir = pipeline_spill_folder(r->run),
		.takes_stacks = r->out->by_one,
		.stream = &r->part->stream,
		.now = &r->part->now,
		.block = BLOCK,
		.full = full,
		.full_arg = r };

	r->window = WINDOW / (size_t)r->team->size;
	if (r->window < LEAST_WINDOW)
		r->window = LEAST_WINDOW;
	r->bound = INT64_MIN;
	r->labels.arena = r->arena;
	r->share = share_open(r->arena, &o);
	r->other = ARENA_ARRAY(r->arena, struct share *, r->team->size);
	o.full = NULL;
	o.stream = NULL;
	o.now = NULL;
	for (int i = 0; i < r->team->size; i++)
		r->other[i] = i == r->team->rank ? r->share
						 : share_open(r->arena, &o);
}

bool
parts_rounds_finish(struct parts_rounds *r, const struct err *err)
{
	if (r->err.kind == ERR_NONE)
		r->err = *err;
	while (!r->is_over && r->bound < INT64_MAX)
		join_round(r, INT64_MAX);
	return !r->is_over;
}

/* Places the last lines. */
static void
place_rest(struct parts_rounds *r)
{
	struct arena a = { 0 };
	struct parts_bytes mine = { .arena = &a };
	struct parts_all all;

	parts_files_put(&r->files, &mine);
	all = parts_gather(&a, r->team, &mine);
	for (int i = 0; i < r->team->size; i++) {
		const char *at = all.at[i];

		parts_files_take(&r->files, i, &at);
	}
	if (r->err.kind == ERR_NONE)
		parts_files_place(&r->files, &r->err);
	arena_fini(&a);
}

/* Closes the sink. Returns true if the output is complete. */
static bool
close_sink(struct parts_rounds *r, int64_t end)
{
	struct err err = { 0 };
	bool other = false;

	sink_advance(r->front, end);
	if (r->team->rank == 0)
		pipeline_tell_findings(r->run, r->front);
	place_rest(r);
	if (!parts_files_done(&r->files, &err) && r->err.kind == ERR_NONE)
		r->err = err;
	err = (struct err){ 0 };
	if (!sink_close(r->front, &err) && r->err.kind == ERR_NONE)
		r->err = err;
	if (!parts_agree(r->arena, r->team, &r->err))
		return false;
	parts_files_join(&r->files, &other, &r->err);
	parts_any(r->team, &other, 1);
	r->is_whole = other;
	return parts_agree(r->arena, r->team, &r->err) && !other;
}

bool
parts_rounds_close(
	struct parts_rounds *r, int64_t end, bool good, struct err *err)
{
	if (good) {
		good = close_sink(r, end);
	} else if (r->front != NULL) {
		r->is_over = true;
		parts_files_done(&r->files, &(struct err){ 0 });
		sink_close(r->front, &(struct err){ 0 });
	}
	if (r->files.work != NULL)
		good = parts_files_end(&r->files, good, &r->err) && good;
	good = parts_agree(r->arena, r->team, &r->err) && good;
	*err = r->err;
	if (good)
		r->run->losses =
			parts_losses_gather(r->arena, r->team, r->sink);
	for (int i = 0; i < r->team->size; i++)
		share_fini(r->other[i]);
	mem_free(r->out_data.at);
	mem_free(r->in_data.at);
	parts_labels_fini(&r->labels);
	parts_values_close(r->values);
	return good;
}
