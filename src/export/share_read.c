/* SPDX-License-Identifier: MIT */
/* Reading a share. */
#include <string.h>

#include "base/arena.h"
#include "export/share.h"
#include "export/share_item.h"
#include "export/varint.h"

static const uint8_t *
get_u32(const uint8_t *at, uint32_t *value)
{
	uint64_t v;

	at = varint_get(at, &v);
	*value = (uint32_t)v;
	return at;
}

/* Makes the next block the one that is read. Returns false at the end. */
static bool
next_block(struct share *s)
{
	const struct share_block *b;

	if (s->block == s->blocks.n || s->file.err.kind != ERR_NONE)
		return false;
	b = &s->blocks.at[s->block++];
	s->read = b->at;
	if (b->at == NULL) {
		if (b->size > s->room) {
			s->room = b->size;
			s->buf = mem_resize(s->buf, s->room, 1);
		}
		if (!tempfile_read(&s->file, s->buf, b->size, b->file_at))
			return false;
		s->read = s->buf;
	}
	s->used = b->size;
	return true;
}

void
share_skip(struct share *s, int64_t time)
{
	while (s->block + 1 < s->blocks.n &&
		s->blocks.at[s->block + 1].first < time)
		s->block++;
}

/* Returns room for a stack. */
static int64_t *
stack_room(struct share *s, uint32_t depth)
{
	if (depth > s->stack_room) {
		s->stack_room = (size_t)depth * 2;
		s->stack =
			mem_resize(s->stack, s->stack_room, sizeof *s->stack);
	}
	return s->stack;
}

static const uint8_t *
get_state(struct share *s, const uint8_t *at, unsigned flags, struct record *r)
{
	*r = (struct record){ .time = s->time, .value = VALUE_NONE };
	at = get_u32(at, &r->row);
	at = get_u32(at, &r->type);
	at = get_u32(at, &r->depth);
	if ((flags & ITEM_NOTHING) == 0)
		at = varint_get_signed(at, &r->value);
	if ((flags & ITEM_BARE) != 0)
		return at;
	r->stack = stack_room(s, r->depth > 0 ? r->depth : 1);
	for (uint32_t i = 0; i < r->depth; i++)
		at = varint_get_signed(at, &s->stack[i]);
	return at;
}

/* Reads two times: how long before the item the first one was, and the length.
 */
static const uint8_t *
get_times(const struct share *s, const uint8_t *at, int64_t *from, int64_t *to)
{
	int64_t late, length;

	at = varint_get_signed(at, &late);
	at = varint_get_signed(at, &length);
	*from = s->time - late;
	*to = *from + length;
	return at;
}

static const uint8_t *
get_link(const struct share *s, const uint8_t *at, struct link *l)
{
	at = get_times(s, at, &l->from_time, &l->to_time);
	at = get_u32(at, &l->from_row);
	at = get_u32(at, &l->to_row);
	at = varint_get_signed(at, &l->kind);
	at = varint_get_signed(at, &l->id);
	return varint_get_signed(at, &l->bytes);
}

/* Returns a reason of the block that is read, by 1 + its index. */
static const char *
reason(const struct share *s, uint64_t why)
{
	bool is_own = !s->blocks.at[s->block - 1].is_lent;

	return is_own && why - 1 < (uint64_t)s->why.n ? s->why.at[why - 1]
						      : NULL;
}

static const uint8_t *
get_gap(const struct share *s, const uint8_t *at, struct gap *g)
{
	uint64_t why;

	at = get_times(s, at, &g->from, &g->to);
	at = get_u32(at, &g->row);
	at = varint_get(at, &g->events);
	at = varint_get(at, &why);
	g->why = reason(s, why);
	return at;
}

/* Reads an item that is not flat. */
static const uint8_t *
get_other(struct share *s, const uint8_t *at, struct share_item *item)
{
	unsigned flags = *at++;
	uint64_t time;

	if ((flags & ITEM_MOVED) != 0) {
		memcpy(&s->stream, at, sizeof s->stream);
		at += sizeof s->stream;
	}
	at = varint_get(at, &time);
	s->time += (int64_t)time;
	if ((flags & ITEM_KIND) == ITEM_OTHER) {
		item->kind = SHARE_STATE;
		return get_state(s, at, flags, &item->record);
	}
	item->kind = (enum share_kind)(flags & ITEM_KIND);
	return item->kind == SHARE_LINK ? get_link(s, at, &item->link)
					: get_gap(s, at, &item->gap);
}

bool
share_next_other(struct share *s, struct share_item *item)
{
	const char *at;

	if (s->at == s->used) {
		s->at = s->used = 0;
		s->time = 0;
		if (!next_block(s))
			return false;
	}
	at = s->read + s->at;
	if (share_flat_at(at))
		return share_next(s, item);
	at = (const char *)get_other(s, (const uint8_t *)at, item);
	s->at = (size_t)(at - s->read);
	item->time = s->time;
	item->stream = s->stream;
	return true;
}
