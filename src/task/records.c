/* SPDX-License-Identifier: MIT */
#include "task/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "task/schema.h"

#define CLASS "component"
#define PARENTS "location" /* rows without states: components */

enum { TYPE_TASK, TYPE_OPEN };

static const char *
name_of(const struct task_records *tr, uint32_t name)
{
	return store_read_name(tr->reader, name, NULL);
}

static uint32_t
group_of(struct task_records *tr, uint32_t location, uint32_t kind)
{
	uint64_t *at = map_put(&tr->group_of, (uint64_t)location << 32 | kind);

	if (*at == 0) {
		VEC_PUSH(&tr->groups, tr->arena,
			((struct record_group){
				.location = location, .kind = kind }));
		*at = (uint64_t)tr->groups.n;
	}
	return (uint32_t)*at - 1;
}

static void
add(struct task_records *tr, const struct store_value *row)
{
	struct record_task *t;

	if (row[TASKS_END].i < row[TASKS_START].i || row[TASKS_START].i < 0) {
		tr->wrong++;
		return;
	}
	t = VEC_ADD(&tr->tasks, tr->arena);
	t->start = row[TASKS_START].i;
	t->end = row[TASKS_END].i;
	t->group = group_of(tr, row[TASKS_LOCATION].name, row[TASKS_KIND].name);
	t->what = row[TASKS_WHAT].name;
	t->open = row[TASKS_OPEN].flag;
	tr->nopen += t->open;
	tr->end = t->end > tr->end ? t->end : tr->end;
}

/* Sorts indexes of tasks by a time, those of one time as they were stored. */
struct by_time {
	int64_t time;
	uint32_t i;
};

static int
compare_times(const void *pa, const void *pb)
{
	const struct by_time *a = pa, *b = pb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

static uint32_t *
sort(const struct task_records *tr, bool by_end)
{
	uint32_t n = (uint32_t)tr->tasks.n;
	struct by_time *key = mem_resize(NULL, (size_t)n + 1, sizeof *key);
	uint32_t *index = ARENA_ARRAY(tr->arena, uint32_t, (size_t)n + 1);

	for (uint32_t i = 0; i < n; i++) {
		const struct record_task *t = &tr->tasks.at[i];

		key[i] = (struct by_time){ by_end ? t->end : t->start, i };
	}
	qsort(key, n, sizeof *key, compare_times);
	for (uint32_t i = 0; i < n; i++)
		index[i] = key[i].i;
	mem_free(key);
	return index;
}

/* What happens to a task, in the order of time. */
struct walk {
	uint32_t start, end; /* positions in by_start and by_end */
	struct record_task *task;
	bool starts;
};

/*
 * At one time, tasks end before others start, so that these may take their
 * lanes; but a task that takes no time starts before it ends.
 */
static bool
step(const struct task_records *tr, struct walk *w)
{
	uint32_t n = (uint32_t)tr->tasks.n;
	struct record_task *ends;

	if (w->end == n)
		return false;
	ends = &tr->tasks.at[tr->by_end[w->end]];
	w->starts = w->start < n &&
		(!ends->started ||
			tr->tasks.at[tr->by_start[w->start]].start < ends->end);
	w->task = w->starts ? &tr->tasks.at[tr->by_start[w->start++]] : ends;
	w->task->started = w->starts;
	w->end += !w->starts;
	return true;
}

/* Each group has a heap of the lanes that were used and are free. */
static void
take_lanes(struct task_records *tr)
{
	struct heap *free_lanes =
		ARENA_ARRAY(tr->arena, struct heap, tr->groups.n);
	struct walk w = { 0 };

	while (step(tr, &w)) {
		struct record_group *g = &tr->groups.at[w.task->group];
		struct heap *h = &free_lanes[w.task->group];

		if (!w.starts)
			heap_push(h, w.task->lane, 0);
		else if (h->n > 0)
			w.task->lane = (uint32_t)heap_pop(h).key;
		else
			w.task->lane = g->lanes++;
	}
	for (int i = 0; i < tr->groups.n; i++)
		heap_fini(&free_lanes[i]);
}

/* The length of "Core[0]" in "Core[0].req_in", if that is the kind; else 0. */
static size_t
component_of(const char *location, const char *kind)
{
	size_t nl = strlen(location), nk = strlen(kind);

	if (nl <= nk + 1 || strcmp(location + nl - nk, kind) != 0 ||
		location[nl - nk - 1] != '.')
		return 0;
	return nl - nk - 1;
}

/*
 * The component of a location: what stands before the kind; of a buffer or a
 * port ("Core[0].Memory.Incoming") the nearest component that its name begins
 * with; else the location itself.
 */
static uint32_t
find_parent(struct task_records *tr, const struct record_group *g,
	const struct intern *components)
{
	const char *location = name_of(tr, g->location);
	size_t n = component_of(location, name_of(tr, g->kind));

	if (n == 0)
		n = strlen(location);
	for (size_t at = n; at > 0; at--) {
		const char *head;

		if (at < n && location[at] != '.')
			continue;
		head = arena_strndup(tr->arena, location, at);
		if (intern_find(components, head) != INTERN_NONE)
			return intern_add(&tr->parents, head);
	}
	return intern_add_n(&tr->parents, location, n);
}

static void
find_parents(struct task_records *tr)
{
	struct intern components;

	intern_init(&components, tr->arena);
	intern_init(&tr->parents, tr->arena);
	for (int i = 0; i < tr->groups.n; i++) {
		const char *location = name_of(tr, tr->groups.at[i].location);
		size_t n = component_of(
			location, name_of(tr, tr->groups.at[i].kind));

		if (n > 0)
			intern_add_n(&components, location, n);
	}
	for (int i = 0; i < tr->groups.n; i++)
		tr->groups.at[i].parent =
			find_parent(tr, &tr->groups.at[i], &components);
}

/* Groups by the names of component, location and kind, numbers in them by
 * value. */
static int
compare_groups(const void *pa, const void *pb, void *arg)
{
	struct task_records *tr = arg;
	const struct record_group *a = &tr->groups.at[*(const uint32_t *)pa],
				  *b = &tr->groups.at[*(const uint32_t *)pb];
	int c = strverscmp(intern_name(&tr->parents, a->parent),
		intern_name(&tr->parents, b->parent));

	if (c == 0)
		c = strverscmp(
			name_of(tr, a->location), name_of(tr, b->location));
	return c != 0 ? c : strcmp(name_of(tr, a->kind), name_of(tr, b->kind));
}

/* Components first, each once; then the lanes of all groups. */
static void
number_rows(struct task_records *tr)
{
	uint32_t n = (uint32_t)tr->groups.n;

	tr->order = ARENA_ARRAY(tr->arena, uint32_t, n);
	for (uint32_t i = 0; i < n; i++)
		tr->order[i] = i;
	qsort_r(tr->order, n, sizeof *tr->order, compare_groups, tr);
	for (uint32_t i = 0, last = 0; i < n; i++) {
		struct record_group *g = &tr->groups.at[tr->order[i]];

		g->parent_row = tr->nparents;
		if (i > 0 && g->parent == last)
			g->parent_row--;
		else
			tr->nparents++;
		last = g->parent;
		g->row = tr->nrows;
		tr->nrows += g->lanes;
	}
	for (uint32_t i = 0; i < n; i++)
		tr->groups.at[i].row += tr->nparents;
}

bool
task_records_read(struct task_records *tr, struct arena *a,
	struct store_reader *reader, struct err *err)
{
	const struct store_table *t = store_read_find(reader, "tasks");
	struct store_value row[STORE_COLUMNS_MAX];

	*tr = (struct task_records){
		.arena = a, .reader = reader, .divide = 1
	};
	if (t == NULL || t->n != TASKS_COLUMNS)
		return err_set(err, ERR_INPUT, "a store without tasks");
	store_read_start(reader, t, NULL);
	while (store_read_next(reader, row)) {
		if (tr->tasks.n == INT32_MAX)
			return err_set(err, ERR_LIMIT, "more than %d tasks",
				INT32_MAX);
		add(tr, row);
	}
	if (store_read_failed(reader, err))
		return false;
	tr->by_start = sort(tr, false);
	tr->by_end = sort(tr, true);
	take_lanes(tr);
	find_parents(tr);
	number_rows(tr);
	return true;
}

static void
declare_types(struct sink *s)
{
	sink_type(s,
		&(struct type){ .id = TYPE_TASK,
			.class = CLASS,
			.key = CLASS ".task",
			.title = "Task",
			.none = "No task",
			.number = 90,
			.kind = TYPE_STATE });
	sink_type(s,
		&(struct type){ .id = TYPE_OPEN,
			.class = CLASS,
			.key = CLASS ".open",
			.title = "Open tasks",
			.number = 91,
			.kind = TYPE_NUMBER,
			.unit = "1" });
}

static void
declare_parents(const struct task_records *tr, struct sink *s)
{
	uint32_t next = 0;

	for (int i = 0; i < tr->groups.n; i++) {
		const struct record_group *g = &tr->groups.at[tr->order[i]];

		if (g->parent_row != next)
			continue;
		sink_row(s,
			&(struct row){ .id = next++,
				.parent = ROW_NONE,
				.class = PARENTS,
				.name = intern_name(&tr->parents, g->parent) });
	}
}

/* A lane's name: "Core[0].req_in", then "Core[0].req_in (2)"; the kind is said
 * if the location does not end with it. */
static void
declare_row(const struct task_records *tr, struct sink *s,
	const struct record_group *g, uint32_t lane)
{
	struct arena *a = tr->arena;
	const char *location = name_of(tr, g->location);
	const char *kind = name_of(tr, g->kind);
	size_t nl = strlen(location), nk = strlen(kind);
	const char *name = nl >= nk && strcmp(location + nl - nk, kind) == 0
		? location
		: arena_printf(a, "%s %s", location, kind);

	sink_row(s,
		&(struct row){ .id = g->row + lane,
			.parent = g->parent_row,
			.class = CLASS,
			.name = lane == 0
				? name
				: arena_printf(a, "%s (%u)", name, lane + 1) });
}

void
task_records_declare(const struct task_records *tr, struct sink *s)
{
	struct map labelled = { 0 };

	declare_parents(tr, s);
	for (int i = 0; i < tr->groups.n; i++) {
		const struct record_group *g = &tr->groups.at[tr->order[i]];

		for (uint32_t lane = 0; lane < g->lanes; lane++)
			declare_row(tr, s, g, lane);
	}
	declare_types(s);
	for (int i = 0; i < tr->tasks.n; i++) {
		uint32_t what = tr->tasks.at[i].what;
		uint64_t *had = map_put(&labelled, what);

		if (*had == 0)
			sink_label(s, TYPE_TASK, what,
				store_read_name(tr->reader, what, NULL),
				MEANS_TASK);
		*had = 1;
	}
	map_fini(&labelled);
}

static void
put(const struct task_records *tr, struct sink *s, const struct walk *w,
	uint32_t type, int64_t value)
{
	const struct record_group *g = &tr->groups.at[w->task->group];
	int64_t time = w->starts ? w->task->start : w->task->end;

	sink_state(s,
		&(struct record){ .time = time / tr->divide,
			.row = g->row + (type == TYPE_TASK ? w->task->lane : 0),
			.type = type,
			.value = value });
}

void
task_records_play(struct task_records *tr, struct sink *s)
{
	struct walk w = { 0 };

	while (step(tr, &w)) {
		struct record_group *g = &tr->groups.at[w.task->group];

		g->nopen += w.starts ? 1 : UINT32_MAX;
		put(tr, s, &w, TYPE_TASK, w.starts ? w.task->what : VALUE_NONE);
		put(tr, s, &w, TYPE_OPEN,
			g->nopen > 0 ? (int64_t)g->nopen : VALUE_NONE);
	}
	sink_advance(s, tr->end / tr->divide);
}

void
task_records_fini(struct task_records *tr)
{
	map_fini(&tr->group_of);
}
