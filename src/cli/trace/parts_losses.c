/* SPDX-License-Identifier: MIT */
#include "cli/trace/parts_losses.h"

#include <string.h>

#include "base/arena.h"
#include "base/team.h"
#include "base/vec.h"
#include "cli/trace/parts_send.h"
#include "export/sink.h"

struct parts_losses {
	VEC(struct loss) at;
};

static void
put(void *arg, const struct loss *loss)
{
	parts_put_text(arg, loss->what);
	parts_put_i64(arg, (int64_t)loss->count);
	parts_put_i64(arg, loss->is_declared);
}

static struct loss
take(const char **at)
{
	struct loss l = { .what = parts_take_text(at) };

	l.count = (uint64_t)parts_take_i64(at);
	l.is_declared = parts_take_i64(at) != 0;
	return l;
}

static struct loss *
find(struct parts_losses *l, const char *what)
{
	for (int i = 0; i < l->at.n; i++)
		if (strcmp(l->at.at[i].what, what) == 0)
			return &l->at.at[i];
	return NULL;
}

static void
add(struct parts_losses *l, struct arena *a, const struct loss *loss)
{
	struct loss *known = find(l, loss->what);

	if (known == NULL)
		VEC_PUSH(&l->at, a, *loss);
	else if (!loss->is_declared)
		known->count += loss->count;
}

const struct parts_losses *
parts_losses_gather(struct arena *a, struct team *t, struct sink *sink)
{
	struct parts_losses *l = ARENA_NEW(a, struct parts_losses);
	struct parts_bytes mine = { .arena = a };
	struct parts_all all;

	sink_loss(sink, put, &mine);
	all = parts_gather(a, t, &mine);
	for (int i = 0; i < t->size; i++)
		for (const char *at = all.at[i];
			at < all.at[i] + all.size[i];) {
			struct loss loss = take(&at);

			add(l, a, &loss);
		}
	return l;
}

void
parts_losses_tell(const struct parts_losses *l,
	void (*fn)(void *arg, const struct loss *loss), void *arg)
{
	for (int i = 0; i < l->at.n; i++)
		fn(arg, &l->at.at[i]);
}
