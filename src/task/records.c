/* SPDX-License-Identifier: MIT */
#include "task/records.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "task/schema.h"

#define CLASS "component"
#define PARENTS \
	"location" /* class of the components' rows, which have no \
	            * states */

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
	struct sorted_task t = {
		.start = row[TASKS_START].i,
		.end = row[TASKS_END].i,
		.what = row[TASKS_WHAT].name,
	};
	uint64_t *had;

	if (t.end < t.start || t.start < 0) {
		tr->wrong++;
		return;
	}
	t.group = group_of(tr, row[TASKS_LOCATION].name, row[TASKS_KIND].name);
	sorted_add(&tr->tasks, &t);
	had = map_put(&tr->had_what, t.what);
	if (*had == 0)
		VEC_PUSH(&tr->whats, tr->arena, t.what);
	*had = 1;
	tr->nopen += row[TASKS_OPEN].flag;
	tr->end = t.end > tr->end ? t.end : tr->end;
}

/* Returns true if a ends before b; at equal ends the order of storing
 * counts. */
static inline bool
is_before(const struct sorted_task *a, const struct sorted_task *b)
{
	return a->end < b->end || (a->end == b->end && a->index < b->index);
}

/* Walks the starts and ends of tasks in time order. The open tasks are a heap
 * with the next end on top. */
struct walk {
	const struct sorted_task *next; /* next to start, or NULL */
	VEC(struct sorted_task) open;
	struct arena arena; /* memory of `open` */
	struct sorted_task task;
	bool starts;
};

static void
walk_start(struct task_records *tr, struct walk *w)
{
	*w = (struct walk){ 0 };
	sorted_start(&tr->tasks);
	w->next = sorted_next(&tr->tasks);
}

/* Adds the walk's task to the open ones. */
static void
push_open(struct walk *w)
{
	int i = w->open.n;

	VEC_PUSH(&w->open, &w->arena, w->task);
	while (i > 0 && is_before(&w->task, &w->open.at[(i - 1) / 2])) {
		w->open.at[i] = w->open.at[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	w->open.at[i] = w->task;
}

static void
pop_open(struct walk *w)
{
	struct sorted_task last = w->open.at[--w->open.n];
	int n = w->open.n, i = 0;

	for (int child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n &&
			is_before(&w->open.at[child + 1], &w->open.at[child]))
			child++;
		if (!is_before(&w->open.at[child], &last))
			break;
		w->open.at[i] = w->open.at[child];
	}
	if (n > 0)
		w->open.at[i] = last;
}

/*
 * Takes the next start or end. At equal times ends come before starts, so that
 * starting tasks may take the freed lanes; but a task of no duration starts
 * before it ends. The caller gives a starting task its lane and calls
 * push_open().
 */
static bool
step(struct task_records *tr, struct walk *w)
{
	if (w->next == NULL && w->open.n == 0)
		return false;
	w->starts = w->next != NULL &&
		(w->open.n == 0 || w->next->start < w->open.at[0].end);
	if (w->starts) {
		w->task = *w->next;
		w->next = sorted_next(&tr->tasks);
	} else {
		w->task = w->open.at[0];
		pop_open(w);
	}
	return true;
}

/* Takes the next start or end: a starting task takes the lowest free lane, an
 * ending one gives its lane back. Returns false at the end. */
static bool
step_lanes(struct task_records *tr, struct walk *w)
{
	struct record_group *g;

	if (!step(tr, w))
		return false;
	g = &tr->groups.at[w->task.group];
	if (!w->starts) {
		heap_push(&g->free_lanes, w->task.lane, 0);
		g->nopen--;
		return true;
	}
	if (g->free_lanes.n > 0)
		w->task.lane = (uint32_t)heap_pop(&g->free_lanes).key;
	else
		w->task.lane = g->nopen;
	g->nopen++;
	if (g->nopen > g->lanes)
		g->lanes = g->nopen;
	push_open(w);
	return true;
}

static void
take_lanes(struct task_records *tr)
{
	struct walk w;

	walk_start(tr, &w);
	while (step_lanes(tr, &w))
		;
	arena_fini(&w.arena);
}

/* Returns the length of "Core[0]" in "Core[0].req_in" if the rest is the kind,
 * else 0. */
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
 * Returns the component of a location: the part before the kind; for a buffer
 * or port ("Core[0].Memory.Incoming") the longest component name that the
 * location begins with; else the location itself.
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

/* Orders by names of component, location and kind; numbers in names compare by
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

/* Numbers the rows: first each component once, then the lanes of all groups. */
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
	const char *dir = getenv("TMPDIR");

	*tr = (struct task_records){ .arena = a,
		.reader = reader,
		.divide = 1,
		.from = INT64_MIN,
		.to = INT64_MAX };
	sorted_init(&tr->tasks, a, dir != NULL ? dir : "/tmp");
	if (!schema_fits(t, &schema_tasks))
		return err_set(err, ERR_INPUT, "a store without tasks");
	store_read_start(reader, t, NULL);
	while (store_read_next(reader, row)) {
		if (tr->tasks.total == UINT32_MAX)
			return err_set(err, ERR_LIMIT, "more than %u tasks",
				UINT32_MAX);
		add(tr, row);
	}
	if (store_read_failed(reader, err))
		return false;
	take_lanes(tr);
	find_parents(tr);
	number_rows(tr);
	return !sorted_failed(&tr->tasks, err);
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

/* Declares a lane's row: "Core[0].req_in", then "Core[0].req_in (2)". The name
 * includes the kind if the location does not end with it. */
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
	declare_parents(tr, s);
	for (int i = 0; i < tr->groups.n; i++) {
		const struct record_group *g = &tr->groups.at[tr->order[i]];

		for (uint32_t lane = 0; lane < g->lanes; lane++)
			declare_row(tr, s, g, lane);
	}
	declare_types(s);
	for (int i = 0; i < tr->whats.n; i++)
		sink_label(s, TYPE_TASK, tr->whats.at[i],
			store_read_name(tr->reader, tr->whats.at[i], NULL),
			MEANS_TASK);
}

static void
put(const struct task_records *tr, struct sink *s, const struct walk *w,
	uint32_t type, int64_t value)
{
	const struct record_group *g = &tr->groups.at[w->task.group];
	int64_t time = w->starts ? w->task.start : w->task.end;

	sink_state(s,
		&(struct record){ .time = time / tr->divide,
			.row = g->row + (type == TYPE_TASK ? w->task.lane : 0),
			.type = type,
			.value = value });
}

/* Counts a task unless it starts after the window or ends before it. */
static void
count_inside(struct task_records *tr, const struct walk *w)
{
	if (w->starts)
		tr->inside += w->task.start / tr->divide < tr->to;
	else
		tr->inside -= w->task.end / tr->divide <= tr->from;
}

void
task_records_play(struct task_records *tr, struct sink *s)
{
	struct walk w;

	walk_start(tr, &w);
	tr->reached = tr->end;
	while (step_lanes(tr, &w)) {
		uint32_t nopen = tr->groups.at[w.task.group].nopen;

		count_inside(tr, &w);
		put(tr, s, &w, TYPE_TASK, w.starts ? w.task.what : VALUE_NONE);
		put(tr, s, &w, TYPE_OPEN,
			nopen > 0 ? (int64_t)nopen : VALUE_NONE);
		if (tr->stop != NULL && *tr->stop != 0 &&
			(w.next != NULL || w.open.n > 0)) {
			tr->reached = w.starts ? w.task.start : w.task.end;
			tr->cut = true;
			break;
		}
	}
	arena_fini(&w.arena);
	sink_advance(s, tr->reached / tr->divide);
}

bool
task_records_failed(const struct task_records *tr, struct err *err)
{
	return sorted_failed(&tr->tasks, err);
}

void
task_records_fini(struct task_records *tr)
{
	for (int i = 0; i < tr->groups.n; i++)
		heap_fini(&tr->groups.at[i].free_lanes);
	map_fini(&tr->group_of);
	map_fini(&tr->had_what);
	sorted_fini(&tr->tasks);
}
