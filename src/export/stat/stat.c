/* SPDX-License-Identifier: MIT */
#include "export/stat/stat.h"

#include <string.h>

#include "base/arena.h"

enum { GUESSES = 8 };

struct stat_sink {
	struct sink sink;
	struct arena *arena;
	struct stat_options options;
	struct stat_table table;
	struct map lane_of; /* row, type -> index + 1 */
	/* Guess of the lane of a row and type: GUESSES entries per row,
	 * selected by the last bits of the type. */
	VEC(uint32_t) guess;
	size_t ncells;
	struct stat_executions runs;
	int64_t end; /* the last advance */
	bool ended;  /* the values held at the end are counted */
};

static struct stat_sink *
self(struct sink *s)
{
	return (struct stat_sink *)s;
}

static void
add_row(struct sink *s, const struct row *row)
{
	struct stat_sink *st = self(s);
	bool virtual = st->options.virtual != NULL && row->identity != NULL &&
		row->identity->cpu < 0 && strcmp(row->class, "cpu") == 0;
	int index = 0;

	for (int i = st->table.rows.n - 1; i >= 0 && index == 0; i--)
		if (strcmp(st->table.rows.at[i].class, row->class) == 0)
			index = st->table.rows.at[i].index + 1;
	*VEC_ADD(&st->table.rows, st->arena) = (struct stat_row){
		.class = arena_strdup(st->arena, row->class),
		.name = arena_strdup(st->arena, row->name),
		.index = index,
		.virtual = virtual,
		.alive = !virtual &&
			(st->options.life == NULL ||
				strcmp(row->class, "thread") != 0),
		.since = st->options.from,
	};
	for (int i = 0; i < GUESSES; i++)
		VEC_PUSH(&st->guess, st->arena, 0);
}

static void
set_origin(struct sink *s, uint32_t row, int input)
{
	self(s)->table.rows.at[row].input = input;
}

/* The last name of a row is the one that is shown. */
static void
rename_row(struct sink *s, uint32_t row, const char *name)
{
	struct stat_sink *st = self(s);

	st->table.rows.at[row].name = arena_strdup(st->arena, name);
}

static bool
is_wanted(const struct stat_options *o, const struct type *type)
{
	return o->numbers || type->kind == TYPE_STATE ||
		(o->ids && type->kind == TYPE_ID &&
			strcmp(type->class, "cpu") == 0);
}

static bool
is_life(const struct stat_options *o, const struct type *type)
{
	return o->life != NULL && strcmp(type->class, "thread") == 0 &&
		strcmp(type->key, o->life->key) == 0;
}

/* Returns true if the type has the key that shows when a virtual CPU lives. */
static bool
tells_virtual(const struct type *type, const char *key)
{
	return strcmp(type->class, "cpu") == 0 && strcmp(type->key, key) == 0;
}

static void
add_type(struct sink *s, const struct type *type)
{
	struct stat_sink *st = self(s);
	const struct stat_virtual *v = st->options.virtual;
	struct stat_type *to = VEC_ADD(&st->table.types, st->arena);

	*to = (struct stat_type){
		.class = arena_strdup(st->arena, type->class),
		.key = arena_strdup(st->arena, type->key),
		.title = arena_strdup(st->arena,
			type->title == NULL ? type->key : type->title),
		.none = type->none == NULL
			? NULL
			: arena_strdup(st->arena, type->none),
		.inputs = type->inputs,
		.number = type->number,
		.kind = type->kind,
		.wanted = is_wanted(&st->options, type),
		.stack = type->stack,
		.life = is_life(&st->options, type) ? st->options.life : NULL,
		.tells_running = v != NULL && tells_virtual(type, v->running),
		.tells_lost = v != NULL && tells_virtual(type, v->lost),
		.role = stat_executions_role(&st->runs, type),
	};
	to->tells = to->life != NULL || to->tells_running || to->tells_lost ||
		to->role.tells != ROLE_NONE;
}

static void
add_label(struct sink *s, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct stat_sink *st = self(s);
	uint64_t *at =
		map_put(&st->table.types.at[type].labels, (uint64_t)value);

	(void)meaning;
	if (*at == 0)
		*at = (uint64_t)(uintptr_t)arena_strdup(st->arena, text);
}

static struct stat_cell *__attribute__((noinline))
find_cell(struct stat_sink *st, struct stat_lane *lane, int64_t value)
{
	uint64_t *at = map_get(&lane->cell_of, (uint64_t)value);

	if (at != NULL)
		return &lane->cells.at[*at - 1];
	if (st->ncells >= st->options.cells)
		return NULL;
	st->ncells++;
	VEC_PUSH(&lane->cells, st->arena,
		((struct stat_cell){ .value = value }));
	*map_put(&lane->cell_of, (uint64_t)value) = (uint64_t)lane->cells.n;
	return &lane->cells.at[lane->cells.n - 1];
}

/* Returns the cell of a value, or NULL if there is no room for another cell.
 * VALUE_NONE shares its hint with 31, and so with few states. */
static inline struct stat_cell *
cell_at(struct stat_sink *st, struct stat_lane *lane, int64_t value)
{
	uint64_t bits = (uint64_t)(value < 0 ? ~value : value);
	uint8_t *hint = &lane->hint[bits % STAT_HINTS];
	struct stat_cell *cell;

	if (__builtin_expect(*hint < lane->cells.n, 1) &&
		__builtin_expect(lane->cells.at[*hint].value == value, 1))
		return &lane->cells.at[*hint];
	cell = find_cell(st, lane, value);
	if (cell != NULL && cell - lane->cells.at <= UINT8_MAX)
		*hint = (uint8_t)(cell - lane->cells.at);
	return cell;
}

static inline void
add_cell(struct stat_sink *st, struct stat_lane *lane, struct stat_cell more)
{
	struct stat_cell *cell = cell_at(st, lane, more.value);

	if (__builtin_expect(cell == NULL, 0)) {
		stat_over_add(&st->table.over,
			(uint32_t)(lane - st->table.lanes.at), &more);
		return;
	}
	cell->time += more.time;
	cell->times += more.times;
	cell->runs += more.runs;
}

/* Returns how long the row has lived until `time`. */
static int64_t
lived(const struct stat_sink *st, uint32_t row, int64_t time)
{
	const struct stat_row *r = &st->table.rows.at[row];

	return r->lived + (r->alive && time > r->since ? time - r->since : 0);
}

/* Adds the value that the lane holds to its slices. VALUE_NONE, and any value
 * of a virtual CPU, is drawn only for the time that the row lived: otherwise a
 * short life would disappear in the time around it. */
static void __attribute__((noinline)) draw_value(struct stat_sink *st,
	struct stat_lane *lane, int64_t time, int64_t row_lived)
{
	int64_t since = lane->since, until = time;

	const struct stat_row *row = &st->table.rows.at[lane->row];

	if (lane->value != VALUE_NONE && !row->virtual)
		row_lived = time - since;
	if (row->alive)
		since = time - row_lived;
	else
		until = since + row_lived;
	if (since < until)
		slices_add(lane->slices, st->arena, since, until, lane->value);
	slices_reach(lane->slices, st->arena, time);
}

/* Returns false if the row did not live while it showed the value. A state
 * counts even if it lasts no time; VALUE_NONE, and values of a virtual CPU
 * while threads come and go, do not. */
static bool
is_counted(
	const struct stat_sink *st, const struct stat_lane *lane, int64_t lived)
{
	return lived > 0 ||
		(lane->value != VALUE_NONE &&
			!st->table.rows.at[lane->row].virtual);
}

/* Ends the value that the lane holds. */
static inline void
end_value(struct stat_sink *st, struct stat_lane *lane, int64_t time)
{
	int64_t until = lived(st, lane->row, time);
	int64_t more = until - lane->lived_since;
	uint64_t times = lane->entries;

	if (__builtin_expect(lane->restored, 0) && time > lane->since)
		times++;
	lane->lived_since = until;
	if (is_counted(st, lane, more))
		add_cell(st, lane,
			(struct stat_cell){ lane->value, more, times, 0 });
	if (lane->slices != NULL && time > lane->since)
		draw_value(st, lane, time, more);
}

/* Starts or stops the clock of a row's life. */
static void
live(struct stat_sink *st, const struct record *r, bool alive)
{
	struct stat_row *row = &st->table.rows.at[r->row];

	row->lived = lived(st, r->row, r->time);
	row->since = r->time;
	row->alive = alive;
}

static void
live_thread(struct stat_sink *st, const struct record *r)
{
	const struct stat_life *life = st->options.life;

	live(st, r,
		r->value != VALUE_NONE && r->value != life->dead[0] &&
			r->value != life->dead[1]);
}

static struct slices *
new_slices(struct stat_sink *st, uint32_t row)
{
	struct slices *s;

	if (st->table.rows.at[row].index >= st->options.slices)
		return NULL;
	s = ARENA_NEW(st->arena, struct slices);
	s->from = st->options.from;
	s->width = 1;
	return s;
}

static uint32_t __attribute__((noinline))
find_lane(struct stat_sink *st, uint32_t row, uint32_t type)
{
	uint64_t *at = map_put(&st->lane_of, (uint64_t)row << 32 | type);

	if (*at == 0) {
		VEC_PUSH(&st->table.lanes, st->arena,
			((struct stat_lane){ .row = row,
				.type = type,
				.value = VALUE_NONE,
				.shown = VALUE_NONE,
				.entries = 1,
				.since = st->options.from,
				.slices = new_slices(st, row) }));
		*at = (uint64_t)st->table.lanes.n;
	}
	return (uint32_t)*at - 1;
}

static inline struct stat_lane *
lane_at(struct stat_sink *st, uint32_t row, uint32_t type)
{
	uint32_t *guess = &st->guess.at[(size_t)row * GUESSES + type % GUESSES];

	if (__builtin_expect(*guess < (uint32_t)st->table.lanes.n, 1)) {
		struct stat_lane *lane = &st->table.lanes.at[*guess];

		if (__builtin_expect(lane->row == row && lane->type == type, 1))
			return lane;
	}
	*guess = find_lane(st, row, type);
	return &st->table.lanes.at[*guess];
}

/* Counts an execution of a task; called by stat_executions. */
static void
count_run(void *arg, uint32_t pair, uint32_t row, int64_t value)
{
	struct stat_sink *st = arg;

	for (int i = 0; i < st->table.types.n; i++) {
		const struct stat_type *t = &st->table.types.at[i];

		if (t->role.tells == ROLE_TASK_TYPE && t->role.pair == pair &&
			t->wanted)
			add_cell(st, lane_at(st, row, (uint32_t)i),
				(struct stat_cell){
					.value = value, .runs = 1 });
	}
}

/* Returns true if the record enters its value. On a stack, a record enters its
 * value if its level did not show that value before: it was pushed, or replaces
 * another. */
static inline bool
enters(struct stat_sink *st, struct stat_lane *lane, const struct record *r,
	int64_t value)
{
	int64_t *top;

	if (lane->stack.n > (int)r->depth)
		lane->stack.n = (int)r->depth;
	while (lane->stack.n < (int)r->depth)
		VEC_PUSH(&lane->stack, st->arena, VALUE_NONE);
	if (value == VALUE_NONE || r->depth == 0)
		return value != lane->value;
	top = &lane->stack.at[r->depth - 1];
	if (*top == value)
		return false;
	*top = value;
	return true;
}

/* Makes the lane hold another value from `time` on, which was entered `entries`
 * times. */
static void
hold(struct stat_sink *st, struct stat_lane *lane, int64_t time, int64_t value,
	uint64_t entries)
{
	end_value(st, lane, time);
	lane->entries = entries;
	lane->restored = false;
	lane->value = value;
	lane->since = time;
}

/* Makes all lanes of the CPU row show VALUE_CROWD while several threads run
 * there, and their own values afterwards. */
static void
crowd(struct stat_sink *st, const struct record *r)
{
	bool crowded = st->table.rows.at[r->row].crowded;

	for (int i = 0; i < st->table.types.n; i++) {
		const struct stat_type *type = &st->table.types.at[i];
		struct stat_lane *lane;

		if (!type->wanted || type->tells_running ||
			strcmp(type->class, "cpu") != 0)
			continue;
		lane = lane_at(st, r->row, (uint32_t)i);
		hold(st, lane, r->time, crowded ? VALUE_CROWD : lane->shown,
			crowded);
		lane->restored = !crowded;
	}
}

static void
live_virtual(
	struct stat_sink *st, const struct record *r, const struct stat_type *t)
{
	struct stat_row *row = &st->table.rows.at[r->row];

	if (t->tells_running)
		row->running = r->value > 0;
	if (t->tells_lost)
		row->lost = r->value == VALUE_LOST;
	live(st, r, row->running || row->lost);
	if (row->crowded != (t->tells_running ? r->value > 1 : row->crowded)) {
		row->crowded = r->value > 1;
		crowd(st, r);
	}
}

/* Sets the lane of the record's row and type to the record's value. */
static inline void
show(struct stat_sink *st, const struct record *r, const struct stat_type *type)
{
	const struct stat_row *row = &st->table.rows.at[r->row];
	struct stat_lane *lane = lane_at(st, r->row, r->type);
	int64_t value = r->value;
	bool entered;

	/* Time while the thread is dead does not count as a state. */
	if (type->life != NULL && !row->alive)
		value = VALUE_NONE;
	lane->shown = value;
	if (__builtin_expect(row->crowded, 0) && !type->tells_running)
		value = VALUE_CROWD;
	entered =
		type->stack ? enters(st, lane, r, value) : value != lane->value;
	if (lane->value == value) {
		lane->entries += entered && value != VALUE_CROWD;
		lane->restored = lane->restored && !entered;
	} else
		hold(st, lane, r->time, value, entered || value == VALUE_CROWD);
}

/* Takes a record that affects more than its lane. */
static void __attribute__((noinline))
tell(struct stat_sink *st, const struct record *r, const struct stat_type *type)
{
	if (type->role.tells != ROLE_NONE)
		stat_executions_add(&st->runs, type->role, r);
	if (type->life != NULL)
		live_thread(st, r);
	if (type->wanted)
		show(st, r, type);
	/* Must come last: the value that ends here belongs to the previous
	 * life. */
	if ((type->tells_running || type->tells_lost) &&
		st->table.rows.at[r->row].virtual)
		live_virtual(st, r, type);
}

static void
state(struct sink *s, const struct record *r)
{
	struct stat_sink *st = self(s);
	const struct stat_type *type = &st->table.types.at[r->type];

	if (__builtin_expect(type->tells, 0))
		tell(st, r, type);
	else if (type->wanted)
		show(st, r, type);
}

static void
advance(struct sink *s, int64_t time)
{
	struct stat_sink *st = self(s);

	st->end = time;
	st->table.duration =
		time > st->options.from ? time - st->options.from : 0;
}

struct stat_table *
stat_result(struct sink *s)
{
	struct stat_sink *st = self(s);

	if (st->ended)
		return &st->table;
	st->ended = true;
	stat_executions_end(&st->runs);
	for (int i = 0; i < st->table.lanes.n; i++)
		end_value(st, &st->table.lanes.at[i], st->end);
	for (int i = 0; i < st->table.rows.n; i++)
		st->table.rows.at[i].lived = lived(st, (uint32_t)i, st->end);
	return &st->table;
}

bool
stat_is_small(const struct sink *s, size_t cells, size_t tasks)
{
	const struct stat_sink *st = (const struct stat_sink *)s;

	return st->table.over.part == NULL &&
		st->ncells + (size_t)st->table.lanes.n <= cells &&
		st->runs.seen.n <= tasks;
}

bool
stat_put_duration(struct sink *s, int64_t duration, int nrows)
{
	struct stat_sink *st = self(s);

	st->ended = true;
	st->table.duration = duration;
	return duration >= 0 && nrows == st->table.rows.n;
}

void
stat_put_lived(struct sink *s, int row, int64_t lived, bool virtual)
{
	struct stat_row *to = &self(s)->table.rows.at[row];

	to->lived = lived;
	to->virtual = virtual;
}

bool
stat_put_lane(struct sink *s, uint64_t row, uint64_t type)
{
	struct stat_sink *st = self(s);

	if (row >= (uint64_t)st->table.rows.n ||
		type >= (uint64_t)st->table.types.n)
		return false;
	VEC_PUSH(&st->table.lanes, st->arena,
		((struct stat_lane){
			.row = (uint32_t)row, .type = (uint32_t)type }));
	return true;
}

bool
stat_put_cell(struct sink *s, const struct stat_cell *cell)
{
	struct stat_sink *st = self(s);
	struct stat_lane *lane = &st->table.lanes.at[st->table.lanes.n - 1];
	bool tasks = st->options.tasks != NULL;

	VEC_PUSH(&lane->cells, st->arena, *cell);
	if (!tasks)
		lane->cells.at[lane->cells.n - 1].runs = 0;
	return tasks || cell->runs == 0 || cell->times > 0 || cell->time > 0;
}

const char *
stat_label(const struct stat_type *type, int64_t value)
{
	const uint64_t *at = map_get(&type->labels, (uint64_t)value);

	if (at != NULL)
		return (const char *)(uintptr_t)*at;
	return value == VALUE_NONE ? type->none : NULL;
}

static bool
close_sink(struct sink *s, struct err *err)
{
	struct stat_sink *st = self(s);

	(void)err;
	for (int i = 0; i < st->table.lanes.n; i++)
		map_fini(&st->table.lanes.at[i].cell_of);
	for (int i = 0; i < st->table.types.n; i++)
		map_fini(&st->table.types.at[i].labels);
	map_fini(&st->lane_of);
	stat_over_fini(&st->table.over);
	stat_executions_fini(&st->runs);
	return true;
}

static const struct sink_ops ops = {
	.name = "stat",
	.help = "time of each value",
	.row = add_row,
	.type = add_type,
	.label = add_label,
	.rename = rename_row,
	.origin = set_origin,
	.state = state,
	.advance = advance,
	.close = close_sink,
};

struct sink *
stat_open(struct arena *a, const struct stat_options *options)
{
	struct stat_sink *st = ARENA_NEW(a, struct stat_sink);

	st->sink.ops = &ops;
	st->arena = a;
	st->options = *options;
	if (st->options.cells == 0)
		st->options.cells = STAT_CELLS;
	st->table.over = (struct stat_over){ .arena = a };
	tempfile_init(&st->table.over.file,
		options->dir == NULL ? "/tmp" : options->dir);
	st->runs = (struct stat_executions){ .arena = a,
		.tasks = options->tasks,
		.count = count_run,
		.arg = st };
	return &st->sink;
}
