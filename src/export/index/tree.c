/* SPDX-License-Identifier: MIT */
#include "export/index/tree.h"

#include "export/index/varint.h"

uint64_t
tree_nodes(int64_t end, uint32_t level)
{
	return level > 62 || end == 0 ? 1 : (uint64_t)((end - 1) >> level) + 1;
}

uint32_t
tree_top(int64_t end)
{
	uint32_t level = 0;

	while (tree_nodes(end, level) > 1)
		level++;
	return level;
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

struct adding {
	struct index_query *q;
	uint64_t node; /* of WIDX_NODES */
	struct sums *s;
	int column;
};

static bool
add(void *arg)
{
	struct adding *a = arg;
	const struct index *ix = a->q->ix;
	uint64_t *time = &a->s->time[(size_t)a->column * INDEX_CLASSES];
	uint64_t from, to, value;
	const uint8_t *at, *stop;

	if (ix->nodes.n < 2 || a->node >= ix->nodes.n - 1)
		return reader_damaged(a->q, ix->trees.at);
	from = ix->nodes.at[a->node];
	to = ix->nodes.at[a->node + 1];
	/* A varint may be read to its full length, beyond the end of the node.
	 */
	if (from >= to || to > ix->sums.n || ix->sums.n - to < VARINT_MOST + 1)
		return reader_damaged(a->q, &ix->nodes.at[a->node]);
	at = ix->sums.at + from;
	stop = ix->sums.at + to;
	at = varint_get(at, &value);
	a->s->changes[a->column] += value;
	while (at < stop) {
		uint8_t class = *at++;

		at = varint_get(at, &value);
		time[class] += value;
	}
	return walk_pay(a->q, 1);
}

bool
tree_add(struct index_query *q, const struct widx_tree *t, uint32_t level,
	uint64_t i, struct sums *s, int column)
{
	int64_t end = q->ix->meta.end;
	struct adding a = { q, t->node, s, column };

	for (uint32_t l = t->level; l < level; l++) {
		if (tree_nodes(end, l) == 1)
			break; /* each level above has this node only */
		a.node += tree_nodes(end, l);
	}
	if (i >= tree_nodes(end, level))
		return true;
	a.node += i;
	return reader_query(q, add, &a);
}
