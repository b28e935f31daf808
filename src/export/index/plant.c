/* SPDX-License-Identifier: MIT */
/*
 * Makes the trees of groups. The index is complete without them; it is read
 * once for each group that contains a row. Following the groups while records
 * arrive would cost more, because records are in the order of time and not of
 * rows.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "export/index/adding.h"
#include "export/index/section.h"
#include "export/index/tree.h"
#include "export/varint.h"

#define STRIDE 2048 /* nodes that are summed at once */
#define LEAST_ROWS 5

/* Most bytes of a node without its size. */
#define NODE_BYTES (2 + INDEX_CLASSES / 8 + (INDEX_CLASSES + 1) * VARINT_MOST)

struct node {
	uint64_t changes, time[INDEX_CLASSES];
};

/* A tree that was written. Trees of the same chunks have the same nodes, as
 * those of threads and of the CPUs that they are bound to. */
struct kin {
	uint64_t high; /* high half of the hash of where the chunks are */
	uint64_t node;
};

struct bytes {
	uint8_t *at;
	size_t n, room;
};

/* Nodes that follow those of the tier below. */
struct tier {
	struct bytes bytes;
	BUILD_ARRAY(uint64_t) steps; /* where each WIDX_STEP nodes begin */
};

#define PARTS 3 /* WIDX_TIER is 1 << PARTS */
#define TIERS 5 /* above the lowest one: WIDX_TIER^5 is WIDX_SPAN */

struct plant {
	struct section *section;
	struct index *ix;
	struct index_query q;
	struct arena arena;
	struct sums sums;
	BUILD_ARRAY(uint32_t) series; /* series of the group */
	BUILD_ARRAY(struct widx_tree) trees;
	struct map kin_of; /* low half of the hash -> index + 1 */
	BUILD_ARRAY(struct kin) kin;
	BUILD_ARRAY(uint64_t) nodes;
	struct bytes bytes; /* that are not written yet */
	struct tier tier[TIERS];
	BUILD_ARRAY(uint64_t) checks;
	XXH3_state_t page; /* checksum of the last WIDX_PAGE bytes, or fewer */
	uint64_t written;  /* bytes of nodes */
	uint8_t class[INDEX_CLASSES]; /* classes that the present tree has so
	                               * far */
	int nclasses;
	bool used[INDEX_CLASSES];
	struct node part[PARTS]; /* by lowest bit: the last node written */
	struct node all; /* the leaves up to the last multiple of WIDX_TIER */
};

/* Finds the series of the group's rows, and returns their number of records. */
static uint64_t
collect(struct plant *p, const struct index_group *g, uint32_t type)
{
	uint64_t n = 0;

	p->series.n = 0;
	for (uint32_t i = 0; i < g->n; i++) {
		uint32_t series = index_series(p->ix, g->rows[i], type, 0);

		if (series == INDEX_NONE)
			continue;
		*BUILD_ADD(&p->series) = series;
		n += index_series_records(p->ix, series);
	}
	return n;
}

/* Appends n bytes, which the caller sets. */
static uint8_t *
put_bytes(struct bytes *to, size_t n)
{
	while (to->room - to->n < n) {
		to->room = to->room == 0 ? 4096 : 2 * to->room;
		to->at = mem_resize(to->at, to->room, 1);
	}
	to->n += n;
	return to->at + to->n - n;
}

/* Writes the bitmap of the classes that have some time. Returns its end. */
static uint8_t *
put_bitmap(const struct plant *p, const struct node *node, uint8_t *at)
{
	uint8_t bits[INDEX_CLASSES / 8] = { 0 };
	int first = 0, n = 0;

	for (int i = 0; i < p->nclasses; i++)
		if (node->time[p->class[i]] != 0)
			bits[p->class[i] / 8] |=
				(uint8_t)(1 << p->class[i] % 8);
	while (first < INDEX_CLASSES / 8 && bits[first] == 0)
		first++;
	for (int i = first; i < INDEX_CLASSES / 8; i++)
		if (bits[i] != 0)
			n = i - first + 1;
	*at++ = (uint8_t)first;
	*at++ = (uint8_t)n;
	memcpy(at, bits + first, (size_t)n);
	return at + n;
}

/* Returns where node j goes, and notes where WIDX_STEP nodes begin. */
static struct bytes *
place_of(struct plant *p, uint64_t j, uint64_t nodes)
{
	bool begins = tree_place(j, nodes) % WIDX_STEP == 0;
	struct tier *tier = p->tier;

	if (j % WIDX_TIER != 0) {
		if (begins)
			*BUILD_ADD(&p->nodes) = p->written + p->bytes.n;
		return &p->bytes;
	}
	for (j /= WIDX_TIER; j % WIDX_TIER == 0 && tier < &p->tier[TIERS - 1];
		j /= WIDX_TIER)
		tier++;
	if (begins)
		*BUILD_ADD(&tier->steps) = tier->bytes.n;
	return &tier->bytes;
}

/* Appends the nodes of the higher tiers to those of the lowest one. */
static void
put_tiers(struct plant *p)
{
	for (struct tier *t = p->tier; t < &p->tier[TIERS]; t++) {
		for (size_t i = 0; i < t->steps.n; i++)
			*BUILD_ADD(&p->nodes) =
				p->written + p->bytes.n + t->steps.at[i];
		if (t->bytes.n > 0)
			memcpy(put_bytes(&p->bytes, t->bytes.n), t->bytes.at,
				t->bytes.n);
		t->steps.n = t->bytes.n = 0;
	}
}

static void
put_node(struct plant *p, const struct node *node, struct bytes *to)
{
	uint8_t bytes[NODE_BYTES], size[VARINT_MOST], *at = bytes;
	size_t n, head;

	at = varint_put(at, node->changes);
	at = put_bitmap(p, node, at);
	for (int i = 0; i < p->nclasses; i++)
		if (node->time[p->class[i]] != 0)
			at = varint_put(at, node->time[p->class[i]]);
	n = (size_t)(at - bytes);
	head = (size_t)(varint_put(size, n) - size);
	memcpy(put_bytes(to, head), size, head);
	memcpy(put_bytes(to, n), bytes, n);
}

static void
add_node(const struct plant *p, struct node *to, const struct node *from)
{
	to->changes += from->changes;
	for (int i = 0; i < p->nclasses; i++)
		to->time[p->class[i]] += from->time[p->class[i]];
}

static int
by_class(const void *x, const void *y)
{
	return *(const uint8_t *)x - *(const uint8_t *)y;
}

/* Adds the classes of the present leaves to those of the tree. */
static void
use_classes(struct plant *p)
{
	const struct sums *s = &p->sums;
	int had = p->nclasses;

	for (int i = 0; i < s->n; i++) {
		if (!p->used[s->class[i]])
			p->class[p->nclasses++] = s->class[i];
		p->used[s->class[i]] = true;
	}
	if (p->nclasses > had)
		qsort(p->class, (size_t)p->nclasses, 1, by_class);
}

/* Writes node j of `nodes`, whose last leaf is a column, and keeps the sums for
 * the nodes that contain them. */
static void
put_leaf(struct plant *p, int column, uint64_t j, uint64_t nodes)
{
	const struct sums *s = &p->sums;
	struct node node = { .changes = s->changes[column] };
	int level = 0;

	for (int i = 0; i < s->n; i++)
		node.time[s->class[i]] = sums_time(s, i)[column].time;
	for (; level < PARTS && (j >> level & 1) == 0; level++)
		add_node(p, &node, &p->part[level]);
	if (level < PARTS) {
		p->part[level] = node;
		put_node(p, &node, place_of(p, j, nodes));
	} else {
		add_node(p, &p->all, &node);
		put_node(p, &p->all, place_of(p, j, nodes));
	}
}

/* Adds the checksum of a page that is complete, or the last one. */
static void
end_page(struct plant *p)
{
	*BUILD_ADD(&p->checks) = XXH3_64bits_digest(&p->page);
	XXH3_64bits_reset(&p->page);
}

/* Writes the nodes that were put since the last call. */
static void
write_bytes(struct plant *p)
{
	outfile_write(&p->section->b->file, p->bytes.at, p->bytes.n);
	for (size_t i = 0; i < p->bytes.n;) {
		size_t n = WIDX_PAGE - (p->written + i) % WIDX_PAGE;

		if (n > p->bytes.n - i)
			n = p->bytes.n - i;
		XXH3_64bits_update(&p->page, p->bytes.at + i, n);
		i += n;
		if ((p->written + i) % WIDX_PAGE == 0)
			end_page(p);
	}
	p->written += p->bytes.n;
	p->bytes.n = 0;
}

static bool
put_leaves(struct plant *p, uint32_t level)
{
	int64_t end = p->ix->meta.end, width = INT64_C(1) << level;
	uint64_t n = tree_width(end, level);

	p->nclasses = 0;
	memset(p->used, 0, sizeof p->used);
	memset(&p->all, 0, sizeof p->all);
	for (uint64_t i = 0; i < n; i += STRIDE) {
		struct index_range range = { (int64_t)i * width, width,
			n - i < STRIDE ? (int)(n - i) : STRIDE };

		sums_begin(&p->sums, range, end);
		if (!adding_rows(&p->sums, &p->q, p->series.at, p->series.n))
			return false;
		sums_end(&p->sums);
		use_classes(p);
		for (int j = 0; j < range.n; j++)
			put_leaf(p, j, i + (uint64_t)j + 1, n);
		if ((i + STRIDE) % WIDX_SPAN == 0 || n - i <= STRIDE)
			put_tiers(p);
		write_bytes(p);
	}
	return true;
}

/* Hashes where the chunks of all series are. */
static XXH128_hash_t
hash_chunks(const struct plant *p)
{
	const struct index *ix = p->ix;
	XXH3_state_t state;

	XXH3_128bits_reset(&state);
	for (size_t i = 0; i < p->series.n; i++) {
		const struct widx_series *s = &ix->series.at[p->series.at[i]];
		const struct widx_entry *e = &ix->directory.at[s->chunk];

		XXH3_128bits_update(&state, &s->nchunks, sizeof s->nchunks);
		for (uint64_t j = 0; j < s->nchunks; j++)
			XXH3_128bits_update(
				&state, &e[j].offset, sizeof e[j].offset);
	}
	return XXH3_128bits_digest(&state);
}

/* Returns the nodes of the chunks: those of an earlier tree, or `node`. Sets
 * *found if there is one. */
static uint64_t
find_kin(struct plant *p, XXH128_hash_t chunks, uint64_t node, bool *found)
{
	uint64_t *index = map_put(&p->kin_of, chunks.low64);

	*found = *index != 0 && p->kin.at[*index - 1].high == chunks.high64;
	if (*found)
		return p->kin.at[*index - 1].node;
	*BUILD_ADD(&p->kin) = (struct kin){ chunks.high64, node };
	*index = p->kin.n;
	return node;
}

static bool
plant_tree(struct plant *p, uint32_t group, uint32_t type)
{
	const struct build *b = p->section->b;
	const struct index_meta *m = index_meta(p->ix);
	uint64_t n = collect(p, &m->group[group], type);
	struct widx_tree tree = {
		.group = group, .type = type, .node = p->nodes.n
	};
	bool found;

	if (p->series.n < LEAST_ROWS || n < b->tree_least)
		return true;
	while (tree_width(m->end, tree.level) > n / b->node_records + 1)
		tree.level++;
	if (p->trees.n == 0)
		section_begin(p->section, WIDX_SUMS);
	tree.node = find_kin(p, hash_chunks(p), tree.node, &found);
	if (!found && !put_leaves(p, tree.level))
		return false;
	*BUILD_ADD(&p->trees) = tree;
	return true;
}

static bool
plant_all(struct plant *p)
{
	const struct index_meta *m = index_meta(p->ix);

	for (uint32_t group = 0; group < m->ngroups; group++)
		for (uint32_t type = 0; type < m->ntypes; type++) {
			const struct type *t = &m->type[type].type;

			if ((t->kind == TYPE_STATE || t->kind == TYPE_ID) &&
				strcmp(t->class, m->group[group].class) == 0 &&
				!plant_tree(p, group, type))
				return false;
		}
	return true;
}

static void
put_trees(struct plant *p)
{
	struct section *s = p->section;

	*BUILD_ADD(&p->nodes) = p->written;
	/* A reader may read a little beyond the end. */
	memset(put_bytes(&p->bytes, 16), 0, 16);
	write_bytes(p);
	if (p->written % WIDX_PAGE != 0)
		end_page(p);
	section_end(s);
	s->at->check = 0;
	section_begin(s, WIDX_SUM_CHECKS);
	section_put(s, p->checks.at, p->checks.n * sizeof *p->checks.at);
	section_end(s);
	section_begin(s, WIDX_TREES);
	section_put(s, p->trees.at, p->trees.n * sizeof *p->trees.at);
	section_end(s);
	section_begin(s, WIDX_NODES);
	section_put(s, p->nodes.at, p->nodes.n * sizeof *p->nodes.at);
	section_end(s);
}

void
build_trees(struct section *s, const char *path)
{
	struct plant p = { .section = s };
	struct err err = { 0 };

	if (s->b->nrecords < s->b->tree_least)
		return;
	p.ix = index_open(&p.arena, path, &err);
	if (p.ix == NULL) {
		err_set(&s->b->file.err, err.kind, "%s", err.text);
	} else {
		p.q = (struct index_query){ .ix = p.ix, .budget = INT64_MAX };
		sums_init(&p.sums, &p.arena, STRIDE);
		XXH3_64bits_reset(&p.page);
		if (!plant_all(&p))
			err_set(&s->b->file.err, ERR_INPUT, "%s: %s", path,
				index_query_text(&p.q));
		else if (p.trees.n > 0)
			put_trees(&p);
	}
	index_close(p.ix);
	mem_free(p.series.at);
	mem_free(p.trees.at);
	mem_free(p.kin.at);
	map_fini(&p.kin_of);
	mem_free(p.nodes.at);
	mem_free(p.bytes.at);
	for (int i = 0; i < TIERS; i++) {
		mem_free(p.tier[i].bytes.at);
		mem_free(p.tier[i].steps.at);
	}
	mem_free(p.checks.at);
	arena_fini(&p.arena);
}
