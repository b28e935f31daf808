/* SPDX-License-Identifier: MIT */
#include "trace/perf/maps.h"

#include <string.h>

#include "base/arena.h"
#include "perf/record.h"

#define PAGE_BITS 12
#define KERNEL UINT32_MAX
#define CACHE_MAX 65536 /* pages of all processes */

/* A mapping, above those below. It never changes, so a process shares those
 * that it has when it forks. */
struct layer {
	struct perf_map map;
	const struct layer *below; /* or NULL */
};

struct perf_process {
	const struct layer *top; /* or NULL */
	struct map cache;        /* page -> perf_map *; owned */
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

/* A change makes all that was found in the process before obsolete. */
static void
set_top(struct perf_maps *m, struct perf_process *p, const struct layer *top)
{
	p->top = top;
	m->ncached -= map_count(&p->cache);
	map_fini(&p->cache);
	p->cache = (struct map){ 0 };
}

/* Returns the build id of a file that the header tells, or NULL. */
static const struct perf_build *
find_build(struct perf_maps *m, const char *path)
{
	const struct perf_builds *all = m->builds;
	uint32_t name;

	if (m->paths.arena == NULL)
		intern_init(&m->paths, m->arena);
	for (; m->nbuilds < all->at.n; m->nbuilds++)
		if (intern_add(&m->paths, all->at.at[m->nbuilds].path) ==
			(uint32_t)m->build_of.n)
			VEC_PUSH(&m->build_of, m->arena, m->nbuilds);
	name = intern_find(&m->paths, path);
	return name == INTERN_NONE ? NULL : &all->at.at[m->build_of.at[name]];
}

static void
set_build(struct perf_maps *m, struct perf_map *to, const struct perf_mmap *at)
{
	const struct perf_build *b;
	uint8_t *id;

	if (at->build_id_size > 0 && at->build_id_size <= PERF_BUILD_MAX) {
		id = arena_alloc(m->arena, PERF_BUILD_MAX);
		memcpy(id, at->build_id, at->build_id_size);
		to->build = id;
		to->build_size = at->build_id_size;
		return;
	}
	b = find_build(m, at->name);
	if (b == NULL)
		return;
	to->build = b->id;
	to->build_size = b->size;
}

void
perf_maps_add(struct perf_maps *m, const struct perf_mmap *at)
{
	struct perf_process *p;
	struct layer *to;

	if (at->pid == KERNEL || at->len > UINT64_MAX - at->addr ||
		at->len == 0)
		return;
	p = process_of(m, at->pid);
	to = ARENA_NEW(m->arena, struct layer);
	to->map = (struct perf_map){ .lo = at->addr,
		.hi = at->addr + at->len,
		.offset = at->offset,
		.name = arena_strdup(m->arena, at->name) };
	to->below = p->top;
	set_build(m, &to->map, at);
	set_top(m, p, to);
}

void
perf_maps_fork(struct perf_maps *m, uint32_t pid, uint32_t parent)
{
	const struct layer *top;

	if (pid == parent)
		return; /* a thread */
	top = process_of(m, parent)->top;
	set_top(m, process_of(m, pid), top);
}

void
perf_maps_exec(struct perf_maps *m, uint32_t pid)
{
	set_top(m, process_of(m, pid), NULL);
}

const struct perf_map *
perf_maps_find(struct perf_maps *m, uint32_t pid, uint64_t address)
{
	const uint64_t *index = map_get(&m->of_pid, pid);
	uint64_t page = address >> PAGE_BITS, *kept;
	struct perf_process *p;

	if (index == NULL)
		return NULL;
	p = m->processes.at[*index - 1];
	kept = map_get(&p->cache, page);
	if (kept != NULL) {
		const struct perf_map *found =
			(const struct perf_map *)(uintptr_t)*kept;

		if (address >= found->lo && address < found->hi)
			return found;
	}
	for (const struct layer *l = p->top; l != NULL; l = l->below) {
		if (address < l->map.lo || address >= l->map.hi)
			continue;
		if (kept == NULL && m->ncached < CACHE_MAX) {
			*map_put(&p->cache, page) =
				(uint64_t)(uintptr_t)&l->map;
			m->ncached++;
		}
		return &l->map;
	}
	return NULL;
}

void
perf_maps_fini(struct perf_maps *m)
{
	for (int i = 0; i < m->processes.n; i++)
		map_fini(&m->processes.at[i]->cache);
	map_fini(&m->of_pid);
}
