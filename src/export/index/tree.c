/* SPDX-License-Identifier: MIT */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "export/index/tree.h"

#include "export/varint.h"

uint64_t
tree_width(int64_t end, uint32_t level)
{
	return level > 62 || end <= 0 ? 1 : (uint64_t)((end - 1) >> level) + 1;
}

struct finding {
	struct index_query *q;
	uint32_t group, type;
	struct widx_tree *out;
	bool found;
};

static bool
find(void *arg)
{
	struct finding *f = arg;
	const struct index *ix = f->q->ix;
	uint64_t low = 0, high = ix->trees.n;

	while (low < high) {
		uint64_t mid = low + (high - low) / 2;
		const struct widx_tree *t = &ix->trees.at[mid];

		if (t->level > 62)
			return reader_damaged(f->q, t);
		if (t->group == f->group && t->type == f->type) {
			*f->out = *t;
			f->found = true;
			return true;
		}
		if (t->group < f->group ||
			(t->group == f->group && t->type < f->type))
			low = mid + 1;
		else
			high = mid;
	}
	return true;
}

bool
tree_find(struct index_query *q, uint32_t group, uint32_t type,
	struct widx_tree *out)
{
	struct finding f = { q, group, type, out, false };

	return reader_query(q, find, &f) && f.found;
}

/* A node: where its changes are, and where it ends. */
struct node {
	const uint8_t *at, *stop;
};

/* Checks the checksums of the pages of sums from one byte to another, the first
 * time that a thread reads them. */
static bool
has_good_pages(const struct index *ix, uint64_t from, uint64_t to)
{
	for (uint64_t i = from / WIDX_PAGE; i * WIDX_PAGE < to; i++) {
		uint64_t at = i * WIDX_PAGE, left = ix->sums.n - at;
		uint8_t state = atomic_load_explicit(
			&ix->page[i], memory_order_relaxed);

		if (state == READER_UNREAD) {
			uint64_t sum, n = left < WIDX_PAGE ? left : WIDX_PAGE;

			reader_expect(ix->sums.at + at, n);
			sum = XXH3_64bits(ix->sums.at + at, n);
			state = sum == ix->sum_checks.at[i] ? READER_GOOD
							    : READER_BAD;
			atomic_store_explicit(
				&ix->page[i], state, memory_order_relaxed);
		}
		if (state == READER_BAD)
			return false;
	}
	return true;
}

/* Finds a node by its place. */
static bool
find_node(struct index_query *q, const struct widx_tree *t, uint64_t place,
	struct node *node)
{
	const struct index *ix = q->ix;
	uint64_t step = t->node + place / WIDX_STEP, size;
	uint64_t skip = place % WIDX_STEP;
	const uint8_t *at, *end;

	*node = (struct node){ 0 };
	if (ix->nodes.n < 2 || step >= ix->nodes.n - 1 || step < t->node)
		return reader_damaged(q, ix->trees.at);
	/* A varint may be read to its full length, beyond the end of the node.
	 */
	if (ix->nodes.at[step] >= ix->nodes.at[step + 1] ||
		ix->nodes.at[step + 1] > ix->sums.n ||
		ix->sums.n - ix->nodes.at[step + 1] < VARINT_MOST + 2)
		return reader_damaged(q, &ix->nodes.at[step]);
	at = ix->sums.at + ix->nodes.at[step];
	end = ix->sums.at + ix->nodes.at[step + 1];
	if (ix->nodes.at[step] / WIDX_PAGE != q->page) {
		q->page = ix->nodes.at[step] / WIDX_PAGE;
		reader_touch(ix);
	}
	if (!has_good_pages(ix, ix->nodes.at[step], ix->nodes.at[step + 1]))
		return reader_damaged(q, at);
	node->stop = at;
	do {
		if (node->stop >= end)
			return reader_damaged(q, &ix->nodes.at[step]);
		node->at = varint_get(node->stop, &size);
		if (node->at > end || size > (uint64_t)(end - node->at))
			return reader_damaged(q, &ix->nodes.at[step]);
		node->stop = node->at + size;
	} while (skip-- > 0);
	return walk_pay(q, 1);
}

/* Where a node's sums go; without `sums`, only its changes. */
struct target {
	struct sums *sums;
	uint64_t *changes; /* by column */
	int add, subtract; /* columns; -1: none */
};

static bool
take_classes(
	struct index_query *q, const struct node *node, const struct target *to)
{
	const uint8_t *bitmap = node->at + 2, *at;
	unsigned first, n;

	if (node->at >= node->stop)
		return reader_damaged(q, node->at);
	first = node->at[0];
	n = node->at[1];
	if (first + n > INDEX_CLASSES / 8 || node->stop - node->at < 2 + n)
		return reader_damaged(q, node->at);
	at = bitmap + n;
	for (unsigned i = 0; i < n; i++)
		for (unsigned bits = bitmap[i]; bits != 0; bits &= bits - 1) {
			unsigned class =
				8 * (first + i) + (unsigned)__builtin_ctz(bits);
			struct sums_cell *row =
				sums_row(to->sums, (uint8_t) class);
			uint64_t time;

			if (at >= node->stop)
				return reader_damaged(q, node->at);
			at = varint_quick(at, &time);
			if (to->add >= 0)
				row[to->add].time += time;
			if (to->subtract >= 0)
				row[to->subtract].time -= time;
		}
	return true;
}

/* Takes the node at a place. */
static bool
take(struct index_query *q, const struct widx_tree *t, uint64_t place,
	const struct target *to)
{
	struct node node;
	uint64_t changes;

	if (!find_node(q, t, place, &node) || node.at == NULL)
		return false;
	node.at = varint_get(node.at, &changes);
	if (to->add >= 0)
		to->changes[to->add] += changes;
	if (to->subtract >= 0)
		to->changes[to->subtract] -= changes;
	return to->sums == NULL || take_classes(q, &node, to);
}

/* Returns the node whose sums, with those of node j, are the sums of the first
 * j leaves; 0: none. */
static uint64_t
node_before(uint64_t j)
{
	return j % WIDX_TIER == 0 ? 0 : j & (j - 1);
}

bool
tree_border(struct index_query *q, const struct widx_tree *t, uint64_t leaf,
	struct sums *s, int column)
{
	uint64_t n = tree_width(q->ix->meta.end, t->level);
	struct target to = { s, s->changes, column - 1,
		column < s->range.n ? column : -1 };

	for (uint64_t j = leaf < n ? leaf : n; j > 0; j = node_before(j))
		if (!take(q, t, tree_place(j, n), &to))
			return false;
	return true;
}

/* Adds leaves to a column. */
static bool
take_leaves(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, const struct target *add)
{
	uint64_t n = tree_width(q->ix->meta.end, t->level);
	uint64_t from = leaves.from < n ? leaves.from : n;
	uint64_t to = leaves.to < n ? leaves.to : n;
	const struct target subtract = { add->sums, add->changes, -1,
		add->add };

	/* Without the nodes that both have. */
	while (to != from) {
		uint64_t *j = to > from ? &to : &from;

		if (!take(q, t, tree_place(*j, n), to > from ? add : &subtract))
			return false;
		*j = node_before(*j);
	}
	return true;
}

bool
tree_add(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, struct sums *s, int column)
{
	return take_leaves(
		q, t, leaves, &(struct target){ s, s->changes, column, -1 });
}

bool
tree_changes(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, uint64_t *changes)
{
	*changes = 0;
	return take_leaves(
		q, t, leaves, &(struct target){ NULL, changes, 0, -1 });
}
