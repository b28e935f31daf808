/* SPDX-License-Identifier: MIT */
#include "base/idset.h"

#include <string.h>

#include "base/arena.h"

#define PAGE_IDS 512

struct idset_page {
	uint32_t n;
	uint64_t bits[PAGE_IDS / 64];
};

static struct idset_page *
page_of(uint64_t value)
{
	return (struct idset_page *)(uintptr_t)value;
}

static bool
has(const struct map *pages, uint64_t id)
{
	const uint64_t *at = map_get(pages, id / PAGE_IDS);

	return at != NULL &&
		(page_of(*at)->bits[id % PAGE_IDS / 64] >> (id % 64) & 1) != 0;
}

/* Adds the id and returns its page. */
static struct idset_page *
add(struct map *pages, uint64_t id)
{
	uint64_t *at = map_put(pages, id / PAGE_IDS);
	uint64_t bit = UINT64_C(1) << (id % 64), *word;
	struct idset_page *p = page_of(*at);

	if (p == NULL) {
		p = mem_resize(NULL, 1, sizeof *p);
		memset(p, 0, sizeof *p);
		*at = (uint64_t)(uintptr_t)p;
	}
	word = &p->bits[id % PAGE_IDS / 64];
	p->n += (*word & bit) == 0;
	*word |= bit;
	return p;
}

void
idset_add(struct idset *s, uint64_t id)
{
	struct idset_page *p;

	if (has(&s->full, id / PAGE_IDS))
		return;
	p = add(&s->pages, id);
	if (p->n < PAGE_IDS)
		return;
	map_remove(&s->pages, id / PAGE_IDS);
	mem_free(p);
	add(&s->full, id / PAGE_IDS);
}

bool
idset_has(const struct idset *s, uint64_t id)
{
	return has(&s->full, id / PAGE_IDS) || has(&s->pages, id);
}

static void
free_pages(struct map *pages)
{
	uint64_t key, value;
	size_t pos = 0;

	while (map_next(pages, &pos, &key, &value))
		mem_free(page_of(value));
	map_fini(pages);
}

void
idset_fini(struct idset *s)
{
	free_pages(&s->pages);
	free_pages(&s->full);
}
