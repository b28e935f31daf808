/* SPDX-License-Identifier: MIT */
/*
 * Makes the trees of groups. The index is complete without them; it is read
 * once for each group that contains a row. Following the groups while records
 * arrive would cost more, because records are in the order of time and not of
 * rows.
 */
#include <string.h>

#include "base/arena.h"
#include "export/index/section.h"
#include "export/index/tree.h"
#include "export/index/varint.h"

#define STRIDE 4096 /* nodes that are summed at once */
#define LEAST_ROWS 5
#define MAP_MOST \
	((size_t)128 << 20) /* memory: pages beyond this are given back early \
	                     */

struct plant {
	struct section *section;
	struct index *ix;
	struct index_query q;
	struct arena arena;
	struct sums sums;
	BUILD_ARRAY(uint32_t) series; /* of the group */
	BUILD_ARRAY(struct widx_tree) trees;
	BUILD_ARRAY(uint64_t) nodes;
	BUILD_ARRAY(uint8_t) bytes; /* of the present tree */
	uint64_t written;           /* bytes of the trees before */
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

static void
put_byte(struct plant *p, uint8_t byte)
{
	*BUILD_ADD(&p->bytes) = byte;
}

static void
put_number(struct plant *p, uint64_t value)
{
	uint8_t bytes[VARINT_MOST], *end = varint_put(bytes, value);

	for (const uint8_t *at = bytes; at < end; at++)
		put_byte(p, *at);
}

static void
put_node(struct plant *p, uint64_t changes)
{
	*BUILD_ADD(&p->nodes) = p->written + p->bytes.n;
	put_number(p, changes);
}

static void
put_time(struct plant *p, uint8_t class, uint64_t time)
{
	if (time == 0)
		return;
	put_byte(p, class);
	put_number(p, time);
}

/* Writes a node with the sums of a column. */
static void
put_leaf(struct plant *p, int column)
{
	const struct sums *s = &p->sums;

	put_node(p, s->changes[column]);
	for (int i = 0; i < s->n; i++)
		put_time(p, s->class[i], sums_time(s, i)[column]);
}

/* Writes the finest level. */
static bool
put_leaves(struct plant *p, uint32_t level)
{
	int64_t end = p->ix->meta.end, width = INT64_C(1) << level;
	uint64_t n = tree_width(end, level);

	for (uint64_t i = 0; i < n; i += STRIDE) {
		struct index_range range = { (int64_t)i * width, width,
			n - i < STRIDE ? (int)(n - i) : STRIDE };

		sums_begin(&p->sums, range, end);
		for (size_t j = 0; j < p->series.n; j++)
			if (!sums_add(&p->sums, &p->q, p->series.at[j]))
				return false;
		sums_end(&p->sums);
		for (int j = 0; j < range.n; j++)
			put_leaf(p, j);
		if (p->ix->map.size > MAP_MOST)
			index_forget_pages(p->ix);
	}
	return true;
}

struct node {
	uint64_t changes, time[INDEX_CLASSES];
};

/* Adds a written node to the sums of the levels above. */
static void
add_node(const struct plant *p, size_t node, struct node *sum)
{
	const uint8_t *at = p->bytes.at + (p->nodes.at[node] - p->written);
	const uint8_t *stop = node + 1 < p->nodes.n
		? p->bytes.at + (p->nodes.at[node + 1] - p->written)
		: p->bytes.at + p->bytes.n;
	uint64_t value;

	at = varint_get(at, &value);
	sum->changes += value;
	while (at < stop) {
		uint8_t class = *at++;

		at = varint_get(at, &value);
		sum->time[class] += value;
	}
}

/* Writes all levels above a level of n nodes, which are the last n written. */
static void
put_levels(struct plant *p, size_t n)
{
	while (n > 1) {
		size_t from = p->nodes.n - n;

		for (size_t i = 0; i < n; i += 2) {
			struct node sum = { 0 };

			add_node(p, from + i, &sum);
			if (i + 1 < n)
				add_node(p, from + i + 1, &sum);
			put_node(p, sum.changes);
			for (int class = 0; class < INDEX_CLASS_NONE; class ++)
				put_time(p, (uint8_t) class, sum.time[class]);
		}
		n = (n + 1) / 2;
	}
}

/* Writes the bytes of the present tree. */
static void
write_bytes(struct plant *p)
{
	section_put(p->section, p->bytes.at, p->bytes.n);
	p->written += p->bytes.n;
	p->bytes.n = 0;
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

	if (p->series.n < LEAST_ROWS || n < b->tree_least)
		return true;
	while (tree_width(m->end, tree.level) > n / b->node_records + 1)
		tree.level++;
	if (!put_leaves(p, tree.level))
		return false;
	put_levels(p, p->nodes.n - tree.node);
	if (p->trees.n == 0)
		section_begin(p->section, WIDX_SUMS);
	write_bytes(p);
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
	for (int i = 0; i < 16; i++)
		put_byte(p, 0); /* a reader may read a little beyond the end */
	write_bytes(p);
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
		if (!plant_all(&p))
			err_set(&s->b->file.err, ERR_INPUT, "%s: %s", path,
				index_query_text(&p.q));
		else if (p.trees.n > 0)
			put_trees(&p);
	}
	index_close(p.ix);
	mem_free(p.series.at);
	mem_free(p.trees.at);
	mem_free(p.nodes.at);
	mem_free(p.bytes.at);
	arena_fini(&p.arena);
}
