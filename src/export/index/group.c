/* SPDX-License-Identifier: MIT */
/* Makes the groups of rows. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compare.h"
#include "base/vec.h"
#include "export/index/reader.h"

#define BAND 64           /* rows of a band */
#define BAND_FROM 128     /* rows: larger groups have bands */
#define PROGRAM (1 << 22) /* no process id reaches it */

struct groups {
	struct index *ix;
	struct arena *arena;
	VEC(struct index_group) at;
};

/* Adds a group of at least two rows and returns it; with fewer rows returns
 * the parent. */
static uint32_t
add(struct groups *g, struct index_group group)
{
	if (group.n < 2)
		return group.parent;
	VEC_PUSH(&g->at, g->arena, group);
	return (uint32_t)g->at.n - 1;
}

static void
add_bands(struct groups *g, uint32_t parent)
{
	struct index_group all;

	if (parent == INDEX_NONE)
		return;
	all = g->at.at[parent];
	for (uint32_t i = 0; all.n > BAND_FROM && i < all.n; i += BAND) {
		uint32_t n = all.n - i < BAND ? all.n - i : BAND;

		add(g,
			(struct index_group){ .kind = INDEX_GROUP_BAND,
				.parent = parent,
				.row = ROW_NONE,
				.class = all.class,
				.name = arena_printf(g->arena, "%s %u-%u",
					all.class, i, i + n - 1),
				.n = n,
				.rows = all.rows + i });
	}
}

static const struct index_row *
row_of(const struct index *ix, uint32_t row)
{
	return &ix->meta.row[row];
}

static int
compare_nodes(const struct index_row *x, const struct index_row *y)
{
	const char *p = x->identity.node, *q = y->identity.node;

	return p == NULL || q == NULL ? (p != NULL) - (q != NULL)
				      : strcmp(p, q);
}

static int
by_process(const void *vx, const void *vy, void *arg)
{
	uint32_t i = *(const uint32_t *)vx, j = *(const uint32_t *)vy;
	const struct index_row *x = row_of(arg, i), *y = row_of(arg, j);
	int order = compare_nodes(x, y);

	if (order != 0)
		return order;
	COMPARE(x->identity.pid, y->identity.pid);
	COMPARE(i, j);
	return 0;
}

static int
by_parent(const void *vx, const void *vy, void *arg)
{
	uint32_t i = *(const uint32_t *)vx, j = *(const uint32_t *)vy;
	uint32_t p = row_of(arg, i)->row.parent, q = row_of(arg, j)->row.parent;

	COMPARE(p, q);
	COMPARE(i, j);
	return 0;
}

static bool
is_same_process(const struct index_row *x, const struct index_row *y)
{
	return compare_nodes(x, y) == 0 && x->identity.pid == y->identity.pid;
}

/* Returns true if one of the node's rows, which are sorted by process, is of
 * the process. */
static bool
has_process(const struct groups *g, const struct index_group *node, int64_t pid)
{
	uint32_t low = 0, high = node->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (row_of(g->ix, node->rows[middle])->identity.pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low < node->n &&
		row_of(g->ix, node->rows[low])->identity.pid == pid;
}

/* A program that a process executes is another process of a trace, whose number
 * is the id plus a multiple of a power of two (docs/dev/trace-format.md). */
static const char *
process_name(
	const struct groups *g, const struct index_group *node, int64_t pid)
{
	long long id = pid & (PROGRAM - 1), programs = pid / PROGRAM;

	if (programs == 0 || !has_process(g, node, id))
		return arena_printf(g->arena, "process %lld", (long long)pid);
	return arena_printf(
		g->arena, "process %lld after exec %lld", id, programs);
}

/* Adds the processes among n rows of one node, which are sorted by process. */
static void
add_processes(struct groups *g, const struct index_group *node, uint32_t parent)
{
	const struct index *ix = g->ix;
	uint32_t n = 0;

	for (uint32_t i = 0; i < node->n; i += n) {
		const struct index_row *r = row_of(ix, node->rows[i]);
		uint32_t group;

		n = 1;
		while (i + n < node->n &&
			is_same_process(r, row_of(ix, node->rows[i + n])))
			n++;
		if (r->identity.pid < 0 || n == node->n) {
			if (n == node->n)
				add_bands(g, parent);
			continue;
		}
		group = add(g,
			(struct index_group){ .kind = INDEX_GROUP_PROCESS,
				.parent = parent,
				.row = ROW_NONE,
				.class = node->class,
				.name = process_name(g, node, r->identity.pid),
				.n = n,
				.rows = node->rows + i });
		if (group != parent)
			add_bands(g, group);
	}
}

/* Adds nodes and processes below the group of all rows. */
static void
add_places(struct groups *g, const struct index_group *all, uint32_t parent)
{
	const struct index *ix = g->ix;
	uint32_t *rows = ARENA_ARRAY(g->arena, uint32_t, all->n);
	struct index_group node = *all;

	memcpy(rows, all->rows, all->n * sizeof *rows);
	qsort_r(rows, all->n, sizeof *rows, by_process, (void *)(uintptr_t)ix);
	for (uint32_t i = 0; i < all->n; i += node.n) {
		const struct index_row *r = row_of(ix, rows[i]);
		uint32_t group = parent;

		node.rows = rows + i;
		node.n = 1;
		while (i + node.n < all->n &&
			compare_nodes(r, row_of(ix, rows[i + node.n])) == 0)
			node.n++;
		if (r->identity.node != NULL && node.n < all->n)
			group = add(g,
				(struct index_group){ .kind = INDEX_GROUP_NODE,
					.parent = parent,
					.row = ROW_NONE,
					.class = all->class,
					.name = r->identity.node,
					.n = node.n,
					.rows = node.rows });
		add_processes(g, &node, group);
	}
}

/* Adds the rows below one row. */
static void
add_families(struct groups *g, const struct index_group *all, uint32_t parent)
{
	const struct index *ix = g->ix;
	uint32_t *rows = ARENA_ARRAY(g->arena, uint32_t, all->n), n = 0;

	memcpy(rows, all->rows, all->n * sizeof *rows);
	qsort_r(rows, all->n, sizeof *rows, by_parent, (void *)(uintptr_t)ix);
	for (uint32_t i = 0; i < all->n; i += n) {
		uint32_t above = row_of(ix, rows[i])->row.parent;

		n = 1;
		while (i + n < all->n &&
			row_of(ix, rows[i + n])->row.parent == above)
			n++;
		if (above == ROW_NONE || n == all->n)
			continue;
		add(g,
			(struct index_group){ .kind = INDEX_GROUP_ROW,
				.parent = parent,
				.row = above,
				.class = all->class,
				.name = row_of(ix, above)->row.name,
				.n = n,
				.rows = rows + i });
	}
}

/* The rows of a class, ordered by id. */
struct class
{
	const char *name;
	uint32_t *rows;
	uint32_t n;
};

typedef VEC(struct class) class_list;

static struct class *
find_class(class_list *to, struct arena *a, const char *name)
{
	for (int i = to->n; i-- > 0;)
		if (strcmp(to->at[i].name, name) == 0)
			return &to->at[i];
	VEC_PUSH(to, a, ((struct class){ .name = name }));
	return &to->at[to->n - 1];
}

static void
collect(struct index *ix, struct arena *a, class_list *to)
{
	struct index_row *row = (struct index_row *)(uintptr_t)ix->meta.row;
	uint32_t n = ix->meta.nrows;
	uint32_t *class_of = ARENA_ARRAY(a, uint32_t, n);

	for (uint32_t i = 0; i < n; i++) {
		struct class *c = find_class(to, a, row[i].row.class);

		class_of[i] = (uint32_t)(c - to->at);
		row[i].order = c->n++;
	}
	for (int i = 0; i < to->n; i++)
		to->at[i].rows = ARENA_ARRAY(a, uint32_t, to->at[i].n);
	for (uint32_t i = 0; i < n; i++)
		to->at[class_of[i]].rows[row[i].order] = i;
}

void
reader_groups(struct index *ix, struct arena *a)
{
	struct groups g = { .ix = ix, .arena = a };
	class_list classes = { 0 };

	collect(ix, a, &classes);
	for (int i = 0; i < classes.n; i++) {
		const struct class *c = &classes.at[i];
		struct index_group all = { .kind = INDEX_GROUP_ALL,
			.parent = INDEX_NONE,
			.row = ROW_NONE,
			.class = c->name,
			.name = c->name,
			.n = c->n,
			.rows = c->rows };
		uint32_t group = add(&g, all);

		if (group == INDEX_NONE)
			continue;
		add_places(&g, &all, group);
		add_families(&g, &all, group);
	}
	ix->meta.group = g.at.at;
	ix->meta.ngroups = (uint32_t)g.at.n;
}
