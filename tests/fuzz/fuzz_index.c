/* SPDX-License-Identifier: MIT */
/* The input changes bytes of an index: two bytes are the position, one is the
 * new value. The checksums are corrected afterwards, so that the wrong bytes
 * reach the code that uses them. Then the target asks every possible
 * question. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"
#include "export/index/format.h"
#include "export/index/sink.h"
#include "export/index/tile.h"
#include "harness.h"

#define NTYPES 6
#define FILE_NAME "timeline.widx"

static const struct type types[NTYPES] = {
	{ .id = 0, .class = "t", .key = "state" },
	{ .id = 1, .class = "t", .key = "wide" },
	{ .id = 2, .class = "t", .key = "id", .kind = TYPE_ID },
	{ .id = 3, .class = "t", .key = "point", .kind = TYPE_POINT },
	{ .id = 4, .class = "t", .key = "number", .kind = TYPE_NUMBER },
	{ .id = 5, .class = "t", .key = "stack", .stack = true },
};

static void
put_records(struct sink *s)
{
	static const int64_t stack[] = { 3, 1, 4, 1 };

	for (int i = 0; i < 900; i++) {
		uint32_t type = i % 7 < 6 ? (uint32_t)(i % 7) : 0;
		struct record r = { .time = i * 3,
			.row = type == 0 ? 0 : (uint32_t)(i % 8),
			.type = type,
			.value = i * 7 % (type == 1 ? 499 : 5) };

		if (type == 5) {
			r.depth = (uint32_t)(i % 4);
			r.stack = stack;
			r.value = i % 4 == 0 ? VALUE_NONE : stack[i % 4 - 1];
		}
		sink_state(s, &r);
	}
	for (int i = 0; i < 300; i++)
		sink_link(s, &(struct link){ i, 2 * i, 0, 1, 1, i, 8 });
}

static void
build(const char *path)
{
	static const uint32_t ids[] = { 0, 1 };
	struct arena a = { 0 };
	struct err err = { 0 };
	struct sink *s = sink_index.open(&a, "",
		&(struct sink_setup){
			.unit = "ns", .file = path, .title = "t" },
		&err);

	BUG_ON(s == NULL);
	index_sink_trees(s, 0, 50);
	sink_row(s, &(struct row){ 0, ROW_NONE, "t", "a", NULL });
	sink_row(s, &(struct row){ 1, 0, "t", "b", NULL });
	for (uint32_t i = 2; i < 8; i++)
		sink_row(s, &(struct row){ i, 0, "t", "c", NULL });
	for (int i = 0; i < NTYPES; i++)
		sink_type(s, &types[i]);
	sink_label(s, 0, 1, "one", MEANS_TASK);
	sink_panel(s, &(struct panel){ "t", "p", "P", ids, 2, false });
	sink_finding(s, &(struct sink_finding){ SEVERITY_NOTE, 5, 0, "f" });
	sink_gap(s, &(struct gap){ 1, 2, 0, 3, "why" });
	put_records(s);
	BUG_ON(!sink_close(s, &err));
	arena_fini(&a);
}

/* The index that inputs change. */
struct base {
	char bytes[1 << 16];
	size_t size;
	uint64_t chunk[1 << 10];
	size_t nchunks;
};

static const struct widx_section *
find(const struct widx_header *h, enum widx_kind kind)
{
	const struct widx_section *s = h->section;

	while (s->kind != (uint32_t)kind)
		s++;
	return s;
}

static void
make_base(struct harness *h, struct base *b)
{
	struct arena a = { 0 };
	struct err err = { 0 };
	struct widx_header head;
	const struct widx_section *s;
	const char *path, *bytes;

	harness_write(h, FILE_NAME, "", 0);
	path = arena_printf(&a, "%s/base", h->dir);
	build(path);
	bytes = file_read(&a, path, sizeof b->bytes, &b->size, &err);
	BUG_ON(bytes == NULL);
	unlink(path);
	memcpy(b->bytes, bytes, b->size);
	memcpy(&head, bytes, sizeof head);
	s = find(&head, WIDX_DIRECTORY);
	b->nchunks = s->length / sizeof(struct widx_entry);
	for (size_t i = 0; i < b->nchunks; i++) {
		struct widx_entry e;

		memcpy(&e, bytes + s->offset + i * sizeof e, sizeof e);
		b->chunk[i] = e.offset;
	}
	arena_fini(&a);
}

static const struct widx_section *
section_of(const struct base *b, const struct widx_header *head,
	enum widx_kind kind)
{
	static const struct widx_section none;

	for (int i = 0; i < WIDX_SECTIONS; i++) {
		const struct widx_section *s = &head->section[i];

		if (s->kind == kind && s->offset <= b->size &&
			s->length <= b->size - s->offset)
			return s;
	}
	return &none;
}

/* Corrects the checksums of the pages of the sums of groups. */
static void
mend_pages(const struct base *b, const struct widx_header *head, char *bytes)
{
	const struct widx_section *sums = section_of(b, head, WIDX_SUMS);
	const struct widx_section *to = section_of(b, head, WIDX_SUM_CHECKS);

	for (uint64_t i = 0; i * WIDX_PAGE < sums->length &&
		(i + 1) * sizeof i <= to->length;
		i++) {
		uint64_t left = sums->length - i * WIDX_PAGE;
		uint64_t sum = XXH3_64bits(bytes + sums->offset + i * WIDX_PAGE,
			left < WIDX_PAGE ? left : WIDX_PAGE);

		memcpy(bytes + to->offset + i * sizeof sum, &sum, sizeof sum);
	}
}

/* Checks of chunks, sections and the header. */
static void
mend(const struct base *b, char *bytes)
{
	struct widx_header head;

	for (size_t i = 0; i < b->nchunks; i++) {
		struct widx_chunk c;

		memcpy(&c, bytes + b->chunk[i], sizeof c);
		if (c.size < sizeof c || c.size > b->size - b->chunk[i])
			continue;
		c.check = (uint32_t)XXH3_64bits(
			bytes + b->chunk[i] + 4, c.size - 4);
		memcpy(bytes + b->chunk[i], &c.check, 4);
	}
	memcpy(&head, bytes, sizeof head);
	mend_pages(b, &head, bytes);
	for (int i = 0; i < WIDX_SECTIONS; i++) {
		struct widx_section *s = &head.section[i];

		if (s->offset <= b->size && s->length <= b->size - s->offset)
			s->check = XXH3_64bits(bytes + s->offset, s->length);
	}
	head.check = XXH3_64bits(&head, sizeof head - sizeof head.check);
	memcpy(bytes, &head, sizeof head);
}

static bool
go_on(void *arg, const struct index_interval *iv)
{
	int *n = arg;

	(void)iv;
	return ++*n < 1000;
}

static void
ask_series(const struct index *ix, uint32_t series, struct arena *a)
{
	const struct index_meta *m = index_meta(ix);
	struct index_range ranges[] = { { 0, 50, 40 }, { 0, m->end / 7 + 1, 7 },
		{ m->end / 2, 1, 30 }, { -5, INT64_MAX, 2 } };
	struct index_interval iv;
	const struct index_sought sought = { &iv.value, 1, m->end / 3 };
	struct index_times times;
	struct index_column *c;
	struct index_extent *e;
	const struct index_length *length;
	int n = 0;

#define ASK(call) \
	do { \
		struct index_query q = { \
			.ix = ix, .budget = 2000, .group_budget = 150 \
		}; \
		(void)(call); \
		BUG_ON(*index_query_text(&q) == '\0'); \
	} while (0)
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
		ASK(index_columns(&q, a, series, ranges[i], &c));
		ASK(index_extents(&q, a, series, ranges[i], &e));
	}
	ASK(index_by_value(&q, a, series,
		(struct index_window){ 7, m->end, false }, &times));
	ASK(index_lengths(&q, a, series, &length, &n));
	n = 0;
	ASK(index_at(&q, series, m->end / 2, &iv));
	ASK(index_step(&q, series, m->end / 2, true, NULL, &iv));
	ASK(index_step(&q, series, m->end / 2, false, &sought, &iv));
	ASK(index_intervals(&q, series, 0, INT64_MAX, go_on, &n));
}

static void
ask_tiles(const struct index *ix, struct arena *a)
{
	static const struct tile_row rows[] = { { false, 0 }, { false, 1 },
		{ true, 0 } };
	static const uint8_t hot[] = { 1, 255 };
	struct tile_params p = {
		.width = 4, .q = 63, .nhot = 2, .rows = rows, .hot = hot
	};
	struct tile_bytes bytes;

	for (int i = 0; i < 2 * NTYPES; i++) {
		p.type = (uint32_t)i / 2;
		p.width = i % 2 == 0 ? 4 : 64;
		p.tiles = 1 + i % TILE_MOST;
		p.nrows = index_meta(ix)->ngroups > 0 ? 3 : 2;
		if (tile_refuse(ix, &p) != NULL)
			p.nrows = 2; /* numbers have no groups */
		if (tile_refuse(ix, &p) == NULL)
			ASK(tile_encode(&q, a, &p, &bytes));
	}
}

static void
ask(const struct index *ix, uint64_t salt)
{
	const struct index_meta *m = index_meta(ix);
	struct arena a = { 0 };
	struct index_link_result links;
	int64_t value[INDEX_LANES];
	int depth;

	/* Asks for some of the series; another salt chooses others. */
	for (uint32_t i = salt % 5; i < m->nseries && i < 20; i += 5)
		ask_series(ix, i, &a);
	for (uint32_t i = 0; i < m->ntypes; i++)
		for (int j = 0; j < m->type[i].nlabels; j++)
			BUG_ON(index_label(&m->type[i],
				       m->type[i].label[j].value) == NULL);
	ask_tiles(ix, &a);
	ASK(index_stack(&q, 0, 5, m->end / 3, value, &depth));
	ASK(index_links(
		&q, &a, &(struct index_links){ 5, 99, NULL, 9, 0 }, &links));
	arena_fini(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct harness h;
	static struct base b;
	static char bytes[sizeof b.bytes];
	struct arena a = { 0 };
	struct err err = { 0 };
	struct index *ix;

	if (b.size == 0)
		make_base(&h, &b);
	memcpy(bytes, b.bytes, b.size);
	for (size_t i = 0; i + 3 <= size; i += 3)
		bytes[(data[i] | data[i + 1] << 8) % (int)b.size] =
			(char)data[i + 2];
	mend(&b, bytes);
	harness_write(&h, FILE_NAME, bytes, b.size);
	ix = index_open(&a, arena_printf(&a, "%s/" FILE_NAME, h.dir), &err);
	BUG_ON((ix == NULL) == (err.kind == ERR_NONE));
	if (ix != NULL)
		ask(ix, XXH3_64bits(data, size));
	index_close(ix);
	arena_fini(&a);
	return 0;
}
