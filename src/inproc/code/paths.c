/* SPDX-License-Identifier: MIT */
#include "inproc/code/paths.h"

#include <stddef.h>
#include <string.h>

#include "inproc/core/assert.h"
#include "inproc/core/pages.h"
#include "inproc/core/spin.h"

enum { BUCKETS = 16384 };

/* A path does not change after it is made, except its links, which are atomic:
 * they are read without the lock. */
static struct {
	struct spin lock;             /* RANK_PATHS: taken to add a path */
	struct path *bucket[BUCKETS]; /* atomic */
	struct path *first;           /* atomic */
	struct path *last;            /* under the lock */
} paths;

static struct path *
make(uint64_t hash, const uint64_t *address, int n)
{
	size_t bytes = (size_t)n * sizeof(*address);
	struct path *p = room_take(sizeof(*p) + bytes);

	if (p == NULL)
		return NULL;
	p->hash = hash;
	p->n = (uint32_t)n;
	p->number = paths.last == NULL ? 1 : paths.last->number + 1;
	memcpy(p->address, address, bytes);
	return p;
}

static void
publish(struct path *p, struct path **bucket)
{
	WEFT_ASSERT(paths_are_made_under_the_lock, held_is(RANK_PATHS));
	p->next = *bucket;
	__atomic_store_n(bucket, p, __ATOMIC_RELEASE);
	__atomic_store_n(paths.last == NULL ? &paths.first : &paths.last->after,
		p, __ATOMIC_RELEASE);
	paths.last = p;
}

static const struct path *
find(const struct path *p, uint64_t hash, const struct path *like,
	const uint64_t *address)
{
	for (; p != NULL; p = p->next)
		if (p->hash == hash &&
			path_is(p, address, (int)like->n, like->is_cut,
				like->epoch))
			return p;
	return NULL;
}

const struct path *
paths_get(uint64_t hash, const uint64_t *address, int n, bool is_cut,
	uint32_t epoch)
{
	const struct path like = {
		.n = (uint32_t)n, .is_cut = is_cut, .epoch = epoch
	};
	struct path **bucket, *made;
	const struct path *p;

	if (n == 0 && !is_cut)
		return NULL;
	bucket = &paths.bucket[(hash >> 32) % BUCKETS];
	p = find(__atomic_load_n(bucket, __ATOMIC_ACQUIRE), hash, &like,
		address);
	if (p != NULL)
		return p;
	spin_lock(&paths.lock, RANK_PATHS);
	p = find(*bucket, hash, &like, address);
	if (p == NULL && (made = make(hash, address, n)) != NULL) {
		made->epoch = epoch;
		made->is_cut = is_cut;
		publish(made, bucket);
		p = made;
	}
	spin_unlock(&paths.lock, RANK_PATHS);
	return p;
}

const struct path *
paths_after(const struct path *p)
{
	return __atomic_load_n(
		p == NULL ? &paths.first : &p->after, __ATOMIC_ACQUIRE);
}

void
paths_hold(void)
{
	spin_lock(&paths.lock, RANK_PATHS);
}

void
paths_let_go(void)
{
	spin_unlock(&paths.lock, RANK_PATHS);
}
