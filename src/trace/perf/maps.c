/* SPDX-License-Identifier: MIT */
#include "trace/perf/maps.h"

#include <string.h>

#include "base/arena.h"
#include "perf/record.h"

#define PAGE_BITS 12
#define ANCESTORS 64 /* that a search follows */
#define KERNEL UINT32_MAX
#define CACHE_MAX 65536 /* pages */

/* The mappings `first` to at.n - 1 are of the program that runs now. Those of
 * the parent up to parent_n - 1 are below them. */
struct perf_process {
	VEC(struct perf_map) at;
	int first;
	const struct perf_process *parent; /* or NULL */
	int parent_first, parent_n;
};

static struct perf_process *
process_of(struct perf_maps *m, uint32_t pid)
{
	uint64_t *index = map_put(&m->of_pid, pid);

	if (*index == 0) {
		VEC_PUSH(&m->processes, m->arena,
			ARENA_NEW(m->arena, struct perf_process));
		*index = (uint64_t)m->processes.n;
	}
	return m->processes.at[*index - 1];
}

/* A change makes all that was found before obsolete. */
static void
note_change(struct perf_maps *m)
{
	m->changes++;
	map_fini(&m->cache);
	m->cache = (struct map){ 0 };
}

static void
set_build(struct perf_maps *m, struct perf_map *to, const struct perf_mmap *at)
{
	uint8_t *id;

	if (at->build_id_size > 0 && at->build_id_size <= PERF_BUILD_MAX) {
		id = arena_alloc(m->arena, PERF_BUILD_MAX);
		memcpy(id, at->build_id, at->build_id_size);
		to->build = id;
		to->build_size = at->build_id_size;
		return;
	}
	for (int i = 0; i < m->builds->at.n; i++) {
		const struct perf_build *b = &m->builds->at.at[i];

		if (strcmp(b->path, at->name) != 0)
			continue;
		to->build = b->id;
		to->build_size = b->size;
		return;
	}
}

void
perf_maps_add(struct perf_maps *m, const struct perf_mmap *at)
{
	struct perf_process *p;
	struct perf_map *to;

	if (at->pid == KERNEL || at->len > UINT64_MAX - at->addr ||
		at->len == 0)
		return;
	p = process_of(m, at->pid);
	to = VEC_ADD(&p->at, m->arena);
	*to = (struct perf_map){ .lo = at->addr,
		.hi = at->addr + at->len,
		.offset = at->offset,
		.name = arena_strdup(m->arena, at->name) };
	set_build(m, to, at);
	note_change(m);
}

void
perf_maps_fork(struct perf_maps *m, uint32_t pid, uint32_t parent)
{
	const struct perf_process *from;
	struct perf_process *to;

	if (pid == parent)
		return; /* a thread */
	from = process_of(m, parent);
	to = process_of(m, pid);
	to->first = to->at.n;
	to->parent = from;
	to->parent_first = from->first;
	to->parent_n = from->at.n;
	note_change(m);
}

void
perf_maps_exec(struct perf_maps *m, uint32_t pid)
{
	struct perf_process *p = process_of(m, pid);

	p->first = p->at.n;
	p->parent = NULL;
	note_change(m);
}

static const struct perf_map *
search(const struct perf_process *p, uint64_t address)
{
	int first = p->first, n = p->at.n;

	for (int i = 0; p != NULL && i < ANCESTORS; i++) {
		while (n > first) {
			const struct perf_map *at = &p->at.at[--n];

			if (address >= at->lo && address < at->hi)
				return at;
		}
		first = p->parent_first;
		n = p->parent_n;
		p = p->parent;
	}
	return NULL;
}

const struct perf_map *
perf_maps_find(struct perf_maps *m, uint32_t pid, uint64_t address)
{
	const uint64_t *index = map_get(&m->of_pid, pid);
	const struct perf_map *found;
	uint64_t key, *kept;

	if (index == NULL)
		return NULL;
	key = address >> PAGE_BITS ^ *index << 48;
	kept = map_get(&m->cache, key);
	if (kept != NULL) {
		found = (const struct perf_map *)(uintptr_t)*kept;
		if (address >= found->lo && address < found->hi)
			return found;
	}
	found = search(m->processes.at[*index - 1], address);
	if (found != NULL && map_count(&m->cache) < CACHE_MAX)
		*map_put(&m->cache, key) = (uint64_t)(uintptr_t)found;
	return found;
}

void
perf_maps_fini(struct perf_maps *m)
{
	map_fini(&m->of_pid);
	map_fini(&m->cache);
}
