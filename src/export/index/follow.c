/* SPDX-License-Identifier: MIT */
/*
 * Series that have the same records as another one so far: the row of a CPU
 * beside that of the thread which it runs. Such a follower has no records of
 * its own: each record is compared with the last one of the leader. When they
 * differ, the follower gets a copy of the leader's open chunk, and shares the
 * chunks before. The leader may be ahead by one record, which the copy then
 * lacks.
 */
#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "export/index/build.h"
#include "export/varint.h"

/* Returns true if both types have given the value the same class, which no
 * other value shares. */
static inline bool
same_class(struct build_type *x, struct build_type *y, int64_t value)
{
	uint8_t class;

	if (value == VALUE_NONE)
		return true;
	if ((uint64_t)value < BUILD_DIRECT && x->direct[value] != 0 &&
		x->direct[value] == y->direct[value])
		return x->direct[value] <= INDEX_HASHED;
	class = build_class(x, value);
	return class < INDEX_HASHED && class == build_class(y, value);
}

/* Returns true if the record has the stack that the leader shows. */
static bool
same_stack(const struct build_stack *s, struct build_type *t,
	struct build_type *leader, const struct record *r)
{
	const int64_t *entry = build_entries(r);
	uint32_t depth = build_depth(r);

	if (s->top != r->value || s->depth != depth ||
		!same_class(t, leader, r->value))
		return false;
	for (uint32_t i = 0; i < depth; i++)
		if (s->lanes.at[i].value != entry[i] ||
			!same_class(t, leader, entry[i]))
			return false;
	return true;
}

/* Returns true if the series and the record agree with the last record of the
 * leader. */
static inline bool
same_record(const struct build *b, const struct build_hot *leader,
	struct build_type *t, const struct record *r)
{
	struct build_type *of = b->types.at[leader->type];

	if (leader->t_last != r->time)
		return false;
	if ((leader->flags & BUILD_APART) != 0)
		return same_stack(leader->stack, t, of, r);
	return leader->top == r->value &&
		((leader->flags & BUILD_STACK) == 0 || build_is_flat(r)) &&
		same_class(t, of, r->value);
}

bool
build_follow(struct build *b, uint32_t series, struct build_type *t,
	const struct record *r)
{
	struct build_hot *leader = &b->hot[b->hot[series].leader];

	if ((leader->flags & BUILD_AHEAD) != 0 &&
		same_record(b, leader, t, r)) {
		leader->flags &= (uint8_t)~BUILD_AHEAD;
		return true;
	}
	build_part(b, series);
	return false;
}

/* Returns true if both are the same series but for the leader's last record. */
static bool
is_alike(const struct build *b, uint32_t leader, uint32_t series)
{
	const struct build_hot *x = &b->hot[leader], *y = &b->hot[series];
	const unsigned none = BUILD_FOLLOWED | BUILD_FOLLOWS | BUILD_APART;

	return x->n == y->n + 1 && ((x->flags | y->flags) & none) == 0 &&
		((x->flags ^ y->flags) & BUILD_STACK) == 0 &&
		b->types.at[x->type]->type.kind == TYPE_STATE &&
		b->types.at[y->type]->type.kind == TYPE_STATE &&
		b->cold.at[leader].nchunks == 0 &&
		b->cold.at[series].nchunks == 0 &&
		(y->n == 0 ||
			(y->t_first == x->t_first &&
				memcmp(x->buf, y->buf,
					(size_t)(y->at - y->buf)) == 0));
}

bool
build_begin_following(struct build *b, uint32_t series, struct build_type *t,
	const struct record *r)
{
	struct build_hot *h = &b->hot[series], *to;
	uint32_t leader = b->last - 1;

	if (b->last == 0 || leader == series || !is_alike(b, leader, series))
		return false;
	to = &b->hot[leader];
	if (!same_record(b, to, t, r))
		return false;
	if (h->buf != NULL)
		slab_put(&b->slab, h->buf, h->size);
	h->buf = h->at = h->end = NULL;
	h->n = 0;
	h->flags |= BUILD_FOLLOWS;
	h->leader = leader;
	to->flags |= BUILD_FOLLOWED;
	b->cold.at[leader].follower = series + 1;
	return true;
}

static void
copy_slots(
	struct build *b, struct build_cold *to, const struct build_cold *from)
{
	size_t each = sizeof *to->abs +
		(to->lengths ? sizeof(struct build_length) : 0);

	to->class_of = ARENA_ARRAY(b->arena, uint8_t, from->seen_room);
	to->abs = arena_array(b->arena, from->seen_room, each);
	if (from->nseen == 0)
		return;
	memcpy(to->class_of, from->class_of, from->nseen);
	memcpy(to->abs, from->abs, from->nseen * sizeof *from->abs);
	if (to->lengths)
		memcpy(build_lengths(to), build_lengths(from),
			from->nseen * sizeof(struct build_length));
}

void
build_copy(struct build *b, uint32_t series, uint32_t from)
{
	struct build_cold *to = &b->cold.at[series], was = *to;
	struct build_hot *h = &b->hot[series];
	const struct build_hot *of = &b->hot[from];

	*to = b->cold.at[from];
	to->row = was.row;
	to->type = was.type;
	to->lane = was.lane;
	to->lengths = to->lengths && to->lane == 0;
	to->nlike = (uint32_t)to->nchunks;
	to->like = to->nchunks > 0 ? from + 1 : 0;
	copy_slots(b, to, &b->cold.at[from]);
	h->t_last = of->t_last;
	h->v_last = of->v_last;
	h->t_first = of->t_first;
	h->n = of->n;
	if (of->buf != NULL) {
		size_t used = (size_t)(of->at - of->buf);

		h->size = of->size;
		h->buf = slab_get(&b->slab, h->size);
		h->at = h->buf + used;
		h->end = h->buf + (of->end - of->buf);
		memcpy(h->buf, of->buf, used);
	}
}

/* The records of an open chunk that come before the last one. */
struct before {
	uint8_t *at; /* where the last one begins */
	int64_t time, value, v_last;
	bool shown; /* one of them has a value */
};

static struct before
before_last(const struct build *b, uint32_t series)
{
	const struct build_cold *c = &b->cold.at[series];
	const struct build_hot *h = &b->hot[series];
	const struct build_type *t = b->types.at[c->type];
	struct before p = { h->buf, c->t_last, VALUE_NONE, 0, false };
	const uint8_t *at = h->buf;

	if (c->nchunks > 0)
		p.value = c->v_last;
	for (int i = 0; i < c->nseen; i++)
		p.shown = p.shown || c->class_of[i] != INDEX_CLASS_NONE;
	if (h->n > 1)
		p.time = h->t_first;
	for (int i = 0; i < h->n - 1; i++) {
		uint64_t delta, folded;
		uint8_t class;

		if (i % WIDX_BLOCK == 0)
			p.v_last = 0;
		at = varint_get(at, &delta);
		p.time += (int64_t)delta;
		class = *at++;
		p.value = VALUE_NONE;
		if (class < INDEX_HASHED) {
			p.value = t->value[class];
		} else if (class != INDEX_CLASS_NONE) {
			at = varint_get(at, &folded);
			p.value = p.v_last = (int64_t)((uint64_t)p.v_last +
				unzigzag(folded));
		}
		p.shown = p.shown || class != INDEX_CLASS_NONE;
	}
	p.at += at - h->buf;
	return p;
}

/* Takes back the last record of an open chunk. */
static struct before
drop_last(struct build *b, uint32_t series)
{
	struct build_hot *h = &b->hot[series];
	struct before p = before_last(b, series);

	BUG_ON(h->n == 0);
	h->n--;
	h->at = p.at;
	h->t_last = p.time;
	h->v_last = p.v_last;
	if (h->n == 0) {
		slab_put(&b->slab, h->buf, h->size);
		h->buf = h->at = h->end = NULL;
	}
	return p;
}

/* Returns a copy of a lane, without its last record if `without`. */
static struct build_lane
copy_lane(struct build *b, uint32_t series, struct build_lane lane,
	uint32_t number, bool without)
{
	uint32_t from = lane.series - 1;

	if (lane.series == 0)
		return lane;
	if (b->cold.at[from].nchunks == 0 &&
		b->hot[from].n == (without ? 1 : 0))
		return (struct build_lane){ VALUE_NONE, 0 };
	lane.series = build_series(b, b->cold.at[series].row,
			      b->cold.at[series].type, number) +
		1;
	build_copy(b, lane.series - 1, from);
	if (without)
		lane.value = drop_last(b, lane.series - 1).value;
	return lane;
}

/* Returns a copy of the lanes. If `behind`, they lack the last record. */
static struct build_stack *
copy_stack(struct build *b, uint32_t series, const struct build_stack *from,
	bool behind)
{
	struct build_stack *s = ARENA_NEW(b->arena, struct build_stack);

	s->top = from->top;
	for (int i = 0; i < from->lanes.n; i++) {
		struct build_lane lane = copy_lane(b, series, from->lanes.at[i],
			(uint32_t)i + 1, behind && (from->fed >> i & 1) != 0);

		VEC_PUSH(&s->lanes, b->arena, lane);
	}
	s->depth = (uint32_t)s->lanes.n;
	return s;
}

void
build_part(struct build *b, uint32_t series)
{
	uint32_t leader = b->hot[series].leader;
	bool behind = (b->hot[leader].flags & BUILD_AHEAD) != 0;
	struct build_stack *s = NULL;
	struct before p;

	b->hot[leader].flags &= (uint8_t) ~(BUILD_FOLLOWED | BUILD_AHEAD);
	b->cold.at[leader].like = 0;
	build_copy(b, series, leader);
	if ((b->hot[leader].flags & BUILD_APART) != 0)
		s = copy_stack(b, series, b->hot[leader].stack, behind);
	b->hot[series].flags = b->hot[leader].flags;
	if (s != NULL)
		b->hot[series].stack = s;
	else
		b->hot[series].top = b->hot[leader].top;
	if (!behind)
		return;
	p = drop_last(b, series);
	if (s != NULL)
		s->top = p.value;
	else
		b->hot[series].top = p.value;
	if (s == NULL && !p.shown)
		b->hot[series].flags &= (uint8_t)~BUILD_SHOWN;
}

void
build_part_all(struct build *b, unsigned flags)
{
	size_t n = b->cold.n;

	for (size_t i = 0; i < n; i++)
		if ((b->hot[i].flags & BUILD_FOLLOWS) != 0 &&
			(b->hot[b->hot[i].leader].flags & flags) != 0)
			build_part(b, (uint32_t)i);
}
