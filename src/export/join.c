/* SPDX-License-Identifier: MIT */
#include "export/join.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/loser.h"
#include "base/map.h"
#include "export/join_tables.h"
#include "export/share.h"

#define LOOK_EVERY 4096 /* items between two looks at the signal */

/* A kind of links of an input that got another number. */
struct moved_kind {
	int input;
	int64_t kind, to;
};

struct join {
	struct arena *arena; /* borrowed */
	const struct join_input *in;
	int n;
	struct join_tables tables;
	struct share_item *item; /* by input: the next one */
	/* by input: (row, type) of the joint line -> 1: it has a value; to end
	 * the states with the input */
	struct map *states;
	VEC(struct link_kind) kinds;
	VEC(struct moved_kind) moved;
	int64_t *stack; /* owned */
	size_t stack_room;
	int64_t end; /* of all inputs */
};

struct join *
join_open(struct arena *a, const struct join_input *in, int n)
{
	struct join *j = ARENA_NEW(a, struct join);

	j->arena = a;
	j->in = in;
	j->n = n;
	j->item = ARENA_ARRAY(a, struct share_item, n);
	j->states = ARENA_ARRAY(a, struct map, n);
	join_tables_make(&j->tables, a, in, n);
	return j;
}

void
join_fini(struct join *j)
{
	for (int i = 0; i < j->n; i++)
		map_fini(&j->states[i]);
	join_tables_fini(&j->tables);
	mem_free(j->stack);
}

int
join_renumbered(const struct join *j)
{
	return j->tables.renumbered;
}

/* Returns the row of the joint line for a row of an input. */
static uint32_t
new_row(const struct join *j, int input, uint32_t row)
{
	return row == ROW_NONE ? ROW_NONE : j->tables.of[input].row[row];
}

static const struct link_kind *
find_kind(const struct join *j, int64_t kind)
{
	for (int i = 0; i < j->kinds.n; i++)
		if (j->kinds.at[i].kind == kind)
			return &j->kinds.at[i];
	return NULL;
}

/* Takes a kind of an input's links; of two kinds with one number, the second
 * gets the next free one. */
static void
take_kind(struct join *j, int input, const struct link_kind *kind)
{
	struct link_kind out = *kind;
	const struct link_kind *there;

	while ((there = find_kind(j, out.kind)) != NULL &&
		(strcmp(there->name, kind->name) != 0 ||
			there->meaning != kind->meaning))
		out.kind++;
	if (out.kind != kind->kind)
		VEC_PUSH(&j->moved, j->arena,
			((struct moved_kind){ input, kind->kind, out.kind }));
	if (there == NULL)
		VEC_PUSH(&j->kinds, j->arena, out);
}

void
join_declare(struct join *j, struct sink *to)
{
	join_tables_declare(&j->tables, to);
	for (int i = 0; i < j->n; i++)
		for (int k = 0; k < j->in[i].share->link_kinds.n; k++)
			take_kind(j, i, &j->in[i].share->link_kinds.at[k]);
	for (int i = 0; i < j->kinds.n; i++)
		sink_link_kind(to, &j->kinds.at[i]);
}

static int64_t
time_of(const struct join *j, int input, int64_t time)
{
	const struct join_input *in = &j->in[input];

	return in->time == NULL ? time : in->time(in->arg, time);
}

/* Reads the next item of an input. Returns its time on the joint line. */
static int64_t
read_item(struct join *j, int input)
{
	if (!share_next(j->in[input].share, &j->item[input]))
		return LOSER_END;
	return time_of(j, input, j->item[input].time);
}

/* Returns the stack with the values of the joint line. */
static const int64_t *
new_stack(struct join *j, const struct join_numbers *of, const struct record *r)
{
	const struct map *m = &of->value[r->type];

	if (r->stack == NULL || (m->slot == NULL && !m->has_zero))
		return r->stack;
	if (r->depth > j->stack_room) {
		j->stack_room = (size_t)r->depth * 2;
		j->stack =
			mem_resize(j->stack, j->stack_room, sizeof *j->stack);
	}
	for (uint32_t i = 0; i < r->depth; i++)
		j->stack[i] = join_tables_value(of, r->type, r->stack[i]);
	return j->stack;
}

static void
pass_state(struct join *j, int input, int64_t time, struct sink *to)
{
	const struct join_numbers *of = &j->tables.of[input];
	struct record r = j->item[input].record;

	r.stack = new_stack(j, of, &r);
	if (r.value != VALUE_NONE)
		r.value = join_tables_value(of, r.type, r.value);
	r.time = time;
	r.row = of->row[r.row];
	r.type = of->type[r.type];
	if (j->n > 1)
		*map_put(&j->states[input], (uint64_t)r.row << 32 | r.type) =
			r.value != VALUE_NONE;
	sink_state(to, &r);
}

static void
pass_link(struct join *j, int input, struct sink *to)
{
	struct link l = j->item[input].link;

	l.from_time = time_of(j, input, l.from_time);
	l.to_time = time_of(j, input, l.to_time);
	l.from_row = new_row(j, input, l.from_row);
	l.to_row = new_row(j, input, l.to_row);
	for (int i = 0; i < j->moved.n; i++)
		if (j->moved.at[i].input == input &&
			j->moved.at[i].kind == l.kind) {
			l.kind = j->moved.at[i].to;
			break;
		}
	sink_link(to, &l);
}

static void
pass_gap(struct join *j, int input, struct sink *to)
{
	struct gap g = j->item[input].gap;

	g.from = time_of(j, input, g.from);
	g.to = time_of(j, input, g.to);
	g.row = new_row(j, input, g.row);
	sink_gap(to, &g);
}

static void
pass(struct join *j, int input, int64_t time, struct sink *to)
{
	switch (j->item[input].kind) {
	case SHARE_STATE:
		pass_state(j, input, time, to);
		break;
	case SHARE_LINK:
		pass_link(j, input, to);
		break;
	case SHARE_GAP:
		pass_gap(j, input, to);
		break;
	}
}

static int
by_key(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

/* Ends the states of an input. */
static void
end_input(struct join *j, int input, int64_t time, struct sink *to)
{
	struct map *m = &j->states[input];
	uint64_t *keys = ARENA_ARRAY(j->arena, uint64_t, map_count(m));
	uint64_t key, value;
	size_t n = 0, pos = 0;

	while (map_next(m, &pos, &key, &value))
		if (value != 0)
			keys[n++] = key;
	qsort(keys, n, sizeof *keys, by_key);
	for (size_t i = 0; i < n; i++) {
		uint32_t type = (uint32_t)keys[i];

		if (j->tables.types.at[type].type.kind == TYPE_POINT)
			continue;
		sink_state(to,
			&(struct record){ .time = time,
				.row = (uint32_t)(keys[i] >> 32),
				.type = type,
				.value = VALUE_NONE });
	}
}

/* An input's end comes behind its last item. */
static int64_t
next_key(struct join *j, int input, bool *ended)
{
	int64_t key = read_item(j, input);
	const struct share *s = j->in[input].share;

	if (key != LOSER_END || *ended)
		return key;
	*ended = true;
	key = s->end < 0 ? LOSER_END : time_of(j, input, s->end);
	return key < j->end ? key : LOSER_END;
}

static void
merge(struct join *j, struct sink *to, const atomic_int *stop)
{
	int64_t *key = ARENA_ARRAY(j->arena, int64_t, j->n), last = 0;
	bool *ended = ARENA_ARRAY(j->arena, bool, j->n);
	struct loser tree;
	uint64_t count = 0;
	int i;

	for (i = 0; i < j->n; i++) {
		share_read(j->in[i].share);
		key[i] = next_key(j, i, &ended[i]);
	}
	loser_init(&tree, j->arena, key, j->n);
	while ((i = loser_top(&tree)) >= 0) {
		int64_t next;

		last = loser_key(&tree);
		if (ended[i])
			end_input(j, i, last, to);
		else
			pass(j, i, last, to);
		if (++count % LOOK_EVERY == 0 && stop != NULL && *stop != 0)
			break;
		next = ended[i] ? LOSER_END : next_key(j, i, &ended[i]);
		loser_replay(&tree, next < last ? last : next);
	}
	sink_advance(to, i < 0 ? j->end : last);
}

static void
pass_findings(struct join *j, int input, struct sink *to)
{
	const struct share *s = j->in[input].share;

	for (int k = 0; k < s->findings.n; k++) {
		struct sink_finding f = s->findings.at[k];

		f.row = new_row(j, input, f.row);
		if (f.time != VALUE_NONE)
			f.time = time_of(j, input, f.time);
		sink_finding(to, &f);
	}
}

bool
join_records(struct join *j, struct sink *to, const atomic_int *stop,
	struct err *err)
{
	j->end = 0;
	for (int i = 0; i < j->n; i++) {
		const struct share *s = j->in[i].share;
		int64_t end = s->end < 0 ? 0 : time_of(j, i, s->end);

		j->end = end > j->end ? end : j->end;
	}
	merge(j, to, stop);
	for (int i = 0; i < j->n; i++) {
		const struct err *why = share_error(j->in[i].share);

		pass_findings(j, i, to);
		if (why != NULL) {
			*err = *why;
			return false;
		}
	}
	return true;
}
