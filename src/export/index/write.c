/* SPDX-License-Identifier: MIT */
/* Writes all sections after the chunks: series, directories, links; the header
 * comes last. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/compare.h"
#include "export/index/section.h"

/* The series in the order of the file, and their chunks. */
struct order {
	uint32_t *series; /* by position in the file */
	uint32_t *place;  /* position of each series */
	uint64_t *first;  /* by position: first chunk in the directory; one more
	                     element */
	uint32_t *
		chunk; /* indexes of b->chunks, in the order of the directory */
};

static int
by_key(const void *x, const void *y, void *arg)
{
	const struct build *b = arg;
	const struct build_cold *p = &b->cold.at[*(const uint32_t *)x];
	const struct build_cold *q = &b->cold.at[*(const uint32_t *)y];

	COMPARE(p->type, q->type);
	COMPARE(p->row, q->row);
	COMPARE(p->lane, q->lane);
	return 0;
}

/* Sets the chunks that series share with another one. */
static void
order_shared(struct order *o, const struct build *b)
{
	for (size_t i = 0; i < b->cold.n; i++) {
		const struct build_cold *c = &b->cold.at[o->series[i]];

		if (c->like != 0)
			memcpy(&o->chunk[o->first[i]],
				&o->chunk[o->first[o->place[c->like - 1]]],
				c->nlike * sizeof *o->chunk);
	}
}

/* Sorts the chunks by series. The first ones of a series may be those of
 * another series. */
static void
order_chunks(struct order *o, const struct build *b)
{
	size_t n = b->cold.n;
	uint64_t *next = mem_resize(NULL, n, sizeof *next);

	for (size_t i = 0; i < n; i++)
		next[i] = o->first[i] + b->cold.at[o->series[i]].nlike;
	for (size_t i = 0; i < b->chunks.n; i++)
		o->chunk[next[o->place[b->chunks.at[i].series]]++] =
			(uint32_t)i;
	/* Twice, as lane 1 shares chunks of lane 0, which may share those of
	 * another row. */
	order_shared(o, b);
	order_shared(o, b);
	mem_free(next);
}

static void
make_order(struct order *o, struct build *b)
{
	size_t n = b->cold.n;

	o->series = mem_resize(NULL, n, sizeof *o->series);
	o->place = mem_resize(NULL, n, sizeof *o->place);
	o->first = mem_resize(NULL, n + 1, sizeof *o->first);
	for (size_t i = 0; i < n; i++)
		o->series[i] = (uint32_t)i;
	qsort_r(o->series, n, sizeof *o->series, by_key, b);
	o->first[0] = 0;
	for (size_t i = 0; i < n; i++) {
		o->place[o->series[i]] = (uint32_t)i;
		o->first[i + 1] =
			o->first[i] + b->cold.at[o->series[i]].nchunks;
	}
	o->chunk = mem_resize(NULL, o->first[n], sizeof *o->chunk);
	order_chunks(o, b);
}

static void
free_order(struct order *o)
{
	mem_free(o->series);
	mem_free(o->place);
	mem_free(o->first);
	mem_free(o->chunk);
}

/* Returns the number of elements of a pyramid over n chunks, all levels
 * together. */
static uint64_t
pyramid(uint64_t n)
{
	uint64_t all = n;

	while (n > 1) {
		n = (n + WIDX_FAN - 1) / WIDX_FAN;
		all += n;
	}
	return all;
}

static void
put_series(struct section *s, const struct order *o)
{
	const struct build *b = s->b;
	uint64_t extent = 0;

	section_begin(s, WIDX_SERIES);
	for (size_t i = 0; i < b->cold.n; i++) {
		const struct build_cold *c = &b->cold.at[o->series[i]];
		struct widx_series to = { .row = c->row,
			.type = c->type,
			.lane = c->lane,
			.flags = c->flags,
			.chunk = o->first[i],
			.nchunks = c->nchunks,
			.nrecords = c->nrecords };

		if ((c->flags & WIDX_NUMBER) != 0)
			to.flags |= WIDX_WIDE;
		if ((to.flags & WIDX_WIDE) != 0) {
			to.extent = extent;
			extent += pyramid(c->nchunks);
		}
		section_put(s, &to, sizeof to);
	}
	section_end(s);
	section_begin(s, WIDX_DIRECTORY);
	for (uint64_t i = 0; i < o->first[b->cold.n]; i++) {
		const struct build_chunk *c = &b->chunks.at[o->chunk[i]];

		section_put(s,
			&(struct widx_entry){
				c->t_first, c->offset, c->before },
			sizeof(struct widx_entry));
	}
	section_end(s);
}

/* Adds the interval after the last record. Returns false if the lengths are not
 * known: then the chunks must be read. */
static bool
end_lengths(const struct build *b, struct build_cold *c)
{
	if (!c->lengths || c->nrecords < WIDX_LENGTHS_LEAST)
		return false;
	if (c->t_last == b->end)
		return c->closed;
	build_add_length(&build_lengths(c)[c->slot_last], b->end - c->t_last);
	return true;
}

static void
put_length(struct section *s, uint32_t place, int64_t value,
	const struct build_length *l)
{
	if (l->count > 0)
		section_put(s,
			&(struct widx_length){
				place, 0, value, l->count, l->min, l->max },
			sizeof(struct widx_length));
}

/* Writes the lengths of one series. The time before its first record is an
 * interval of VALUE_NONE. */
static void
put_series_lengths(struct section *s, struct build_cold *c, uint32_t place,
	int64_t t_first)
{
	const struct build_type *t = s->b->types.at[c->type];
	struct build_length none = { 0 };

	for (int i = 0; i < c->nseen; i++)
		if (c->class_of[i] == INDEX_CLASS_NONE)
			none = build_lengths(c)[i];
		else
			put_length(s, place, t->value[c->class_of[i]],
				&build_lengths(c)[i]);
	if (t_first > 0)
		build_add_length(&none, t_first);
	put_length(s, place, VALUE_NONE, &none);
}

static void
put_lengths(struct section *s, const struct order *o)
{
	struct build *b = s->b;

	section_begin(s, WIDX_LENGTHS);
	for (size_t i = 0; i < b->cold.n; i++) {
		struct build_cold *c = &b->cold.at[o->series[i]];

		if (end_lengths(b, c))
			put_series_lengths(s, c, (uint32_t)i,
				b->chunks.at[o->chunk[o->first[i]]].t_first);
	}
	section_end(s);
}

static void
join(struct widx_extent *to, const struct widx_extent *e)
{
	if (e->longest < 0 || to->longest < 0) {
		*to = (struct widx_extent){ INT64_MAX, INT64_MIN, -1, 0 };
		return;
	}
	if (e->min < to->min)
		to->min = e->min;
	if (e->max > to->max)
		to->max = e->max;
	if (e->longest > to->longest) {
		to->longest = e->longest;
		to->longest_value = e->longest_value;
	}
}

/* Writes all levels of one series; `level` has room for its chunks. */
static void
put_pyramid(struct section *s, struct widx_extent *level, size_t n)
{
	section_put(s, level, n * sizeof *level);
	while (n > 1) {
		size_t above = 0;

		for (size_t i = 0; i < n; i += WIDX_FAN) {
			struct widx_extent sum = level[i];

			for (size_t j = i + 1; j < n && j < i + WIDX_FAN; j++)
				join(&sum, &level[j]);
			level[above++] = sum;
		}
		n = above;
		section_put(s, level, n * sizeof *level);
	}
}

static void
put_extents(struct section *s, const struct order *o)
{
	static const struct widx_extent unknown = { INT64_MAX, INT64_MIN, -1,
		0 };
	struct build *b = s->b;
	BUILD_ARRAY(struct widx_extent) level = { 0 };

	section_begin(s, WIDX_EXTENT);
	for (size_t i = 0; i < b->cold.n; i++) {
		const struct build_cold *c = &b->cold.at[o->series[i]];

		if ((c->flags & (WIDX_WIDE | WIDX_NUMBER)) == 0)
			continue;
		level.n = 0;
		for (uint64_t j = o->first[i]; j < o->first[i + 1]; j++) {
			uint32_t at = b->chunks.at[o->chunk[j]].extent;

			*BUILD_ADD(&level) =
				at == 0 ? unknown : b->extents.at[at - 1];
		}
		put_pyramid(s, level.at, level.n);
	}
	section_end(s);
	mem_free(level.at);
}

static int
by_link(const void *x, const void *y)
{
	const struct widx_link *p = x, *q = y;

	COMPARE(p->from_time, q->from_time);
	COMPARE(p->to_time, q->to_time);
	return memcmp(p, q, sizeof *p);
}

static int
by_number(const void *x, const void *y)
{
	int64_t p = *(const int64_t *)x, q = *(const int64_t *)y;

	COMPARE(p, q);
	return 0;
}

static struct widx_link_block
link_block(const struct widx_link *l, size_t n)
{
	struct widx_link_block block = { l->from_time, INT64_MIN, 0 };

	for (size_t i = 0; i < n; i++) {
		if (l[i].to_time > block.max_to)
			block.max_to = l[i].to_time;
		if (l[i].to_time - l[i].from_time > block.max_length)
			block.max_length = l[i].to_time - l[i].from_time;
	}
	return block;
}

static void
put_links(struct section *s)
{
	struct build *b = s->b;
	size_t n = b->links.n;
	int64_t *ends;

	if (n == 0)
		return;
	qsort(b->links.at, n, sizeof *b->links.at, by_link);
	section_begin(s, WIDX_LINKS);
	section_put(s, b->links.at, n * sizeof *b->links.at);
	section_end(s);
	section_begin(s, WIDX_LINK_BLOCKS);
	for (size_t i = 0; i < n; i += WIDX_BLOCK) {
		struct widx_link_block block = link_block(b->links.at + i,
			n - i < WIDX_BLOCK ? n - i : WIDX_BLOCK);

		section_put(s, &block, sizeof block);
	}
	section_end(s);
	ends = mem_resize(NULL, n, sizeof *ends);
	for (size_t i = 0; i < n; i++)
		ends[i] = b->links.at[i].to_time;
	qsort(ends, n, sizeof *ends, by_number);
	section_begin(s, WIDX_LINK_ENDS);
	section_put(s, ends, n * sizeof *ends);
	section_end(s);
	mem_free(ends);
}

static void
put_header(struct build *b, struct widx_header *head)
{
	memcpy(head->magic, WIDX_MAGIC, sizeof head->magic);
	head->version = WIDX_VERSION;
	head->order = WIDX_ORDER;
	memcpy(head->unit, b->unit, sizeof head->unit);
	head->end = b->end;
	head->start_realtime = b->start_realtime;
	head->start_monotonic = b->start_monotonic;
	head->clock_error = b->clock_error;
	head->nrecords = b->nrecords;
	head->nseries = b->cold.n;
	head->nlinks = b->links.n;
	head->too_deep = b->too_deep;
	if (getrandom(head->generation, sizeof head->generation, 0) < 0)
		memcpy(head->generation, &b->nrecords, sizeof b->nrecords);
}

static void
patch_header(struct build *b, struct widx_header *head)
{
	head->check = XXH3_64bits(head, sizeof *head - sizeof head->check);
	outfile_patch(&b->file, 0, head, sizeof *head);
	outfile_flush(&b->file);
}

void
build_write(struct build *b)
{
	struct widx_header head = { 0 };
	struct section s = { .b = b, .at = head.section };
	uint64_t chunks = (uint64_t)outfile_tell(&b->file) - sizeof head;
	struct order o;

	head.section[0] = (struct widx_section){
		.kind = WIDX_CHUNKS, .offset = sizeof head, .length = chunks
	};
	make_order(&o, b);
	head.nchunks = o.first[b->cold.n];
	put_series(&s, &o);
	put_extents(&s, &o);
	put_lengths(&s, &o);
	free_order(&o);
	put_links(&s);
	section_about(&s);
	section_pad(&s);
	put_header(b, &head);
	patch_header(b, &head);
	if (b->file.err.kind != ERR_NONE || b->file.tmp == NULL)
		return;
	build_release(b); /* frees memory, which the trees need */
	build_trees(&s, b->file.tmp);
	patch_header(b, &head);
	fsync(b->file.fd);
}
