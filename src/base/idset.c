/* SPDX-License-Identifier: MIT */
#include "base/idset.h"

#include <string.h>

#include "base/arena.h"

#define PAGE_IDS 4096
#define FULL 1 /* no page has this address */

struct idset_page {
	uint32_t n;
	uint64_t bits[PAGE_IDS / 64];
};

static struct idset_page *
page_of(uint64_t value)
{
	return (struct idset_page *)(uintptr_t)value;
}

static struct idset_page *
new_page(struct idset *s)
{
	struct idset_page *p = s->spare;

	s->spare = NULL;
	if (p == NULL)
		p = mem_resize(NULL, 1, sizeof *p);
	memset(p, 0, sizeof *p);
	return p;
}

void
idset_add(struct idset *s, uint64_t id)
{
	uint64_t *at = map_put(&s->pages, id / PAGE_IDS);
	uint64_t bit = UINT64_C(1) << (id % 64), *word;
	struct idset_page *p;

	if (*at == FULL)
		return;
	if (*at == 0)
		*at = (uint64_t)(uintptr_t)new_page(s);
	p = page_of(*at);
	word = &p->bits[id % PAGE_IDS / 64];
	p->n += (*word & bit) == 0;
	*word |= bit;
	if (p->n < PAGE_IDS)
		return;
	mem_free(s->spare);
	s->spare = p;
	*at = FULL;
}

bool
idset_has(const struct idset *s, uint64_t id)
{
	const uint64_t *at = map_get(&s->pages, id / PAGE_IDS);

	if (at == NULL || *at == FULL)
		return at != NULL;
	return (page_of(*at)->bits[id % PAGE_IDS / 64] >> (id % 64) & 1) != 0;
}

void
idset_fini(struct idset *s)
{
	uint64_t key, value;
	size_t pos = 0;

	while (map_next(&s->pages, &pos, &key, &value))
		if (value != FULL)
			mem_free(page_of(value));
	mem_free(s->spare);
	map_fini(&s->pages);
}
