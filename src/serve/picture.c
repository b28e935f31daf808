/* SPDX-License-Identifier: MIT */
/* Answers "tile". */
#include <inttypes.h>

#include "serve/route.h"

/* Converts the parameters for the index. On failure answers with the error and
 * returns false. */
static bool
read_tile(struct call *c, const char *rows, const char *hot,
	struct tile_params *p)
{
	struct pick which = { .meta = c->meta,
		.class = c->meta->type[p->type].type.class,
		.groups = true,
		.most = TILE_ROWS };
	int64_t class[TILE_HOT];
	uint8_t *classes = ARENA_ARRAY(c->arena, uint8_t, TILE_HOT);
	struct picked picked;
	const char *wrong;
	int n = 0;

	if (!pick_rows(c->arena, &which, rows, &picked, &c->err))
		return route_refuse(c);
	if (hot != NULL)
		n = param_list(hot, "hot", class, TILE_HOT, 255, &c->err);
	if (n < 0)
		return route_refuse(c);
	for (int i = 0; i < n; i++)
		classes[i] = (uint8_t) class[i];
	p->rows = picked.row;
	p->nrows = picked.n;
	p->hot = classes;
	p->nhot = n;
	wrong = tile_refuse(c->index, p);
	if (wrong == NULL)
		return true;
	err_set(&c->err, ERR_INPUT, "%s: not a value that a tile can have",
		wrong);
	return route_refuse(c);
}

void
route_tile(struct call *c)
{
	static const int quanta[] = { 15, 63, 255, TILE_FINE };
	int64_t type = 0, w = 1, i = 0, n = 1, lane = 0;
	const char *rows = NULL, *hot = NULL;
	int q = 0;
	const struct param table[] = {
		ROUTE_TYPE(c, type),
		{ .name = "w",
			.needed = true,
			.number = &w,
			.min = 1,
			.max = INT64_MAX },
		{ .name = "i",
			.needed = true,
			.number = &i,
			.min = 0,
			.max = INT64_MAX },
		{ .name = "n", .number = &n, .min = 1, .max = TILE_MOST },
		{ .name = "q",
			.needed = true,
			.choice = &q,
			.choices = "15,63,255,fine" },
		{ .name = "rows",
			.needed = true,
			.text = &rows,
			.most = REQUEST_TARGET },
		{ .name = "hot", .text = &hot, .most = 100 },
		{ .name = "lane",
			.number = &lane,
			.min = 0,
			.max = INDEX_LANES },
		{ 0 },
	};
	struct tile_params p;
	struct tile_bytes bytes;

	if (!route_params(c, table))
		return;
	p = (struct tile_params){ .type = (uint32_t)type,
		.lane = (uint32_t)lane,
		.width = w,
		.number = i,
		.tiles = (int)n,
		.q = quanta[q] };
	if (!read_tile(c, rows, hot, &p))
		return;
	c->to->etag = arena_printf(c->arena,
		"\"%s-%" PRId64 "-%" PRId64 "-%" PRId64 "\"", c->gen, w, i, n);
	if (request_has(c->request, c->to->etag)) {
		c->to->status = 304;
		return;
	}
	if (!tile_encode(&c->query, c->arena, &p, &bytes)) {
		route_fail(c);
		return;
	}
	c->to->type = "application/octet-stream";
	c->to->body = bytes.at;
	c->to->size = bytes.n;
	c->to->cache = "private, max-age=31536000, immutable";
}
