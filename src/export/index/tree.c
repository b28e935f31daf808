/* SPDX-License-Identifier: MIT */
#include "export/index/tree.h"

#include "export/index/varint.h"

uint64_t
tree_width(int64_t end, uint32_t level)
{
	return level > 62 || end == 0 ? 1 : (uint64_t)((end - 1) >> level) + 1;
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

/* Returns the first node of a level. */
static uint64_t
first_node(const struct widx_tree *t, int64_t end, uint32_t level)
{
	uint64_t node = t->node;

	for (uint32_t l = t->level; l < level; l++) {
		uint64_t n = tree_width(end, l);

		if (n == 1)
			break; /* each level above has this node only */
		node += n;
	}
	return node;
}

static bool
add(struct index_query *q, uint64_t node, struct sums *s, int column)
{
	const struct index *ix = q->ix;
	uint64_t from, to, value;
	const uint8_t *at, *stop;

	if (ix->nodes.n < 2 || node >= ix->nodes.n - 1)
		return reader_damaged(q, ix->trees.at);
	from = ix->nodes.at[node];
	to = ix->nodes.at[node + 1];
	/* A varint may be read to its full length, beyond the end of the node.
	 */
	if (from >= to || to > ix->sums.n || ix->sums.n - to < VARINT_MOST + 1)
		return reader_damaged(q, &ix->nodes.at[node]);
	at = ix->sums.at + from;
	stop = ix->sums.at + to;
	at = varint_get(at, &value);
	s->changes[column] += value;
	while (at < stop) {
		uint8_t class = *at++;

		at = varint_get(at, &value);
		sums_row(s, class)[column] += value;
	}
	return walk_pay(q, 1);
}

bool
tree_add(struct index_query *q, const struct widx_tree *t,
	struct tree_nodes nodes, struct sums *s, int column)
{
	int64_t end = q->ix->meta.end;
	uint64_t n = tree_width(end, nodes.level);

	if (nodes.to > n)
		nodes.to = n;
	while (nodes.from < nodes.to) {
		uint32_t up = 0;

		while ((nodes.from >> up & 1) == 0 &&
			nodes.from + (UINT64_C(2) << up) <= nodes.to &&
			nodes.level + up < 62)
			up++;
		if (!add(q,
			    first_node(t, end, nodes.level + up) +
				    (nodes.from >> up),
			    s, column))
			return false;
		nodes.from += UINT64_C(1) << up;
	}
	return true;
}
