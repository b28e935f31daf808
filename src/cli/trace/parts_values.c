/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_values.h"

#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/team.h"
#include "base/vec.h"
#include "cli/trace/breakdown_join.h"
#include "cli/trace/parts_send.h"
#include "export/share.h"

/* A CPU's value. */
struct value {
	int64_t value;
	uint32_t row, type;
	int64_t slice; /* the last one in which it changed */
};

struct parts_values {
	struct arena *arena;
	struct team *team;
	struct map index; /* row and type -> index of the value + 1 */
	VEC(struct value) values;
	int64_t rounds;
};

struct parts_values *
parts_values_open(struct arena *a, struct team *t)
{
	struct parts_values *v = ARENA_NEW(a, struct parts_values);

	v->arena = a;
	v->team = t;
	return v;
}

static void
note(struct parts_values *v, const struct record *r, int64_t slice)
{
	uint64_t *at = map_put(&v->index, (uint64_t)r->row << 32 | r->type);

	if (*at == 0) {
		VEC_PUSH(&v->values, v->arena,
			((struct value){ .row = r->row, .type = r->type }));
		*at = (uint64_t)v->values.n;
	}
	v->values.at[*at - 1].value = r->value;
	v->values.at[*at - 1].slice = slice;
}

/* Appends what changed after the last slice of a process. */
static void
put_changed(const struct parts_values *v, int64_t last, struct parts_bytes *to)
{
	for (int i = 0; i < v->values.n; i++)
		if (v->values.at[i].slice > last)
			parts_put(to, &v->values.at[i], sizeof(struct value));
}

/* Reads the records of the window. */
static void
read_window(struct parts_values *v, struct share *share, const int64_t *cuts,
	const struct sink *front, struct parts_bytes *to)
{
	int n = v->team->size, slice = 0;
	int64_t first = v->rounds * n; /* number of the first slice */
	struct share_item item;
	bool more;

	share_read(share);
	do {
		more = share_next(share, &item) && item.time < cuts[n];
		while (slice < n && (!more || item.time >= cuts[slice])) {
			put_changed(v, first - n + slice, &to[slice]);
			slice++;
		}
		/* A block may begin with records of the window before. */
		if (more && item.kind == SHARE_STATE && item.time >= cuts[0] &&
			breakdown_join_is(front, item.record.type))
			note(v, &item.record, first + slice - 1);
	} while (more);
	v->rounds++;
}

static void
take(const char *at, size_t size, struct sink *front)
{
	for (size_t i = 0; i < size; i += sizeof(struct value)) {
		struct value b;

		memcpy(&b, at + i, sizeof b);
		breakdown_join_set(front, b.row, b.type, b.value);
	}
}

/* Sends to[i] to process i; passes on what arrives. */
static void
exchange(struct parts_values *v, struct arena *a, struct parts_bytes *to,
	struct sink *front)
{
	size_t n = (size_t)v->team->size, total = 0;
	size_t *size = ARENA_ARRAY(a, size_t, n),
	       *got = ARENA_ARRAY(a, size_t, n),
	       *at = ARENA_ARRAY(a, size_t, n),
	       *one = ARENA_ARRAY(a, size_t, n),
	       *got_at = ARENA_ARRAY(a, size_t, n);
	struct parts_bytes all = { .arena = a };
	char *data;

	for (size_t i = 0; i < n; i++) {
		size[i] = to[i].n;
		one[i] = sizeof *size;
		at[i] = i * sizeof *size;
	}
	team_alltoallv(v->team, &(struct team_parts){ size, one, at },
		&(struct team_parts){ got, one, at });
	for (size_t i = 0; i < n; i++) {
		at[i] = all.n;
		parts_put(&all, to[i].at, to[i].n);
		got_at[i] = total;
		total += got[i];
	}
	parts_put(&all, "", 1);
	data = arena_alloc(a, total + 1);
	team_alltoallv(v->team, &(struct team_parts){ all.at, size, at },
		&(struct team_parts){ data, got, got_at });
	for (size_t i = 0; i < n; i++)
		take(data + got_at[i], got[i], front);
}

void
parts_values_exchange(struct parts_values *v, struct share *share,
	const int64_t *cuts, struct sink *front)
{
	struct arena a = { 0 };
	struct parts_bytes *to =
		ARENA_ARRAY(&a, struct parts_bytes, v->team->size);

	for (int i = 0; i < v->team->size; i++)
		to[i].arena = &a;
	read_window(v, share, cuts, front, to);
	exchange(v, &a, to, front);
	arena_fini(&a);
}

void
parts_values_close(struct parts_values *v)
{
	if (v != NULL)
		map_fini(&v->index);
}
