/* SPDX-License-Identifier: MIT */
#include "export/share.h"

#include <string.h>

#include "base/arena.h"
#include "export/share_item.h"
#include "export/varint.h"

/* Moves the full buffer to the blocks. */
static void
end_block(struct share *s)
{
	if (s->used > 0 && s->kept + s->used <= s->options.memory) {
		/* The buffer becomes the block. */
		VEC_PUSH(&s->blocks, s->arena,
			((struct share_block){ .at = s->buf,
				.size = s->used,
				.room = s->room,
				.first = s->first }));
		s->kept += s->used;
		s->buf = NULL;
		s->room = 0;
	} else if (s->used > 0) {
		VEC_PUSH(&s->blocks, s->arena,
			((struct share_block){ .file_at = s->file.size,
				.size = s->used,
				.first = s->first }));
		tempfile_append(&s->file, s->buf, s->used);
	}
	if (s->used > 0)
		s->last = s->time;
	s->bytes += s->used;
	s->used = 0;
}

void
share_lend_block(struct share *s, const void *bytes, size_t size, int64_t first)
{
	VEC_PUSH(&s->blocks, s->arena,
		((struct share_block){ .at = (char *)(uintptr_t)bytes,
			.size = size,
			.first = first,
			.is_lent = true }));
	s->bytes += size;
}

static size_t
block_size(const struct share *s)
{
	return s->options.block > 0 ? s->options.block : SHARE_BLOCK;
}

static void
free_block(struct share *s, const struct share_block *b)
{
	s->bytes -= b->size;
	if (b->is_lent || b->at == NULL)
		return;
	s->kept -= b->size;
	if (b->room == block_size(s))
		VEC_PUSH(&s->spare, s->arena, b->at);
	else
		mem_free(b->at);
}

/* Makes room for an item of some bytes in an empty buffer. */
static void
make_buffer(struct share *s, size_t need)
{
	if (s->buf == NULL && s->spare.n > 0) {
		s->buf = s->spare.at[--s->spare.n];
		s->room = block_size(s);
	}
	if (s->buf != NULL && s->room >= need)
		return;
	s->room = need > block_size(s) ? need : block_size(s);
	s->buf = mem_resize(s->buf, s->room, 1);
}

void
share_drop(struct share *s, int n)
{
	for (int i = 0; i < n; i++)
		free_block(s, &s->blocks.at[i]);
	s->blocks.n -= n;
	if (n > 0 && s->blocks.n > 0)
		memmove(s->blocks.at, s->blocks.at + n,
			(size_t)s->blocks.n * sizeof *s->blocks.at);
	if (s->blocks.n == 0)
		s->file.size = 0;
	share_read(s);
}

bool
share_copy_block(struct share *s, int block, void *to)
{
	const struct share_block *b = &s->blocks.at[block];

	if (b->at == NULL)
		return tempfile_read(&s->file, to, b->size, b->file_at);
	memcpy(to, b->at, b->size);
	return true;
}

/* Returns room for an item with n entries of a stack. */
static uint8_t *
room(struct share *s, size_t n)
{
	size_t need = ITEM_MOST + n * VARINT_MOST;

	if (s->room - s->used < need) {
		end_block(s);
		if (s->options.full != NULL)
			s->options.full(s->options.full_arg);
		make_buffer(s, need);
	}
	s->nrecords++;
	return (uint8_t *)s->buf + s->used;
}

static void
done(struct share *s, const uint8_t *at)
{
	s->used = (size_t)((const char *)at - s->buf);
}

static inline uint32_t
stream_now(const struct share *s)
{
	return s->options.stream == NULL ? 0 : *s->options.stream;
}

/* Begins an item that is not flat. */
static uint8_t *
begin(struct share *s, uint8_t *at, unsigned flags, int64_t time)
{
	uint32_t stream = stream_now(s);
	int64_t before = s->used == 0 ? 0 : s->time;

	if (s->used == 0)
		s->time = s->last;
	if (time > s->time)
		s->time = time;
	if (s->used == 0)
		s->first = s->time;
	if (s->used == 0 || stream != s->stream)
		flags |= ITEM_MOVED;
	*at++ = (uint8_t)flags;
	if ((flags & ITEM_MOVED) != 0) {
		memcpy(at, &stream, sizeof stream);
		at += sizeof stream;
		s->stream = stream;
	}
	return varint_put(at, (uint64_t)(s->time - before));
}

/* Appends a state with its stack, or one that does not fit. */
static void __attribute__((noinline))
put_other(struct share *s, const struct record *r)
{
	bool stacked = s->base.takes_stacks && r->stack != NULL;
	uint32_t n = stacked ? r->depth : 0;
	uint8_t *at = room(s, n);
	unsigned flags = ITEM_OTHER;

	flags |= stacked ? 0 : ITEM_BARE;
	flags |= r->value == VALUE_NONE ? ITEM_NOTHING : 0;
	at = begin(s, at, flags, r->time);
	at = varint_put(at, r->row);
	at = varint_put(at, r->type);
	at = varint_put(at, r->depth);
	if (r->value != VALUE_NONE)
		at = varint_put_signed(at, r->value);
	for (uint32_t i = 0; i < n; i++)
		at = varint_put_signed(at, r->stack[i]);
	done(s, at);
}

static void
share_state(struct sink *sink, const struct record *r)
{
	struct share *s = (struct share *)sink;
	uint64_t since = (uint64_t)(r->time - s->time);
	uint32_t stream = stream_now(s);

	/* Times that go back are far behind, without a sign. */
	if (__builtin_expect(s->room - s->used < ITEM_MOST || s->used == 0 ||
			    !share_is_flat(r, stream, since) ||
			    (s->base.takes_stacks && r->stack != NULL),
		    0)) {
		put_other(s, r);
		return;
	}
	s->stream = stream;
	share_flat_put(s->buf + s->used, r, stream, since);
	s->used += SHARE_FLAT;
	s->time = r->time;
	s->nrecords++;
}

static void
share_link(struct sink *sink, const struct link *l)
{
	struct share *s = (struct share *)sink;
	uint8_t *at = begin(s, room(s, 0), SHARE_LINK, l->from_time);

	at = varint_put_signed(at, s->time - l->from_time);
	at = varint_put_signed(at, l->to_time - l->from_time);
	at = varint_put(at, l->from_row);
	at = varint_put(at, l->to_row);
	at = varint_put_signed(at, l->kind);
	at = varint_put_signed(at, l->id);
	done(s, varint_put_signed(at, l->bytes));
}

/* Returns 1 + index of the reason among those of the gaps; 0: none. */
static uint64_t
find_why(struct share *s, const char *why)
{
	int i = 0;

	if (why == NULL)
		return 0;
	while (i < s->why.n && strcmp(s->why.at[i], why) != 0)
		i++;
	if (i == s->why.n)
		VEC_PUSH(&s->why, s->arena, arena_strdup(s->arena, why));
	return (uint64_t)i + 1;
}

static void
share_gap(struct sink *sink, const struct gap *g)
{
	struct share *s = (struct share *)sink;
	uint8_t *at = begin(s, room(s, 0), SHARE_GAP, g->from);

	at = varint_put_signed(at, s->time - g->from);
	at = varint_put_signed(at, g->to - g->from);
	at = varint_put(at, g->row);
	at = varint_put(at, g->events);
	done(s, varint_put(at, find_why(s, g->why)));
}

static const char *
copy_text(struct arena *a, const char *text)
{
	return text == NULL ? NULL : arena_strdup(a, text);
}

static void
share_row(struct sink *sink, const struct row *row)
{
	struct share *s = (struct share *)sink;
	struct row copy = *row;

	copy.class = arena_strdup(s->arena, row->class);
	copy.name = arena_strdup(s->arena, row->name);
	if (row->identity != NULL) {
		struct row_identity *id =
			ARENA_NEW(s->arena, struct row_identity);

		*id = *row->identity;
		id->node = copy_text(s->arena, id->node);
		copy.identity = id;
	}
	VEC_PUSH(&s->rows, s->arena, copy);
}

static void
share_type(struct sink *sink, const struct type *type)
{
	struct share *s = (struct share *)sink;
	struct type copy = *type;

	copy.class = arena_strdup(s->arena, type->class);
	copy.key = arena_strdup(s->arena, type->key);
	copy.title = copy_text(s->arena, type->title);
	copy.none = copy_text(s->arena, type->none);
	copy.unit = copy_text(s->arena, type->unit);
	VEC_PUSH(&s->types, s->arena, copy);
}

static void
share_label(struct sink *sink, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct share *s = (struct share *)sink;

	VEC_PUSH(&s->labels, s->arena,
		((struct share_label){ type, meaning, value,
			arena_strdup(s->arena, text),
			s->options.now == NULL ? 0 : *s->options.now,
			s->options.stream == NULL ? 0 : *s->options.stream }));
}

static void
share_panel(struct sink *sink, const struct panel *panel)
{
	struct share *s = (struct share *)sink;
	struct panel copy = *panel;
	uint32_t *types = ARENA_ARRAY(s->arena, uint32_t, panel->ntypes);

	if (panel->ntypes > 0)
		memcpy(types, panel->types,
			(size_t)panel->ntypes * sizeof *types);
	copy.class = arena_strdup(s->arena, panel->class);
	copy.key = arena_strdup(s->arena, panel->key);
	copy.title = arena_strdup(s->arena, panel->title);
	copy.types = types;
	VEC_PUSH(&s->panels, s->arena, copy);
}

static void
share_rename(struct sink *sink, uint32_t row, const char *name)
{
	struct share *s = (struct share *)sink;

	s->rows.at[row].name = arena_strdup(s->arena, name);
	VEC_PUSH(&s->renamed, s->arena, row);
}

static void
share_link_kind(struct sink *sink, const struct link_kind *kind)
{
	struct share *s = (struct share *)sink;
	struct link_kind copy = *kind;

	copy.name = arena_strdup(s->arena, kind->name);
	VEC_PUSH(&s->link_kinds, s->arena, copy);
}

static void
share_finding(struct sink *sink, const struct sink_finding *f)
{
	struct share *s = (struct share *)sink;
	struct sink_finding copy = *f;

	copy.text = arena_strdup(s->arena, f->text);
	VEC_PUSH(&s->findings, s->arena, copy);
}

static void
share_advance(struct sink *sink, int64_t time)
{
	struct share *s = (struct share *)sink;

	if (time > s->end)
		s->end = time;
}

static bool
share_close(struct sink *sink, struct err *err)
{
	const struct err *why = share_error((struct share *)sink);

	if (why != NULL)
		*err = *why;
	return why == NULL;
}

static const struct sink_ops share_ops = {
	.name = "share",
	.help = "keeps the records until those of others are there",
	.row = share_row,
	.type = share_type,
	.label = share_label,
	.panel = share_panel,
	.state = share_state,
	.link = share_link,
	.rename = share_rename,
	.link_kind = share_link_kind,
	.gap = share_gap,
	.finding = share_finding,
	.advance = share_advance,
	.close = share_close,
};

struct share *
share_open(struct arena *a, const struct share_options *options)
{
	struct share *s = ARENA_NEW(a, struct share);

	s->base.ops = &share_ops;
	s->base.takes_stacks = options->takes_stacks;
	s->arena = a;
	s->options = *options;
	s->end = -1;
	tempfile_init(&s->file, options->spill_dir);
	return s;
}

void
share_read(struct share *s)
{
	if (s->read == NULL)
		end_block(s);
	s->read = NULL;
	s->block = 0;
	s->at = s->used = 0;
	s->time = 0;
	s->stream = 0;
}

const struct err *
share_error(const struct share *s)
{
	return s->file.err.kind == ERR_NONE ? NULL : &s->file.err;
}

void
share_fini(struct share *s)
{
	for (int i = 0; i < s->blocks.n; i++)
		free_block(s, &s->blocks.at[i]);
	s->blocks.n = 0;
	while (s->spare.n > 0)
		mem_free(s->spare.at[--s->spare.n]);
	mem_free(s->buf);
	mem_free(s->stack);
	s->buf = NULL;
	s->stack = NULL;
	tempfile_fini(&s->file);
}
