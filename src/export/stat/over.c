/* SPDX-License-Identifier: MIT */
#include "export/stat/over.h"

#include <errno.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/tempfile.h"

int
stat_over_part(int64_t value)
{
	uint64_t mixed = (uint64_t)value * UINT64_C(0x9e3779b97f4a7c15);

	return (int)(mixed >> 58);
}

static bool
begin(struct stat_over *o)
{
	o->fd = tempfile_open(o->arena, o->dir, &o->err);
	if (o->fd < 0)
		return false;
	o->part = ARENA_ARRAY(o->arena, struct stat_part, STAT_PARTS);
	return true;
}

static void
write_block(struct stat_over *o, struct stat_part *p)
{
	const char *at = (const char *)p->buf;
	size_t left = sizeof p->buf;

	VEC_PUSH(&p->block, o->arena, o->size);
	p->n = 0;
	while (left > 0) {
		ssize_t done = pwrite(o->fd, at, left, o->size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			err_set(&o->err, ERR_SYSTEM,
				"cannot write a temporary file in %s", o->dir);
			return;
		}
		at += done;
		o->size += done;
		left -= (size_t)done;
	}
}

void
stat_over_add(struct stat_over *o, uint32_t lane, const struct stat_cell *cell)
{
	struct stat_part *p;

	if (o->err.kind != ERR_NONE || (o->part == NULL && !begin(o)))
		return;
	p = &o->part[stat_over_part(cell->value)];
	p->buf[p->n++] = (struct stat_piece){ lane, *cell };
	if (p->n == STAT_BLOCK)
		write_block(o, p);
}

static bool
read_block(struct stat_over *o, int64_t at, struct stat_piece *to)
{
	int64_t size = STAT_BLOCK * (int64_t)sizeof *to;

	return file_pread(o->fd, to, (size_t)size, at) == size ||
		err_set(&o->err, ERR_SYSTEM,
			"cannot read a temporary file in %s", o->dir);
}

bool
stat_over_each(struct stat_over *o, int part,
	void (*fn)(void *arg, const struct stat_piece *piece), void *arg)
{
	static struct stat_piece block[STAT_BLOCK];
	const struct stat_part *p;

	if (o->err.kind != ERR_NONE)
		return false;
	if (o->part == NULL)
		return true;
	p = &o->part[part];
	for (int i = 0; i < p->block.n; i++) {
		if (!read_block(o, p->block.at[i], block))
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
	if (o->part != NULL)
		close(o->fd);
	o->part = NULL;
}
