/* SPDX-License-Identifier: MIT */
#include "export/stat/over.h"

#include "base/arena.h"

int
stat_over_part(int64_t value)
{
	uint64_t mixed = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);

	return (int)(mixed >> 58);
}

static bool
begin(struct stat_over *o)
{
	if (tempfile_make(&o->file))
		o->part = ARENA_ARRAY(o->arena, struct stat_part, STAT_PARTS);
	return o->part != NULL;
}

static void
write_block(struct stat_over *o, struct stat_part *p)
{
	VEC_PUSH(&p->block, o->arena, o->file.size);
	p->n = 0;
	tempfile_append(&o->file, p->buf, sizeof p->buf);
}

void
stat_over_add(struct stat_over *o, uint32_t lane, const struct stat_cell *cell)
{
	struct stat_part *p;

	if (o->file.err.kind != ERR_NONE || (o->part == NULL && !begin(o)))
		return;
	p = &o->part[stat_over_part(cell->value)];
	p->buf[p->n++] = (struct stat_piece){ lane, *cell };
	if (p->n == STAT_BLOCK)
		write_block(o, p);
}

bool
stat_over_each(struct stat_over *o, int part,
	void (*fn)(void *arg, const struct stat_piece *piece), void *arg)
{
	static struct stat_piece block[STAT_BLOCK];
	const struct stat_part *p;

	if (o->file.err.kind != ERR_NONE)
		return false;
	if (o->part == NULL)
		return true;
	p = &o->part[part];
	for (int i = 0; i < p->block.n; i++) {
		if (!tempfile_read(
			    &o->file, block, sizeof block, p->block.at[i]))
			return false;
		for (int j = 0; j < STAT_BLOCK; j++)
			fn(arg, &block[j]);
	}
	for (int j = 0; j < p->n; j++)
		fn(arg, &p->buf[j]);
	return true;
}

void
stat_over_fini(struct stat_over *o)
{
	tempfile_fini(&o->file);
	o->part = NULL;
}
