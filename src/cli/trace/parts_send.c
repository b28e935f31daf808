/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_send.h"

#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/team.h"

#define NO_TEXT UINT32_MAX
#define HOST 256

void
parts_put(struct parts_bytes *b, const void *data, size_t n)
{
	if (n > b->room - b->n) {
		char *more;

		b->room = 2 * (b->n + n) + 256;
		more = arena_alloc(b->arena, b->room);
		if (b->n > 0)
			memcpy(more, b->at, b->n);
		b->at = more;
	}
	if (n > 0)
		memcpy(b->at + b->n, data, n);
	b->n += n;
}

void
parts_put_i64(struct parts_bytes *b, int64_t value)
{
	parts_put(b, &value, sizeof value);
}

void
parts_put_text(struct parts_bytes *b, const char *text)
{
	uint32_t n = text == NULL ? NO_TEXT : (uint32_t)strlen(text);

	parts_put(b, &n, sizeof n);
	if (text != NULL)
		parts_put(b, text, (size_t)n + 1);
}

int64_t
parts_take_i64(const char **at)
{
	int64_t value;

	memcpy(&value, *at, sizeof value);
	*at += sizeof value;
	return value;
}

const char *
parts_take_text(const char **at)
{
	const char *text;
	uint32_t n;

	memcpy(&n, *at, sizeof n);
	*at += sizeof n;
	if (n == NO_TEXT)
		return NULL;
	text = *at;
	*at += (size_t)n + 1;
	return text;
}

struct parts_all
parts_gather(struct arena *a, struct team *t, const struct parts_bytes *mine)
{
	size_t n = (size_t)t->size, total = 0;
	struct parts_all all = { ARENA_ARRAY(a, const char *, n),
		ARENA_ARRAY(a, size_t, n) };
	size_t *at = ARENA_ARRAY(a, size_t, n),
	       *one = ARENA_ARRAY(a, size_t, n);
	char *data;

	for (size_t i = 0; i < n; i++) {
		at[i] = i * sizeof *at;
		one[i] = sizeof *at;
	}
	team_allgatherv(t, &mine->n, &(struct team_parts){ all.size, one, at });
	for (size_t i = 0; i < n; i++) {
		at[i] = total;
		total += all.size[i];
	}
	data = arena_alloc(a, total + 1);
	team_allgatherv(t, mine->n > 0 ? mine->at : "",
		&(struct team_parts){ data, all.size, at });
	for (size_t i = 0; i < n; i++)
		all.at[i] = data + at[i];
	return all;
}

int64_t
parts_sum(struct team *t, int64_t value)
{
	team_reduce(t, &value, 1, TEAM_SUM);
	team_bcast(t, 0, &value, sizeof value);
	return value;
}

int64_t
parts_most(struct team *t, int64_t value)
{
	team_reduce(t, &value, 1, TEAM_MAX);
	team_bcast(t, 0, &value, sizeof value);
	return value;
}

void
parts_any(void *arg, bool *flags, size_t n)
{
	struct arena a = { 0 };
	int64_t *value = ARENA_ARRAY(&a, int64_t, n);

	for (size_t i = 0; i < n; i++)
		value[i] = flags[i];
	team_reduce(arg, value, n, TEAM_OR);
	team_bcast(arg, 0, value, n * sizeof *value);
	for (size_t i = 0; i < n; i++)
		flags[i] = value[i] != 0;
	arena_fini(&a);
}

bool
parts_agree(struct arena *a, struct team *t, struct err *err)
{
	struct parts_bytes mine = { .arena = a };
	struct parts_all all;
	char host[HOST] = "";

	gethostname(host, sizeof host - 1);
	if (err->kind != ERR_NONE) {
		parts_put_text(&mine, host);
		parts_put_text(&mine, err->text);
	}
	all = parts_gather(a, t, &mine);
	for (int i = 0; i < t->size; i++) {
		const char *at = all.at[i], *where;

		if (all.size[i] == 0)
			continue;
		where = parts_take_text(&at);
		if (t->rank == 0 && i > 0)
			err_set(err, ERR_INPUT, "process %d on %s: %s", i,
				where, parts_take_text(&at));
		return false;
	}
	return true;
}
