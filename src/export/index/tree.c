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

/* Finds node j, from 1. */
static bool
find_node(struct index_query *q, const struct widx_tree *t, uint64_t j,
	struct node *node)
{
	const struct index *ix = q->ix;
	uint64_t step = t->node + (j - 1) / WIDX_STEP, size;
	uint64_t skip = (j - 1) % WIDX_STEP;
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

/* Adds the classes of a node to a column, or subtracts them. */
static bool
take_classes(struct index_query *q, const struct node *node, struct sums *s,
	int column, bool add)
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
			uint64_t time;

			if (at >= node->stop)
				return reader_damaged(q, node->at);
			at = varint_quick(at, &time);
			sums_row(s, (uint8_t) class)[column].time +=
				add ? time : 0 - time;
		}
	return true;
}

/* Where nodes are added to; without sums only their changes are. */
struct target {
	struct sums *sums;
	int column;
	uint64_t *changes;
};

/* Adds a node, or subtracts it. */
static bool
take(struct index_query *q, const struct widx_tree *t, uint64_t j, bool add,
	const struct target *to)
{
	struct node node;
	uint64_t value;

	if (!find_node(q, t, j, &node) || node.at == NULL)
		return false;
	node.at = varint_get(node.at, &value);
	*to->changes += add ? value : 0 - value;
	return to->sums == NULL ||
		take_classes(q, &node, to->sums, to->column, add);
}

/* Takes the sums up to the last leaf, less those before the first one, without
 * the nodes that both have. */
static bool
take_all(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, const struct target *target)
{
	uint64_t n = tree_width(q->ix->meta.end, t->level);
	uint64_t from = leaves.from < n ? leaves.from : n;
	uint64_t to = leaves.to < n ? leaves.to : n;

	for (; to > from; to &= to - 1)
		if (!take(q, t, to, true, target))
			return false;
	for (; from > to; from &= from - 1)
		if (!take(q, t, from, false, target))
			return false;
	return true;
}

bool
tree_add(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, struct sums *s, int column)
{
	return take_all(q, t, leaves,
		&(struct target){ s, column, &s->changes[column] });
}

bool
tree_changes(struct index_query *q, const struct widx_tree *t,
	struct tree_leaves leaves, uint64_t *changes)
{
	*changes = 0;
	return take_all(q, t, leaves, &(struct target){ NULL, 0, changes });
}
