/* SPDX-License-Identifier: MIT */
#include "export/causes/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

/* The types that are read. */
enum slot {
	LIFE,
	REASON,
	WAIT,
	MPI,
	OPENMP,
	OBJECT,
	LINE,
	REGION,
	SHORT,
	SLOTS
};

/* The key of LIFE is given by the caller. */
static const char *const keys[SLOTS] = { NULL, "wait.reason", "wait.wait",
	"mpi.function", "openmp.subsystem", "wait.object", "wait.line",
	"wait.region", "wait.short" };

/* What a thread waits for. */
struct key {
	enum slot slot; /* WAIT, MPI or OPENMP; LIFE: it does not wait */
	int64_t state, object, line;
};

/* A link to a row, whose begin may have ended a wait there. */
struct ended {
	int64_t from, to;
	uint32_t row; /* where the link begins */
};

struct thread_row {
	const char *name; /* NULL: no thread */
	bool lives;
	int64_t time; /* until then all is counted */
	int64_t value[SLOTS];
	struct key wait; /* the current wait */
	enum cause_class class;
	int64_t since, waited;     /* its begin; its time without being ready */
	struct ended wakeup, link; /* the last wakeup; the last other link */
	int sum; /* the sum that the row used last: index + 1 */
};

struct sum {
	struct key key;
	struct cause cause;
	int64_t arrived; /* when the last thread began such a wait */
	uint32_t last;   /* its row */
};

struct label {
	const char *text;
	enum meaning means;
};

/* Labels of these types have meanings; their usual values are small. */
enum { MEANING_SLOTS = OPENMP + 1, SMALL = 256 };

struct causes_sink {
	struct sink base;
	struct arena *arena;
	const struct stat_life *life; /* borrowed */
	VEC(int) slot;                /* by type; SLOTS: not read */
	VEC(struct thread_row) row;
	VEC(struct label) label;
	VEC(struct sum) sum;
	VEC(int64_t) wakeup; /* kinds of links that wake a thread */
	unsigned char small[MEANING_SLOTS][SMALL]; /* meaning of a value */
	enum meaning none[MEANING_SLOTS];          /* of VALUE_NONE */
	struct map labels;   /* slot and value -> index + 1 */
	struct map sums;     /* hash of a key -> index + 1 */
	struct map culprits; /* index of a sum, row -> time */
	int64_t quick;       /* time in calls that were only counted */
	struct causes result;
};

const char *cause_class_name(enum cause_class class)
{
	static const char *const names[CAUSE_CLASSES] = {
		[CAUSE_COMPUTE] = "compute",
		[CAUSE_OPENMP] = "OpenMP wait",
		[CAUSE_LOCK] = "lock",
		[CAUSE_SYNC] = "wait for threads",
		[CAUSE_MPI] = "MPI",
		[CAUSE_IO] = "I/O",
		[CAUSE_SLEEP] = "sleep",
		[CAUSE_READY] = "ready",
		[CAUSE_BLOCKED] = "blocked",
		[CAUSE_IDLE] = "idle",
	};

	return names[class];
}

static uint64_t
label_key(enum slot slot, int64_t value)
{
	return (uint64_t)slot << 56 ^ (uint64_t)value;
}

static const struct label *
label_of(const struct causes_sink *s, enum slot slot, int64_t value)
{
	const uint64_t *at = map_get(&s->labels, label_key(slot, value));

	return at == NULL ? NULL : &s->label.at[*at - 1];
}

static enum meaning
meaning_of(const struct causes_sink *s, enum slot slot, int64_t value)
{
	const struct label *l;

	if ((uint64_t)value < SMALL)
		return (enum meaning)s->small[slot][value];
	if (value == VALUE_NONE)
		return s->none[slot];
	l = label_of(s, slot, value);
	return l == NULL ? MEANS_UNSAID : l->means;
}

static enum cause_class
class_of(enum slot slot, enum meaning means)
{
	switch (means) {
	case MEANS_LOCK:
		return CAUSE_LOCK;
	case MEANS_SYNC:
		return slot == OPENMP ? CAUSE_OPENMP : CAUSE_SYNC;
	case MEANS_COMMUNICATION:
		return CAUSE_MPI;
	case MEANS_IO:
		return CAUSE_IO;
	case MEANS_SLEEP:
		return CAUSE_SLEEP;
	case MEANS_IDLE:
	case MEANS_SEARCH:
		return CAUSE_IDLE;
	default:
		return CAUSE_COMPUTE;
	}
}

/* Returns what the kernel says that the thread does: MEANS_TASK if it runs,
 * MEANS_READY, or another meaning if it is blocked. Where only switches are
 * known, which a trace with wakeups may have, the thread's state tells that: a
 * thread that cools down or warms up (MEANS_OVERHEAD) is active and records
 * events, so it runs. */
static enum meaning
reason_of(const struct causes_sink *s, const struct thread_row *r)
{
	enum slot slot = r->value[REASON] != VALUE_NONE ? REASON : LIFE;
	enum meaning means = meaning_of(s, slot, r->value[slot]);

	return means == MEANS_OVERHEAD ? MEANS_TASK : means;
}

/* Returns true if the runtime of OpenMP works, and the kernel says that it is
 * blocked: it waits for its threads, though it does not call that a wait. */
static bool
is_blocked_runtime(enum meaning runtime, enum meaning reason)
{
	return runtime != MEANS_TASK && reason != MEANS_UNSAID &&
		reason != MEANS_TASK && reason != MEANS_READY;
}

/* Returns what the thread waits for, and its class. reason: what the kernel
 * says that it does. */
static struct key
waits_for(const struct causes_sink *s, const struct thread_row *r,
	enum meaning reason, enum cause_class *class)
{
	static const enum slot order[] = { WAIT, MPI, OPENMP };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		enum slot slot = order[i];
		int64_t value = r->value[slot];
		enum meaning means;

		if (value == VALUE_NONE)
			continue;
		means = meaning_of(s, slot, value);
		*class = class_of(slot, means);
		if (slot == OPENMP && *class == CAUSE_COMPUTE &&
			is_blocked_runtime(means, reason))
			*class = CAUSE_OPENMP;
		if (*class != CAUSE_COMPUTE)
			return (struct key){ slot, value,
				slot == WAIT ? r->value[OBJECT] : VALUE_NONE,
				slot == WAIT ? r->value[LINE]
					     : r->value[REGION] };
	}
	*class = CAUSE_COMPUTE;
	return (struct key){ LIFE, VALUE_NONE, VALUE_NONE, VALUE_NONE };
}

static bool
is_same(const struct key *a, const struct key *b)
{
	return a->slot == b->slot && a->state == b->state &&
		a->object == b->object && a->line == b->line;
}

static struct sum *
sum_of(struct causes_sink *s, const struct key *k)
{
	uint64_t h = (uint64_t)k->slot;
	uint64_t *at;

	h = (h ^ (uint64_t)k->state) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)k->object) * 0x9e3779b97f4a7c15u;
	h = (h ^ (uint64_t)k->line) * 0x9e3779b97f4a7c15u;
	for (;; h++) {
		at = map_put(&s->sums, h);
		if (*at == 0)
			break;
		if (is_same(&s->sum.at[*at - 1].key, k))
			return &s->sum.at[*at - 1];
	}
	VEC_PUSH(&s->sum, s->arena, ((struct sum){ .key = *k }));
	*at = (uint64_t)s->sum.n;
	return &s->sum.at[s->sum.n - 1];
}

/* Returns the sum of the row's current wait, which is often that of its last
 * one. */
static struct sum *
sum_of_row(struct causes_sink *s, struct thread_row *r)
{
	struct sum *sum;

	if (r->sum != 0 && is_same(&s->sum.at[r->sum - 1].key, &r->wait))
		return &s->sum.at[r->sum - 1];
	sum = sum_of(s, &r->wait);
	r->sum = (int)(sum - s->sum.at) + 1;
	return sum;
}

/* Returns the link that ended the current wait, or NULL: a link that ends with
 * the wait, else a wakeup during the wait, because a thread that is woken still
 * waits until it has a CPU. */
static const struct ended *
ended_by(const struct thread_row *r)
{
	if (r->link.from >= r->since && r->link.to == r->time)
		return &r->link;
	return r->wakeup.from >= r->since ? &r->wakeup : NULL;
}

/* Ends the current wait, at the time until which the row is counted. */
static void
end_wait(struct causes_sink *s, struct thread_row *r)
{
	const struct ended *by;
	struct sum *sum;
	uint64_t at;

	if (r->wait.slot == LIFE || r->time == r->since)
		return;
	sum = sum_of_row(s, r);
	sum->cause.class = r->class;
	sum->cause.time += r->waited;
	sum->cause.times++;
	/* a barrier of OpenMP has no link: its last thread ended the wait */
	if (r->wait.slot == OPENMP && sum->arrived > r->since) {
		at = (uint64_t)(sum - s->sum.at) << 32 | sum->last;
		*map_put(&s->culprits, at) += (uint64_t)r->waited;
		return;
	}
	by = ended_by(r);
	if (by == NULL)
		return;
	at = (uint64_t)(sum - s->sum.at) << 32 | by->row;
	*map_put(&s->culprits, at) += (uint64_t)r->waited;
}

/* Begins a wait at the time until which the row is counted. */
static void
begin_wait(struct causes_sink *s, struct thread_row *r, const struct key *wait,
	enum cause_class class)
{
	struct sum *sum;

	r->wait = *wait;
	r->class = class;
	r->since = r->time;
	r->waited = 0;
	if (wait->slot != OPENMP)
		return;
	sum = sum_of_row(s, r);
	sum->arrived = r->since;
	sum->last = (uint32_t)(r - s->row.at);
}

/* Counts the time of a row up to a moment, with the values so far. */
static void
count(struct causes_sink *s, struct thread_row *r, int64_t time)
{
	int64_t ns = time - r->time;
	enum cause_class class;
	enum meaning reason = reason_of(s, r);
	struct key wait = waits_for(s, r, reason, &class);

	if (!r->lives)
		wait = (struct key){ LIFE, VALUE_NONE, VALUE_NONE, VALUE_NONE };
	if (!is_same(&wait, &r->wait)) {
		end_wait(s, r);
		begin_wait(s, r, &wait, class);
	}
	r->time = time;
	if (!r->lives)
		return;
	if (reason == MEANS_READY)
		class = CAUSE_READY;
	else if (class == CAUSE_COMPUTE && reason != MEANS_UNSAID &&
		reason != MEANS_TASK)
		class = CAUSE_BLOCKED;
	s->result.time[class] += ns;
	s->result.life += ns;
	if (class != CAUSE_READY)
		r->waited += ns;
}

static void
on_row(struct sink *sink, const struct row *row)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct thread_row *r = VEC_ADD(&s->row, s->arena);

	if (strcmp(row->class, "thread") == 0)
		r->name = arena_strdup(s->arena, row->name);
	for (int i = 0; i < SLOTS; i++)
		r->value[i] = VALUE_NONE;
	r->wakeup.from = r->link.from = -1;
}

static void
on_type(struct sink *sink, const struct type *type)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	int slot = SLOTS;

	for (int i = 0; i < SLOTS; i++) {
		const char *key = i == LIFE ? s->life->key : keys[i];

		if (strcmp(type->class, "thread") == 0 &&
			strcmp(type->key, key) == 0)
			slot = i;
	}
	VEC_PUSH(&s->slot, s->arena, slot);
}

static void
on_label(struct sink *sink, uint32_t type, int64_t value, const char *text,
	enum meaning meaning)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	int slot = s->slot.at[type];
	uint64_t *at;

	if (slot == SLOTS)
		return;
	at = map_put(&s->labels, label_key((enum slot)slot, value));
	if (*at == 0) {
		VEC_PUSH(&s->label, s->arena, ((struct label){ 0 }));
		*at = (uint64_t)s->label.n;
	}
	s->label.at[*at - 1] =
		(struct label){ arena_strdup(s->arena, text), meaning };
	if (slot < MEANING_SLOTS && (uint64_t)value < SMALL)
		s->small[slot][value] = (unsigned char)meaning;
	if (slot < MEANING_SLOTS && value == VALUE_NONE)
		s->none[slot] = meaning;
}

static bool
is_life(const struct causes_sink *s, int64_t state)
{
	return state != VALUE_NONE && state != s->life->dead[0] &&
		state != s->life->dead[1];
}

/* Adds to the time of calls that were only counted. */
static void
add_short(struct causes_sink *s, const struct thread_row *row, int64_t value)
{
	int64_t was = row->value[SHORT] == VALUE_NONE ? 0 : row->value[SHORT];

	if (value != VALUE_NONE && value > was)
		s->quick += value - was;
}

static void
on_state(struct sink *sink, const struct record *r)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct thread_row *row = &s->row.at[r->row];
	int slot = s->slot.at[r->type];

	if (slot == SLOTS || row->name == NULL)
		return;
	if (r->time > row->time)
		count(s, row, r->time);
	if (slot == SHORT)
		add_short(s, row, r->value);
	row->value[slot] = r->value;
	if (slot == REASON && r->value != VALUE_NONE)
		s->result.has_ready = true;
	if (slot == LIFE)
		row->lives = is_life(s, r->value);
}

static void
on_link_kind(struct sink *sink, const struct link_kind *kind)
{
	struct causes_sink *s = (struct causes_sink *)sink;

	if (kind->meaning == LINK_WAKEUP)
		VEC_PUSH(&s->wakeup, s->arena, kind->kind);
}

static bool
is_wakeup(const struct causes_sink *s, int64_t kind)
{
	for (int i = 0; i < s->wakeup.n; i++)
		if (s->wakeup.at[i] == kind)
			return true;
	return false;
}

static void
on_link(struct sink *sink, const struct link *l)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct thread_row *row = &s->row.at[l->to_row];

	if (row->name == NULL || l->from_row == ROW_NONE)
		return;
	*(is_wakeup(s, l->kind) ? &row->wakeup : &row->link) =
		(struct ended){ l->from_time, l->to_time, l->from_row };
}

static void
on_advance(struct sink *sink, int64_t time)
{
	((struct causes_sink *)sink)->result.end = time;
}

static void
on_rename(struct sink *sink, uint32_t row, const char *name)
{
	struct causes_sink *s = (struct causes_sink *)sink;

	if (s->row.at[row].name != NULL)
		s->row.at[row].name = arena_strdup(s->arena, name);
}

static bool
on_close(struct sink *sink, struct err *err)
{
	struct causes_sink *s = (struct causes_sink *)sink;

	(void)err;
	map_fini(&s->labels);
	map_fini(&s->sums);
	map_fini(&s->culprits);
	return true;
}

static const struct sink_ops ops = {
	.name = "causes",
	.row = on_row,
	.type = on_type,
	.label = on_label,
	.state = on_state,
	.link = on_link,
	.link_kind = on_link_kind,
	.advance = on_advance,
	.rename = on_rename,
	.close = on_close,
};

struct sink *
causes_open(struct arena *a, const struct stat_life *life)
{
	struct causes_sink *s = ARENA_NEW(a, struct causes_sink);

	s->base.ops = &ops;
	s->arena = a;
	s->life = life;
	return &s->base;
}

static int
by_time(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? 1 : -1;
	return strcmp(
		x->line == NULL ? "" : x->line, y->line == NULL ? "" : y->line);
}

static const char *
text_of(const struct causes_sink *s, enum slot slot, int64_t value)
{
	const struct label *l =
		value == VALUE_NONE ? NULL : label_of(s, slot, value);

	return l == NULL ? NULL : l->text;
}

/* Takes the calls that were only counted out of the time of computing. */
static void
count_quick(struct causes_sink *s)
{
	struct causes *c = &s->result;
	int64_t n = s->quick < c->time[CAUSE_COMPUTE] ? s->quick
						      : c->time[CAUSE_COMPUTE];
	const struct key key = { SHORT, 0, VALUE_NONE, VALUE_NONE };
	struct sum *sum;

	if (n <= 0)
		return;
	c->time[CAUSE_COMPUTE] -= n;
	c->time[CAUSE_IO] += n;
	sum = sum_of(s, &key);
	sum->cause.class = CAUSE_IO;
	sum->cause.time = n;
}

static void
name_culprits(struct causes_sink *s)
{
	uint64_t key, time;

	for (size_t pos = 0; map_next(&s->culprits, &pos, &key, &time);) {
		struct cause *c = &s->sum.at[key >> 32].cause;

		if ((int64_t)time <= c->culprit_time)
			continue;
		c->culprit_time = (int64_t)time;
		c->culprit = s->row.at[(uint32_t)key].name;
	}
}

const struct causes *
causes_result(struct sink *sink)
{
	struct causes_sink *s = (struct causes_sink *)sink;
	struct causes *c = &s->result;
	struct cause *list;

	for (int i = 0; i < s->row.n; i++) {
		struct thread_row *r = &s->row.at[i];

		if (r->name == NULL)
			continue;
		c->nthreads++;
		count(s, r, c->end > r->time ? c->end : r->time);
		end_wait(s, r);
		r->wait.slot = LIFE;
	}
	count_quick(s);
	name_culprits(s);
	list = ARENA_ARRAY(s->arena, struct cause, s->sum.n + 1);
	for (int i = 0; i < s->sum.n; i++) {
		const struct key *k = &s->sum.at[i].key;
		struct cause *to = &list[c->ncauses];

		*to = s->sum.at[i].cause;
		/* a wait that ended at the moment of its begin */
		if (to->time == 0 && to->times == 0)
			continue;
		to->what = k->slot == SHORT ? "Short calls"
					    : text_of(s, k->slot, k->state);
		to->object = text_of(s, OBJECT, k->object);
		to->line = text_of(s, k->slot == WAIT ? LINE : REGION, k->line);
		c->ncauses++;
	}
	if (c->ncauses > 0)
		qsort(list, (size_t)c->ncauses, sizeof *list, by_time);
	c->cause = list;
	return c;
}
