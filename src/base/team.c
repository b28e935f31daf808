/* SPDX-License-Identifier: MIT */
#include "base/team.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"

static char nothing[1]; /* the buffer of a message without bytes */

struct out {
	int to;
	const char *at;
	size_t left;
};

struct in {
	int from;
	char *at;
	size_t left;
};

/* Sends and receives at the same time, in pieces. */
static void
exchange(struct team *t, struct out out, struct in in, bool talks)
{
	while (out.left > 0 || in.left > 0) {
		size_t o = out.left < t->piece ? out.left : t->piece;
		size_t i = in.left < t->piece ? in.left : t->piece;

		t->ops->exchange(&(struct team_swap){
			o > 0 ? out.to : TEAM_NOBODY, out.at, (int)o,
			i > 0 ? in.from : TEAM_NOBODY, in.at, (int)i, talks });
		out.at += o;
		out.left -= o;
		in.at += i;
		in.left -= i;
	}
}

void
team_send(struct team *t, int to, const void *data, size_t size)
{
	BUG_ON(to < 0 || to >= t->size || to == t->rank);
	exchange(t, (struct out){ to, data, size },
		(struct in){ .at = nothing }, true);
}

void
team_receive(struct team *t, int from, void *data, size_t size)
{
	BUG_ON(from < 0 || from >= t->size || from == t->rank);
	exchange(t, (struct out){ .at = nothing },
		(struct in){ from, data, size }, true);
}

void
team_barrier(struct team *t)
{
	if (t->size > 1)
		t->ops->barrier();
}

void
team_bcast(struct team *t, int root, void *data, size_t size)
{
	char *at = data;

	BUG_ON(root < 0 || root >= t->size);
	while (t->size > 1 && size > 0) {
		size_t n = size < t->piece ? size : t->piece;

		t->ops->bcast(root, at, (int)n);
		at += n;
		size -= n;
	}
}

static void
copy_own(struct team *t, const void *mine, const struct team_parts *to)
{
	if (to->size[t->rank] > 0)
		memcpy((char *)to->data + to->at[t->rank], mine,
			to->size[t->rank]);
}

/* Returns true if all parts end before byte `limit`. */
static bool
ends_before(const struct team *t, const struct team_parts *p, size_t limit)
{
	for (int i = 0; i < t->size; i++)
		if (p->at[i] > limit || p->size[i] > limit - p->at[i])
			return false;
	return true;
}

static void
allgather_at_once(struct team *t, const void *mine, const struct team_parts *to)
{
	size_t n = (size_t)t->size;
	int *size = mem_resize(NULL, 2 * n, sizeof *size), *at = size + n;

	for (size_t i = 0; i < n; i++) {
		size[i] = (int)to->size[i];
		at[i] = (int)to->at[i];
	}
	t->ops->allgatherv(mine, size[t->rank], to->data, size, at);
	mem_free(size);
}

void
team_allgatherv(struct team *t, const void *mine, const struct team_parts *to)
{
	if (t->size > 1 && ends_before(t, to, t->piece)) {
		allgather_at_once(t, mine, to);
		return;
	}
	copy_own(t, mine, to);
	for (int i = 0; i < t->size; i++)
		team_bcast(t, i, (char *)to->data + to->at[i], to->size[i]);
}

void
team_alltoallv(struct team *t, const struct team_parts *from,
	const struct team_parts *to)
{
	BUG_ON(from->size[t->rank] != to->size[t->rank]);
	copy_own(t, (const char *)from->data + from->at[t->rank], to);
	/* In step k each rank sends to the k-th rank after it and receives from
	 * the k-th rank before it, so nobody waits for a rank that waits. */
	for (int k = 1; k < t->size; k++) {
		int next = (t->rank + k) % t->size;
		int last = (t->rank - k + t->size) % t->size;

		exchange(t,
			(struct out){ next,
				(const char *)from->data + from->at[next],
				from->size[next] },
			(struct in){ last, (char *)to->data + to->at[last],
				to->size[last] },
			false);
	}
}

static int64_t
neutral(enum team_op op)
{
	if (op == TEAM_MIN)
		return INT64_MAX;
	return op == TEAM_MAX ? INT64_MIN : 0;
}

/* Calls the module's function for as many values as a message may have. */
static void
combine(struct team *t, void (*call)(int64_t *, int, enum team_op),
	int64_t *value, size_t n, enum team_op op)
{
	size_t most = t->piece / sizeof *value;

	if (most == 0)
		most = 1;
	while (n > 0) {
		size_t part = n < most ? n : most;

		call(value, (int)part, op);
		value += part;
		n -= part;
	}
}

void
team_exscan(struct team *t, int64_t *value, size_t n, enum team_op op)
{
	if (t->size > 1)
		combine(t, t->ops->exscan, value, n, op);
	for (size_t i = 0; t->rank == 0 && i < n; i++)
		value[i] = neutral(op);
}

void
team_reduce(struct team *t, int64_t *value, size_t n, enum team_op op)
{
	if (t->size > 1)
		combine(t, t->ops->reduce, value, n, op);
}

void
team_close(struct team *t)
{
	if (t->ops != NULL)
		t->ops->stop();
	*t = (struct team){ .size = 1 };
}
