/* SPDX-License-Identifier: MIT */
/* Checks the parameters of tiles. */
#include <string.h>

#include "export/index/tile.h"

bool
tile_on_ladder(int64_t width)
{
	while (width >= 8 && width % 2 == 0)
		width /= 2;
	return width >= 1 && width <= 7;
}

/* Returns true if the row can have this type and this width. */
static bool
fits(const struct index_meta *m, const struct tile_params *p,
	const struct tile_row *r)
{
	const struct type *t = &m->type[p->type].type;

	if (r->group)
		return r->id < m->ngroups && p->lane == 0 &&
			t->kind != TYPE_NUMBER &&
			strcmp(m->group[r->id].class, t->class) == 0;
	return r->id < m->nrows &&
		strcmp(m->row[r->id].row.class, t->class) == 0;
}

static const char *
refuse_rows(const struct index_meta *m, const struct tile_params *p)
{
	if (p->nrows < 1 || p->nrows > TILE_ROWS)
		return "rows";
	for (int i = 0; i < p->nrows; i++) {
		if (!fits(m, p, &p->rows[i]))
			return "rows";
		if (p->rows[i].group && !tile_on_ladder(p->width))
			return "w";
	}
	return NULL;
}

const char *
tile_refuse(const struct index *ix, const struct tile_params *p)
{
	const struct index_meta *m = index_meta(ix);

	if (p->type >= m->ntypes)
		return "type";
	if (p->width < 1)
		return "w";
	if (p->tiles < 1 || p->tiles > TILE_MOST)
		return "n";
	/* The last tile may end after the latest time, but begins before it. */
	if (p->number < 0 || p->width > INT64_MAX / TILE_COLUMNS ||
		p->number > INT64_MAX / TILE_COLUMNS / p->width - p->tiles + 1)
		return "i";
	if (p->q != 15 && p->q != 63 && p->q != 255 && p->q != TILE_FINE)
		return "q";
	if (p->lane > (uint32_t)m->type[p->type].lanes)
		return "lane";
	if (p->nhot < 0 || p->nhot > TILE_HOT)
		return "hot";
	return refuse_rows(m, p);
}
