/* SPDX-License-Identifier: MIT */
/* How exact the clock of each node is: rows of their own, which the index
 * writes at its end, so that no other row gets another number. */
#include "export/index/build.h"

static void
add_clock(struct build *b, const struct sink_clock *c, uint32_t type)
{
	struct row row = { (uint32_t)b->rows.n, ROW_NONE, "node", c->node,
		NULL };

	b->base.ops->row(&b->base, &row);
	for (int i = 0; i < c->n && c->at[i].time < b->end; i++)
		build_state(&b->base,
			&(struct record){ .time = c->at[i].time,
				.row = row.id,
				.type = type,
				.value = c->at[i].error >= 0 ? c->at[i].error
							     : VALUE_NONE });
}

void
build_clocks(struct build *b)
{
	struct type type = { .id = (uint32_t)b->types.n,
		.class = "node",
		.key = INDEX_CLOCK_ERROR,
		.title = "Error of the clock",
		.number = 0,
		.kind = TYPE_NUMBER,
		.unit = "ns" };

	b->base.ops->type(&b->base, &type);
	for (int i = 0; i < b->nclocks; i++)
		add_clock(b, &b->clocks[i], type.id);
}
